"""Raters' scores described as Sulem et al. (2018) do: how far systems and sentences lie apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from plainwright.metrics.base import Array
from plainwright.reproduce.sulem2018.texts import RATERS
from plainwright.reproduce.table import Block, Cell

__all__ = ["described"]

_RANGE, _SYSTEMS, _SENTENCES, _LOWEST, _HIGHEST = "max-min, systems", "sigma", "sigma, sentences", "lowest", "highest"


def described(
    title: str, sums: Mapping[str, Array], paper: Mapping[str, tuple[float, float, float, int, int]]
) -> Block:
    """Return a row for each aspect, from sums over raters of shape (inputs, systems)."""
    cells = []
    for aspect, table in sums.items():
        means = table.sum(axis=0) / (RATERS * len(table))
        sentences = table / RATERS
        ours = {
            _RANGE: np.ptp(means),
            _SYSTEMS: means.std(),
            _SENTENCES: sentences.std(),
            _LOWEST: sentences.min(),
            _HIGHEST: sentences.max(),
        }
        for (column, value), printed in zip(ours.items(), paper[aspect], strict=True):
            digits = 0 if column in (_LOWEST, _HIGHEST) else 2
            cell = Cell(row=aspect, column=column, paper=printed, ours=float(value), digits=digits)
            cells.append(replace(cell, note=_cause(cell, means)) if cell.difference else cell)
    return Block(title=title, cells=tuple(cells))


def _cause(cell: Cell, means: Array) -> str:
    if cell.column == _RANGE and round(round(means.max(), 2) - round(means.min(), 2), 2) == cell.paper:
        return "the paper's is the difference of the rounded ends"
    if cell.column == _SYSTEMS and round(means.std(ddof=1), 2) == cell.paper:
        return "the paper's sigma divides by n - 1"
    return "unknown"
