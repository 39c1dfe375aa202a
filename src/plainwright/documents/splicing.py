"""Documents whose source is text: blocks that know where each of their characters stands there.

Changes are spliced into the source; it is never written anew. The result is read again, and a block whose text did not
become what it should be (because some mark was taken for markup, say) stays as it was.
"""

from __future__ import annotations

import bisect
import codecs
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from plainwright.documents.types import Block, Change, Span, apply_changes, check_changes

__all__ = ["LINE_BREAK", "BlockBuilder", "SourceBlock", "SourceDocument", "enclosed", "splice"]

# With the blanks around it; looking behind keeps the time linear where blanks lead to no line break.
LINE_BREAK = re.compile(r"(?:(?<![ \t])[ \t]+)?\r?\n[ \t]*")

_SPACES = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of a block: the same characters as the source has, or one that is written otherwise there."""

    at: int  # in the block
    source: Span
    literal: bool


@dataclass(frozen=True, slots=True)
class SourceBlock:
    """A block and where its pieces stand in the source."""

    block: Block
    pieces: Sequence[_Piece] = field(repr=False)
    line_break: str = "\n"  # how a line break within the block is written, with all that opens the next line
    padding: Span | None = None  # white space behind it in the source that keeps a table in columns

    def source_span(self, start: int, end: int) -> Span:
        """Return where characters of the block stand in the source; an empty span stands after what is before it."""
        if start == end:
            place = self._last(start - 1)[1] if start else self.pieces[0].source[0]
            return place, place
        return self._first(start), self._last(end - 1)[1]

    def _piece(self, place: int) -> _Piece:
        return self.pieces[bisect.bisect_right(self.pieces, place, key=lambda piece: piece.at) - 1]

    def _first(self, place: int) -> int:
        piece = self._piece(place)
        return piece.source[0] + (place - piece.at if piece.literal else 0)

    def _last(self, place: int) -> Span:
        piece = self._piece(place)
        if not piece.literal:
            return piece.source
        start = piece.source[0] + place - piece.at
        return start, start + 1


class BlockBuilder:
    """Collects a block piece by piece; what stands in `alone`, spans of the source in their order, is fixed."""

    def __init__(self, source: str, alone: Sequence[Span] = ()) -> None:
        self._source = source
        self._alone = alone
        self._texts: list[str] = []
        self._pieces: list[_Piece] = []
        self._fixed: list[Span] = []
        self._joints: list[int] = []
        self._length = 0

    def add(self, start: int, end: int, text: str | None = None, *, fixed: bool = False) -> None:
        """Add what stands from `start` to `end` of the source, read as `text` if that is not what is written there."""
        written = self._source[start:end]
        text = written if text is None else text
        literal = text == written
        if not fixed and (meeting := self._meeting(start, end)):
            if literal:
                self._add_around(start, end, meeting)
                return
            fixed = True
        if not text:
            return
        if fixed or (not literal and len(text) > 1):
            self._fixed.append((self._length, self._length + len(text)))
        self._pieces.append(_Piece(self._length, (start, end), literal))
        self._texts.append(text)
        self._length += len(text)

    def _meeting(self, start: int, end: int) -> Sequence[Span]:
        """The spans to leave alone that meet a stretch of the source."""
        first = bisect.bisect_right(self._alone, start, key=lambda span: span[1])
        last = bisect.bisect_left(self._alone, end, key=lambda span: span[0])
        return self._alone[first:last]

    def _add_around(self, start: int, end: int, alone: Sequence[Span]) -> None:
        for first, last in alone:
            if start < first:
                self.add(start, first)
            start, last = max(start, first), min(last, end)
            self.add(start, last, fixed=True)
            start = last
        if start < end:
            self.add(start, end)

    @property
    def text(self) -> str:
        """What was added so far."""
        return "".join(self._texts)

    def joint(self) -> None:
        """Say that markup begins or ends here."""
        if not self._joints or self._joints[-1] != self._length:
            self._joints.append(self._length)

    def blocks(self, kind: str) -> Iterator[SourceBlock]:
        """Yield the block, without the white space around it, unless there is nothing to read."""
        text = self.text
        if not any(map(str.isalpha, text)):
            return
        start, end = _SPACES.match(text).end(), len(text.rstrip())  # type: ignore[union-attr]
        pieces = [_moved(piece, start) for piece in self._trimmed(start, end)]
        fixed = tuple(_clipped(span, start, end) for span in self._fixed if span[0] < end and span[1] > start)
        joints = tuple(joint - start for joint in self._joints if start < joint < end)
        breaks = (self._source[slice(*piece.source)].lstrip(" \t") for piece in self._pieces if text[piece.at] == "\n")
        written = next((own for own in breaks if own.startswith(("\n", "\r"))), "\n")
        yield SourceBlock(Block(text[start:end], kind, fixed, joints), pieces, written)

    def _trimmed(self, start: int, end: int) -> Iterator[_Piece]:
        for piece, text in zip(self._pieces, self._texts, strict=True):
            if piece.at >= end or piece.at + len(text) <= start:
                continue
            cut = max(start - piece.at, 0) if piece.literal else 0
            yield _Piece(piece.at + cut, (piece.source[0] + cut, piece.source[1]), piece.literal)


def _moved(piece: _Piece, start: int) -> _Piece:
    return _Piece(max(piece.at - start, 0), piece.source, piece.literal)


def _clipped(span: Span, start: int, end: int) -> Span:
    return max(span[0], start) - start, min(span[1], end) - start


Reader = Callable[[str], Sequence[SourceBlock]]
Writer = Callable[[str], str]  # how new text is written in the source


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document in a text format: its bytes, its text without a byte order mark, how to read and write it."""

    data: bytes
    source: str
    read: Reader
    write: Writer = str
    encoding: str = "utf-8"
    accepts: Callable[[Block, Sequence[Change]], bool] = lambda block, changes: True
    own: Sequence[SourceBlock] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", tuple(self.read(self.source)))

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read."""
        return [own.block for own in self.own]

    def changed(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the document with these changes, but those that its format cannot take."""
        check_changes(self.blocks, changes)
        changes = [own if self.accepts(block, own) else () for block, own in zip(self.blocks, changes, strict=True)]
        if not any(changes):
            return self.data
        if not self._reads(changes):
            changes = self._sound(changes)
        spliced = self._spliced(changes)
        mark = codecs.BOM_UTF8 if self.encoding == "utf-8" and self.data.startswith(codecs.BOM_UTF8) else b""
        return self.data if spliced == self.source else mark + spliced.encode(self.encoding, "xmlcharrefreplace")

    def _sound(self, changes: Sequence[Sequence[Change]]) -> Sequence[Sequence[Change]]:
        """Return the changes of those blocks that can be read again, found by halving."""
        none: list[Sequence[Change]] = [()] * len(changes)
        changed = [number for number, own in enumerate(changes) if own]

        def only(numbers: Sequence[int]) -> list[Sequence[Change]]:
            wanted = set(numbers)
            return [changes[n] if n in wanted else () for n in range(len(changes))]

        def sound(numbers: Sequence[int]) -> list[int]:
            if not numbers or self._reads(only(numbers)):
                return list(numbers)
            if len(numbers) == 1:
                return []
            middle = len(numbers) // 2
            return sound(numbers[:middle]) + sound(numbers[middle:])

        kept = only(sound(changed))
        return kept if self._reads(kept) else none

    def _reads(self, changes: Sequence[Sequence[Change]]) -> bool:
        """Return whether the changed source has the blocks that it should have."""
        expected = [
            (own.block.kind, _squeezed(apply_changes(own.block.text, wanted)))
            for own, wanted in zip(self.own, changes, strict=True)
        ]
        found = [(own.block.kind, _squeezed(own.block.text)) for own in self.read(self._spliced(changes))]
        return found == expected

    def _spliced(self, changes: Sequence[Sequence[Change]]) -> str:
        replaced = []
        for own, wanted in zip(self.own, changes, strict=True):
            grown = 0
            for change in wanted:
                text = self.write(change.text).replace("\n", own.line_break)
                start, end = own.source_span(change.start, change.end)
                replaced.append(((start, end), text))
                grown += len(text) - (end - start)
            if own.padding is not None and grown:
                start, end = own.padding
                replaced.append((own.padding, " " * max(1, end - start - grown)))
        return splice(self.source, replaced)


def enclosed(source: str, openings: re.Pattern[str], closings: Mapping[str, str], span: Span) -> Iterator[Span]:
    """Yield what `openings` finds in a span of the source; what has a closing mark, up to that, if it is there.

    A mark that is missing is looked for only once, so the time grows with the source alone.
    """
    at, last = span
    missing = set()
    while found := openings.search(source, at, last):
        at = found.end()
        closing = closings.get(found[0])
        if closing is not None:
            end = -1 if closing in missing else source.find(closing, at, last)
            if end < 0:
                missing.add(closing)
                continue
            at = end + len(closing)
        yield found.start(), at


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def splice(source: str, replaced: Sequence[tuple[Span, str]]) -> str:
    """Return the source with texts in the place of spans, which do not overlap."""
    pieces = []
    done = 0
    for (start, end), text in sorted(replaced, key=lambda own: own[0]):
        pieces += [source[done:start], text]
        done = end
    return "".join([*pieces, source[done:]])
