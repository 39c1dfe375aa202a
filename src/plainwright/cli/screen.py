"""What is seen while the stages of a recipe run."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from plainwright.cli.terminal import bare
from plainwright.escaping import printable
from plainwright.learn.recipe import Outcome, Step, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["QuietScreen", "Screen"]


class QuietScreen(Watcher):
    """Nothing is seen, unless a stage crashed."""

    def crashed(self, stage: str, messages: Sequence[str]) -> None:
        """All that it said, for whoever can help."""
        for line in messages:
            typer.echo(f"{stage}: {line}", err=True)


class Screen(Watcher):
    """What stages print goes to standard error as it comes; on a terminal a bar shows each that is running."""

    def __init__(self) -> None:
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description}", markup=False), BarColumn(), TaskProgressColumn())
            self._bars = Progress(*columns, TimeElapsedColumn(), console=Console(file=bare(sys.stderr)), transient=True)
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def started(self, step: Step) -> None:
        """A bar, which moves if the stage tells how far it has come."""
        if self._bars is not None:
            self._tasks[step.stage.name] = self._bars.add_task(step.stage.name, total=None)

    def progress(self, stage: str, done: int, total: int, what: str) -> None:
        """Move the bar."""
        if self._bars is not None:
            task = self._tasks[stage]
            self._bars.update(task, description=printable(f"{stage}: {what}"), completed=done, total=total or None)

    def printed(self, stage: str, line: str) -> None:
        """The line, above all bars."""
        text = f"{stage}: {line}"
        if self._bars is None:
            typer.echo(text, err=True)
        else:
            self._bars.console.print(printable(text), markup=False, highlight=False, soft_wrap=True)

    def finished(self, outcome: Outcome) -> None:
        """Take the bar away."""
        if self._bars is not None and outcome.stage.name in self._tasks:
            self._bars.remove_task(self._tasks.pop(outcome.stage.name))
