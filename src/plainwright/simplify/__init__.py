"""The way from raw text to the decoder's tokens and back."""

from __future__ import annotations

from plainwright.simplify.protect import Protection, protected_tokens
from plainwright.simplify.surface import Change, ChangeKind, realise

__all__ = ["Change", "ChangeKind", "Protection", "protected_tokens", "realise"]
