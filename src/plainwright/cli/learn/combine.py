"""`plainwright learn combine`: one table from the rules of several sources."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Literal

import typer

from plainwright.cli.progress import progress_bar, stages

__all__ = ["combine"]


def combine(
    sources: list[str] = typer.Argument(
        ..., metavar="NAME=RULES…", help="Rules as `learn` writes them, also .gz.", show_default=False
    ),
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The rules to write, PPDB text, also .gz."),
    evidence: list[str] | None = typer.Option(
        None,
        "--evidence",
        metavar="NAME=PAIRS…",
        help="Lists of words that go together, also .gz: they support rules and make none.",
        show_default=False,
    ),
    labels: Literal["one", "each"] = typer.Option(
        "one", "--labels", help="one: a rule for each pair; each: one for each label that a source gives it."
    ),
    min_sources: int = typer.Option(1, "--min-sources", min=1, help="That must propose a pair, lists included."),
    memory: int = typer.Option(
        512, "--memory", min=1, max=2**20, metavar="MB", help="Entries beyond that move to temporary files."
    ),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of text."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress, no notes."),
) -> None:
    """Make one table of the rules of several sources, with features that say who proposes what.

    \b
    Examples:
      plainwright learn combine meteor=meteor.gz wordnet=wordnet.gz learnt=learnt.gz -o rules.gz
      plainwright learn combine meteor=meteor.gz learnt=learnt.gz \\
        --evidence ppdb=pairs.txt.gz --min-sources 2 -o rules.gz
    """
    from plainwright.learn.combine import CombineOptions, Source, combine_files

    options = CombineOptions(labels=labels, min_sources=min_sources, memory=memory)
    ruling, listed = ([Source.parse(text) for text in texts] for texts in (sources, evidence or []))
    with progress_bar("reading", quiet=quiet) as report:
        result = combine_files(ruling, output, options, evidence=listed, progress=stages(report))
    if as_json:
        typer.echo(json.dumps({"output": str(output), **dataclasses.asdict(result)}))
        return
    typer.echo(
        f"{output}\t{result.written:,} rules\tof {result.pairs:,} pairs\t{result.agreed:,} with two or more sources"
    )
    for number, (name, count) in enumerate(result.read.items()):
        typer.echo(f"  {name}\t{count:,} {'rules' if number < len(ruling) else 'pairs, both directions'}")
