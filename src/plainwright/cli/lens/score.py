"""`plainwright lens score`: what `evaluate` says of one metric, LENS, also without references."""

from __future__ import annotations

from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.evaluate import ResultOptions

__all__ = ["score"]


@options.takes_options(
    options.EvaluationOptions, ResultOptions, without=("metrics", "variant", "metric_option", "tokenizer", "lowercase")
)
def score(
    chosen: options.EvaluationOptions,
    result: ResultOptions,
    *,
    pseudo: Annotated[
        list[str] | None, typer.Option(metavar="FILE…", help="Outputs of other systems to use in place of references.")
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Print the model's z-scores instead of 0 to 100.")] = False,
) -> None:
    """Score outputs with LENS, with references or with other systems' outputs in their place.

    This is `plainwright evaluate --metrics lens` with two more options: --pseudo and --raw.

    \b
    Examples:
      plainwright lens score asset/valid --outputs mine.txt theirs.txt
      plainwright lens score --source in.txt --outputs mine.txt \\
        --pseudo theirs.txt others.txt
    """
    from plainwright.lens.metric import LENS

    result.check(chosen)
    metric = LENS(model=chosen.lens_model, rescale=not raw, pseudo_references=bool(pseudo))
    result.write(options.run_evaluation(chosen, metrics=(metric,), pseudo=pseudo or ()))
