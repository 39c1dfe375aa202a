"""Long text in parts that can be simplified one by one, so that no more than one of them is in memory.

A part is a paragraph with the white space after it; joined, the parts are the text. Where parts begin depends on the
text alone, never on how it arrives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plainwright.errors import LengthMismatchError
from plainwright.text import sentence_spans

__all__ = ["LONGEST", "Part", "paragraphs", "with_references"]

LONGEST = 100_000  # characters; a longer paragraph is parted after a sentence

_SPACE = re.compile(r"\s+")
_BREAKS = "\n\u2029"  # two of them in one gap end a paragraph, as sentence_spans has it


@dataclass(frozen=True, slots=True)
class Part:
    """Holds a paragraph or line, what its candidates are to be compared with, and where nothing may change."""

    text: str
    references: Sequence[str] | None = None
    alone: Sequence[tuple[int, int]] = ()


def with_references(parts: Iterable[str], references: Iterable[Sequence[str]] | None) -> Iterator[Part]:
    """Yield each part with its references, of which there must be as many."""
    if references is None:
        yield from map(Part, parts)
        return
    left = iter(references)
    number = 0
    for number, text in enumerate(parts, 1):
        own = next(left, None)
        if own is None:
            msg = f"expected references for every line, found those of {number - 1} and a line {number}"
            raise LengthMismatchError(msg)
        yield Part(text, own)
    if next(left, None) is not None:
        msg = f"expected references for every line, found those of more than the {number} that there are"
        raise LengthMismatchError(msg)


def paragraphs(pieces: Iterable[str], *, lines: bool = False) -> Iterator[str]:
    """The parts of a text that comes in pieces; with `lines`, every line is one."""
    cut = _first_line if lines else _first_paragraph
    rest = ""
    for piece in pieces:
        rest += piece
        at = 0
        while (end := cut(rest, at)) is not None:
            yield rest[at:end]
            at = end
        rest = rest[at:]
    if rest:
        yield rest


def _first_line(text: str, start: int) -> int | None:
    end = text.find("\n", start)
    return None if end < 0 else end + 1


def _first_paragraph(text: str, start: int) -> int | None:
    """Where the paragraph that starts at `start` ends, or None if that cannot be told yet."""
    limit = start + LONGEST
    for gap in _SPACE.finditer(text, start, limit):
        ends = sum(map(gap[0].count, _BREAKS)) >= 2
        if ends and gap.start() > start and gap.end() < min(limit, len(text)):
            return gap.end()
    if len(text) <= limit:
        return None
    spans = sentence_spans(_valid(text[start:limit]))
    return start + spans[-1][0] if len(spans) > 1 else limit


def _valid(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
