"""The one progress bar of all commands: on standard error, on a terminal, gone when the work is done."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, Protocol

__all__ = ["Report", "progress_bar"]

_PATIENCE = 0.5  # seconds; what is done sooner needs no bar


class Report(Protocol):
    """Moves the bar: so much done of so much (0 if nobody knows), and what is done now, if that changed."""

    def __call__(self, done: int, total: int, what: str | None = None, /) -> None:
        """Show it."""


@contextmanager
def progress_bar(
    what: str, *, quiet: bool = False, unit: Literal["share", "bytes"] = "share"
) -> Iterator[Report | None]:
    """A function that moves the bar, which shows up if the work takes a while; None where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    amount = DownloadColumn() if unit == "bytes" else TaskProgressColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None)
    begun = time.monotonic()

    def report(done: int, total: int, now: str | None = None, /) -> None:
        if not bar.live.is_started and time.monotonic() - begun > _PATIENCE:
            bar.start()
        bar.update(task, description=now or what, completed=done, total=total or None)

    try:
        yield report
    finally:
        bar.stop()
