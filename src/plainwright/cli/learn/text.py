"""`plainwright learn text`, `pairs` and `tags`: text made ready to be learnt from."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.learn.text import TextResult

__all__ = ["pairs", "tags", "text"]

_Without = Annotated[
    list[str] | None,
    typer.Option(metavar="SET…", help="Sets whose sources and references to leave out, such as turkcorpus/test."),
]
_Tokens = Annotated[bool, typer.Option("--tokenised", help="The text is already tokenised.")]
_Lower = Annotated[bool, typer.Option("--lower", help="Write everything in lower case.")]
_MaxTokens = Annotated[int, typer.Option(min=1, max=1000, help="Leave out sentences with more tokens than this.")]


def text(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Text, also .gz.")],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The sentences to write, also .gz.")],
    without: _Without = None,
    column: Annotated[int, typer.Option(min=1, help="Column to take from tab-separated lines.")] = 1,
    sentences: Annotated[
        bool, typer.Option("--split", help="Lines are paragraphs: split them into sentences.")
    ] = False,
    tokenised: _Tokens = False,
    lower: _Lower = False,
    max_tokens: _MaxTokens = 200,
    data: options.Data = None,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Write tokenised sentences, one per line, without duplicates and without any from a test set.

    \b
    Examples:
      plainwright learn text simple.txt.gz --without turkcorpus/test -o simple.tok.gz
      plainwright learn text articles.txt --split --lower -o articles.tok.gz
    """
    from plainwright.learn.text import Overlap, TextOptions, text_files

    settings = TextOptions(column=column, sentences=sentences, tokens=tokenised, lower=lower, max_tokens=max_tokens)
    with progress_bar("reading", quiet=quiet) as report:
        overlap = Overlap.of_sets(without or (), data=data)
        result = text_files(files, output, settings, without=overlap, progress=stages(report))
    _tell(result, [output], "sentences", as_json=as_json)


def pairs(
    sources: Annotated[list[Path], typer.Option(metavar="FILE…", help="One side of sentence pairs, also .gz.")],
    targets: Annotated[list[Path], typer.Option(metavar="FILE…", help="The other side, in the same order.")],
    source_output: Annotated[Path, typer.Option("--save-sources", metavar="FILE", help="One side to write, also .gz.")],
    target_output: Annotated[Path, typer.Option("--save-targets", metavar="FILE", help="The other side to write.")],
    table: Annotated[
        Path | None,
        typer.Option(
            "--save-table", metavar="FILE", help="Also write lines of source TAB target: FILE.tsv is a set for `tune`."
        ),
    ] = None,
    columns: Annotated[
        list[int] | None,
        typer.Option(min=1, metavar="N…", help="Source and target columns of tab-separated files."),
    ] = None,
    without: _Without = None,
    tokenised: _Tokens = False,
    lower: _Lower = False,
    max_tokens: _MaxTokens = 200,
    data: options.Data = None,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Write tokenised sentence pairs, without duplicates and without any that share a side with a test set.

    \b
    Examples:
      plainwright learn pairs --sources a.normal.gz b.normal.gz --targets a.simple.gz b.simple.gz \\
        --without turkcorpus/tune turkcorpus/test --save-sources normal.gz --save-targets simple.gz
      plainwright learn pairs --sources en-de.tsv --targets en-de.tsv --columns 1 2 \\
        --save-sources english.gz --save-targets german.gz
    """
    from plainwright.learn.text import Overlap, TextOptions, pair_files

    both = _both(columns)
    settings = TextOptions(tokens=tokenised, lower=lower, max_tokens=max_tokens, pair_columns=both)
    with progress_bar("reading", quiet=quiet) as report:
        overlap = Overlap.of_sets(without or (), data=data)
        result = pair_files(
            sources,
            targets,
            source_output,
            target_output,
            settings,
            table=table,
            without=overlap,
            progress=stages(report),
        )
    _tell(result, [source_output, target_output], "pairs", as_json=as_json)


def tags(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="Tokenised sentences, one per line, also .gz.")],
    output: Annotated[
        Path, typer.Option("--save", "-o", metavar="FILE", help="The tagged sentences to write, also .gz.")
    ],
    max_tokens: Annotated[
        int, typer.Option(min=1, max=1000, help="Leave out sentences with more tokens than this.")
    ] = 80,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Tag sentences with spaCy, for `learn tagger` and `learn lexicon`.

    \b
    Examples:
      plainwright learn tags sentences.gz -o tagged.gz
    """
    from plainwright.learn.text import tag_files

    with progress_bar("reading", quiet=quiet) as report:
        result = tag_files(files, output, longest=max_tokens, progress=stages(report))
    _tell(result, [output], "sentences", as_json=as_json)


def _both(columns: list[int] | None) -> tuple[int, int] | None:
    from plainwright.errors import DataError

    if not columns:
        return None
    if len(columns) != 2:
        msg = f"--columns: two numbers expected, for source and target, got {len(columns)}"
        raise DataError(msg)
    return columns[0], columns[1]


def _tell(result: TextResult, outputs: list[Path], what: str, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"output": [str(output) for output in outputs], **dataclasses.asdict(result)}))
        return
    typer.echo(f"{' '.join(map(str, outputs))}\t{result.written:,} {what}\tof {result.read:,}")
    reasons = {"repeated or empty": result.repeated, "in a set": result.overlapping, "too long": result.too_long}
    for reason, count in reasons.items():
        if count:
            typer.echo(f"  left out\t{count:,}\t{reason}")
