"""Files that go together line by line, read in batches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from plainwright.errors import DataError, LengthMismatchError
from plainwright.grammar.rules import read_blocks

__all__ = ["LINES_AT_ONCE", "MAX_TOKENS", "Skips", "read_batches", "read_text_lines"]

LINES_AT_ONCE = 20_000
MAX_TOKENS = 200  # longer lines are rarely one sentence, and the work on a pair grows with the product of lengths


@dataclass
class Skips:
    """Counts the pairs left out for an empty side, and lists the lines of those that are too long."""

    empty: int = 0
    too_long: list[int] = field(default_factory=list)

    def add(self, done: int, empty: int, too_long: list[int]) -> None:
        """Count those of one batch, before which there were `done` lines."""
        self.empty += empty
        self.too_long += [done + index + 1 for index in too_long]

    def notes(self, limit: int) -> list[str]:
        """Return what a user should know, one sentence each."""
        notes = []
        if self.empty:
            notes.append(f"{self.empty:,} pairs with an empty side skipped")
        if self.too_long:
            lines = ", ".join(f"{line:,}" for line in self.too_long[:5])
            more = f" and {len(self.too_long) - 5:,} more" if len(self.too_long) > 5 else ""
            notes.append(f"{len(self.too_long):,} pairs with more than {limit:,} tokens skipped (lines {lines}{more})")
        return notes


def read_text_lines(path: str | Path) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, gzip undone for names ending in .gz; a `DataError` names file and line."""
    return chain.from_iterable(_line_blocks(path))


def _line_blocks(path: str | Path) -> Iterator[list[str]]:
    number = 0
    for block in read_blocks(path):
        if b"\0" in block:
            number += block.count(b"\n", 0, block.index(b"\0")) + 1
            msg = f"{path}:{number}: expected text, found a NUL byte; is this a binary file, or UTF-16?"
            raise DataError(msg)
        try:
            text = block.removesuffix(b"\n").decode("utf-8")  # at once, which is quicker than line by line
        except UnicodeDecodeError as error:
            good = block.rfind(b"\n", 0, error.start) + 1
            yield _lines(block[:good].decode("utf-8"))[:-1]
            number += block.count(b"\n", 0, good) + 1
            found = f"UTF-8 text expected, found byte 0x{block[error.start]:02x}"
            msg = f"{path}:{number}: {found}; convert it with `iconv -f LATIN1 -t UTF-8` if it is Latin-1"
            raise DataError(msg) from None
        lines = _lines(text)
        number += len(lines)
        yield lines


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    return [line.removesuffix("\r") for line in lines] if "\r" in text else lines


def read_batches(*paths: str | Path) -> Iterator[tuple[list[str], ...]]:
    """The lines of all files side by side, some at once; files of different lengths are a `LengthMismatchError`."""
    streams = [read_text_lines(path) for path in paths]
    done = 0
    while True:
        batch = tuple(list(islice(stream, LINES_AT_ONCE)) for stream in streams)
        sizes = {len(lines) for lines in batch}
        if len(sizes) > 1:
            counts = [done + len(lines) + sum(1 for _ in stream) for lines, stream in zip(batch, streams, strict=True)]
            shown = ", ".join(f"{path} {count:,}" for path, count in zip(paths, counts, strict=True))
            msg = f"files that go together need the same number of lines, found {shown}"
            raise LengthMismatchError(msg)
        if not batch[0]:
            break
        done += len(batch[0])
        yield batch
    if done == 0:
        msg = f"{paths[0]}: expected one sentence per line, found an empty file"
        raise DataError(msg)
