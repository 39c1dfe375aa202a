"""`plainwright evaluate`: scores of one or many systems, with intervals and significance."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.terminal import echo_coloured

__all__ = ["evaluate"]

_WIDE = 160  # for files and pipes: wide enough that no cell is cut


@options.takes_evaluation_options
def evaluate(
    chosen: options.EvaluationOptions,
    *,
    per_sentence: Annotated[
        bool, typer.Option("--per-sentence", help="Values of every segment (CSV or JSON).")
    ] = False,
    as_json: options.AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--save", "-o", metavar="FILE", help="Write there instead of to the screen.", show_default=False),
    ] = None,
) -> None:
    """Score outputs: SARI, BLEU, readability, edit profile.

    \b
    Examples:
      plainwright evaluate turkcorpus/test --outputs mine.txt theirs.txt
      plainwright evaluate --source in.txt --references r0.txt r1.txt \\
        --outputs out.txt
    """
    from plainwright.errors import DataError
    from plainwright.evaluation import render
    from plainwright.files import atomic_write

    if as_json and as_csv:
        msg = "choose one of --json and --csv"
        raise DataError(msg)
    if output is not None:
        options.check_output(output, chosen)
    evaluation = options.run_evaluation(chosen)
    coloured = False
    if as_json:
        text = render.to_json(evaluation, per_sentence=per_sentence)
    elif as_csv or per_sentence:
        text = render.to_csv(evaluation, per_sentence=per_sentence)
    else:
        coloured = output is None and sys.stdout.isatty()
        width = max(shutil.get_terminal_size().columns, 80) if coloured else _WIDE
        text = render.to_table(evaluation, width=width, colour=coloured)
    if coloured:
        echo_coloured(text)
    elif output is None:
        typer.echo(text, nl=False)
    else:
        with atomic_write(output) as stream:
            stream.write(text)
