"""`plainwright reproduce`: a published table beside our own numbers."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import typer

from plainwright.cli import options

if TYPE_CHECKING:
    from plainwright.study.reproduce import Reproduction

__all__ = ["reproduce"]


def reproduce(
    name: str = typer.Argument(..., metavar="TABLE", help="xu2016-table5"),
    as_json: bool = typer.Option(False, "--json", help="One JSON object."),
    data: options.Data = None,
) -> None:
    """Compute a published table again and show where and why we differ."""
    from plainwright.study import reproduce as library

    result = library.reproduce(name, data=data)
    if as_json:
        typer.echo(json.dumps(result.to_dict(), ensure_ascii=False, indent=2))
    else:
        typer.echo(_as_text(result))


_WIDTH = 140


def _as_text(result: Reproduction) -> str:
    width = max(map(len, result.rows))
    lines = [result.title, result.citation, "", "Each cell: paper, ours, difference.", ""]
    lines.append(" " * width + "".join(f"  {column:^21}" for column in result.columns).rstrip())
    for row in result.rows:
        cells = (result.cell(row, column) for column in result.columns)
        lines.append(
            f"{row:<{width}}"
            + "".join(f"  {cell.paper:6.2f} {cell.ours:6.2f} {cell.difference:+6.2f} " for cell in cells).rstrip()
        )
    lines += ["", "How ours are computed"]
    lines += [_wrapped(f"{column}: {method}") for column, method in result.methods.items()]
    lines += ["", "Why they differ"]
    for column in result.columns:
        by_cause: dict[str, list[str]] = {}
        for cell in result.cells:
            if cell.column == column and cell.note:
                by_cause.setdefault(cell.note, []).append(f"{cell.row} {cell.difference:+.2f}")
        lines += [_wrapped(f"{column}: {cause} ({', '.join(rows)})") for cause, rows in by_cause.items()]
    lines += ["", "Notes", *map(_wrapped, result.notes)]
    return "\n".join(lines)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)
