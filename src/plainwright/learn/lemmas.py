"""Which words are forms of one lemma.

lemminflect knows the irregular ones; where it is not installed, a word's lemmas are itself and what is left of it
without a regular ending. That is enough for a prior, which text may overrule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

__all__ = ["lemma_numbers", "lemmas_by_ending"]

# Ending, what stands in its place, and how many letters must remain.
_ENDINGS = (
    ("ies", "y", 2),
    ("es", "", 3),
    ("s", "", 3),
    ("ied", "y", 2),
    ("ed", "", 3),
    ("ed", "e", 2),
    ("ing", "", 3),
    ("ing", "e", 2),
    ("er", "", 3),
    ("er", "e", 3),
    ("est", "", 3),
    ("est", "e", 3),
)


def lemmas_by_ending(word: str) -> set[str]:
    """The word and all that it may be a regular form of."""
    lower = word.lower()
    found = {lower}
    for ending, instead, least in _ENDINGS:
        stem = lower.removesuffix(ending)
        if stem == lower or len(stem) < least or not stem.isalpha():
            continue
        found.add(stem + instead)
        if not instead and len(stem) > 3 and stem[-1] == stem[-2]:
            found.add(stem[:-1])  # stopped, bigger
    return found


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
