"""Asking a packed language model.

A state is a value: it compares, hashes and copies by content, and holds no more words than the model can still use.
Hypotheses with equal states have equal futures, which is what a decoder needs to merge them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plainwright import _core
from plainwright._core import LmState as State
from plainwright.arguments import as_texts, check_path, check_text
from plainwright.errors import DataError

__all__ = ["LanguageModel", "Perplexity", "State", "WordScore"]


class WordScore(NamedTuple):
    """One token of a sentence, as the model sees it."""

    word: str
    log10: float
    ngram_length: int  # words of the n-gram that was found, this one included
    known: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Perplexity:
    """Says how surprising some text is; the ends of sentences count as tokens."""

    value: float
    without_unknown: float  # over the known tokens alone
    log10: float
    sentences: int
    tokens: int
    unknown: int


class LanguageModel:
    """A packed model, memory-mapped: opening takes no time, and processes share the memory."""

    def __init__(self, core: _core.LanguageModel, path: str) -> None:
        self._core = core
        self._path = path

    @classmethod
    def open(cls, path: str | Path, *, verify: bool = False) -> LanguageModel:
        """Open a file made by `plainwright lm pack`; `verify` reads all of it and compares the checksum."""
        check_path(path, "LanguageModel.open", "path")
        name = os.fspath(path)
        with _damage_told(name):
            core = _core.LanguageModel.open(name)
            if verify:
                core.verify()
        return cls(core, name)

    def __repr__(self) -> str:
        return f"LanguageModel({self._path!r}, order={self.order})"

    @property
    def native(self) -> _core.LanguageModel:
        """What the decoder takes."""
        return self._core

    @property
    def order(self) -> int:
        """Words of the longest n-grams."""
        return self._core.order

    @property
    def path(self) -> str:
        """The file that this model was opened from."""
        return self._path

    @property
    def bytes(self) -> int:
        """Size of the file."""
        return self._core.bytes

    @property
    def counts(self) -> tuple[int, ...]:
        """Numbers of n-grams, from order 1."""
        return tuple(self._core.ngrams(n) for n in range(1, self.order + 1))

    def __contains__(self, word: str) -> bool:
        return self._core.word(word) != 0

    def verify(self) -> None:
        """Raise `DataError` if any byte of the file has changed since it was written."""
        with _damage_told(self._path):
            self._core.verify()

    def score(self, sentence: str, *, begin: bool = True, end: bool = True) -> float:
        """Return the total log10 of a tokenised sentence, with <s> before and </s> after it by default."""
        check_text(sentence, "LanguageModel.score", "sentence", way_out="for several sentences call score_lines")
        return float(self._core.score_lines([sentence], begin=begin, end=end)[0, 0])

    def score_lines(
        self, lines: Iterable[str], *, begin: bool = True, end: bool = True, threads: int = 1
    ) -> list[float]:
        """Return the total log10 of each line; much faster than one call for each."""
        texts = as_texts(lines, "LanguageModel.score_lines", "lines")
        rows = self._core.score_lines(texts, begin=begin, end=end, threads=threads)
        scores: list[float] = rows[:, 0].tolist()
        return scores

    def word_scores(self, sentence: str, *, begin: bool = True, end: bool = True) -> list[WordScore]:
        """Return each token of a sentence, then </s>, with its log10 and the n-gram that was found."""
        check_text(sentence, "LanguageModel.word_scores", "sentence")
        return [WordScore(*row) for row in self._core.word_scores(sentence, begin, end)]

    def perplexity(self, lines: Iterable[str], *, threads: int = 1) -> Perplexity:
        """Compute the perplexity of tokenised sentences, with and without words that the model does not know."""
        rows = self._core.score_lines(as_texts(lines, "LanguageModel.perplexity", "lines"), threads=threads)
        if not len(rows):
            msg = "perplexity needs at least one sentence, got none"
            raise DataError(msg)
        log10, unknown_log10, tokens, unknown = (float(value) for value in rows.sum(axis=0))
        return Perplexity(
            value=_power(log10, tokens),
            without_unknown=_power(log10 - unknown_log10, tokens - unknown),
            log10=log10,
            sentences=len(rows),
            tokens=int(tokens),
            unknown=int(unknown),
        )

    def begin_state(self) -> State:
        """Return the state at the start of a sentence, after <s>."""
        return self._core.begin_state()

    def empty_state(self) -> State:
        """Return the state that knows of no word before."""
        return self._core.empty_state()

    def score_word(self, state: State, word: str) -> tuple[float, State]:
        """log10 of a word after a state, and the state after it; "</s>" ends the sentence."""
        log10, _, following = self._core.score_word(state, word)
        return log10, following

    def state_words(self, state: State) -> tuple[str, ...]:
        """Return the words that a state remembers, newest first."""
        with _damage_told(self._path):
            return tuple(self._core.state_words(state))

    def unpacked(self) -> _core.NgramModel:
        """Return all n-grams, as ARPA files have them."""
        with _damage_told(self._path):
            return self._core.unpack()


@contextmanager
def _damage_told(path: str) -> Iterator[None]:
    """Within the block, what the core finds wrong with the file becomes a `DataError`."""
    try:
        yield
    except RuntimeError as error:
        said = str(error)
        raise DataError(said if said.startswith(path) else f"{path}: {said}") from None


def _power(log10: float, tokens: float) -> float:
    try:
        return math.pow(10.0, -log10 / tokens)
    except OverflowError:
        return math.inf
