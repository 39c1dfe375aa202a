"""PDF, as input only: lines are joined to paragraphs, and the result is Markdown or plain text.

A PDF says where letters stand, and not what a paragraph is. Lines belong together if they have one size and follow
each other closely; larger ones are headings. Words that were divided at the end of a line are joined again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from plainwright.documents.pdf.lines import Line, lines_of
from plainwright.documents.types import Block, Change, apply_changes, check_changes
from plainwright.text.frequencies import zipf

__all__ = ["PdfDocument", "read"]

_BULLET = re.compile(r"[•‣◦▪●○]\s*|(?:[·*–-]|\(?(?:\d{1,2}|[a-z])[.)])\s+")
_DIVIDED = re.compile(r"([^\W\d_]+)(-|\u2010|\u00ad)\Z")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?:;…][\"'”’)\]]*\Z")
_MARKUP = re.compile(r"([\\`*_\[\]<>])")
_LINE_MARKUP = re.compile(r"\A(\d+)([.)] )|\A([#+-])")
_WIDE_GAP = 1.3  # times the usual distance of two lines
_HEADING = 1.15  # times the size of most text
_LONGEST_HEADING = 200
_SHORT = 0.6  # of the width of most lines: such a line is the last of its paragraph
_MOST_LINES = 0.95  # a few may be wider, in tables
_INDENT = 0.8  # times the size
_COMMON = 2.5  # Zipf frequency of a word that everybody has seen: more than once in three million words


def read(data: bytes, name: str) -> PdfDocument:
    """Read a PDF; `name` is for messages."""
    return PdfDocument(lines_of(data, name))


@dataclass(frozen=True, slots=True)
class _Paragraph:
    block: Block
    mark: str  # of a heading or list item in Markdown
    bullet: str  # as it stood there


class PdfDocument:
    """The prose of a PDF; `changed` writes it anew, since a PDF cannot be changed."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._paragraphs = _paragraphs(lines)

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read."""
        return [own.block for own in self._paragraphs]

    def changed(self, changes: Sequence[Sequence[Change]], *, markdown: bool = False) -> bytes:
        """Return the text with the changes of each block, as Markdown or plain text in UTF-8."""
        check_changes(self.blocks, changes)
        texts = []
        for own, wanted in zip(self._paragraphs, changes, strict=True):
            text = apply_changes(own.block.text, wanted)
            if markdown and own.block.kind == "code":
                texts.append(f"```\n{text}\n```")
            else:
                texts.append(f"{own.mark}{_escaped(text, own.block.kind)}" if markdown else f"{own.bullet}{text}")
        return ("\n\n".join(texts) + "\n").encode("utf-8")


def _escaped(text: str, kind: str) -> str:
    """Write text so that Markdown takes nothing in it for markup."""
    text = _MARKUP.sub(r"\\\1", text)
    if kind == "heading":
        return text
    return _LINE_MARKUP.sub(lambda found: f"{found[1]}\\{found[2]}" if found[1] else f"\\{found[3]}", text)


def _paragraphs(lines: Sequence[Line]) -> list[_Paragraph]:
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0]
    larger = sorted((size for size in sizes if size > body * _HEADING), reverse=True)
    spacing = _spacing(lines)
    widths = sorted(len(line.text) for line in lines if line.size == body)
    width = widths[int(len(widths) * _MOST_LINES)]
    found: list[list[Line]] = []
    for line in lines:
        if found and _goes_on(found[-1], line, spacing=spacing.get(line.size, line.size * 1.2), width=width):
            found[-1].append(line)
        else:
            found.append([line])
    return [_paragraph(own, larger) for own in found]


def _spacing(lines: Sequence[Line]) -> dict[float, float]:
    """Return the usual distance between two lines, for each size of text."""
    gaps: dict[float, Counter[float]] = {}
    for before, after in pairwise(lines):
        gap = round(before.y - after.y, 1)
        if before.page == after.page and before.size == after.size and 0 < gap < 2.5 * after.size:
            gaps.setdefault(after.size, Counter())[gap] += 1
    # Of equally frequent ones the smallest: paragraphs of one line are not the rule.
    return {size: min(own, key=lambda gap: (-own[gap], gap)) for size, own in gaps.items()}


def _goes_on(paragraph: Sequence[Line], line: Line, *, spacing: float, width: int) -> bool:
    """Return whether a line belongs to the paragraph before it."""
    last = paragraph[-1]
    if abs(last.size - line.size) > 0.1 * line.size or last.code != line.code:
        return False
    if line.code:
        return last.page == line.page and 0 < last.y - line.y <= _WIDE_GAP * spacing
    if _BULLET.match(line.text):
        return False
    ended = _SENTENCE_END.search(last.text) is not None
    gap = last.y - line.y
    if last.page != line.page or gap < 0:
        return not ended and (line.text[0].islower() or _DIVIDED.search(last.text) is not None)
    if gap > _WIDE_GAP * spacing:
        return False
    indented = line.x > last.x + _INDENT * line.size
    short = len(last.text) < width * _SHORT
    return not ((ended and indented and len(paragraph) > 1) or (short and (ended or not line.text[0].islower())))


def _paragraph(lines: Sequence[Line], larger: Sequence[float]) -> _Paragraph:
    text = lines[0].text
    if lines[0].code:
        text = "\n".join(line.text for line in lines)
        return _Paragraph(Block(text, "code", ((0, len(text)),)), "", "")
    for line in lines[1:]:
        text = _joined(text, line.text)
    if lines[0].size in larger and len(text) <= _LONGEST_HEADING:
        level = min(larger.index(lines[0].size), 3) + 1
        return _Paragraph(Block(text, "heading"), f"{'#' * level} ", "")
    bullet = _BULLET.match(text)
    if bullet is not None and bullet.end() < len(text):
        text = text[bullet.end() :]
    else:
        bullet = None
    if bullet is None:
        return _Paragraph(Block(text, "paragraph"), "", "")
    number = bullet[0].strip("() .\t")
    mark = f"{number}. " if number.isascii() and number.isdigit() else "- "
    return _Paragraph(Block(text, "item"), mark, bullet[0])


def _joined(text: str, following: str) -> str:
    """Join two lines; a word that was divided between them is one again."""
    divided, first = _DIVIDED.search(text), _FIRST_WORD.match(following)
    if divided is None or first is None or first[0][0].isupper():
        return f"{text} {following}"
    if divided[2] == "\u00ad" or not _is_compound(divided[1], first[0]):
        return text[: divided.start(2)] + following
    return text + following


def _is_compound(left: str, right: str) -> bool:
    """Return whether two words are more likely to be joined by a hyphen than to be parts of one word."""
    if zipf((left + right).lower()) >= _COMMON:
        return False
    return min(zipf(left.lower()), zipf(right.lower())) >= _COMMON
