"""`--html` of the `study` commands: their part of a study as a page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plainwright.cli import options

if TYPE_CHECKING:
    from plainwright.report.study import StudyReport

__all__ = ["check_page", "save_page", "write_page"]


def check_page(path: Path | None, given: options.ReadsFiles | None) -> None:
    """Refuse, before any work, a page that cannot be written or would replace what it is made from."""
    from plainwright.files import check_writable

    if path is None:
        return
    if given is None:
        check_writable(path)
    else:
        options.check_output(path, given)


def write_page(
    path: Path | None,
    *,
    title: str,
    missing: Mapping[str, Mapping[tuple[str, ...], str]] | None = None,
    **results: Any,
) -> None:
    """The page of one command, if it was asked for; `results` are fields of `StudyReport`.

    `missing` has, by section, why there is no result for some cases.
    """
    if path is None:
        return
    from plainwright.report.study import StudyReport, reasons

    problems = {key: reasons(cases) for key, cases in (missing or {}).items() if cases}
    save_page(path, StudyReport(title=title, problems=problems, **results))
    typer.echo(f"Saved {path}.", err=True)


def save_page(path: Path, results: StudyReport) -> None:
    """Under its name only when it is whole."""
    from plainwright.files import atomic_write
    from plainwright.report.study import render

    page = render(results)
    with atomic_write(path) as stream:
        stream.write(page)
