"""Which tables hold figures: their headings are read with the numbers, so such tables are left alone."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["is_table_of_figures"]


def is_table_of_figures(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether at least half of the cells below the first row and right of the first column are figures."""
    cells = [cell.strip() for row in rows[1:] for cell in (row[1:] or row)]
    filled = [cell for cell in cells if cell]
    return bool(filled) and 2 * sum(map(_is_figure, filled)) >= len(filled)


def _is_figure(cell: str) -> bool:
    """Whether a cell is a number, with its unit perhaps, or a dash."""
    letters, digits = sum(map(str.isalpha, cell)), sum(map(str.isdigit, cell))
    return letters == 0 or (digits > 0 and letters <= digits + 2)
