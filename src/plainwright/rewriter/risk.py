"""How a reader would take a rewrite: how likely it is damaged, and how likely it is clearly easier.

Learnt from rewrites that were read one by one. What tells most of damage is how sure the rewriter was of its own words,
above all of the least likely ones; then which words of the source are gone, and which are new. What tells most of ease
is how much shorter the sentences and how much more common the words became.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plainwright.rewriter.finding import LEVELS, Level
from plainwright.tables import TableReader
from plainwright.text import split_sentences
from plainwright.text.frequencies import zipf
from plainwright.text.lemmas import lemmas_by_ending

__all__ = ["FEATURES", "Opinion", "Regression", "RewriteReader", "changed_words", "features"]

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_SHORTEST = 3  # letters of a word that carries meaning
_COMMON = 6.0  # Zipf frequency from which a word says little by itself
_LEAST_LIKELY = -8.0
_UNSURE = math.log(0.25)
_STEM = 5  # letters that two forms of a word share, or all but the last three
_HIGHEST = 8.0
_PRONOUNS = frozenset({"it", "they", "he", "she", "this", "these", "them", "him", "her"})
_ADDRESS = frozenset({"you", "your"})
_CAUSES = frozenset({"because", "so", "since", "therefore", "due", "as"})
FEATURES = (
    *("sure", "least_sure", "second_least_sure", "unsure", "unsure_share"),
    *("source_words", "length", "sentences", "longest_sentence"),
    *("new", "new_share", "rarest_new", "gone", "gone_share", "rarest_gone", "names_gone"),
    *("pronouns", "address", "causes", "disorder", "rarity", "copied"),
    *LEVELS,
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a reader would say of a rewrite, each as a probability."""

    damaged: float
    easier: float


@dataclass(frozen=True, slots=True)
class Regression:
    """A logistic regression over `FEATURES`."""

    intercept: float
    weights: Mapping[str, float]

    @classmethod
    def read(cls, table: TableReader) -> Regression:
        """Read what `table` returned."""
        table.check_keys("intercept", *FEATURES)
        weights = {name: table.number(name) for name in FEATURES}
        return cls(table.number("intercept"), weights)

    def table(self) -> dict[str, float]:
        """Return all numbers by name."""
        return {"intercept": self.intercept, **self.weights}

    def probability(self, row: Mapping[str, float]) -> float:
        """Return how likely it is."""
        total = self.intercept + sum(weight * row[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, total))))


@dataclass(frozen=True, slots=True)
class RewriteReader:
    """Reads rewrites as the people or models did whose ratings it learnt from."""

    damaged: Regression
    easier: Regression

    @classmethod
    def read(cls, table: TableReader) -> RewriteReader:
        """Read the tables `damaged` and `easier`."""
        table.check_keys("damaged", "easier")
        return cls(*(Regression.read(table.section(name)) for name in ("damaged", "easier")))

    def opinion(self, row: Mapping[str, float]) -> Opinion:
        """Return what it thinks of a rewrite with these features."""
        return Opinion(self.damaged.probability(row), self.easier.probability(row))


def features(source: str, text: str, log_probabilities: Sequence[float], level: Level) -> dict[str, float]:
    """Return the values of `FEATURES` for a rewrite, given how sure the rewriter was of each token."""
    sure = sorted(max(one, _LEAST_LIKELY) for one in log_probabilities) or [0.0]
    unsure = sum(one < _UNSURE for one in sure)
    lengths = [len(sentence.split()) for sentence in split_sentences(text)] or [0]
    words = len(source.split()) or 1
    values = (
        *(sum(sure) / len(sure), sure[0], sure[min(1, len(sure) - 1)], unsure, unsure / len(sure)),
        *(math.log(words), len(text) / max(1, len(source))),
        *(len(lengths) - len(split_sentences(source)), max(lengths) / words),
        *_Words(source, text).values(),
        source == text,
        *(level == one for one in LEVELS),
    )
    return dict(zip(FEATURES, map(float, values), strict=True))


def changed_words(source: str, text: str) -> tuple[float, float]:
    """Return which share of the words that carry meaning is new in a rewrite, and which share of its source is gone."""
    words = _Words(source, text)
    return words.new_share, words.gone_share


class _Words:
    """The words of a source and of its rewrite."""

    def __init__(self, source: str, text: str) -> None:
        self._source, self._text = (_WORD.findall(one) for one in (source, text))
        self._read, self._written = _meaning(self._source), _meaning(self._text)
        self._new, self._gone = _beyond(self._written, self._read), _beyond(self._read, self._written)
        self.new_share = len(self._new) / max(1, len(self._written))
        self.gone_share = len(self._gone) / max(1, len(self._read))

    def values(self) -> tuple[float, ...]:
        return (
            *(len(self._new), self.new_share, _rarest(self._new)),
            *(len(self._gone), self.gone_share, _rarest(self._gone)),
            sum(form[0].isupper() for form in self._gone.values()),
            *(self._more(words) for words in (_PRONOUNS, _ADDRESS, _CAUSES)),
            self._disorder,
            _rarity(self._text) - _rarity(self._source),
        )

    def _more(self, words: frozenset[str]) -> int:
        """How many of these words the rewrite has more than the source."""
        written, read = (sum(word.lower() in words for word in own) for own in (self._text, self._source))
        return written - read

    @cached_property
    def _disorder(self) -> float:
        """The share of neighbours among the kept words that stand the other way round."""
        places = {word: place for place, word in enumerate(self._read)}
        kept = [places[word] for word in self._written if word in places]
        pairs = list(itertools.pairwise(kept))
        return sum(first > second for first, second in pairs) / max(1, len(pairs))


def _meaning(words: Sequence[str]) -> dict[str, str]:
    """Return the words that carry meaning, in lower case and in order, each with its first form."""
    forms: dict[str, str] = {}
    for word in words:
        if len(word) >= _SHORTEST and zipf(word.lower()) < _COMMON:
            forms.setdefault(word.lower(), word)
    return forms


def _beyond(words: Mapping[str, str], others: Mapping[str, str]) -> dict[str, str]:
    """Return the words of which no form is among the others."""
    stems = {stem for word in others for stem in _stems(word)}
    return {word: form for word, form in words.items() if not stems & _stems(word)}


def _stems(word: str) -> set[str]:
    return {word, *lemmas_by_ending(word), word[: max(_STEM, len(word) - 3)]}


def _rarest(words: Mapping[str, str]) -> float:
    return _HIGHEST - min((zipf(word) for word in words), default=_HIGHEST)


def _rarity(words: Sequence[str]) -> float:
    """Return how rare the rarest quarter of the words is."""
    rarest = sorted((_HIGHEST - zipf(word.lower()) for word in words), reverse=True)[: max(1, len(words) // 4)]
    return sum(rarest) / max(1, len(rarest))
