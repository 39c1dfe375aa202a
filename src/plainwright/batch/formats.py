"""Tables as files: Parquet, JSON lines, and values between commas or tabs.

A format tells the columns of a file, cuts it into shards of so many rows that can be read without what stands before
them, and writes rows with new columns. A row that cannot be read comes with the reason in the column `problem`.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from plainwright.batch.json_lines import JsonLines
from plainwright.batch.row_groups import pieces
from plainwright.batch.table_format import AT_ONCE, ROW, Cut, TableFormat, TextFormat, Wanted, chunks, is_whole
from plainwright.batch.tasks import PROBLEM
from plainwright.errors import DataError
from plainwright.files import explain_reading

__all__ = ["FORMATS", "format_of_table"]

_LARGEST_FIELD = 1 << 27  # characters; longer texts are rows with a problem, not the end of the table


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
        values = iter(()) if ids is None else self._values(file, ids)
        for first in range(0, total, rows):
            cut = Cut(first, min(rows, total - first), 0)
            yield cut, list(itertools.islice(values, cut.rows))

    def _values(self, file: Path, name: str) -> Iterator[object]:
        with self._explained(file):
            for batch in self._opened(file).iter_batches(columns=[name]):
                yield from batch.column(0).to_pylist()

    def read(self, file: Path, cut: Cut, wanted: Wanted) -> Iterator[Any]:
        """Read all columns."""
        import pyarrow as pa

        at = cut.first
        with self._explained(file):
            for batch in pieces(file, cut.first, cut.first + cut.rows, AT_ONCE, self._opened):
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
        import pyarrow.parquet as parquet

        with self._explained(file), explain_reading(file):
            return parquet.ParquetFile(file)

    @contextmanager
    def _explained(self, file: Path) -> Iterator[None]:
        """Say in one sentence what Arrow finds wrong with a file."""
        import pyarrow as pa

        try:
            yield
        except (pa.ArrowException, OSError) as error:
            msg = f"{file}: expected Parquet, found something else ({str(error).partition('. ')[0]})"
            raise DataError(msg) from None


class Separated(TextFormat):
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
            for after, line in self.lines(file, offset):
                at = after
                if not is_whole(line):
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
        for number, chunk in chunks(rows, cut.first + 1):
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


FORMATS: tuple[TableFormat, ...] = (Parquet(), JsonLines(), Separated("csv", ","), Separated("tsv", "\t"))


def format_of_table(file: Path) -> TableFormat | None:
    """Return the format of a table by its name; None if it is none."""
    return next((known for known in FORMATS if file.suffix.lower() in known.suffixes), None)
