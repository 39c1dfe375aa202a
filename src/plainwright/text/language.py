"""Whether a text is English, by its small words."""

from __future__ import annotations

import re

__all__ = ["may_be_english"]

_WORD = re.compile(r"[^\W\d_]+")
_FEW = 10  # words, of which nobody knows the language
_LEAST = 0.06  # of the words; half of the paragraphs of manuals in English have 0.28 or more, 95 % have this
_ENGLISH = frozenset(
    "the of and to is that for it was on are with as be by this at from or have not you an which can will if has but "  # noqa: SIM905
    "we they their its been were all your our".split()
)


def may_be_english(text: str) -> bool:
    """Return whether a text is short, or has some of the words without which there is hardly a sentence in English."""
    words = _WORD.findall(text.lower())
    return len(words) < _FEW or sum(word in _ENGLISH for word in words) >= _LEAST * len(words)
