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

from plainwright.arguments import described
from plainwright.batch.tasks import PROBLEM
from plainwright.errors import DataError
from plainwright.files import explain_reading

__all__ = ["FORMATS", "LINE", "ROW", "Cut", "TableFormat", "Wanted", "format_of_table"]

ROW = "row of the file"  # columns that are not written: the number of a row in its file, from 1,
LINE = "line of the file"  # and the text of it, as it was
_AT_ONCE = 500  # rows in a record batch
_FIRST_LINES = 1000  # in which a key that all rows should have occurs at least once
_LARGEST_FIELD = 1 << 27  # characters; longer texts are rows with a problem, not the end of the table


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of a file: its first row, from 0, how many there are, and the byte at which they begin, in text."""

    first: int
    rows: int
    offset: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is read of a row: columns with one text, with one or several, with the id; and names for what is new."""

    texts: Sequence[str]
    groups: Sequence[str] = ()
    ids: str | None = None
    new: Sequence[str] = ()


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
    def read(self, file: Path, cut: Cut, wanted: Wanted) -> Iterator[Any]:
        """Read the rows of a piece as record batches, which have at least the columns that are wanted."""

    @abstractmethod
    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write rows as they were read, with the new columns."""

    def record(self, table: Any, row: int) -> object:
        """Return a row as JSON has it, for those that are rejected."""
        [values] = table.slice(row, 1).to_pylist()
        own = {name: value for name, value in values.items() if name not in (ROW, PROBLEM)}
        return json.loads(json.dumps(own, default=str), parse_constant=str)

    @abstractmethod
    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write several files of this format as one."""


class Parquet(TableFormat):
    """Apache Parquet."""

    name = "parquet"
    suffixes = (".parquet", ".pq")

    def columns(self, file: Path) -> Mapping[str, str]:
        """Return what the schema says."""
        schema = self._opened(file).schema_arrow
        if len(set(schema.names)) < len(schema.names):
            msg = f"{file}: expected a name of its own for each column, found one twice"
            raise DataError(msg)
        return {field.name: str(field.type) for field in schema}

    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut by the number of rows that the file has; ids are read in one go."""
        total = self._opened(file).metadata.num_rows
        values = iter(()) if ids is None else self._values(file, total, ids)
        for first in range(0, total, rows):
            cut = Cut(first, min(rows, total - first), 0)
            yield cut, list(itertools.islice(values, cut.rows))

    def _values(self, file: Path, rows: int, name: str) -> Iterator[object]:
        for piece in self._pieces(file, Cut(0, rows, 0), [name]):
            yield from piece.column(0).to_pylist()

    def _pieces(self, file: Path, cut: Cut, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Read a piece, and of the row groups only those that it needs."""
        import pyarrow as pa

        try:
            yield from self._slices(self._opened(file), cut, columns)
        except (pa.ArrowException, OSError) as error:
            msg = f"{file}: expected Parquet, found something else ({str(error).partition('. ')[0]})"
            raise DataError(msg) from None

    def _slices(self, opened: Any, cut: Cut, columns: Sequence[str] | None) -> Iterator[Any]:
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
                    if begin >= end:
                        return
            at += size

    def read(self, file: Path, cut: Cut, wanted: Wanted) -> Iterator[Any]:
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
                line = data.decode("utf-8", "surrogateescape")
                yield at, line.removeprefix("\ufeff") if at == len(data) else line


class JsonLines(_Text):
    """One JSON object on each line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def columns(self, file: Path) -> None:
        """Say that each row has its own."""
        return

    def keys(self, file: Path) -> list[str]:
        """Return the keys of the first rows."""
        first = itertools.islice(self._lines(file, 0), _FIRST_LINES)
        return list(dict.fromkeys(key for _, line in first for key in _object(line)[0]))

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

    def read(self, file: Path, cut: Cut, wanted: Wanted) -> Iterator[Any]:
        """Read the texts, and the lines as they are."""
        import pyarrow as pa

        lines = (line.rstrip("\r\n") for _, line in self._lines(file, cut.offset))
        for number, chunk in _chunks(itertools.islice(lines, cut.rows), cut.first + 1):
            rows = [_row(line, wanted) for line in chunk]
            columns = {name: pa.array([row[0].get(name) for row in rows], pa.string()) for name in wanted.texts}
            columns |= {
                name: pa.array([row[0].get(name) for row in rows], pa.list_(pa.string())) for name in wanted.groups
            }
            if wanted.ids is not None:
                columns[wanted.ids] = pa.array([_as_text(row[0].get(wanted.ids)) for row in rows], pa.string())
            columns[ROW] = pa.array(range(number, number + len(chunk)), type=pa.int64())
            columns[LINE] = pa.array([_whole(line) for line in chunk], type=pa.string())
            columns[PROBLEM] = pa.array([problem for _, problem in rows], type=pa.string())
            yield pa.RecordBatch.from_pydict(columns)

    def write(self, stream: IO[bytes], table: Any, new: Sequence[str]) -> None:
        """Write the lines as they are, with what is new before the last bracket."""
        columns = {json.dumps(name): table.column(name).to_pylist() for name in new}
        for row, line in enumerate(table.column(LINE).to_pylist()):
            values = (json.dumps(own[row], ensure_ascii=False) for own in columns.values())
            added = "".join(f", {name}: {value}" for name, value in zip(columns, values, strict=True))
            stream.write(f"{line.rstrip()[:-1].rstrip()}{added}}}\n".encode())

    def record(self, table: Any, row: int) -> object:
        """Return the line."""
        return table.column(LINE)[row].as_py()

    def join(self, stream: IO[bytes], parts: Sequence[Path]) -> None:
        """Write one after the other."""
        for part in parts:
            stream.write(part.read_bytes())


def _object(line: str) -> tuple[dict[str, Any], str | None]:
    """Read a line: the object, or an empty one and the reason."""
    if not _is_whole(line):
        return {}, "expected UTF-8 text, found another byte"
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}, "expected a JSON object, found " + ("an empty line" if not line.strip() else "something else")
    return (found, None) if isinstance(found, dict) else ({}, "expected a JSON object, found another value")


def _row(line: str, wanted: Wanted) -> tuple[dict[str, Any], str | None]:
    """Read what is wanted of a line; the first thing that is wrong with it is its problem."""
    found, problem = _object(line)
    row: dict[str, Any] = {} if wanted.ids is None else {wanted.ids: found.get(wanted.ids)}
    for name in wanted.new:
        if name in found:
            problem = problem or f"{name}: expected no such key, which is for the result, found one"
    for name in wanted.texts:
        row[name], wrong = _text(found.get(name), name)
        problem = problem or wrong
    for name in wanted.groups:
        value = found.get(name)
        members = [_text(own, name) for own in (value if isinstance(value, list) else [value])]
        row[name] = [text for text, _ in members if text is not None]
        problem = problem or next((wrong for _, wrong in members if wrong), None)
    return row, problem


def _text(value: Any, name: str) -> tuple[str | None, str | None]:
    """Return a text, or what is wrong with it; what is not there at all, the task says."""
    if value is None:
        return None, None
    if not isinstance(value, str):
        return None, f"{name}: expected a text, found {described(value)}"
    whole = _is_whole(value)  # JSON allows half of a surrogate pair, and UTF-8 does not
    return (value, None) if whole else (None, f"{name}: expected whole characters, found half of one")


def _whole(line: str) -> str:
    return line.encode("utf-8", "replace").decode()


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)


def _is_whole(text: str) -> bool:
    """Whether all characters of a text can be written."""
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
                if not _is_whole(line):
                    msg = f"{file}: expected UTF-8 text, found another byte before {after}"
                    raise DataError(msg)
                yield line

        csv.field_size_limit(max(csv.field_size_limit(), _LARGEST_FIELD))
        reader = csv.reader(lines(), delimiter=self._separator, strict=True)
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                msg = f"{file}: expected {self.name.upper()}, found something else near byte {at} ({error})"
                raise DataError(msg) from None
            if row:  # no empty line
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

    def read(self, file: Path, cut: Cut, wanted: Wanted) -> Iterator[Any]:
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
