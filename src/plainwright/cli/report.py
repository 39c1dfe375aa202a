"""`plainwright report`: one self-contained HTML page about one or many systems."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options

__all__ = ["report"]


@options.takes_evaluation_options
def report(
    chosen: options.EvaluationOptions,
    *,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The page to write.")] = Path(
        "report.html"
    ),
) -> None:
    """Write an HTML page: scores, charts, and every sentence with its changes marked.

    \b
    Example:
      plainwright report turkcorpus/test --outputs mine.txt theirs.txt \\
        -o report.html
    """
    from plainwright.files import atomic_write
    from plainwright.report import render

    options.check_output(output, chosen)
    evaluation = options.run_evaluation(chosen)
    page = render(evaluation, title=title)
    with atomic_write(output) as stream:
        stream.write(page)
    typer.echo(str(output))
