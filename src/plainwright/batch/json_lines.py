"""One JSON object on each line."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from plainwright.arguments import described
from plainwright.batch.table_format import LINE, ROW, Cut, TextFormat, Wanted, chunks, is_whole
from plainwright.batch.tasks import PROBLEM

__all__ = ["JsonLines"]

_FIRST_LINES = 1000  # in which a key that all rows should have occurs at least once


class JsonLines(TextFormat):
    """One JSON object on each line."""

    name = "jsonl"
    suffixes = (".jsonl", ".ndjson")

    def columns(self, file: Path) -> None:
        """Say that each row has its own."""
        return

    def keys(self, file: Path) -> list[str]:
        """Return the keys of the first rows."""
        first = itertools.islice(self.lines(file, 0), _FIRST_LINES)
        return list(dict.fromkeys(key for _, line in first for key in _object(line)[0]))

    def cuts(self, file: Path, rows: int, ids: str | None) -> Iterator[tuple[Cut, Sequence[object]]]:
        """Cut by lines."""
        begin = first = 0
        named: list[object] = []
        count = 0
        for after, line in self.lines(file, 0):
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

        lines = (line.rstrip("\r\n") for _, line in self.lines(file, cut.offset))
        for number, chunk in chunks(itertools.islice(lines, cut.rows), cut.first + 1):
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
    if not is_whole(line):
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
    whole = is_whole(value)  # JSON allows half of a surrogate pair, and UTF-8 does not
    return (value, None) if whole else (None, f"{name}: expected whole characters, found half of one")


def _whole(line: str) -> str:
    return line.encode("utf-8", "replace").decode()


def _as_text(value: Any) -> str | None:
    return value if value is None or isinstance(value, str) else json.dumps(value)
