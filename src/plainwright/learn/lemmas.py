"""Which words are forms of one lemma.

lemminflect knows the irregular ones; where it is not installed, a word's lemmas are itself and what is left of it
without a regular ending. That is enough for a prior, which text may overrule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from plainwright.text.lemmas import lemmas_by_ending

__all__ = ["lemma_numbers"]


def lemma_numbers(*vocabularies: Sequence[str]) -> tuple[list[list[int]], ...]:
    """For each word of each vocabulary the numbers of its lemmas; equal numbers mean equal lemmas."""
    numbers: dict[str, int] = {}
    lemmas_of = _lemmas()
    return tuple(
        [sorted({numbers.setdefault(lemma, len(numbers)) for lemma in sorted(lemmas_of(word))}) for word in words]
        for words in vocabularies
    )


@cache
def _lemmas() -> Callable[[str], set[str]]:
    try:
        from lemminflect import getAllLemmas
    except ImportError:
        return lemmas_by_ending

    def lookup(word: str) -> set[str]:
        lower = word.lower()
        return {lower, *(lemma.lower() for forms in getAllLemmas(lower).values() for lemma in forms)}

    return lookup
