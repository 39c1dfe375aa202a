"""The product: raw text in, plainer raw text out, every edit explained."""

from __future__ import annotations

from plainwright.simplify.protect import Protection, protected_tokens
from plainwright.simplify.simplifier import (
    Alternative,
    Edit,
    SimplifiedSentence,
    SimplifiedText,
    Simplifier,
    load,
)
from plainwright.simplify.surface import Change, ChangeKind, realise

__all__ = [
    "Alternative",
    "Change",
    "ChangeKind",
    "Edit",
    "Protection",
    "SimplifiedSentence",
    "SimplifiedText",
    "Simplifier",
    "load",
    "protected_tokens",
    "realise",
]
