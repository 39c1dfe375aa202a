"""`plainwright learn rewriter`: a rewriter of whole sentences, from written rewrites and a small language model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.rewriter.training.run import Outcome
    from plainwright.stages import Status

__all__ = ["Changes", "Recipe", "Work", "rewriter", "status_text"]


Recipe = Annotated[Path, typer.Argument(metavar="RECIPE", help="The recipe, a TOML file.", show_default=False)]
Work = Annotated[
    Path | None,
    typer.Option("--work", "-w", metavar="DIR", help="Where results go. Default: build/NAME.", show_default=False),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Override a value of the recipe, such as train.rate=1e-4; an empty one removes it; may be repeated.",
        show_default=False,
    ),
]


def rewriter(
    recipe: Recipe,
    work: Work = None,
    changes: Changes = None,
    status: Annotated[
        bool, typer.Option("--status", help="Show how far the training has got; do nothing else.")
    ] = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a rewriter of whole sentences, in stages that run only if something changed.

    To resume training that was stopped, give the same command again: it ends with the same weights.

    \b
    Examples:
      plainwright learn rewriter recipes/rewriter.toml --work build/mine
      plainwright learn rewriter recipes/rewriter.toml --work build/mine --status
    """
    from plainwright.cli.learn.run import changes_of
    from plainwright.rewriter.training.recipe import read_recipe
    from plainwright.rewriter.training.run import learn_rewriter, training_status

    loaded = read_recipe(recipe, changes_of(changes or []))
    folder = work or Path("build", loaded.name)
    if status:
        found = training_status(loaded, folder)
        document = {"work": str(folder), "done": found.done, **found.figures}
        typer.echo(json.dumps(document) if as_json else status_text(found, folder))
        return
    with progress_bar("reading", quiet=quiet) as report:
        outcome = learn_rewriter(loaded, folder, progress=stages(report))
    typer.echo(
        json.dumps({"rewriter": str(outcome.rewriter), "made": outcome.made, **outcome.facts})
        if as_json
        else _text(outcome)
    )


def status_text(status: Status, folder: Path) -> str:
    """Return how far a training is, for people."""
    lines = [f"{stage}\t{'done' if done else 'to be done'}" for stage, done in status.done.items()]
    figures = status.figures
    if "step" in figures:
        parts = [f"step {figures['step']:,} of {figures['of']:,}"]
        parts += [f"loss {figures['loss']:.4f}"] if "loss" in figures else []
        parts += [f"held-out loss {figures['held_out_loss']:.4f}"] if "held_out_loss" in figures else []
        parts += [f"reward {figures['reward']:.4f}"] if "reward" in figures else []
        parts += [f"{figures['tokens_a_second']:,} tokens a second"] if "tokens_a_second" in figures else []
        lines.append(f"{folder}\t{', '.join(parts)}")
    return "\n".join(lines)


def _text(outcome: Outcome) -> str:
    facts = outcome.facts
    left_out = f"{facts['without_text']:,} without text, {facts['too_long']:,} too long"
    lines = [
        f"{outcome.rewriter}\t{facts['bytes'] / 1e6:.1f} MB\t{', '.join(outcome.made) or 'nothing'} done now",
        f"  {facts['pairs']:,} pairs, {facts['held_out']:,} held out; left out: {left_out}",
    ]
    if facts["held_out_loss"] is not None:
        exact, kept = facts["held_out_loss"], facts["held_out_loss_as_kept"]
        further = f", {facts['self_steps']:,} with pairs of its own" if "self_steps" in facts else ""
        further += f", {facts['risk_steps']:,} by risk" if "risk_steps" in facts else ""
        lines.append(f"  {facts['steps']:,} steps{further}\theld-out loss {exact:.4f}, as kept {kept:.4f}")
    return "\n".join(lines)
