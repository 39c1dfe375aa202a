"""What must survive untouched: addresses, code, numbers, names, quotations, words in other scripts, and what the user
says.

A protected token is hidden from the rules, so no rule can replace, delete or split it.
"""

from __future__ import annotations

import bisect
import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from plainwright.arguments import check_text
from plainwright.text import Token, quotation_spans

__all__ = ["Protection", "protected_tokens"]

# No part of a word is tried as the start of an address: that would take the square of a long word's length.
_ADDRESS = re.compile(
    r"""
    (?:https?|ftp)://\S+ | www\.\S+            # addresses of pages
    | (?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+  # of people
    | (?<!\w)(?:\w+[/\\]){2,}\S*               # paths
    | (?<![\w/\\])(?:[A-Za-z]:[/\\]|~/|\.{1,2}/|/(?=\w+/))\S+
    | [@\#]\w[\w-]*                            # handles and tags
    """,
    re.VERBOSE,
)
_CODE = re.compile(r"`[^`\n]+`")
# A match that may not begin or end inside a word consists of whole pieces.
_PIECE = re.compile(r"\w+|\s+|[^\w\s]")
_DIGIT = re.compile(r"\d")
_LATIN_OR_MARK = re.compile(r"^[\u0020-\u024f\u1e00-\u1eff\u2000-\u206f\u20a0-\u20bf]*$")
# Words that open sentences and not names: "The Hague" is safe, because its second word is protected.
_FUNCTION_WORDS = frozenset(
    # One string reads better than seventy.
    "a an the this that these those my your his her its our their some any no every each all both "  # noqa: SIM905
    "in on at by for from of to with after before since until during as while when where if because although though "
    "but and or so yet he she it we they you who what which how why there here then now only even not".split()
)


class _Phrases:
    """Many phrases, searched for at once: a trie of their pieces, so that a search costs the same for any number."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._next: dict[tuple[int, str], int] = {}
        self._last: set[int] = set()
        for phrase in phrases:
            node = 0
            for piece, _, _ in _pieces(phrase.strip()):
                node = self._next.setdefault((node, piece), len(self._next) + 1)
            if node:
                self._last.add(node)

    def spans(self, text: str) -> Iterable[tuple[int, int]]:
        """From where to where in `text` a phrase stands; they may overlap."""
        if not self._last:
            return
        pieces = _pieces(text)
        words = [piece[0].isalnum() or piece[0] == "_" for piece, _, _ in pieces] + [False]
        for first, (_, start, _) in enumerate(pieces):
            # `words[-1]` is no word: nothing stands before the first piece.
            if words[first - 1]:
                continue
            node = 0
            for index in range(first, len(pieces)):
                piece, _, end = pieces[index]
                following = self._next.get((node, piece))
                if following is None:
                    break
                node = following
                if node in self._last and not words[index + 1]:
                    yield start, end


def _pieces(text: str) -> list[tuple[str, int, int]]:
    """Words, single marks and white space, in a form that compares without case, each with its place."""
    return [
        (" " if match[0].isspace() else match[0].casefold(), match.start(), match.end())
        for match in _PIECE.finditer(text)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Protection:
    """Says what to protect; `keep` are words or phrases of the user's, compared without case."""

    numbers: bool = True
    names: bool = True
    quotations: bool = True
    keep: tuple[str, ...] = ()
    _kept: _Phrases = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_kept", _Phrases(self.keep))

    def kept_spans(self, text: str) -> Iterable[tuple[int, int]]:
        """From where to where in `text` words or phrases of the user's stand; spans may overlap."""
        return self._kept.spans(text)

    def quoted_spans(self, text: str) -> list[tuple[int, int]]:
        """From where to where a paragraph quotes, if quotations are protected."""
        return quotation_spans(text) if self.quotations else []


def protected_tokens(text: str, tokens: Sequence[Token], protection: Protection) -> list[str | None]:
    """Return for every token why it is protected ("address", "code", "number", "name", "script", "keep"), or None."""
    check_text(text, "protected_tokens", "text")
    reasons: list[str | None] = [None] * len(tokens)
    _mark(reasons, tokens, ((m.start(), m.end()) for m in _ADDRESS.finditer(text)), "address")
    if "`" in text:
        _mark(reasons, tokens, ((m.start(), m.end()) for m in _CODE.finditer(text)), "code")
    _mark(reasons, tokens, protection.kept_spans(text), "keep")
    # Where everything is in capitals, they tell nothing.
    names = protection.names and not all(token.text.isupper() for token in tokens if any(map(str.isalpha, token.text)))
    opening = next((i for i, token in enumerate(tokens) if any(map(str.isalnum, token.text))), len(tokens))
    for index, (word, _, _) in enumerate(tokens):
        if reasons[index] is not None or (word.islower() and word.isalpha() and word.isascii()):
            continue
        if not _LATIN_OR_MARK.match(word):
            reasons[index] = "script"
        elif protection.numbers and _DIGIT.search(word):
            reasons[index] = "number"
        elif names and _is_name(tokens, index, opens=index <= opening):
            reasons[index] = "name"
    return reasons


_END = operator.attrgetter("end")


def _mark(reasons: list[str | None], tokens: Sequence[Token], spans: Iterable[tuple[int, int]], reason: str) -> None:
    for start, end in spans:
        index = bisect.bisect_right(tokens, start, key=_END)
        while index < len(tokens) and tokens[index].start < end:
            reasons[index] = reason
            index += 1


def _is_name(tokens: Sequence[Token], index: int, *, opens: bool) -> bool:
    """A capital inside a sentence, or a word with capitals inside; the first word alone says nothing."""
    word = tokens[index].text
    if not word[:1].isalpha() or word == "I":
        return False
    if any(map(str.isupper, word[1:])):
        return True
    if not word[0].isupper():
        return False
    if not opens:
        return True
    # "Mary Smith came": a capital after a capital makes the first word part of a name.
    if word.lower() in _FUNCTION_WORDS:
        return False
    following = tokens[index + 1].text if index + 1 < len(tokens) else ""
    return len(following) > 1 and following[0].isupper() and following[1:].islower()
