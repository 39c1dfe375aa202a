"""A text made ready for the decoder: sentences, tokens, and protected words under names that no rule knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from plainwright.rewrite.protect import Protection, protected_tokens
from plainwright.text import Token, ptb_tokenize, sentence_spans

__all__ = ["PreparedSentence", "prepare", "prepared_sentences"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_BYTE_ORDER_MARK = "\ufeff"
_HIDDEN = "\x02"  # starts the names of protected words, in no vocabulary: tokens with control characters are protected


@dataclass(frozen=True, slots=True)
class PreparedSentence:
    """A sentence made ready for the decoder: protected tokens stand under names that no rule knows."""

    start: int
    raw: str
    tokens: list[Token]
    words: list[str]
    fixed: frozenset[int]
    tags: Sequence[str] = ()  # parts of speech, if there is a tagger

    def target(self, tokens: Iterable[str]) -> list[str | int]:
        """The decoder's tokens with the numbers of protected ones."""
        return [int(token[1:]) if token.startswith(_HIDDEN) else token for token in tokens]

    def protecting(self, numbers: Set[int]) -> PreparedSentence:
        """The same with more tokens protected."""
        words = [_hidden(number) if number in numbers else word for number, word in enumerate(self.words)]
        return replace(self, words=words, fixed=self.fixed | numbers)

    def shown(self, tokens: Iterable[str]) -> str:
        """The decoder's tokens with protected ones as they were."""
        return " ".join(self.tokens[t].text.lower() if isinstance(t, int) else t for t in self.target(tokens))


def prepared_sentences(text: str, protection: Protection) -> list[PreparedSentence]:
    """The sentences of a text."""
    # A lone surrogate is no character; where it stands, the words around it are still found.
    valid = _SURROGATE.sub("\ufffd", text)
    if valid.startswith(_BYTE_ORDER_MARK):
        valid = " " + valid[1:]
    return [prepare(text, valid, span, protection) for span in sentence_spans(valid)]


def prepare(text: str, valid: str, span: tuple[int, int], protection: Protection) -> PreparedSentence:
    """The sentence at `span` of `text`; `valid` is the same text without lone surrogates."""
    raw = valid[slice(*span)]
    tokens = ptb_tokenize(raw)
    reasons = protected_tokens(raw, tokens, protection)
    words = [
        token.text.lower() if reason is None else _hidden(number)
        for number, (token, reason) in enumerate(zip(tokens, reasons, strict=True))
    ]
    fixed = frozenset(number for number, reason in enumerate(reasons) if reason is not None)
    return PreparedSentence(span[0], text[slice(*span)], tokens, words, fixed)


def _hidden(number: int) -> str:
    return f"{_HIDDEN}{number}"
