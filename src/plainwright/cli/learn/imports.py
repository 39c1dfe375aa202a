"""`plainwright learn import`: rules that others found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.lazy import lazy_group
from plainwright.cli.progress import progress_bar, stages

if TYPE_CHECKING:
    from plainwright.learn.sources import ImportResult

__all__ = ["app"]

_COMMANDS = {
    "meteor": ("plainwright.cli.learn.imports:meteor", "Import rules from METEOR's paraphrase table."),
    "wordnet": ("plainwright.cli.learn.imports:wordnet", "Import rules from the synonyms of WordNet 3.0."),
    "ppdb": ("plainwright.cli.learn.imports:ppdb", "Import rules from PPDB 1.0 or 2.0."),
    "simple-ppdb": ("plainwright.cli.learn.imports:simple_ppdb", "Import rules from Simple PPDB, with its two scores."),
}

app = lazy_group(_COMMANDS, help="Import rules from METEOR's table, WordNet, PPDB and Simple PPDB.")

_MaxWords = Annotated[int, typer.Option(min=1, max=40, help="Maximum number of words on either side.")]
_Lenient = Annotated[bool, typer.Option("--lenient", help="Skip malformed lines and count them.")]


def meteor(
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE]",
            help="METEOR's file, or lines of source TAB target TAB p, also .gz. Default: the file of pycocoevalcap.",
        ),
    ] = None,
    *,
    output: options.RulesToWrite,
    word: Annotated[
        str, typer.Option(metavar="REGEX", help="Regular expression that every word must match.")
    ] = "[a-z][a-z'.-]*",
    max_words: _MaxWords = 5,
    min_probability: Annotated[
        str,
        typer.Option(
            metavar="P,P…",
            help="Minimum probability for sources of 1, 2 … words; the last value also holds for longer ones.",
        ),
    ] = "0.012,0.012,0.028,0.04,0.05",
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Import rules from METEOR's paraphrase table.

    \b
    Examples:
      plainwright learn import meteor -o meteor.gz
      plainwright learn import meteor paraphrase-en.gz --max-words 3 --min-probability 0.05 -o meteor.gz
    """
    from plainwright.learn.sources import MeteorOptions, import_meteor

    settings = MeteorOptions(word=word, max_words=max_words, min_probabilities=_probabilities(min_probability))
    with progress_bar("reading", quiet=quiet, unit="bytes") as report:
        result = import_meteor(table, output, settings, progress=report)
    _tell(output, result, "pairs", as_json=as_json, quiet=quiet)


def wordnet(
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]",
            help="Folder with data.noun, data.verb, data.adj and data.adv. Default: that of Debian's wordnet-base.",
        ),
    ] = None,
    *,
    output: options.RulesToWrite,
    max_words: _MaxWords = 5,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Import rules from the synonyms of WordNet 3.0, in all their forms.

    \b
    Examples:
      plainwright learn import wordnet -o wordnet.gz
      plainwright learn import wordnet ~/wordnet/dict --max-words 1 -o wordnet.gz
    """
    from plainwright.learn.sources import import_wordnet

    with progress_bar("reading", quiet=quiet) as report:
        result = import_wordnet(directory, output, max_words=max_words, progress=stages(report))
    _tell(output, result, "synsets", as_json=as_json, quiet=quiet)


def ppdb(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="PPDB 1.0 or 2.0, also .gz.")],
    output: options.RulesToWrite,
    lenient: _Lenient = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Import rules from PPDB, with the feature names of PPDB 1.0.

    \b
    Examples:
      plainwright learn import ppdb ppdb-2.0-xl-lexical.gz -o ppdb.gz
    """
    from plainwright.learn.sources import import_ppdb

    with progress_bar("reading", quiet=quiet, unit="bytes") as report:
        result = import_ppdb(file, output, lenient=lenient, progress=report)
    _tell(output, result, "lines", as_json=as_json, quiet=quiet)


def simple_ppdb(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Simple PPDB, also .gz.")],
    output: options.RulesToWrite,
    lenient: _Lenient = False,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Import rules from Simple PPDB, with its two scores.

    \b
    Examples:
      plainwright learn import simple-ppdb simple-ppdb.txt -o simple-ppdb.gz
    """
    from plainwright.learn.sources import import_simple_ppdb

    with progress_bar("reading", quiet=quiet, unit="bytes") as report:
        result = import_simple_ppdb(file, output, lenient=lenient, progress=report)
    _tell(output, result, "lines", as_json=as_json, quiet=quiet)


def _probabilities(text: str) -> tuple[float, ...]:
    from plainwright.errors import DataError

    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        msg = f"--min-probability: numbers with commas between them expected, got {text[:60]!r}"
        raise DataError(msg) from None


def _tell(output: Path, result: ImportResult, entries: str, *, as_json: bool, quiet: bool) -> None:
    skipped = result.skipped
    if skipped.count and not quiet:
        typer.echo(f"plainwright: note: {skipped.count:,} lines left out, the first: {skipped.examples[0]}", err=True)
    if as_json:
        counts = {"read": result.read, "written": result.written, "skipped": skipped.count}
        typer.echo(json.dumps({"output": str(output), **counts}))
        return
    typer.echo(f"{output}\t{result.written:,} rules\tfrom {result.read:,} {entries}")
