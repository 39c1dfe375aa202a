"""`plainwright evaluate`: scores of one or many systems, with intervals and significance."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.terminal import echo_coloured

if TYPE_CHECKING:
    from plainwright.evaluation import Evaluation

__all__ = ["ResultOptions", "evaluate"]

_WIDE = 160  # for files and pipes: wide enough that no cell is cut


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultOptions:
    """How scores are shown, and where they go."""

    per_sentence: Annotated[
        bool, typer.Option("--per-sentence", help="Include the score of every segment (CSV or JSON).")
    ] = False
    as_json: options.AsJson = False
    as_csv: Annotated[bool, typer.Option("--csv", help="Comma-separated values.")] = False
    output: Annotated[
        Path | None, typer.Option("--save", "-o", metavar="FILE", help="Write to this file instead of the screen.")
    ] = None

    def check(self, inputs: options.ReadsFiles) -> None:
        """Refuse options that contradict each other, and a file that cannot or must not be written."""
        from plainwright.errors import DataError

        if self.as_json and self.as_csv:
            msg = "choose one of --json and --csv"
            raise DataError(msg)
        if self.output is not None:
            options.check_output(self.output, inputs)

    def write(self, evaluation: Evaluation) -> None:
        """Write the scores to the screen or into the file."""
        from plainwright.evaluation import render
        from plainwright.files import atomic_write

        coloured = False
        if self.as_json:
            text = render.to_json(evaluation, per_sentence=self.per_sentence)
        elif self.as_csv or self.per_sentence:
            text = render.to_csv(evaluation, per_sentence=self.per_sentence)
        else:
            coloured = self.output is None and sys.stdout.isatty()
            width = max(shutil.get_terminal_size().columns, 80) if coloured else _WIDE
            text = render.to_table(evaluation, width=width, colour=coloured)
        if coloured:
            echo_coloured(text)
        elif self.output is None:
            typer.echo(text, nl=False)
        else:
            with atomic_write(self.output) as stream:
                stream.write(text)


@options.takes_options(options.EvaluationOptions, ResultOptions)
def evaluate(chosen: options.EvaluationOptions, result: ResultOptions) -> None:
    """Score outputs: SARI, BLEU, readability, edit profile.

    \b
    Examples:
      plainwright evaluate turkcorpus/test --outputs mine.txt theirs.txt
      plainwright evaluate --source in.txt --references r0.txt r1.txt \\
        --outputs out.txt
    """
    result.check(chosen)
    result.write(options.run_evaluation(chosen))
