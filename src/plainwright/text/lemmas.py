"""Lemmas of English words by their regular endings."""

from __future__ import annotations

__all__ = ["lemmas_by_ending"]

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
    """Return the word and all that it may be a regular form of."""
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
