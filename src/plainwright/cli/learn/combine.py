"""`plainwright learn combine`: one table from the rules of several sources."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

__all__ = ["combine"]


def combine(
    sources: Annotated[
        list[str], typer.Argument(metavar="NAME=RULES…", help="Rules as `learn` writes them, also .gz.")
    ],
    output: options.RulesToWrite,
    evidence: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=PAIRS…", help="Lists of word pairs, also .gz; they support rules but make none of their own."
        ),
    ] = None,
    labels: Annotated[
        Literal["one", "each"],
        typer.Option(help="one: one rule per pair; each: one rule per label that a source gives the pair."),
    ] = "one",
    min_sources: Annotated[
        int, typer.Option(min=1, help="Minimum number of sources, lists included, that propose a pair.")
    ] = 1,
    memory: Annotated[
        int, typer.Option(min=1, max=2**20, metavar="MB", help="Memory for entries; the rest move to temporary files.")
    ] = 512,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Combine the rules of several sources into one table, with features that show which source proposes what.

    \b
    Examples:
      plainwright learn combine meteor=meteor.gz wordnet=wordnet.gz learnt=learnt.gz -o rules.gz
      plainwright learn combine meteor=meteor.gz learnt=learnt.gz \\
        --evidence ppdb=pairs.txt.gz --min-sources 2 -o rules.gz
    """
    from plainwright.learn.combine import CombineOptions, Source, combine_files

    settings = CombineOptions(labels=labels, min_sources=min_sources, memory=memory)
    ruling, listed = ([Source.parse(text) for text in texts] for texts in (sources, evidence or []))
    with progress_bar("reading", quiet=quiet) as report:
        result = combine_files(ruling, output, settings, evidence=listed, progress=stages(report))
    if as_json:
        typer.echo(json.dumps({"output": str(output), **dataclasses.asdict(result)}))
        return
    typer.echo(
        f"{output}\t{result.written:,} rules\tof {result.pairs:,} pairs\t{result.agreed:,} with two or more sources"
    )
    for number, (name, count) in enumerate(result.read.items()):
        typer.echo(f"  {name}\t{count:,} {'rules' if number < len(ruling) else 'pairs, both directions'}")
