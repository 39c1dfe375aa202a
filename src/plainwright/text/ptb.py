"""Penn-Treebank-style tokens for the decoder, and the way back to written text.

Every token knows its place in the raw text, so whoever edits tokens can keep the casing and spacing of all
the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from plainwright import _core
from plainwright.arguments import as_texts, check_text, refuse
from plainwright.errors import DataError

__all__ = ["Token", "ptb_detokenize", "ptb_tokenize"]


class Token(NamedTuple):
    """Holds a token and its span: `raw[start:end]`, which equals `text` unless an option rewrites it."""

    text: str
    start: int
    end: int


def ptb_tokenize(
    text: str, *, quotes: Literal["ptb", "keep"] = "ptb", brackets: Literal["keep", "ptb"] = "keep"
) -> list[Token]:
    """Cut raw text into tokens.

    With `quotes="ptb"` straight double quotes become ` `` ` and `''`, so that detokenising need not guess;
    with `brackets="ptb"` brackets become `-LRB-`, `-RRB-` and so on. A dash between two words becomes `--`.
    """
    check_text(text, "ptb_tokenize", "text")
    _check("quotes", quotes)
    _check("brackets", brackets)
    try:
        found = _core.ptb_tokenize(text, directed_quotes=quotes == "ptb", escape_brackets=brackets == "ptb")
    except ValueError as error:
        raise DataError(str(error)) from None
    return [Token(*token) for token in found]


def ptb_detokenize(tokens: str | Sequence[str | Token]) -> str:
    """Written text from tokens, or from a line of them; takes lower-case corpora ("-lrb- 1990 -rrb-") too."""
    if isinstance(tokens, str):
        pieces = tokens.split()
    elif isinstance(tokens, bytes | Mapping) or not isinstance(tokens, Iterable):
        refuse(tokens, "ptb_detokenize", "tokens", "a string or a list of tokens")
    else:
        pieces = as_texts(map(_text_of, tokens), "ptb_detokenize", "tokens")
    try:
        return _core.ptb_detokenize(pieces)
    except ValueError as error:
        raise DataError(str(error)) from None


def _text_of(token: str | Token) -> str:
    return token.text if isinstance(token, Token) else token


def _check(option: str, value: str) -> None:
    if value not in ("ptb", "keep"):
        msg = f"{option} must be 'ptb' or 'keep'; got {value!r}"
        raise DataError(msg)
