"""The lines of a PDF: their text, place and size, without what only belongs to the page."""

from __future__ import annotations

import io
import logging
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from plainwright.errors import DataError
from plainwright.extras import check_extra

__all__ = ["MAX_PAGES", "Line", "lines_of"]

MAX_PAGES = 5000
_LIGATURES = {"\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st"}
_LIGATURES |= {"\ufb06": "st", "\u00a0": " ", "\0": ""}
_TABLE = str.maketrans(_LIGATURES)
_PAGE_NUMBER = re.compile(r"[ivxl]{1,7}|[-–— ]*(?:[Pp]age\s+)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?[-–— ]*")
_TYPEWRITER = re.compile(r"mono|courier|typewriter|CMTT|consolas|menlo|\bcode", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_SPACES = re.compile(r"\s+")
# pypdf has much to say of PDFs that it can read all the same, and would say it on standard error.
logging.getLogger("pypdf").addHandler(logging.NullHandler())
# A line at the top or bottom of so many pages, but for its numbers, is no text of theirs.
_REPEATED = 3
_LONGEST_HEADER = 100


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; places and sizes are in points, counted from the lower left corner."""

    text: str
    page: int
    x: float
    y: float
    size: float
    code: bool = False  # whether it is set in a typewriter's letters


def lines_of(data: bytes, name: str) -> list[Line]:
    """Return the lines of a PDF in reading order; `name` is for messages."""
    check_extra("reading a PDF", "documents", "pypdf")
    try:
        pages = [_lines_of_page(page, number) for number, page in enumerate(_pages(data, name))]
    except DataError:
        raise
    except Exception as error:  # damage makes it fail in many ways
        _refuse(name, f"found damage ({str(error) or type(error).__name__:.100})")
    lines = _without_furniture(pages)
    if not lines:
        _refuse(name, "found one without text; if it was scanned, recognise its text first, with ocrmypdf say")
    return lines


def _refuse(name: str, found: str) -> NoReturn:
    msg = f"{name}: expected a PDF, {found}"
    raise DataError(msg) from None


def _pages(data: bytes, name: str) -> Sequence[Any]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    if not data:
        _refuse(name, "found an empty file")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            _refuse(name, "found one with a password; remove the password and try again")
        number = len(reader.pages)
    except DependencyError:
        _refuse(name, "found an encrypted one; save it without protection, or install cryptography")
    except PyPdfError as error:
        _refuse(name, f"found something else or a damaged one ({str(error) or type(error).__name__:.100})")
    if number > MAX_PAGES:
        _refuse(name, f"found {number:,} pages; at most {MAX_PAGES:,} are read, so split it")
    return reader.pages


def _lines_of_page(page: Any, number: int) -> list[Line]:
    collector = _Collector(number)
    page.extract_text(visitor_text=collector.visit)
    collector.end()
    return collector.lines


class _Collector:
    """Is told every piece of text of a page, with the matrices that place it."""

    def __init__(self, page: int) -> None:
        self.lines: list[Line] = []
        self._page = page
        self._texts: list[str] = []
        self._place: tuple[float, float] | None = None
        self._sizes: Counter[float] = Counter()
        self._code = True

    def visit(self, text: str, device: Sequence[float], matrix: Sequence[float], font: object, size: float) -> None:
        """Take a piece; line breaks come within pieces or alone."""
        for number, own in enumerate(text.split("\n")):
            if number:
                self.end()
            if not own:
                continue
            if self._place is None and own.strip():
                self._place = (
                    matrix[4] * device[0] + matrix[5] * device[2] + device[4],
                    matrix[4] * device[1] + matrix[5] * device[3] + device[5],
                )
            scale = math.hypot(matrix[2], matrix[3]) * math.hypot(device[2], device[3])
            name = str(font.get("/BaseFont", "")) if isinstance(font, dict) else ""
            self._code = self._code and (not own.strip() or _TYPEWRITER.search(name) is not None)
            self._sizes[round(abs(size) * scale, 1)] += len(own.strip())
            self._texts.append(own)

    def end(self) -> None:
        """End the line."""
        text = _SPACES.sub(" ", "".join(self._texts).translate(_TABLE)).strip()
        if text and self._place is not None:
            line = Line(text, self._page, *self._place, self._sizes.most_common(1)[0][0], self._code)
            if all(map(math.isfinite, (line.x, line.y, line.size))):  # else it is on no page
                self.lines.append(line)
        self._texts, self._place, self._code = [], None, True
        self._sizes.clear()


def _without_furniture(pages: Sequence[Sequence[Line]]) -> list[Line]:
    """Leave out page numbers, and headers and footers: what stands at the edge of page after page."""
    edges = [_edges(page) for page in pages]
    numbered = Counter(offset for page in edges for offset in {own for line in page for own in _offsets(line)})
    counting = {offset for offset, count in numbered.items() if count >= _REPEATED}
    counts = Counter(_look(line) for page in edges for line in page)
    needed = max(_REPEATED, len(pages) // 2)
    kept = []
    for page, edge in zip(pages, edges, strict=True):
        for line in page:
            repeated = counts[_look(line)] >= needed
            furniture = repeated or _PAGE_NUMBER.fullmatch(line.text) or not counting.isdisjoint(_offsets(line))
            if line not in edge or not furniture:
                kept.append(line)
    return kept


def _look(line: Line) -> tuple[str, float]:
    """Return what running heads have in common; the title of a book has their words, in another size."""
    return _DIGITS.sub("#", line.text), line.size


def _offsets(line: Line) -> list[int]:
    """Return how far a number at either end of a line is from the page's own; page numbers are always equally far."""
    if len(line.text) > _LONGEST_HEADER:
        return []
    words = line.text.split()
    return [int(own) - line.page for own in {words[0], words[-1]} if own.isascii() and own.isdigit() and len(own) < 5]


def _edges(page: Sequence[Line]) -> list[Line]:
    """Return the lines in the two highest and the two lowest places of a page."""
    heights = sorted({round(line.y) for line in page})
    edge = {*heights[:2], *heights[-2:]}
    return [line for line in page if round(line.y) in edge]
