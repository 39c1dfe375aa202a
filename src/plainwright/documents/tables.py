"""Which cells of tables are prose: in a table of figures, headings are read with the numbers and left alone."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["prose_cells"]

_LONG = 8  # words; a cell with more is a sentence, whatever stands beside it


def prose_cells(rows: Sequence[Sequence[str]]) -> list[list[bool]]:
    """Return of each cell whether it is prose; in a table of figures only long texts are."""
    holds_figures = _is_table_of_figures(rows)
    return [[not holds_figures or _is_long(cell) for cell in row] for row in rows]


def _is_table_of_figures(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether at least half of the cells below the first row that hold anything are figures."""
    filled = [cell.strip() for row in rows[1:] for cell in row if cell.strip()]
    return bool(filled) and 2 * sum(map(_is_figure, filled)) >= len(filled)


def _is_figure(cell: str) -> bool:
    """Whether a cell is a number, with its unit perhaps, or a dash."""
    letters, digits = sum(map(str.isalpha, cell)), sum(map(str.isdigit, cell))
    return letters == 0 or (digits > 0 and letters <= digits + 2)


def _is_long(cell: str) -> bool:
    return sum(any(map(str.isalpha, word)) for word in cell.split()) > _LONG
