"""The text of a paragraph in a tree of XML, collected piece by piece, with the place of every piece."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, TypeVar

from plainwright.documents.types import Block, Change, Span

__all__ = ["Flow", "Part", "Piece"]

Place = TypeVar("Place")


@dataclass(frozen=True, slots=True)
class Piece(Generic[Place]):
    """A stretch of text that may change, and the place in the tree where it stands."""

    start: int
    text: str
    place: Place

    @property
    def end(self) -> int:
        """Where it ends in the text of the paragraph."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Part(Generic[Place]):
    """What a change takes out of one piece: characters from `start` to `end` of that piece's own text."""

    place: Place
    start: int
    end: int


class Flow(Generic[Place]):
    """Collects one paragraph. Text of equal formatting is one run, however many pieces it is in."""

    def __init__(self) -> None:
        self.pieces: list[Piece[Place]] = []
        self._texts: list[str] = []
        self._length = 0
        self._fixed: list[Span] = []
        self._joints: list[int] = []
        self._formatting: bytes | None = None

    @property
    def text(self) -> str:
        """What was collected."""
        return "".join(self._texts)

    def add(self, text: str, place: Place, formatting: bytes) -> None:
        """Add text that may change."""
        if not text:
            return
        if self._formatting not in (None, formatting):
            self.joint()
        self._formatting = formatting
        self.pieces.append(Piece(self._length, text, place))
        self._append(text)

    def add_fixed(self, text: str) -> None:
        """Add text that must stay as it is."""
        if not text:
            return
        self.joint()
        start = self._fixed.pop()[0] if self._fixed and self._fixed[-1][1] == self._length else self._length
        self._append(text)
        self._fixed.append((start, self._length))
        self.joint()

    def joint(self) -> None:
        """Say that something begins, ends or stands here across which no change may reach."""
        if not self._joints or self._joints[-1] != self._length:
            self._joints.append(self._length)

    def _append(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)

    def block(self, kind: str) -> Block:
        """The block that was collected."""
        joints = tuple(joint for joint in self._joints if 0 < joint < self._length)
        return Block(self.text, kind, tuple(self._fixed), joints)

    def parts(self, change: Change) -> list[Part[Place]]:
        """Return what a change takes out of which pieces; an insertion takes nothing out of one, or finds no piece."""
        first = max(bisect_left(self.pieces, change.start, key=attrgetter("start")) - 1, 0)
        last = bisect_right(self.pieces, change.end, key=attrgetter("start"))
        near = self.pieces[first:last]
        if change.start < change.end:
            return [
                Part(own.place, max(change.start, own.start) - own.start, min(change.end, own.end) - own.start)
                for own in near
                if own.start < change.end and own.end > change.start
            ]
        # After what stands before it, unless nothing there may change.
        found = [own for own in near if own.end >= change.start]
        return [Part(own.place, change.start - own.start, change.start - own.start) for own in found[:1]]
