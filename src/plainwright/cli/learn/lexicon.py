"""`plainwright learn lexicon`: rules for words, from what sources and people say about them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

__all__ = ["lexicon"]


def lexicon(
    table: Annotated[Path, typer.Argument(metavar="RULES", help="A table written by `learn combine`, also .gz.")],
    output: options.RulesToWrite,
    tagged: Annotated[
        list[Path], typer.Option(metavar="FILE…", help="Text with parts of speech, as `learn tagger` takes it.")
    ],
    judged: Annotated[
        list[Path] | None, typer.Option(metavar="FILE…", help="Grades that people gave to replacements.")
    ] = None,
    normal: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tokenised normal text, to count words in.")
    ] = None,
    simple: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Tokenised simple text, to count words in.")
    ] = None,
    max_risk: Annotated[
        float, typer.Option(min=0, max=1, help="Maximum risk of damage for a pair that was judged.")
    ] = 0.3,
    min_quality: Annotated[
        float, typer.Option(min=0, max=1, help="Minimum probability of being right for a pair that nobody judged.")
    ] = 0.5,
    min_gain: Annotated[
        float,
        typer.Option(
            min=-9, max=9, help="How much more common (Zipf frequency) an unjudged target must be than its source."
        ),
    ] = 0.1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the classifier.")] = 1,
    threads: Annotated[
        int, typer.Option(min=1, max=256, help="Threads for the classifier; they do not change the result.")
    ] = 1,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Make rules for words that keep part of speech, inflection and, as far as can be known, meaning.

    \b
    Examples:
      plainwright learn lexicon combined.gz --tagged tagged.gz -o words.gz
      plainwright learn lexicon combined.gz --tagged tagged.gz --judged judged.tsv \\
        --normal normal.txt.gz --simple simple.txt.gz -o words.gz
    """
    from plainwright.learn.lexicon import LexiconOptions, lexicon_files

    settings = LexiconOptions(max_risk=max_risk, min_quality=min_quality, min_gain=min_gain, seed=seed)
    with progress_bar("reading", quiet=quiet) as report:
        result = lexicon_files(
            table,
            output,
            settings,
            tagged=tagged,
            judged=judged or (),
            normal=normal,
            simple=simple,
            threads=threads,
            progress=stages(report),
        )
    if as_json:
        typer.echo(json.dumps({"output": str(output), **dataclasses.asdict(result)}))
        return
    typer.echo(f"{output}\t{result.written:,} rules\tof {result.kept:,} pairs of lemmas among {result.pairs:,}")
    if result.auc is not None:
        typer.echo(f"  classifier\tAUC {result.auc:.3f} on words it did not learn from")
    for reason, count in sorted(result.dropped.items(), key=lambda item: -item[1]):
        typer.echo(f"  left out\t{count:,}\t{reason}")
