"""Tables as files: Parquet, JSON lines, and values between commas or tabs.

A format tells the columns of a file, cuts it into shards of so many rows that can be read without what stands before
them, and writes rows with new columns. A row that cannot be read comes with the reason in the column `problem`.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plainwright.batch.tasks import PROBLEM
from plainwright.errors import DataError
from plainwright.files import explain_reading

__all__ = ["FORMATS", "LINE", "ROW", "Cut", "TableFormat", "format_of_table"]

ROW = "row of the file"  # columns that are not written: the number of a row in its file, from 1,
LINE = "line of the file"  # and the text of it, as it was
_AT_ONCE = 500  # rows in a record batch


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of a file: its first row, from 0, how many there are, and the byte at which they begin, in text."""

    first: int
    rows: int
    offset: int


class TableFormat(ABC):
    """One format of tables."""

    name: str
    suffixes: tuple[str, ...]

    @abstractmethod
    def columns(self, file: Path) -> Mapping[str, str] | None:
        """Return the columns of a file with their types; None if each row has its own."""

    @abstractmethod
    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut a file, and say the ids in each piece, if they are in a column."""

    @abstractmethod
    def read(self, file: Path, cut: Cut, texts: Sequence[str], ids: str | None) -> Iterator[Any]:
        """Read the rows of a piece as record batches, which have at least these columns and that of the ids."""

    @abstractmethod
    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write rows as they were read, with the new columns."""

    @abstractmethod
    def record(self, table: Any, row: int) -> object:
        """Return a row as JSON has it, for those that are rejected."""

    @abstractmethod
    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write several files of this format as one."""


class Parquet(TableFormat):
    """Apache Parquet."""

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def columns(self, file: Path) -> Mapping[str, str]:
        """Return what the schema says."""
        return {field.name: str(field.type) for field in self._opened(file).schema_arrow}

    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut by the number of rows that the file has."""
        total = self._opened(file).metadata.num_rows
        for first in range(0, total, rows):
            cut = Cut(first, min(rows, total - first), 0)
            named = [] if ids is None else self._values(file, cut, ids)
            yield cut, named

    def _values(self, file: Path, cut: Cut, name: str) -> list[object]:
        pieces = self._pieces(file, cut, [name])
        return [value for piece in pieces for value in piece.column(0).to_pylist()]

    def _pieces(self, file: Path, cut: Cut, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Read a piece, and of the row groups only those that it needs."""
        opened = self._opened(file)
        end = cut.first + cut.rows
        at = 0
        for group in range(opened.num_row_groups):
            size = opened.metadata.row_group(group).num_rows
            if at < end and at + size > cut.first:
                begin = at
                for batch in opened.iter_batches(_AT_ONCE, row_groups=[group], columns=columns):
                    low, high = max(cut.first - begin, 0), min(end - begin, batch.num_rows)
                    if low < high:
                        yield batch.slice(low, high - low)
                    begin += batch.num_rows
            at += size

    def read(self, file: Path, cut: Cut, texts: Sequence[str], ids: str | None) -> Iterator[Any]:
        """Read all columns."""
        import pyarrow as pa

        at = cut.first
        for batch in self._pieces(file, cut):
            numbers = pa.array(range(at + 1, at + 1 + batch.num_rows), type=pa.int64())
            at += batch.num_rows
            yield batch.append_column(ROW, numbers)

    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write one row group."""
        import pyarrow.parquet as parquet

        parquet.write_table(table.drop_columns([name for name in (ROW, PROBLEM) if name in table.column_names]), stream)

    def record(self, table: Any, row: int) -> object:
        """Return the values of the row."""
        [values] = table.slice(row, 1).to_pylist()
        return {name: value for name, value in values.items() if name not in (ROW, PROBLEM)}

    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write the row groups of all files."""
        import pyarrow.parquet as parquet

        with parquet.ParquetWriter(stream, self._opened(parts[0]).schema_arrow) as writer:
            for part in parts:
                writer.write_table(self._opened(part).read())

    def _opened(self, file: Path) -> Any:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        try:
            with explain_reading(file):
                return parquet.ParquetFile(file)
        except pa.ArrowException as error:
            msg = f"{file}: expected Parquet, found something else ({str(error).partition('. ')[0]})"
            raise DataError(msg) from None


class _Text(TableFormat):
    """Formats of text: what they need to read from the middle of a file."""

    def _lines(self, file: Path, offset: int) -> Iterator[tuple[int, str]]:
        """Yield lines with their ends, each with the byte at which the next one begins."""
        with explain_reading(file), file.open("rb") as stream:
            stream.seek(offset)
            at = offset
            for data in stream:
                at += len(data)
                try:
                    line = data.decode("utf-8")
                except UnicodeDecodeError as error:
                    msg = f"{file}: expected UTF-8 text, found another byte at {at - len(data) + error.start}"
                    raise DataError(msg) from None
                yield at, line.removeprefix("\ufeff") if at == len(data) else line


class JsonLines(_Text):
    """One JSON object on each line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def columns(self, file: Path) -> None:
        """Say that each row has its own."""
        return

    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut by lines."""
        begin = first = 0
        named: list[object] = []
        count = 0
        for after, line in self._lines(file, 0):
            count += 1
            if ids is not None:
                named.append(_object(line)[0].get(ids))
            if count == rows:
                yield Cut(first, rows, begin), named
                begin, first, count, named = after, first + rows, 0, []
        if count:
            yield Cut(first, count, begin), named

    def read(self, file: Path, cut: Cut, texts: Sequence[str], ids: str | None) -> Iterator[Any]:
        """Read the texts, and the lines as they are."""
        import pyarrow as pa

        lines = (line.rstrip("\r\n") for _, line in self._lines(file, cut.offset))
        for number, chunk in _chunks(itertools.islice(lines, cut.rows), cut.first + 1):
            read = [_object(line) for line in chunk]
            columns = {name: _column([found.get(name) for found, _ in read]) for name in texts}
            if ids is not None:
                columns[ids] = _column([_as_text(found.get(ids)) for found, _ in read])
            columns[ROW] = pa.array(range(number, number + len(chunk)), type=pa.int64())
            columns[LINE] = pa.array(chunk, type=pa.string())
            columns[PROBLEM] = pa.array([problem for _, problem in read], type=pa.string())
            yield pa.RecordBatch.from_pydict(columns)

    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write the objects with what is new."""
        columns = {name: table.column(name).to_pylist() for name in new}
        for row, line in enumerate(table.column(LINE).to_pylist()):
            record = json.loads(line) | {name: values[row] for name, values in columns.items()}
            stream.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")

    def record(self, table: Any, row: int) -> object:
        """Return the line."""
        return table.column(LINE)[row].as_py()

    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write one after the other."""
        for part in parts:
            stream.write(part.read_bytes())


def _object(line: str) -> tuple[dict[str, Any], str | None]:
    """Read a line: the object, or an empty one and the reason."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "expected a JSON object, found " + ("an empty line" if not line.strip() else "something else")
    return (found, None) if isinstance(found, dict) else ({}, "expected a JSON object, found another value")


def _column(values: Sequence[Any]) -> Any:
    """Make a column of texts, or of lists of them; what is neither, the task refuses as a missing text."""
    import pyarrow as pa

    lists = any(isinstance(value, list) for value in values)
    if lists:
        groups = [_texts(value if isinstance(value, list) else [value]) for value in values]
        return pa.array(groups, type=pa.list_(pa.string()))
    return pa.array(_texts(values), type=pa.string())


def _texts(values: Sequence[Any]) -> list[str | None]:
    return [value if isinstance(value, str) and _is_whole(value) else None for value in values]


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _is_whole(text: str) -> bool:
    """Whether a text has no half of a surrogate pair, which JSON allows and UTF-8 does not."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


class Separated(_Text):
    """Values between commas or tabs, with the names of the columns on the first line."""

    def __init__(self, name: str, separator: str) -> None:
        self.name = name
        self.suffixes = (f".{name}",)
        self._separator = separator

    def columns(self, file: Path) -> Mapping[str, str]:
        """Read the first line."""
        for row, _ in self._rows(file, 0):
            if len(set(row)) < len(row):
                msg = f"{file}: expected a name for each column on the first line, found one twice"
                raise DataError(msg)
            return dict.fromkeys(row, "string")
        msg = f"{file}: expected the names of columns on the first line, found an empty file"
        raise DataError(msg)

    def _rows(self, file: Path, offset: int) -> Iterator[tuple[list[str], int]]:
        """Yield rows, each with the byte at which the next one begins."""
        at = offset

        def lines() -> Iterator[str]:
            nonlocal at
            for after, line in self._lines(file, offset):
                at = after
                yield line

        reader = csv.reader(lines(), delimiter=self._separator, strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                msg = f"{file}: expected {self.name.upper()}, found something else near byte {at} ({error})"
                raise DataError(msg) from None
            yield row, at

    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut by rows, which may have several lines."""
        names, first, named, count = None, 0, [], 0
        begin = 0
        for row, after in self._rows(file, 0):
            if names is None:
                names, begin = row, after
                continue
            count += 1
            if ids is not None:
                named.append(dict(zip(names, row, strict=False)).get(ids))
            if count == rows:
                yield Cut(first, rows, begin), named
                begin, first, count, named = after, first + rows, 0, []
        if count:
            yield Cut(first, count, begin), named

    def read(self, file: Path, cut: Cut, texts: Sequence[str], ids: str | None) -> Iterator[Any]:
        """Read all columns, as texts."""
        import pyarrow as pa

        names = list(self.columns(file))
        rows = (row for row, _ in itertools.islice(self._rows(file, cut.offset), cut.rows))
        for number, chunk in _chunks(rows, cut.first + 1):
            problems = [
                None if len(row) == len(names) else f"expected {len(names)} values, found {len(row)}" for row in chunk
            ]
            padded = [[*row, *[None] * len(names)][: len(names)] for row in chunk]
            columns = {
                name: pa.array(list(values), type=pa.string())
                for name, values in zip(names, zip(*padded, strict=True), strict=True)
            }
            columns[ROW] = pa.array(range(number, number + len(chunk)), type=pa.int64())
            columns[PROBLEM] = pa.array(problems, type=pa.string())
            yield pa.RecordBatch.from_pydict(columns)

    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write the names, then the rows."""
        names = [name for name in table.column_names if name not in (ROW, PROBLEM)]
        columns = [table.column(name).to_pylist() for name in names]
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
        writer = csv.writer(text, delimiter=self._separator, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(zip(*columns, strict=True))
        text.detach()

    def record(self, table: Any, row: int) -> object:
        """Return the values of the row."""
        [values] = table.slice(row, 1).to_pylist()
        return {name: value for name, value in values.items() if name not in (ROW, PROBLEM)}

    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write one after the other, the names once."""
        for number, part in enumerate(parts):
            begin = 0 if number == 0 else next(after for _, after in self._rows(part, 0))
            stream.write(part.read_bytes()[begin:])


def _chunks(items: Iterable[Any], first: int) -> Iterator[tuple[int, list[Any]]]:
    """Yield some at a time, each time with the number of the first one."""
    items = iter(items)
    while chunk := list(itertools.islice(items, _AT_ONCE)):
        yield first, chunk
        first += len(chunk)


FORMATS: tuple[TableFormat, ...] = (Parquet(), JsonLines(), Separated("csv", ","), Separated("tsv", "\t"))


def format_of_table(file: Path) -> TableFormat | None:
    """Return the format of a table by its name; None if it is none."""
    return next((known for known in FORMATS if file.suffix.lower() in known.suffixes), None)
