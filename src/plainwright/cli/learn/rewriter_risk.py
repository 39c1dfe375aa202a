"""`plainwright learn rewriter-risk`: how a reader would take the rewrites of a rewriter, from ratings."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar

__all__ = ["rewriter_risk"]


def rewriter_risk(
    ratings: Annotated[
        list[Path], typer.Argument(metavar="RATINGS…", help="Tables of ratings, also .gz.", show_default=False)
    ],
    rewriter: Annotated[
        Path, typer.Option("--rewriter", "-r", metavar="DIR", help="The rewriter whose outputs were rated.")
    ],
    system: Annotated[
        str,
        typer.Option(metavar="NAME", help="Learn from systems whose names begin with this; they include the level."),
    ] = "rewriter",
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn how likely a rewrite is to be damaged or clearly easier, from rewrites that readers rated.

    The result, reader.toml, goes beside the rewriter; `plainwright simplify` then refuses its riskier rewrites.

    \b
    Examples:
      plainwright learn rewriter-risk packages/plainwright-en/ratings/ratings.tsv.gz --rewriter build/mine/rewriter
    """
    from plainwright.learn.rewriter_risk import learn_rewriter_risk

    with progress_bar("reading", quiet=quiet) as report:
        result = learn_rewriter_risk(ratings, rewriter, system=system, progress=report)
    if as_json:
        typer.echo(json.dumps(dataclasses.asdict(result)))
        return
    shares = f"{result.damaged:.0%} damaged, {result.easier:.0%} clearly easier"
    typer.echo(f"{rewriter}\t{result.ratings:,} ratings\t{shares}")
    typer.echo(f"  AUC damaged {result.auc_damaged:.3f}, easier {result.auc_easier:.3f}\ton sources not learnt from")
    for limit, kept, damaged, easier in result.frontier:
        typer.echo(f"  risk up to {limit:g}\t{kept:.0%} kept\t{damaged:.1%} damaged\t{easier:.0%} clearly easier")
