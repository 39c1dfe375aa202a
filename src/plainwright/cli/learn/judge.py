"""`plainwright learn judge`: a reader of source and rewrite, from ratings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.learn.rewriter import Changes, Recipe, Work, status_text
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.judge.training.run import JudgeOutcome

__all__ = ["judge"]


def judge(
    recipe: Recipe,
    work: Work = None,
    changes: Changes = None,
    status: Annotated[
        bool, typer.Option("--status", help="Show how far the training has got; do nothing else.")
    ] = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a judge of meaning, grammar and simplicity, in stages that run only if something changed.

    To resume training that was stopped, give the same command again: it ends with the same weights.

    \b
    Examples:
      plainwright learn judge recipes/judge.toml --work build/judge
      plainwright learn judge recipes/judge.toml --work build/judge --status
    """
    from plainwright.cli.learn.run import changes_of
    from plainwright.judge.training.recipe import read_recipe
    from plainwright.judge.training.run import judge_status, learn_judge

    loaded = read_recipe(recipe, changes_of(changes or []))
    folder = work or Path("build", loaded.name)
    if status:
        found = judge_status(loaded, folder)
        document = {"work": str(folder), "done": found.done, **found.figures}
        typer.echo(json.dumps(document) if as_json else status_text(found, folder))
        return
    with progress_bar("reading", quiet=quiet) as report:
        outcome = learn_judge(loaded, folder, progress=stages(report))
    document = {"judge": str(outcome.judge), "made": outcome.made, **outcome.facts}
    typer.echo(json.dumps(document) if as_json else _text(outcome))


def _text(outcome: JudgeOutcome) -> str:
    from plainwright.judge.training.card import agreement_lines

    facts = outcome.facts
    left_out = f"; left out as too long: {facts['too_long']:,}" if facts["too_long"] else ""
    lines = [
        f"{outcome.judge}\t{facts['bytes'] / 1e6:.1f} MB\t{', '.join(outcome.made) or 'nothing'} done now",
        f"  {facts['ratings']:,} ratings, {facts['steps']:,} steps{left_out}; held out: {facts['held_out_ratings']:,}",
        "",
        *agreement_lines(facts),
    ]
    return "\n".join(lines)
