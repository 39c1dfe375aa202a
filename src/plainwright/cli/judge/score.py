"""`plainwright judge score`: what `evaluate` says of one metric, the judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.evaluate import ResultOptions

__all__ = ["Model", "score"]

Model = Annotated[
    Path | None,
    typer.Option("--model", metavar="DIR", help="The judge. Default: $PLAINWRIGHT_JUDGE, or the installed one."),
]


@options.takes_options(
    options.EvaluationOptions,
    ResultOptions,
    without=("metrics", "variant", "metric_option", "tokenizer", "lowercase", "lens_model"),
)
def score(chosen: options.EvaluationOptions, result: ResultOptions, *, model: Model = None) -> None:
    """Score outputs with the judge, which reads each beside its source and needs no references.

    This is `plainwright evaluate --metrics judge` with one more option: --model.

    \b
    Examples:
      plainwright judge score asset/valid --outputs mine.txt theirs.txt
      plainwright judge score --source in.txt --outputs mine.txt
    """
    from plainwright.judge.metric import JudgeMetric

    result.check(chosen)
    result.write(options.run_evaluation(chosen, metrics=(JudgeMetric(model=model),)))
