"""Reading the rows of a Parquet file forwards, so that large row groups cost no more than small ones.

Rows in the middle of a row group can be reached only through those before them. A reader stays where a piece of the
file ended, and the next piece goes on from there: a process that takes pieces in order decodes each row once at most.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from plainwright.files import explain_reading

__all__ = ["pieces"]

_State = tuple[Path, int, int, int]  # a file, and what changes when somebody writes it


class _Reader:
    """Reads pieces of an opened file, going back only where one begins before the last batch.

    The batches of a piece depend on its place alone, not on what was read before it.
    """

    def __init__(self, opened: Any, at_once: int) -> None:
        self._opened, self._at_once = opened, at_once
        sizes = (opened.metadata.row_group(group).num_rows for group in range(opened.num_row_groups))
        self._ends = list(itertools.accumulate(sizes))  # of row groups
        self.rows = self._ends[-1] if self._ends else 0
        self._batches: Iterator[Any] = iter(())
        self._group = -1
        self._first = self._after = 0  # the rows of the last batch
        self._batch: Any = None

    def slices(self, first: int, end: int) -> Iterator[Any]:
        """Yield the rows from `first` on, up to `end`."""
        while first < end:
            self._advance(first)
            part = self._batch.slice(first - self._first, min(end, self._after) - first)
            first += part.num_rows
            yield part

    def _advance(self, row: int) -> None:
        """Read on until the last batch has a row."""
        group = bisect_right(self._ends, row)
        if group != self._group or row < self._first:
            self._batches = self._opened.iter_batches(self._at_once, row_groups=[group])
            self._group, self._after = group, self._ends[group - 1] if group else 0
        while row >= self._after:
            self._batch = next(self._batches, None)
            if self._batch is None:
                msg = "a row group without all its rows"
                raise OSError(msg)
            self._first, self._after = self._after, self._after + self._batch.num_rows

    def close(self) -> None:
        """Close the file."""
        self._opened.close()


_kept: dict[_State, _Reader] = {}  # one at most; whoever reads takes it out, so no two read with it at a time


def pieces(file: Path, first: int, end: int, at_once: int, opened: Callable[[Path], Any]) -> Iterator[Any]:
    """Yield some rows of a file in batches; it stays open for the next ones, until its end or until another is read."""
    state = _state(file)
    reader = _kept.pop(state, None) or _Reader(opened(file), at_once)
    yield from reader.slices(first, end)
    for other in list(_kept):
        _close(_kept.pop(other, None))
    if end < reader.rows:
        _kept[state] = reader
    else:
        _close(reader)


def _close(reader: _Reader | None) -> None:
    if reader is not None:
        reader.close()


def _state(file: Path) -> _State:
    with explain_reading(file):
        found = file.stat()
    return file, found.st_ino, found.st_size, found.st_mtime_ns
