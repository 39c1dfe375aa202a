"""From the decoder's lower-cased tokens back to text as it is written.

Only what changed is written anew: everything else, with its case, spacing and quotation marks, is copied from the
input. A changed word takes the case of what it replaces; "a" and "an" follow the word after them.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plainwright.text import Token, ptb_detokenize

__all__ = ["Change", "ChangeKind", "realise"]

ChangeKind = Literal["replace", "delete", "insert", "article"]

_SOUNDS_LIKE_VOWEL = re.compile(r"^(hour|honest|honou?r|heir)", re.IGNORECASE)
_SOUNDS_LIKE_CONSONANT = re.compile(r"^(uni(?!n)|us[aeiu]|ut[ei]|eu|ewe|one\b|once)", re.IGNORECASE)
_CLOSES_UP = re.compile(r"^([,.;:!?%)\]}’”]|n't\b|'\w)")  # no space before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One place where output and input differ, in tokens and in characters of both texts."""

    kind: ChangeKind
    source_tokens: tuple[int, int]
    target_tokens: tuple[int, int]
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_text: str
    target_text: str


@dataclass(slots=True)
class _Piece:
    """A stretch of the output: a copied token, or what stands for a changed one."""

    gap: str  # white space before it
    text: str
    source: tuple[int, int]  # tokens
    target: tuple[int, int]
    kind: ChangeKind | None = None


def realise(raw: str, tokens: Sequence[Token], target: Sequence[str]) -> tuple[str, list[Change]]:
    """The text of `target`, lower-cased tokens made from those of `raw`, and where it differs."""
    pieces = _pieces(raw, tokens, target)
    _close_gaps(pieces)
    _fit_articles(pieces)
    _capitalise_start(pieces, tokens)
    tail = raw[tokens[-1].end :] if tokens else raw
    return _joined(raw, tokens, pieces, tail)


def _pieces(raw: str, tokens: Sequence[Token], target: Sequence[str]) -> list[_Piece]:
    source = [token.text.lower() for token in tokens]
    gaps = [raw[before : token.start] for before, token in zip([0, *(t.end for t in tokens)], tokens, strict=False)]
    pieces: list[_Piece] = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, source, target, autojunk=False).get_opcodes():
        if tag == "equal":
            for offset in range(j - i):
                token = tokens[i + offset]
                place = (i + offset, i + offset + 1), (k + offset, k + offset + 1)
                pieces.append(_Piece(gaps[i + offset], raw[token.start : token.end], *place))
        elif tag == "delete":
            pieces.append(_Piece(gaps[i], "", (i, j), (k, m), "delete"))
        elif tag == "insert":
            pieces.append(_Piece(" " if i > 0 else "", ptb_detokenize(list(target[k:m])), (i, i), (k, m), "insert"))
        else:
            text = _cased_like(ptb_detokenize(list(target[k:m])), tokens[i:j])
            pieces.append(_Piece(gaps[i], text, (i, j), (k, m), "replace"))
    return pieces


def _cased_like(text: str, replaced: Sequence[Token]) -> str:
    words = [token.text for token in replaced if any(map(str.isalpha, token.text))]
    if words and all(map(str.isupper, words)) and max(map(len, words)) > 1:
        return text.upper()
    return _capitalised(text) if words and words[0][0].isupper() else text


def _close_gaps(pieces: Sequence[_Piece]) -> None:
    """Spaces around deletions and insertions, and where a changed piece meets punctuation."""
    for before, piece in itertools.pairwise(pieces):
        if before.kind == "delete":
            # Of the two gaps around what went, the one that suits what comes now.
            piece.gap = before.gap if piece.gap else ""
            before.gap = ""
    written = _Piece("", "", (0, 0), (0, 0))
    changed = False  # between what was written last and this piece
    for piece in pieces:
        changed = changed or piece.kind is not None
        if not piece.text:
            piece.gap = ""
            continue
        if not written.text:
            piece.gap = piece.gap if piece.source[0] == 0 else ""
        elif piece.kind is not None and _CLOSES_UP.match(piece.text):
            piece.gap = ""
        elif changed and not piece.gap and written.text[-1].isalnum() and piece.text[0].isalnum():
            piece.gap = " "
        written, changed = piece, piece.kind is not None


def _fit_articles(pieces: Sequence[_Piece]) -> None:
    for index, piece in enumerate(pieces):
        if piece.kind is not None or piece.text.lower() not in ("a", "an"):
            continue
        following = [after for after in pieces[index + 1 :] if after.text][:1]
        changed = any(after.kind for after in pieces[index + 1 : index + 3])
        if not following or not changed or not following[0].text[0].isalpha():
            continue
        article = "an" if _takes_an(following[0].text) else "a"
        if article != piece.text.lower():
            piece.text = _capitalised(article) if piece.text[0].isupper() else article
            piece.kind = "article"


def _takes_an(word: str) -> bool:
    if _SOUNDS_LIKE_VOWEL.match(word):
        return True
    return word[:1].lower() in "aeiou" and not _SOUNDS_LIKE_CONSONANT.match(word)


def _capitalise_start(pieces: Sequence[_Piece], tokens: Sequence[Token]) -> None:
    """The first word written takes over the capital of the first word read."""
    first = next((token.text for token in tokens if any(map(str.isalpha, token.text))), "")
    if not first[:1].isupper():
        return
    for piece in pieces:
        if any(map(str.isalnum, piece.text)):
            piece.text = _capitalised(piece.text)
            return


def _capitalised(text: str) -> str:
    for position, character in enumerate(text):
        if character.isalnum():
            return text[:position] + character.upper() + text[position + 1 :]
    return text


def _joined(raw: str, tokens: Sequence[Token], pieces: Sequence[_Piece], tail: str) -> tuple[str, list[Change]]:
    out = ""
    changes = []
    for piece in pieces:
        out += piece.gap
        start = len(out)
        out += piece.text
        if piece.kind is None:
            continue
        i, j = piece.source
        span = (tokens[i].start, tokens[j - 1].end) if j > i else (tokens[i - 1].end if i else 0,) * 2
        changes.append(
            Change(
                kind=piece.kind,
                source_tokens=piece.source,
                target_tokens=piece.target,
                source_span=span,
                target_span=(start, len(out)),
                source_text=raw[slice(*span)],
                target_text=piece.text,
            )
        )
    return out + tail, changes
