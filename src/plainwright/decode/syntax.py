"""The input's own labels: what a parser says every span of a sentence is."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from plainwright.decode.decoder import Analysis
from plainwright.text.parser import check_english_model
from plainwright.text.syntax import Parser, span_labels

__all__ = ["SyntaxLabels"]

_LONGEST_SENTENCE = 200  # tokens; a longer one has no analysis
_LONGEST_SPAN = 10  # tokens of a phrase that may fill a gap
_KEPT = 5_000  # sentences whose analyses are remembered: tuning asks for the same ones again and again
_NO_LABEL = "X"


class SyntaxLabels:
    """Gives analyses for `Decoder.decode` as the labels of rules were learnt: by spaCy, on tokens in lower case."""

    def __init__(self) -> None:
        """Refuse to begin where the parser is not installed; it is loaded with the first sentence."""
        check_english_model("labels of the input", otherwise="or use a model without syntax")
        self._parser: Parser | None = None
        self._known: dict[tuple[str, ...], Analysis] = {}
        self._lock = threading.Lock()

    def analyses(self, sentences: Sequence[Sequence[str]]) -> list[Analysis]:
        """Return the label of every short span of each sentence; none for sentences too long to parse."""
        keys = [tuple(map(str.lower, sentence)) for sentence in sentences]
        with self._lock:
            self._learn(keys)
            return [self._known[key] for key in keys]

    def _learn(self, keys: Sequence[tuple[str, ...]]) -> None:
        new = list(dict.fromkeys(key for key in keys if key not in self._known))
        if len(self._known) + len(new) > _KEPT:
            self._known.clear()
            new = list(dict.fromkeys(keys))
        if not new:
            return
        self._parser = self._parser or Parser()
        found = self._parser.parse_tokens(new, longest=_LONGEST_SENTENCE)
        for key, analysis in zip(new, found, strict=True):
            labels = {} if analysis is None else span_labels(analysis)
            self._known[key] = [
                (first, last, label)
                for (first, last), label in labels.items()
                if last - first <= _LONGEST_SPAN and label != _NO_LABEL
            ]
