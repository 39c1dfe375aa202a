"""Tables as files hold them: named cells by line, before anybody asks what they mean.

CSV and TSV follow the same rules of quoting; JSON Lines hold one object a line; Parquet needs pyarrow, which
comes with the extra `study`. Whatever cannot be read is a `DataError` that names the file and the line.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plainwright.arguments import check_path
from plainwright.errors import DataError
from plainwright.escaping import plain_cell
from plainwright.extras import extra_for
from plainwright.files import MAX_LINE, MAX_TEXT, read_bytes, read_text

__all__ = ["FORMATS", "RawRow", "RawTable", "file_format", "read_table"]

FORMATS = ("csv", "tsv", "jsonl", "parquet")

_ROWS = 1_000  # of Parquet that are unpacked at once
_SURROGATES = re.compile("[\ud800-\udfff]")  # which JSON can write, but UTF-8 cannot


@dataclass(frozen=True, slots=True)
class RawRow:
    """One line: its number, from 1, and its cells by column; an absent cell is None."""

    number: int
    cells: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RawTable:
    """Holds the rows of a whole file."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[RawRow, ...]
    unit: str = "line"  # what the numbers of rows count

    def place(self, row: RawRow) -> str:
        """Return where a row stands, for messages."""
        return f"{self.name}:{row.number}" if self.unit == "line" else f"{self.name}: {self.unit} {row.number}"

    def renamed(self, names: Mapping[str, str]) -> RawTable:
        """Columns called by other names: `names` maps those of the file to the new ones."""

        def moved(cells: Mapping[str, Any]) -> dict[str, Any]:
            return {names.get(column, column): value for column, value in cells.items()}

        columns = tuple(names.get(column, column) for column in self.columns)
        return replace(self, columns=columns, rows=tuple(RawRow(row.number, moved(row.cells)) for row in self.rows))

    def stacked(self, columns: Sequence[str]) -> RawTable:
        """Return a row for each of these columns that is filled: its name under "aspect", its cell under "score"."""
        rows = tuple(
            RawRow(row.number, {**row.cells, "aspect": column, "score": row.cells[column]})
            for row in self.rows
            for column in columns
            if row.cells.get(column) not in (None, "")
        )
        kept = (column for column in self.columns if column not in (*columns, "aspect", "score"))
        return replace(self, columns=(*kept, "aspect", "score"), rows=rows)


def file_format(path: str | Path) -> str:
    """Return which of `FORMATS` the name of a file stands for; standard input is CSV."""
    check_path(path, "a table", "its file")
    if str(path) == "-":
        return "csv"
    name = Path(path).name.lower()
    suffix = name.removesuffix(".gz").rpartition(".")[2]
    if suffix not in FORMATS or (suffix == "parquet" and name.endswith(".gz")):
        msg = f"{path}: expected a name that ends in .csv, .tsv, .jsonl or .parquet, found {Path(path).name!r}"
        raise DataError(msg)
    return suffix


def read_table(path: str | Path) -> RawTable:
    """Read the rows of a file, in its order; at least one."""
    kind = file_format(path)
    name = "standard input" if str(path) == "-" else str(path)
    if kind == "parquet":
        table = _parquet(path, name)
    elif kind == "jsonl":
        table = _json_lines(read_text(path), name)
    else:
        table = _separated(read_text(path), name, "," if kind == "csv" else "\t")
    if not table.rows:
        found = "only a header" if table.columns else "an empty file"
        msg = f"{name}: expected a table of ratings, found {found}"
        raise DataError(msg)
    return table


def _separated(text: str, name: str, delimiter: str) -> RawTable:
    records = _records(text, name, delimiter)
    _, header = next(records, (1, []))
    columns = tuple(column.strip() for column in header)
    _check_header(columns, name)
    rows = []
    for number, record in records:
        while len(record) > len(columns) and not record[-1].strip():
            record.pop()  # spreadsheets pad rows
        if len(record) != len(columns):
            msg = (
                f"{name}:{number}: expected {len(columns)} cells as in the header, found {len(record)}; "
                "put a text that holds the separator between double quotes"
            )
            raise DataError(msg)
        cells = zip(columns, map(plain_cell, record), strict=True)
        rows.append(RawRow(number, {column: cell or None for column, cell in cells}))
    return RawTable(name, columns, tuple(rows))


def _records(text: str, name: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The first line and the cells of every record that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first = 1
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            msg = f"{name}:{first}: expected a row of the table, found one that cannot be read ({error}); {_REPAIR}"
            raise DataError(msg) from None
        if any(len(cell) > MAX_LINE for cell in record):
            longest = max(map(len, record))
            msg = f"{name}:{first}: expected cells of at most {MAX_LINE:,} characters, found {longest:,}; {_REPAIR}"
            raise DataError(msg)
        if any(cell.strip() for cell in record):
            yield first, record
        first = reader.line_num + 1


_REPAIR = "is a double quote left open?"


def _check_header(columns: tuple[str, ...], name: str) -> None:
    twice = [column for column in dict.fromkeys(columns) if column and columns.count(column) > 1]
    if twice:
        msg = f"{name}:1: expected every column once, found {twice[0]!r} {columns.count(twice[0])} times"
        raise DataError(msg)


def _json_lines(text: str, name: str) -> RawTable:
    rows = [
        RawRow(number, _json_cells(line, f"{name}:{number}"))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]
    return RawTable(name, tuple(dict.fromkeys(column for row in rows for column in row.cells)), tuple(rows))


def _json_cells(line: str, where: str) -> dict[str, Any]:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        msg = f"{where}: expected one JSON object per line, found something else ({error})"
        raise DataError(msg) from None
    if not isinstance(value, dict):
        msg = f"{where}: expected an object with a value for each column, found {line[:60]!r}"
        raise DataError(msg)
    for cell in (*value, *value.values()):
        if isinstance(cell, str) and _SURROGATES.search(cell):
            msg = f"{where}: expected text, found half a character (a lone surrogate) in {cell[:40]!r}"
            raise DataError(msg)
    return value


def _parquet(path: str | Path, name: str) -> RawTable:
    with extra_for(f"{name}: reading Parquet", "study"):
        import pyarrow
        from pyarrow import parquet
    data = read_bytes(path, most=MAX_TEXT)
    records: list[dict[str, Any]] = []
    size = 0
    try:
        table = parquet.ParquetFile(io.BytesIO(data))
        # Row by row a small file can hold a long text a million times.
        for batch in table.iter_batches(_ROWS):
            size += batch.nbytes
            if size > MAX_TEXT:
                break
            records += batch.to_pylist()
    except (pyarrow.ArrowException, ArithmeticError, MemoryError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        msg = f"{name}: expected a Parquet table, found something else ({reason[:120] or type(error).__name__})"
        raise DataError(msg) from None
    if size > MAX_TEXT:
        msg = f"{name}: expected at most {MAX_TEXT:,} bytes of values, found more"
        raise DataError(msg)
    columns = tuple(table.schema_arrow.names)
    _check_header(columns, name)
    rows = tuple(
        RawRow(number, {key: None if _is_missing(cell) else cell for key, cell in record.items()})
        for number, record in enumerate(records, start=1)
    )
    return RawTable(name, columns, rows, unit="row")


def _is_missing(cell: Any) -> bool:
    """Whether it is the NaN that data frames write for a number that is missing."""
    return isinstance(cell, float) and math.isnan(cell)
