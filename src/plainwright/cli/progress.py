"""The one progress bar of all commands: on standard error, on a terminal, gone when the work is done."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

from plainwright.cli.terminal import bare
from plainwright.escaping import printable

__all__ = ["Report", "progress_bar", "stages", "tell_parent"]

_PATIENCE = 0.5  # seconds; what is done sooner needs no bar
_PAUSE = 0.1  # seconds between two lines for another process

_mark = ""


class Report(Protocol):
    """Moves the bar: so much done of so much (0 if nobody knows), and what is done now, if that changed."""

    def __call__(self, done: int, total: int, what: str | None = None, /) -> None:
        """Show it."""


def tell_parent(mark: str) -> None:
    """From now on write lines for another process to standard error, which shows them: the mark, and JSON."""
    global _mark
    _mark = mark


@contextmanager
def progress_bar(
    what: str, *, quiet: bool = False, unit: Literal["share", "bytes"] = "share"
) -> Iterator[Report | None]:
    """A function that moves the bar, which shows up if the work takes a while; None where nobody would see it."""
    if quiet or not (_mark or sys.stderr.isatty()):
        yield None
        return
    if _mark:
        yield _line_writer(what)
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    amount = DownloadColumn() if unit == "bytes" else TaskProgressColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    bar = Progress(*columns, console=Console(file=bare(sys.stderr)), transient=True)
    task = bar.add_task(printable(what), total=None)
    begun = time.monotonic()

    def report(done: int, total: int, now: str | None = None, /) -> None:
        if not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
            bar.start()
        bar.update(task, description=printable(now or what), completed=done, total=total or None)

    try:
        yield report
    finally:
        bar.stop()


def stages(report: Report | None) -> Callable[[str, int, int], None] | None:
    """The same as the library calls it: what is done now, how much of it, of how much."""
    return None if report is None else lambda what, done, total: report(done, total, what)


def _line_writer(what: str) -> Report:
    last = ("", 0.0)

    def report(done: int, total: int, now: str | None = None, /) -> None:
        nonlocal last
        shown, moment = now or what, time.monotonic()
        if shown != last[0] or moment - last[1] > _PAUSE:
            last = (shown, moment)
            sys.stderr.write(f"{_mark}{json.dumps([done, total, shown])}\n")
            sys.stderr.flush()

    return report
