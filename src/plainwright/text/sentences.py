"""Sentence splitting by rule, for raw text and for tokenised text ("u.s. . the next")."""

from __future__ import annotations

from plainwright import _core
from plainwright.arguments import check_text
from plainwright.errors import DataError

__all__ = ["sentence_spans", "split_sentences"]


def sentence_spans(text: str, *, tokenised: bool | None = None) -> list[tuple[int, int]]:
    """(start, end) of each sentence, without the white space between sentences.

    `tokenised=None` looks at the periods: where more of them stand alone than at the end of words, only those
    that stand alone end a sentence. A blank line always does.
    """
    check_text(text, "sentence_spans", "text")
    try:
        return _core.sentence_spans(text, tokenised=tokenised)
    except ValueError as error:
        raise DataError(str(error)) from None


def split_sentences(text: str, *, tokenised: bool | None = None) -> list[str]:
    """Cut `text` into sentences, as they stand in it."""
    check_text(text, "split_sentences", "text")
    return [text[start:end] for start, end in sentence_spans(text, tokenised=tokenised)]
