"""`plainwright learn second-look`: how likely an edit damages the sentence where it stands, from verdicts."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

__all__ = ["second_look"]


def second_look(
    verdicts: Annotated[
        list[Path], typer.Argument(metavar="VERDICTS…", help="Readers' verdicts on edits in sentences, also .gz.")
    ],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The second look to write, .npz.")],
    text: Annotated[
        list[Path],
        typer.Option(
            metavar="FILE…",
            help="Tokenised text, one sentence per line, with at least the sentences that were read.",
        ),
    ],
    grammar: Annotated[Path, typer.Option(metavar="FILE", help="Packed grammar that made the edits.")],
    language_model: Annotated[Path, typer.Option("--lm", metavar="FILE", help="Packed language model.")],
    tagger: Annotated[Path, typer.Option(metavar="FILE", help="Tagger.")],
    seed: Annotated[int, typer.Option(min=0, help="Seed of the classifier.")] = 1,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn how likely an edit is to damage its sentence, from edits that were read in context.

    \b
    Examples:
      plainwright learn second-look read.tsv --text cased.gz --grammar words.pack \\
        --lm plain.lm --tagger english.tagger -o second_look.npz
    """
    from plainwright.learn.second_look import second_look_files

    with progress_bar("reading", quiet=quiet) as report:
        result = second_look_files(
            verdicts,
            output,
            text=text,
            grammar=grammar,
            language_model=language_model,
            tagger=tagger,
            seed=seed,
            progress=stages(report),
        )
    if as_json:
        typer.echo(json.dumps({"output": str(output), **dataclasses.asdict(result)}))
        return
    typer.echo(f"{output}\t{result.used:,} of {result.verdicts:,} verdicts\t{result.damaging:,} of them damaging")
    typer.echo(f"  AUC {result.auc:.3f}, of the rules alone {result.auc_of_rules:.3f}\ton sentences not learnt from")
