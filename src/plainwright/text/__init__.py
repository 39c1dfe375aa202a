"""Text as the rest of the package needs it: tokens, sentences, syllables, readability counts."""

from __future__ import annotations

from plainwright.text.tokens import TOKENIZERS, tokenize, tokenize_lines

__all__ = ["TOKENIZERS", "tokenize", "tokenize_lines"]
