"""Parts of speech, in a few megabytes and a few microseconds.

A `Tagger` gives every token of a sentence its tag of the Penn Treebank, as the text that it was learnt from has them
(`plainwright learn tagger`). It goes from left to right and takes the best tag for each word: an averaged perceptron
(Collins 2002) over the word, its ending, its capitals, its neighbours and the two tags before. Text all in lower case,
or all in capitals, is tagged without a look at capitals.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from plainwright import _core
from plainwright.arguments import refuse
from plainwright.errors import DataError
from plainwright.files import read_bytes

__all__ = ["MAX_TAGGER", "Tagger"]

MAX_TAGGER = 1 << 26  # bytes of a file; one that knows English well has two million


class Tagger:
    """Tags words with their parts of speech; safe to use from several threads."""

    def __init__(self, content: bytes, *, name: str = "tagger") -> None:
        """Take the bytes of a file; `name` is what errors call it."""
        try:
            self._core = _core.Tagger(content)
        except ValueError as error:
            msg = f"{name}: {error}"
            raise DataError(msg) from None
        self._name = name
        self.bytes = len(content)

    @classmethod
    def open(cls, path: str | Path) -> Tagger:
        """Read a file made by `plainwright learn tagger`; a damaged one is a `DataError`."""
        return cls(read_bytes(path, most=MAX_TAGGER), name=os.fspath(path))

    def __repr__(self) -> str:
        return f"Tagger({self._name!r}, tags={len(self.tags)})"

    @property
    def tags(self) -> tuple[str, ...]:
        """All tags that it knows, the most frequent first."""
        return tuple(self._core.tags)

    def tag(self, tokens: Sequence[str]) -> list[str]:
        """Return the tag of each token of one sentence."""
        if isinstance(tokens, str):
            refuse(tokens, "Tagger.tag", "tokens", "a list of strings", "split it at its spaces")
        return self.tag_many([tokens])[0]

    def tag_many(self, sentences: Iterable[Sequence[str]], *, threads: int = 1) -> list[list[str]]:
        """The tags of many sentences: faster than one call for each; the number of threads changes nothing."""
        try:
            return self._core.tag(sentences if isinstance(sentences, Sequence) else list(sentences), threads)
        except (TypeError, ValueError) as error:
            raise DataError(str(error)) from None
