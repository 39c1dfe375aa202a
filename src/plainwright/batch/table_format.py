"""What all formats of tables have in common, and what those of text need to read from the middle of a file."""

from __future__ import annotations

import itertools
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plainwright.batch.tasks import PROBLEM
from plainwright.files import explain_reading

__all__ = ["AT_ONCE", "LINE", "ROW", "Cut", "TableFormat", "TextFormat", "Wanted", "chunks", "is_whole"]

ROW = "row of the file"  # columns that are not written: the number of a row in its file, from 1,
LINE = "line of the file"  # and the text of it, as it was
AT_ONCE = 500  # rows in a record batch


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


class TextFormat(TableFormat):
    """Formats of text: what they need to read from the middle of a file."""

    def lines(self, file: Path, offset: int) -> Iterator[tuple[int, str]]:
        """Yield lines with their ends, each with the byte at which the next one begins."""
        with explain_reading(file), file.open("rb") as stream:
            stream.seek(offset)
            at = offset
            for data in stream:
                at += len(data)
                line = data.decode("utf-8", "surrogateescape")
                yield at, line.removeprefix("\ufeff") if at == len(data) else line


def chunks(items: Iterable[Any], first: int) -> Iterator[tuple[int, list[Any]]]:
    """Yield some at a time, each time with the number of the first one."""
    items = iter(items)
    while chunk := list(itertools.islice(items, AT_ONCE)):
        yield first, chunk
        first += len(chunk)


def is_whole(text: str) -> bool:
    """Whether all characters of a text can be written."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
