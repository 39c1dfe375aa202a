"""Terminals that obey us alone: names of files and texts cannot move the cursor or change the title of the window."""

from __future__ import annotations

import io
from typing import TextIO

from plainwright.escaping import printable

__all__ = ["Terminal", "bare"]


class Terminal(io.TextIOWrapper):
    """A stream to a terminal, onto which only text, line ends, tabs and colours go."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        super().__init__(stream.buffer, encoding=stream.encoding, errors="replace", line_buffering=True)
        self.bare = stream

    def write(self, text: str, /) -> int:
        """Write it without what a terminal would obey."""
        super().write(printable(text, layout=True))
        return len(text)


def bare(stream: TextIO) -> TextIO:
    """The stream behind a `Terminal`, for progress bars, which move the cursor."""
    return stream.bare if isinstance(stream, Terminal) else stream
