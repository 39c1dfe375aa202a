"""The tokenisers of sacreBLEU, natively.

`13a`, `intl` and `none` give byte for byte what sacreBLEU's BLEU sees: the line is lower-cased if asked,
stripped at its right end, tokenised, and its tokens are joined by single spaces.
"""

from __future__ import annotations

from collections.abc import Iterable

from plainwright import _core
from plainwright.arguments import as_texts, check_choice, check_text
from plainwright.errors import DataError

__all__ = ["TOKENIZERS", "tokenize", "tokenize_lines"]

TOKENIZERS = ("13a", "intl", "none")


def tokenize(line: str, tokenizer: str = "13a", *, lowercase: bool = False) -> str:
    """Tokenise one line; tokens are joined by single spaces."""
    check_text(line, "tokenize", "line", way_out="for several lines call tokenize_lines")
    check_choice(tokenizer, TOKENIZERS, "tokenizer")
    try:
        return _core.tokenize(line, tokenizer, lowercase=lowercase)
    except ValueError as error:
        raise DataError(str(error)) from None


def tokenize_lines(lines: Iterable[str], tokenizer: str = "13a", *, lowercase: bool = False) -> list[str]:
    """Tokenise each line; tokens are joined by single spaces."""
    check_choice(tokenizer, TOKENIZERS, "tokenizer")
    texts = as_texts(lines, "tokenize_lines", "lines")
    try:
        return _core.tokenize_lines(texts, tokenizer, lowercase=lowercase)
    except ValueError as error:
        raise DataError(str(error)) from None
