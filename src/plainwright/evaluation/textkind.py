"""Is this text tokenised or raw, cased or lower-cased? Told from commas, full stops and capitals.

The answer comes with its evidence, because a wrong tokeniser moves SARI by several points and nobody notices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from plainwright.arguments import as_texts

__all__ = ["TextKind", "detect"]

_MARKS = (",", ".", ";", "?", "!")
_CLEAR = 4  # how many times more of one kind than of the other make a clear case
_LEAST = 1  # marks needed to say anything; one is better than a guess


@dataclass(frozen=True, slots=True, kw_only=True)
class TextKind:
    """Says what a text looks like, and why."""

    tokens: Literal["raw", "tokenised", "unclear"]
    case: Literal["cased", "lower"]
    attached: int  # commas and final stops written onto a word
    separate: int  # … standing alone

    @property
    def evidence(self) -> str:
        """For messages."""
        return f"{self.separate} punctuation marks stand alone, {self.attached} are attached to words"


def detect(lines: Sequence[str]) -> TextKind:
    """Look at all of `lines`; abbreviations do not count, because only commas and line-final marks do."""
    lines = as_texts(lines, "detect", "lines")
    attached = separate = capitals = 0
    for line in lines:
        words = line.split()
        if not words:
            continue
        separate += words.count(",") + (words[-1] in _MARKS)
        attached += _attached_commas(words) + (len(words[-1]) > 1 and words[-1].endswith(_MARKS))
        capitals += any(map(str.isupper, line))
    if attached + separate < _LEAST:
        tokens: Literal["raw", "tokenised", "unclear"] = "unclear"
    elif separate > _CLEAR * attached:
        tokens = "tokenised"
    elif attached > _CLEAR * separate:
        tokens = "raw"
    else:
        tokens = "unclear"
    case: Literal["cased", "lower"] = "cased" if capitals > len(lines) / 10 else "lower"
    return TextKind(tokens=tokens, case=case, attached=attached, separate=separate)


def _attached_commas(words: Iterable[str]) -> int:
    return sum(len(word) > 1 and word.endswith(",") for word in words)
