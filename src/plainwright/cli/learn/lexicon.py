"""`plainwright learn lexicon`: rules for words, from what sources and people say about them."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import typer

from plainwright.cli.progress import progress_bar, stages

__all__ = ["lexicon"]


def lexicon(
    table: Path = typer.Argument(
        ..., metavar="RULES", help="A table of `learn combine`, also .gz.", show_default=False
    ),
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The rules to write, PPDB text, also .gz."),
    tagged: list[Path] = typer.Option(
        ..., "--tagged", metavar="FILE…", help="Text with parts of speech, as `learn tagger` takes it."
    ),
    judged: list[Path] | None = typer.Option(
        None, "--judged", metavar="FILE…", help="Grades that people gave to replacements.", show_default=False
    ),
    normal: Path | None = typer.Option(
        None, "--normal", metavar="FILE", help="Tokenised normal text, to count words in.", show_default=False
    ),
    simple: Path | None = typer.Option(
        None, "--simple", metavar="FILE", help="Tokenised simple text, to count words in.", show_default=False
    ),
    max_risk: float = typer.Option(
        0.3, "--max-risk", min=0, max=1, help="Of damage that is allowed to a pair which was judged."
    ),
    min_quality: float = typer.Option(
        0.5, "--min-quality", min=0, max=1, help="Probability of being right that a pair needs which nobody judged."
    ),
    min_gain: float = typer.Option(
        0.1, "--min-gain", min=-9, max=9, help="By which a target nobody judged must be commoner (Zipf frequency)."
    ),
    seed: int = typer.Option(1, "--seed", min=0, help="Of the classifier."),
    threads: int = typer.Option(1, "--threads", min=1, max=256, help="For the classifier; the result is the same."),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of text."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress, no notes."),
) -> None:
    """Make rules for words that keep part of speech and inflection, and as far as can be known the meaning.

    \b
    Examples:
      plainwright learn lexicon combined.gz --tagged tagged.gz -o words.gz
      plainwright learn lexicon combined.gz --tagged tagged.gz --judged judged.tsv \\
        --normal normal.txt.gz --simple simple.txt.gz -o words.gz
    """
    from plainwright.learn.lexicon import LexiconOptions, lexicon_files

    options = LexiconOptions(max_risk=max_risk, min_quality=min_quality, min_gain=min_gain, seed=seed)
    with progress_bar("reading", quiet=quiet) as report:
        result = lexicon_files(
            table,
            output,
            options,
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
