"""From the decoder's lower-cased tokens back to text as it is written.

Only what changed is written anew: everything else, with its case, spacing and quotation marks, is copied from the
input. A changed word takes the case of what it replaces; "a" and "an" follow the word after them; a line break inside
words that went moves to the next space.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from plainwright.rewrite.sentences import LINE_BREAK
from plainwright.rewrite.types import Span
from plainwright.text import Token, ptb_detokenize, takes_an
from plainwright.text.edits import EditKind, word_blocks

__all__ = ["Block", "Change", "Realised", "realise"]

_CLOSES_UP = re.compile(r"^([,.;:!?%)\]}’”]|n't\b|'\w)")  # no space before it
_OPENS = "([{“‘"  # no space after it
_ONE_SPACE = ("", " ")
_ENDS_SENTENCE = (".", "!", "?")
_AFTER_END = re.compile(r"(?<=[.!?]\s)\w")
_ARTICLE = re.compile(r"(?:^|(?<=\s))(an?)$", re.IGNORECASE)


class Block(NamedTuple):
    """Pairs tokens of the input with what they became: copied, written by a rule, or put in another order."""

    kind: Literal["copy", "write", "reorder"]
    source: Span
    target: Span
    rules: tuple[int, ...] = ()  # positions in the derivation of the rules that wrote it, outermost first


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Marks one place where output and input differ, in characters of both texts.

    Everything that differs belongs to a change: the space beside a word that went and the capital of the word that now
    comes first, too. So a change can be undone by itself.
    """

    kind: EditKind
    source_span: Span
    target_span: Span
    rules: tuple[int, ...]  # positions in the derivation of the rules behind it, outermost first


@dataclass(slots=True)
class _Piece:
    """A stretch of the output: a copied token, or what stands for changed ones."""

    gap: str  # white space before it
    text: str
    source: Span  # tokens
    kind: EditKind | None = None
    block: int = -1  # which block wrote it
    fixed: bool = False  # a protected token, whose letters stay as they are
    fits_next: bool = False  # an article that was made to suit the word after it

    @property
    def changed(self) -> bool:
        return self.kind is not None or self.fits_next


@dataclass(frozen=True, slots=True)
class Realised:
    """Holds a text as readers see it, and what it is made of."""

    text: str
    _raw: str
    _tokens: Sequence[Token]
    _pieces: Sequence[_Piece]
    _blocks: Sequence[Block]

    def changes(self) -> list[Change]:
        """Return where it differs from what it was made of, from left to right."""
        return list(_changes(self._raw, self._tokens, self._pieces, self._blocks, self.text))


def realise(
    raw: str,
    tokens: Sequence[Token],
    target: Sequence[str | int],
    *,
    blocks: Sequence[Block] | None = None,
    fixed: Collection[int] = (),
) -> Realised:
    """Write the text of `target` so that it fits into `raw`.

    `target` has lower-cased tokens, and numbers for tokens of `raw` that are to be copied, those in `fixed`. `blocks`
    say what stands for what; without them the shortest difference does.
    """
    writer = _Writer(raw, tokens, target, frozenset(fixed))
    blocks = blocks or [Block("write", (0, len(tokens)), (0, len(target)))]
    pieces: list[_Piece] = []
    for number, block in enumerate(blocks):
        if block.kind == "copy":  # most of them
            pieces.append(writer.copy(block.source[0]))
        else:
            pieces += writer.pieces(number, block)
    tail = _space(raw, tokens, pieces)
    _fit_articles(pieces)
    _fit_capitals(pieces, tokens)
    end = len(tokens), len(tokens)
    pieces.append(_Piece("", tail, end, fixed=True))
    text = "".join(part for piece in pieces for part in (piece.gap, piece.text))
    return Realised(text, raw, tokens, pieces, blocks)


class _Writer:
    """Turns blocks into pieces."""

    def __init__(self, raw: str, tokens: Sequence[Token], target: Sequence[str | int], fixed: frozenset[int]) -> None:
        self._raw = raw
        self._tokens = tokens
        self._target = target
        self._fixed = fixed
        self._source: list[str | int] = [i if i in fixed else token.text.lower() for i, token in enumerate(tokens)]

    def pieces(self, number: int, block: Block) -> Iterator[_Piece]:
        if block.kind == "reorder":
            yield self._changed("reorder", block.source, block.target, number)
        else:
            yield from self._written(number, block)

    def _written(self, number: int, block: Block) -> Iterator[_Piece]:
        """What a rule wrote: words that it has kept are copied, those between them are one change."""
        (i, j), (k, m) = block.source, block.target
        blocks = word_blocks(self._source[i:j], self._target[k:m])
        for kept, run in itertools.groupby(blocks, lambda words: words.kind == "equal"):
            words = list(run)
            source = i + words[0].source.start, i + words[-1].source.stop
            target = k + words[0].output.start, k + words[-1].output.stop
            if kept:
                yield from map(self.copy, range(*source))
            else:
                yield self._changed("replace" if target[0] < target[1] else "delete", source, target, number)

    def copy(self, i: int) -> _Piece:
        token = self._tokens[i]
        text = self._raw[token.start : token.end]
        return _Piece(self._gap(i), text, (i, i + 1), fixed=i in self._fixed)

    def _changed(self, kind: EditKind, source: Span, target: Span, block: int) -> _Piece:
        (i, j), (k, m) = source, target
        gap = self._gap(i) if i < j else " " if i > 0 else ""
        text = ptb_detokenize([self._word(word) for word in self._target[k:m]]) if k < m else ""
        if i < j:
            # The capital of a name says nothing about what comes in its place.
            text = _cased_like(text, [self._tokens[place] for place in range(i, j) if place not in self._fixed])
        if kind != "delete" and self._splits(k, m) and not self._splits_source(i, j):
            kind = "split"
        return _Piece(gap, text, source, kind, block)

    def _gap(self, i: int) -> str:
        before = self._tokens[i - 1].end if i > 0 else 0
        return self._raw[before : self._tokens[i].start]

    def _word(self, word: str | int) -> str:
        if isinstance(word, int):
            token = self._tokens[word]
            return self._raw[token.start : token.end]
        return "I" if word == "i" else word

    def _splits(self, k: int, m: int) -> bool:
        """Whether a sentence ends inside these tokens of the output, or at their end with another one after it."""
        return any(self._target[place] in _ENDS_SENTENCE for place in range(k, min(m, len(self._target) - 1)))

    def _splits_source(self, i: int, j: int) -> bool:
        return any(self._source[place] in _ENDS_SENTENCE for place in range(i, min(j, len(self._source) - 1)))


def _cased_like(text: str, replaced: Sequence[Token]) -> str:
    words = [token.text for token in replaced if any(map(str.isalpha, token.text))]
    if not words:
        return text
    if all(map(str.isupper, words)) and max(map(len, words)) > 1:
        return text.upper()
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return re.sub(r"(?<![\w'’])\w", lambda letter: letter[0].upper(), text)
    return _capitalised(text) if words[0][0].isupper() and words[0] != "I" else text


def _space(raw: str, tokens: Sequence[Token], pieces: Sequence[_Piece]) -> str:
    """Settle the gaps around what changed; returns what follows the last piece."""
    waiting: list[str] = []  # gaps with line breaks that lost their place
    gap: str | None = None  # the first one before words that went
    written: _Piece | None = None
    changed = False  # between what was written last and this piece
    for piece in pieces:
        before = piece.gap
        if piece.kind is None and not changed and not waiting and before in _ONE_SPACE:
            written = piece
            continue
        inside = _gaps_inside(raw, tokens, piece) if piece.kind is not None else []
        if not piece.text:
            gap = piece.gap if gap is None else gap
            waiting += [lost for lost in (before, *inside) if LINE_BREAK.search(lost)]
            changed, piece.gap = True, ""
            continue
        if changed or piece.kind is not None:
            _settle(piece, written, gap)
        if LINE_BREAK.search(before) and before != piece.gap:
            waiting.append(before)
        if waiting and piece.gap and written is not None:
            if LINE_BREAK.search(piece.gap):
                waiting.append(piece.gap)  # it has to queue
            piece.gap = waiting.pop(0)
        waiting += [lost for lost in inside if LINE_BREAK.search(lost)]
        written, gap, changed = piece, None, piece.kind is not None
    tail = raw[tokens[-1].end :] if tokens else raw
    return "".join(waiting) + tail


def _settle(piece: _Piece, written: _Piece | None, before: str | None) -> None:
    """The gap of a piece that was changed, or that follows a change; `before` stood before words that went."""
    if written is None:
        piece.gap = piece.gap if piece.source[0] == 0 else ""
        return
    if LINE_BREAK.search(piece.gap):
        return
    if before is not None and piece.gap:
        # Of the two gaps around what went, the one that suits what comes now; line breaks are dealt with apart.
        piece.gap = " " if LINE_BREAK.search(before) else before
    if piece.kind is not None and _CLOSES_UP.match(piece.text):
        piece.gap = ""
    elif written.text[-1] in _OPENS:
        piece.gap = piece.gap if piece.kind is None else ""
    elif not piece.gap and written.text[-1].isalnum() and piece.text[0].isalnum():
        piece.gap = " "


def _gaps_inside(raw: str, tokens: Sequence[Token], piece: _Piece) -> list[str]:
    i, j = piece.source
    return [raw[tokens[place - 1].end : tokens[place].start] for place in range(i + 1, j)]


def _fit_articles(pieces: Sequence[_Piece]) -> None:
    written = [piece for piece in pieces if piece.text]
    changed_before = {id(after) for before, after in itertools.pairwise(pieces) if not before.text}
    for number, (piece, following) in enumerate(itertools.pairwise(written)):
        changed = piece.kind is not None or following.kind is not None or id(following) in changed_before
        found = _ARTICLE.search(piece.text) if changed else None
        if found is None or not following.text[0].isalpha():
            continue
        shouted = following.text.isupper() and len(following.text) > 1
        if found[1] == "A" and number > 0 and not shouted:
            continue  # a letter ("vitamin A"), no article
        article = "an" if takes_an(following.text) else "a"
        if article != found[1].lower():
            article = article.upper() if shouted and found[1].isupper() and number > 0 else article
            article = _capitalised(article) if found[1][0].isupper() else article
            piece.text = piece.text[: found.start()] + article
            piece.fits_next = True


def _fit_capitals(pieces: Sequence[_Piece], tokens: Sequence[Token]) -> None:
    """The first word written takes the capital of the first word read, which gives it up if it stands elsewhere."""
    opening = next((i for i, token in enumerate(tokens) if any(map(str.isalnum, token.text))), None)
    if opening is None or not tokens[opening].text[0].isupper():
        return
    words = [piece for piece in pieces if piece.kind == "split" or any(map(str.isalnum, piece.text))]
    for piece in words[1:]:
        copied = not piece.changed and not piece.fixed and piece.source[0] == opening
        if copied and piece.text[1:].islower():
            piece.text = piece.text[0].lower() + piece.text[1:]
        elif copied and piece.text == "A":
            piece.text = "a"
    for before, piece in zip([None, *words], words, strict=False):
        starts = before is None or (before.kind == "split" and before.text.endswith(_ENDS_SENTENCE))
        if starts and not piece.fixed and not any(map(str.isupper, piece.text)):
            piece.text = _capitalised(piece.text)
        if piece.kind == "split":
            piece.text = _AFTER_END.sub(lambda found: found[0].upper(), piece.text)


def _capitalised(text: str) -> str:
    for position, character in enumerate(text):
        if character.isalnum():
            return text[:position] + character.upper() + text[position + 1 :]
    return text


def _changes(
    raw: str, tokens: Sequence[Token], pieces: Sequence[_Piece], blocks: Sequence[Block], text: str
) -> Iterator[Change]:
    """What differs, from left to right: a change for each block, with the pieces beside it that had to follow."""
    at = length = 0
    runs: list[_Run] = []
    for piece in pieces:
        end = len(raw) if piece is pieces[-1] else tokens[piece.source[1] - 1].end if piece.source[1] else 0
        source, target = (at, end), (length, length + len(piece.gap) + len(piece.text))
        at, length = source[1], target[1]
        if piece.kind is None and raw[slice(*source)] == text[slice(*target)]:
            runs.append(_Run(source, target, None, -1))
            continue
        last = runs[-1] if runs else None
        follows = last is not None and last.changed and (piece.block == last.block or piece.block < 0 or last.block < 0)
        if last is not None and follows and not (piece.fits_next and piece.block < 0):
            last.extend(source, target, piece)
        else:
            runs.append(_Run(source, target, piece.kind, piece.block, changed=True))
    for run in runs:
        if run.changed:
            yield run.change(raw, text, blocks)


@dataclass(slots=True)
class _Run:
    """A stretch of both texts that is the same, or that is one change."""

    source: Span
    target: Span
    kind: EditKind | None
    block: int
    changed: bool = False

    def extend(self, source: Span, target: Span, piece: _Piece) -> None:
        self.source = self.source[0], source[1]
        self.target = self.target[0], target[1]
        self.kind = "split" if "split" in (self.kind, piece.kind) else self.kind or piece.kind
        self.block = max(self.block, piece.block)

    def change(self, raw: str, text: str, blocks: Sequence[Block]) -> Change:
        (i, j), (k, m) = self.source, self.target
        while i < j and k < m and raw[i] == text[k] and raw[i].isspace():
            i, k = i + 1, k + 1
        kind = self.kind or "replace"
        if kind in ("replace", "delete", "insert"):
            kind = "delete" if k == m else "insert" if i == j else "replace"
        rules = blocks[self.block].rules if self.block >= 0 else ()
        return Change(kind=kind, source_span=(i, j), target_span=(k, m), rules=rules)
