"""From a text to its sentences, with the tokens that must survive, and from sentences back to a text."""

from __future__ import annotations

import bisect
import operator
import re
from collections.abc import Iterator, Sequence

from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.rewrite.types import Sentence, Span, without_surrogates
from plainwright.text import ptb_tokenize, sentence_spans
from plainwright.text.quotations import merged_spans

__all__ = ["LINE_BREAK", "joined_text", "one_sentence", "pieces_of_text", "sentences_of"]

LINE_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_START, _END = operator.itemgetter(0), operator.itemgetter(1)
_BYTE_ORDER_MARK = "\ufeff"


def sentences_of(text: str, protection: Protection, spans: Sequence[Span] = ()) -> list[Sentence]:
    """Cut a text into its sentences; what stands in `spans` is left alone, whatever it is."""
    # A lone surrogate is no character; where it stands, the words around it are still found.
    valid = without_surrogates(text)
    if valid.startswith(_BYTE_ORDER_MARK):
        valid = " " + valid[1:]
    spans = merged_spans(spans)
    return [_sentence(text, valid, span, protection, spans) for span in sentence_spans(valid)]


def one_sentence(text: str, protection: Protection) -> Sentence:
    """Take the whole text as one sentence, whatever it has inside."""
    return _sentence(text, text, (0, len(text)), protection)


def _sentence(text: str, valid: str, span: Span, protection: Protection, spans: Sequence[Span] = ()) -> Sentence:
    own = valid[slice(*span)]
    tokens = ptb_tokenize(own)
    reasons = protected_tokens(own, tokens, protection)
    fixed = frozenset(number for number, reason in enumerate(reasons) if reason is not None)
    start, end = span
    first, last = bisect.bisect_right(spans, start, key=_END), bisect.bisect_left(spans, end, key=_START)
    alone = tuple((max(i, start) - start, min(j, end) - start) for i, j in spans[first:last])
    sentence = Sentence(text[start:end], start, tokens, fixed, protection=protection, alone=alone)
    return sentence.protecting(sentence.tokens_alone) if alone else sentence


def joined_text(text: str, sentences: Sequence[tuple[Sentence, str]]) -> str:
    """The text with its sentences put in other words."""
    return "".join(piece for pair in pieces_of_text(text, sentences) for piece in pair)


def pieces_of_text(text: str, sentences: Sequence[tuple[Sentence, str]]) -> Iterator[tuple[str, str]]:
    """Yield what stands before each sentence, and the sentence in its new words; last, what follows them."""
    at = 0
    moved_break = False
    for sentence, words in sentences:
        gap = text[at : sentence.start]
        # Where a line break moved to the end of a sentence, it stands for the space after it.
        yield gap.lstrip(" \t") if moved_break else gap, words
        at = sentence.start + len(sentence.text)
        moved_break = bool(LINE_BREAK.search(words[-1:]))
    yield text[at:], ""
