"""`plainwright learn pivot`: paraphrases from phrase tables of several languages."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.progress import progress_bar, stages

__all__ = ["pivot"]


def pivot(
    tables: Annotated[
        list[str],
        typer.Argument(
            metavar="[LANGUAGE=]TABLE…", help="Phrase tables from English, as `learn extract` writes them, also .gz."
        ),
    ],
    output: options.RulesToWrite,
    text: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE…", help="Tokenised English for distributional similarity, one sentence per line, also .gz."
        ),
    ] = None,
    min_seen: Annotated[int, typer.Option(min=1, help="Minimum occurrences of a phrase in --text.")] = 5,
    min_probability: Annotated[
        float, typer.Option(min=1e-9, max=1, help="Minimum probability of the target of a rule.")
    ] = 0.001,
    min_evidence: Annotated[
        int, typer.Option(min=1, help="Minimum occurrences of the translations that both sides share.")
    ] = 2,
    min_languages: Annotated[
        int, typer.Option(min=1, help="Minimum number of languages in which both sides share a translation.")
    ] = 1,
    most: Annotated[int, typer.Option(min=1, help="Maximum number of rules per source.")] = 20,
    min_link: Annotated[
        float,
        typer.Option(min=1e-9, max=1, help="Minimum probability, in both directions, of a phrase and its translation."),
    ] = 0.0001,
    max_translations: Annotated[
        int, typer.Option(min=1, help="Maximum number of translations joined per English phrase.")
    ] = 50,
    max_phrases: Annotated[
        int, typer.Option(min=1, help="Maximum number of English phrases joined per translation.")
    ] = 50,
    max_words: Annotated[int, typer.Option(min=1, help="Maximum number of words in an English phrase.")] = 5,
    length_ratio: Annotated[
        float, typer.Option(min=1, help="Maximum words on a side: this many times those of the other, plus one.")
    ] = 2.0,
    keep_identity: Annotated[
        bool, typer.Option("--keep-identity", help="Also write rules that change nothing, with their probability.")
    ] = False,
    engine: Annotated[
        Literal["duckdb", "spark"], typer.Option(help="Engine that does the computing; it does not change the rules.")
    ] = "duckdb",
    master: Annotated[
        str | None, typer.Option(metavar="URL", help="Spark master, such as local[2] or spark://host:7077.")
    ] = None,
    spark: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="A Spark setting; may be repeated.")
    ] = None,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory for the engine; the rest goes to disk.")] = "2GB",
    temporary: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for temporary files.")] = None,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Number of threads; it does not change the rules.")] = 1,
    as_json: options.JsonForText = False,
    quiet: options.Quiet = False,
) -> None:
    """Find English phrases that share their translations, in one language or in many.

    \b
    Examples:
      plainwright learn pivot de=english-german.gz fr=english-french.gz -o paraphrases.gz
      plainwright learn pivot tables/*.gz --text news.txt.gz --memory 8GB --threads 4 -o paraphrases.gz
      plainwright learn pivot tables/*.gz --engine spark --master local[2] -o paraphrases.gz
    """
    from plainwright.learn.pivot import PhraseTable, PivotOptions, pivot_files

    settings = PivotOptions(
        min_probability=min_probability,
        min_evidence=min_evidence,
        min_languages=min_languages,
        most=most,
        min_link=min_link,
        max_translations=max_translations,
        max_phrases=max_phrases,
        max_words=max_words,
        length_ratio=length_ratio,
        identity=keep_identity,
        min_seen=min_seen,
        engine=engine,
        master=master,
        memory=memory,
        threads=threads,
        temporary=temporary,
        settings=_settings(spark or []),
    )
    named = [PhraseTable.parse(table) for table in tables]
    with progress_bar("reading", quiet=quiet) as report:
        result = pivot_files(named, output, settings, texts=text or [], progress=stages(report))
    if as_json:
        typer.echo(json.dumps({"output": str(output), **dataclasses.asdict(result), "seconds": dict(result.seconds)}))
        return
    languages = f"{len(result.languages)} language{'' if len(result.languages) == 1 else 's'}"
    typer.echo(f"{output}\t{result.rules:,} rules\tfrom {result.entries:,} entries of {languages}")


def _settings(given: list[str]) -> tuple[tuple[str, str], ...]:
    from plainwright.errors import DataError

    for item in given:
        if not item.partition("=")[2]:
            msg = f"--spark: expected NAME=VALUE, found {item!r}"
            raise DataError(msg)
    return tuple((name, value) for name, _, value in (item.partition("=") for item in given))
