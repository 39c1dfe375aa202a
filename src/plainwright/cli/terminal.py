"""Terminals that obey us alone: names of files and texts cannot move the cursor or change the title of the window."""

from __future__ import annotations

import io
import sys
from typing import TextIO

import typer

from plainwright.escaping import printable

__all__ = ["Terminal", "bare", "echo_coloured"]


class Terminal(io.TextIOWrapper):
    """A stream to a terminal, onto which only text, line ends and tabs go, and colours if they are ours."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        super().__init__(stream.buffer, encoding=stream.encoding, errors="replace", line_buffering=True)
        self.bare = stream

    def write(self, text: str, /) -> int:
        """Write it without what a terminal would obey."""
        super().write(printable(text, layout=True))
        return len(text)

    def write_coloured(self, text: str) -> None:
        """The same with colours, for text in which nothing foreign can have any."""
        super().write(printable(text, colours=True))


def echo_coloured(text: str) -> None:
    """Print text with colours of ours; what is foreign in it went through `printable` before."""
    if isinstance(sys.stdout, Terminal):
        sys.stdout.write_coloured(text)
        sys.stdout.flush()
    else:
        typer.echo(text, nl=False)


def bare(stream: TextIO) -> TextIO:
    """The stream behind a `Terminal`, for progress bars, which move the cursor."""
    return stream.bare if isinstance(stream, Terminal) else stream
