"""A document as blocks of prose with a way back: what every format is to those who read or rewrite prose.

A reader finds the blocks; whoever changes their text says where, and the document puts the changes into its source.
What is no prose (code, formulas, link targets, layout) is in no block, or in a block and fixed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from plainwright.errors import DataError, LengthMismatchError

__all__ = ["OBJECT", "Block", "Change", "Document", "Limits", "Span", "apply_changes", "check_changes"]

Span = tuple[int, int]
OBJECT = "\ufffc"  # stands in a text for an image or another thing that is no text


@dataclass(frozen=True, slots=True)
class Change:
    """Puts `text` in the place of the characters from `start` to `end` of a block's text; `reason` is for comments."""

    start: int
    end: int
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of prose: one paragraph, heading, list item, table cell or caption, as a reader reads it."""

    text: str  # without inline markup; a line break of the source may be one here
    kind: str  # "paragraph", "heading", "item", "cell", "quotation", "caption", "note", …
    fixed: tuple[Span, ...] = ()  # what must not change: inline code, formulas, citations, fields
    joints: tuple[int, ...] = ()  # where inline markup begins or ends; no change reaches across one


class Document(Protocol):
    """Is something that was read, and that can be written with changes."""

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read."""
        ...

    def changed(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the document with the changes of each block, in order; without any, the bytes that came in."""
        ...


class Limits:
    """Says which changes fit: none of them meets one of some spans, or reaches across a joint."""

    def __init__(self, spans: Iterable[Span], joints: Iterable[int]) -> None:
        self._spans: list[Span] = []
        for start, end in sorted(spans):
            if self._spans and start < self._spans[-1][1]:
                start, last = self._spans.pop()
                end = max(end, last)
            self._spans.append((start, end))
        self._joints = sorted(joints)

    def meets(self, change: Change) -> bool:
        """Return whether a change takes characters of a span, or inserts some into it."""
        before = bisect_left(self._spans, (change.end, 0))
        return before > 0 and change.start < self._spans[before - 1][1]

    def crosses(self, change: Change) -> bool:
        """Return whether a change reaches across a joint."""
        after = bisect_right(self._joints, change.start)
        return after < len(self._joints) and self._joints[after] < change.end


def apply_changes(text: str, changes: Sequence[Change]) -> str:
    """Return the text of a block with its changes."""
    pieces = []
    done = 0
    for change in changes:
        pieces += [text[done : change.start], change.text]
        done = change.end
    return "".join([*pieces, text[done:]])


def check_changes(blocks: Sequence[Block], changes: Sequence[Sequence[Change]]) -> None:
    """Refuse changes that do not fit the blocks: out of order or bounds, in what is fixed, or across a joint."""
    if len(changes) != len(blocks):
        msg = f"changes: expected those of {len(blocks)} blocks, found those of {len(changes)}"
        raise LengthMismatchError(msg)
    for number, (block, own) in enumerate(zip(blocks, changes, strict=True)):
        for problem in _problems(block, own):
            msg = f"block {number} ({block.text[:40]!r}): {problem}"
            raise DataError(msg)


def _problems(block: Block, changes: Sequence[Change]) -> list[str]:
    problems = []
    limits = Limits(block.fixed, block.joints)
    for change in changes:
        where = f"expected a change inside its text, found one from {change.start} to {change.end}"
        if not 0 <= change.start <= change.end <= len(block.text):
            problems.append(where)
        elif limits.meets(change):
            problems.append(f"{where}, which is fixed")
        elif limits.crosses(change):
            problems.append(f"{where}, across a joint")
    if any(after.start < before.end for before, after in pairwise(changes)):
        problems.append("expected changes from left to right, found two that overlap or are out of order")
    return problems
