"""A correlation of ours beside the published one."""

from __future__ import annotations

from dataclasses import replace

from plainwright.reproduce.sulem2018.resampling import Sampled, intervals
from plainwright.reproduce.table import Cell

__all__ = ["correlation_cell"]


def correlation_cell(
    sampled: Sampled, *, row: str, column: str, paper: tuple[float | None, str] = (None, ""), note: str = ""
) -> Cell:
    """`paper` is the published value, if there is one, and its p-value as printed; `note` is kept if ours differs."""
    estimate = sampled.estimate
    cell = Cell(
        row=row,
        column=column,
        n=estimate.n,
        paper=paper[0],
        paper_p=paper[1],
        ours=estimate.value,
        p_value=estimate.p_value,
        intervals=intervals(sampled),
        note=estimate.problem,
    )
    return replace(cell, note=note) if cell.difference else cell
