"""A `Reproduction` as text for people.

Blocks of plain numbers are grids as in the paper. A block with intervals, p-values or counts has one line a cell,
and a letter that leads to the cause of a difference.
"""

from __future__ import annotations

import string
import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import get_args

from plainwright.reproduce.inventory import PAPERS, Listed, Status
from plainwright.reproduce.table import Block, Cell, Finding, Reproduction
from plainwright.study.estimate import Interval

__all__ = ["inventory_to_text", "to_text"]

_WIDTH = 140
_PROTOCOL = "Choices that the paper leaves open, fixed before our numbers were looked at"


def to_text(result: Reproduction) -> str:
    """Return the whole reproduction, at most 140 columns wide."""
    lines = [*_wrapped([result.title, result.citation], indent=0)]
    if result.protocol:
        lines += ["", _PROTOCOL, *_wrapped(result.protocol)]
    for block in result.blocks:
        lines += ["", *_block(block)]
    if result.findings:
        lines += ["", "What follows", *_findings(result.findings)]
    if result.notes:
        lines += ["", "Notes", *_wrapped(result.notes)]
    return "\n".join(lines)


def inventory_to_text(inventory: Sequence[Listed]) -> str:
    """Return what became of every table and figure, paper by paper, with a count at the end."""
    width = max(len(listed.place) for listed in inventory)
    lines = []
    for paper, title in PAPERS.items():
        lines.append(title)
        for listed in inventory:
            if listed.paper == paper:
                lines += [f"  {listed.place:<{width}}  {listed.shows}", *_outcome(listed, indent=width + 4)]
        lines.append("")
    counts = Counter(listed.status for listed in inventory)
    return "\n".join([*lines, ", ".join(f"{counts[status]} {status}" for status in get_args(Status))])


def _outcome(listed: Listed, *, indent: int) -> Iterator[str]:
    remark = f" ({listed.remark})" if listed.command and listed.remark else listed.remark
    yield from _wrapped([f"{listed.status}: {listed.command}{remark}"], indent=indent)


def _block(block: Block) -> Iterator[str]:
    as_list = any(cell.intervals or cell.p_value is not None or cell.n is not None for cell in block.cells)
    if block.title:
        yield from [block.title, ""]
    yield from _list(block) if as_list else _grid(block)
    if block.signs:
        same, of = block.sign_agreement
        yield from ["", f"Same sign as in the paper: {same} of {of} cells."]
    if block.methods:
        yield from ["", "How ours are computed"]
        yield from _wrapped(f"{label}: {method}" for label, method in block.methods.items())
    if causes := list(_causes_by_letter(block) if as_list else _causes_by_column(block)):
        yield from ["", "Why they differ", *_wrapped(causes)]


def _grid(block: Block) -> Iterator[str]:
    """One line a row; where the paper has no such numbers at all, only ours."""
    compared = any(cell.paper is not None for cell in block.cells)
    width = max(map(len, block.rows))
    widths = {column: 21 if compared else len(column) for column in block.columns}
    if compared:
        yield from ["Each cell: paper, ours, difference.", ""]
    yield (" " * width + "".join(f"  {column:^{widths[column]}}" for column in block.columns)).rstrip()
    for row in block.rows:
        cells = {cell.column: cell for cell in block.cells if cell.row == row}
        shown = {column: _grid_cell(cells[column], compared=compared) for column in block.columns if column in cells}
        line = "".join(f"  {shown.get(column, ''):>{widths[column]}}" for column in block.columns)
        yield (f"{row:<{width}}" + line).rstrip()


def _grid_cell(cell: Cell, *, compared: bool) -> str:
    if not compared:
        return _number(cell.ours, cell)
    numbers = (_number(cell.paper, cell), _number(cell.ours, cell), _number(cell.difference, cell, sign=True))
    return "".join(f"{number:>6} " for number in numbers)


def _list(block: Block) -> Iterator[str]:
    """One line a cell; columns that no cell fills are left out."""
    letters = _letters(block)
    kinds = dict.fromkeys(kind for cell in block.cells for kind in cell.intervals)
    heading = ["", "", "paper", "p", "ours", "p", "diff", *kinds, "n", "sign" if block.signs else "", "why"]
    rows = [
        [
            cell.row,
            cell.column,
            _number(cell.paper, cell),
            cell.paper_p,
            _number(cell.ours, cell),
            "" if cell.p_value is None else _p_value(cell.p_value),
            _number(cell.difference, cell, sign=True),
            *(_interval(cell.intervals.get(kind), cell) for kind in kinds),
            "" if cell.n is None else str(cell.n),
            {True: "same", False: "OTHER", None: ""}[cell.same_sign] if block.signs else "",
            letters.get(cell.note, ""),
        ]
        for cell in block.cells
    ]
    compared = any(cell.paper is not None or cell.paper_p for cell in block.cells)
    ours_alone = () if compared else (heading.index("paper"), heading.index("diff"))
    kept = [at for at in range(len(heading)) if at not in ours_alone and any(row[at] for row in rows)]
    widths = {at: max(len(line[at]) for line in (heading, *rows)) for at in kept}
    if kinds:
        level = next(interval.confidence for cell in block.cells for interval in cell.intervals.values())
        yield from [f"Intervals of {level:.0%} for ours, by what is resampled: {', '.join(kinds)}.", ""]
    for line in (heading, *rows):
        yield "  ".join(_aligned(line[at], widths[at], left=at < 2) for at in kept).rstrip()


def _aligned(text: str, width: int, *, left: bool) -> str:
    return f"{text:<{width}}" if left else f"{text:>{width}}"


def _number(value: float | None, cell: Cell, *, sign: bool = False) -> str:
    if value is None:
        return "-"
    rounded = round(value, cell.digits) + 0.0  # never minus zero
    return f"{rounded:{'+' if sign else ''}.{cell.digits}f}"


def _p_value(p: float) -> str:
    return f"{p:.1g}" if p >= 0.00001 else "<1e-05"


def _interval(interval: Interval | None, cell: Cell) -> str:
    if interval is None:
        return "-"
    sign = "+" if interval.low < 0 else ""  # where all are positive by nature, as counts are, a plus says nothing
    return f"[{interval.low:{sign}.{cell.digits}f} {interval.high:{sign}.{cell.digits}f}]"


def _letters(block: Block) -> dict[str, str]:
    causes = dict.fromkeys(cell.note for cell in block.cells if cell.note)
    return dict(zip(causes, _labels(), strict=False))


def _labels() -> Iterator[str]:
    """Letters, then pairs of letters, and so on."""
    yield from string.ascii_lowercase
    for first in _labels():
        yield from (first + second for second in string.ascii_lowercase)


def _causes_by_letter(block: Block) -> Iterator[str]:
    return (f"{letter}: {cause}" for cause, letter in _letters(block).items())


def _causes_by_column(block: Block) -> Iterator[str]:
    for column in block.columns:
        by_cause: dict[str, list[str]] = {}
        for cell in block.cells:
            if cell.column == column and cell.note:
                difference = "" if cell.difference is None else f" {_number(cell.difference, cell, sign=True)}"
                by_cause.setdefault(cell.note, []).append(cell.row + difference)
        yield from (f"{column}: {cause} ({', '.join(rows)})" for cause, rows in by_cause.items())


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings:
        yield from _wrapped([f"The paper: {finding.claim}"])
        yield from _wrapped([f"Ours: {finding.answer}"], indent=4)


def _wrapped(texts: Iterator[str] | Sequence[str], *, indent: int = 2) -> Iterator[str]:
    for text in texts:
        first, rest = " " * indent, " " * (indent + 2)
        yield textwrap.fill(text, _WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False)
