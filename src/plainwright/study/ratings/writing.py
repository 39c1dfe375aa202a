"""The long table as a file: CSV, TSV, JSON Lines or Parquet, raw scores and z-scores side by side."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from plainwright.errors import MissingExtraError
from plainwright.files import atomic_write_bytes, atomic_write_text
from plainwright.study.ratings.layout import COLUMNS
from plainwright.study.ratings.raw import file_format
from plainwright.study.ratings.table import Rating, Ratings, shortest

__all__ = ["write_ratings"]


def write_ratings(ratings: Ratings, path: str | Path) -> None:
    """Write the long table in the format that the name stands for; the file appears only when it is whole."""
    _WRITERS[file_format(path)](ratings, path)


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


def _write_separated(ratings: Ratings, path: str | Path, delimiter: str) -> None:
    with atomic_write_text(path) as stream:
        writer = csv.writer(_LineFeeds(stream), delimiter=delimiter)
        writer.writerow(COLUMNS)
        for row in ratings:
            values = _cells(row).values()
            writer.writerow([shortest(value) if isinstance(value, float) else value for value in values])


def _write_csv(ratings: Ratings, path: str | Path) -> None:
    _write_separated(ratings, path, ",")


def _write_tsv(ratings: Ratings, path: str | Path) -> None:
    _write_separated(ratings, path, "\t")


def _write_json_lines(ratings: Ratings, path: str | Path) -> None:
    with atomic_write_text(path) as stream:
        for row in ratings:
            said = {column: value for column, value in _cells(row).items() if value is not None}
            stream.write(json.dumps(said, ensure_ascii=False, allow_nan=False) + "\n")


def _write_parquet(ratings: Ratings, path: str | Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        msg = f"{path}: writing Parquet needs pyarrow; install it with `pip install 'plainwright[study]'`"
        raise MissingExtraError(msg) from None
    kinds = {"score": pyarrow.float64(), "z": pyarrow.float64(), "time": pyarrow.float64(), "order": pyarrow.int64()}
    schema = pyarrow.schema([(column, kinds.get(column, pyarrow.string())) for column in COLUMNS])
    table = pyarrow.Table.from_pylist([_cells(row) for row in ratings], schema=schema)
    with atomic_write_bytes(path) as stream:
        parquet.write_table(table, stream)


_WRITERS: dict[str, Callable[[Ratings, str | Path], None]] = {
    "csv": _write_csv,
    "tsv": _write_tsv,
    "jsonl": _write_json_lines,
    "parquet": _write_parquet,
}
