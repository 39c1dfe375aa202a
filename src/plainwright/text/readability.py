"""The counts that readability formulas are made of, for one text or for many lines.

Mode `tokenised` counts as the scorer released with Xu et al. (2016) does: tokens between white space, one
line is one sentence, punctuation tokens are one-syllable words, vowel-group syllables. Mode `plain` takes raw
text: sentences are found, words are what holds a letter or a digit, syllables come from the CMU dictionary.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plainwright import _core
from plainwright.arguments import as_texts, check_choice, check_text
from plainwright.errors import DataError
from plainwright.text.syllables import load_dictionary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["READABILITY_MODES", "ReadabilityCounts", "readability_counts", "readability_counts_lines"]

READABILITY_MODES = ("plain", "tokenised")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadabilityCounts:
    """Counts of one text; characters are all but white space, polysyllables have three syllables or more."""

    sentences: int
    words: int
    syllables: int
    characters: int
    letters: int
    polysyllables: int


def readability_counts(text: str, *, mode: str = "plain") -> ReadabilityCounts:
    """Count what readability formulas need in one text."""
    check_text(text, "readability_counts", "text", way_out="for several texts call readability_counts_lines")
    row = readability_counts_lines([text], mode=mode)[0]
    sentences, words, syllables, characters, letters, polysyllables = map(int, row)
    return ReadabilityCounts(
        sentences=sentences,
        words=words,
        syllables=syllables,
        characters=characters,
        letters=letters,
        polysyllables=polysyllables,
    )


def readability_counts_lines(lines: Iterable[str], *, mode: str = "plain", threads: int = 1) -> NDArray[np.float64]:
    """Return counts of each line, shape (n, 6), columns in the order of the fields of `ReadabilityCounts`."""
    check_choice(mode, READABILITY_MODES, "readability mode")
    if threads < 1:
        msg = f"threads must be at least 1; got {threads}"
        raise DataError(msg)
    if mode == "plain":
        load_dictionary()
    texts = as_texts(lines, "readability_counts_lines", "lines")
    try:
        return _core.readability_counts(texts, mode, threads=threads)
    except ValueError as error:
        raise DataError(str(error)) from None
