"""`plainwright learn substitution`: which plainer words fit into a sentence, from rewrites and readers' choices."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.learn.rewriter import Changes, Recipe, Work, status_text
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.learn.substitution import SubstitutionOutcome

__all__ = ["substitution"]


def substitution(
    recipe: Recipe,
    work: Work = None,
    changes: Changes = None,
    status: Annotated[
        bool, typer.Option("--status", help="Show how far the training has got; do nothing else.")
    ] = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Train a network that chooses plainer words by their sentence, in stages that run only if something changed.

    To resume training that was stopped, give the same command again: it ends with the same weights.

    \b
    Examples:
      plainwright learn substitution recipes/substitution.toml --work build/substitution
      plainwright learn substitution recipes/substitution.toml --work build/substitution --status
    """
    from plainwright.cli.learn.run import changes_of
    from plainwright.learn.substitution import learn_substitution, read_recipe, substitution_status

    loaded = read_recipe(recipe, changes_of(changes or []))
    folder = work or Path("build", loaded.name)
    if status:
        found = substitution_status(loaded, folder)
        document = {"work": str(folder), "done": found.done, **found.figures}
        typer.echo(json.dumps(document) if as_json else status_text(found, folder))
        return
    with progress_bar("reading", quiet=quiet) as report:
        outcome = learn_substitution(loaded, folder, progress=stages(report))
    document = {"substitution": str(outcome.substitution), "made": outcome.made, **outcome.facts}
    typer.echo(json.dumps(document) if as_json else _text(outcome))


def _text(outcome: SubstitutionOutcome) -> str:
    from plainwright.learn.substitution.report import frontier_lines

    facts = outcome.facts
    lines = [
        f"{outcome.substitution}\t{facts['bytes'] / 1e6:.1f} MB\t{', '.join(outcome.made) or 'nothing'} done now",
        f"  {facts['approved']:,} of {facts['candidates']:,} candidates; "
        f"{facts['choices']:,} choices in {facts['sentences']:,} sentences, "
        f"{facts['corpus_steps'] + facts['steps']:,} steps; held out: {facts['held_out_choices']:,}",
        "",
        *frontier_lines(facts["held_out"]),
    ]
    return "\n".join(lines)
