"""Tables as files: CSV, TSV, JSON Lines or Parquet; the long table, raw scores and z-scores side by side."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

from plainwright.escaping import spreadsheet_cell
from plainwright.extras import extra_for
from plainwright.files import atomic_write_bytes, atomic_write_text
from plainwright.study.ratings.layout import COLUMNS
from plainwright.study.ratings.raw import file_format
from plainwright.study.ratings.table import Rating, Ratings, check_ratings, shortest

__all__ = ["LONG_COLUMNS", "write_ratings", "write_table"]

# What each column holds: str, float, int or bool.
Columns = Mapping[str, type]
Cells = Mapping[str, Any]  # by column; None or absent where a row says nothing

_NUMBERS: dict[str, type] = {"score": float, "z": float, "time": float, "order": int}
LONG_COLUMNS: Columns = {column: _NUMBERS.get(column, str) for column in COLUMNS}


def write_ratings(ratings: Ratings, path: str | Path) -> None:
    """Write the long table in the format that the name stands for; the file appears only when it is whole."""
    check_ratings(ratings, "write_ratings")
    write_table(path, LONG_COLUMNS, map(_cells, ratings))


def write_table(path: str | Path, columns: Columns, rows: Iterable[Cells]) -> None:
    """Write rows in the format that the name stands for; the file appears only when it is whole."""
    _WRITERS[file_format(path)](path, columns, rows)


def _cells(row: Rating) -> dict[str, Any]:
    """The cells of a rating, None where it says nothing."""
    cells = {column: getattr(row, column) for column in COLUMNS}
    return {**cells, "scale": None if row.scale is None else str(row.scale)}


class _LineFeeds:
    """Takes rows that end in CR LF and writes them with LF.

    Before Python 3.13, a carriage return within a text is put between quotes only if rows end in one too.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, row: str) -> int:
        return self._stream.write(row.removesuffix("\r\n") + "\n")


def _write_separated(path: str | Path, columns: Columns, rows: Iterable[Cells], delimiter: str) -> None:
    with atomic_write_text(path) as stream:
        writer = csv.writer(_LineFeeds(stream), delimiter=delimiter)
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_shown(row.get(column)) for column in columns])


def _shown(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return spreadsheet_cell(value)
    return shortest(value) if isinstance(value, float) else value


def _write_csv(path: str | Path, columns: Columns, rows: Iterable[Cells]) -> None:
    _write_separated(path, columns, rows, ",")


def _write_tsv(path: str | Path, columns: Columns, rows: Iterable[Cells]) -> None:
    _write_separated(path, columns, rows, "\t")


def _write_json_lines(path: str | Path, columns: Columns, rows: Iterable[Cells]) -> None:
    with atomic_write_text(path) as stream:
        for row in rows:
            said = {column: row[column] for column in columns if row.get(column) is not None}
            stream.write(json.dumps(said, ensure_ascii=False, allow_nan=False) + "\n")


def _write_parquet(path: str | Path, columns: Columns, rows: Iterable[Cells]) -> None:
    with extra_for(f"{path}: writing Parquet", "study"):
        import pyarrow
        from pyarrow import parquet
    kinds = {str: pyarrow.string(), float: pyarrow.float64(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    schema = pyarrow.schema([(column, kinds[kind]) for column, kind in columns.items()])
    table = pyarrow.Table.from_pylist([dict(row) for row in rows], schema=schema)
    with atomic_write_bytes(path) as stream:
        parquet.write_table(table, stream)


_WRITERS: dict[str, Callable[[str | Path, Columns, Iterable[Cells]], None]] = {
    "csv": _write_csv,
    "tsv": _write_tsv,
    "jsonl": _write_json_lines,
    "parquet": _write_parquet,
}
