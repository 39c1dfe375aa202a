"""What hangs on the choices: the same table computed with others, and which cells these explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plainwright.reproduce.table import Block, Cell

__all__ = ["CHOSEN", "comparison", "explaining"]

CHOSEN = "as chosen"
_TITLE = "What hangs on the choices: cells as printed in the paper, and with the paper's sign"


def comparison(choices: Mapping[str, Sequence[Block]]) -> Block:
    """Return how many cells equal the paper's, and how many have its sign, under each choice."""
    cells: list[Cell] = []
    for label, blocks in choices.items():
        compared = [cell for block in blocks for cell in block.cells]
        numbers = {
            f"equal, of {len(compared)}": sum(not cell.difference for cell in compared),
            f"same sign, of {len(compared)}": sum(bool(cell.same_sign) for cell in compared),
        }
        cells += [Cell(row=label, column=what, paper=None, ours=n, digits=0) for what, n in numbers.items()]
        mean = float(np.mean([abs(cell.difference or 0.0) for cell in compared]))
        cells.append(Cell(row=label, column="mean difference", paper=None, ours=mean))
    return Block(title=_TITLE, cells=tuple(cells))


def explaining(title: str, row: str, column: str, others: Mapping[str, Sequence[Block]]) -> str:
    """Return which other choice gives the paper's number, and not by chance: half of the row must be the paper's."""
    for label, blocks in others.items():
        cells = [cell for block in blocks if block.title == title for cell in block.cells if cell.row == row]
        equal = {cell.column for cell in cells if not cell.difference}
        if column in equal and 2 * len(equal) >= len(cells):
            return f"equal to the paper's with another choice: {label}"
    return ""
