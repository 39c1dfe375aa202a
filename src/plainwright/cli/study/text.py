"""How the `study` commands print: aligned tables, sentences, JSON."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer

from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.study.estimate import Estimate

__all__ = ["aligned", "echo_json", "shown_estimate", "shown_p", "wrapped"]

_WIDTH = 120


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> Iterator[str]:
    """The lines of a table: the first `left` columns to the left, numbers to the right, two spaces between."""
    from rich.cells import cell_len

    table = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(header))]
    for row in table:
        cells = []
        for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - cell_len(cell))
            cells.append(cell + space if column < left else space + cell)
        yield "  ".join(cells).rstrip()


def wrapped(sentence: str, *, indent: int = 0) -> str:
    """A sentence in lines of at most 120 columns; those after the first are indented by two more."""
    first = " " * indent
    return textwrap.fill(
        sentence,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=first + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def shown_estimate(estimate: Estimate, sign: str = "") -> str:
    """A value with its interval behind it, or a dash."""
    if estimate.value is None:
        return "-"
    shown = f"{estimate.value:{sign}.2f}"
    if estimate.interval is None:
        return shown
    return f"{shown} [{estimate.interval.low:{sign}.2f}, {estimate.interval.high:{sign}.2f}]"


def shown_p(p_value: float | None) -> str:
    """A p-value to four digits behind the point, or a dash."""
    if p_value is None:
        return "-"
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.4f}"


def echo_json(document: Any) -> None:
    """One JSON object on standard output; never NaN."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))
