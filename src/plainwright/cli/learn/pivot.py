"""`plainwright learn pivot`: paraphrases from phrase tables of several languages."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Literal

import typer

from plainwright.cli.progress import progress_bar, stages

__all__ = ["pivot"]


def pivot(
    tables: list[str] = typer.Argument(
        ...,
        metavar="[LANGUAGE=]TABLE…",
        help="Phrase tables from English, as `learn extract` writes them, also .gz.",
        show_default=False,
    ),
    output: Path = typer.Option(..., "--save", "-o", metavar="FILE", help="The rules to write, PPDB text, also .gz."),
    text: list[Path] | None = typer.Option(
        None,
        "--text",
        metavar="FILE…",
        help="Tokenised English, one sentence a line, also .gz, for distributional similarity.",
        show_default=False,
    ),
    min_seen: int = typer.Option(5, "--min-seen", min=1, help="Occurrences there that a phrase needs for it."),
    min_probability: float = typer.Option(0.001, "--min-probability", min=1e-9, max=1, help="Of the target of a rule."),
    min_evidence: int = typer.Option(
        2, "--min-evidence", min=1, help="Occurrences of the translations that both sides share."
    ),
    min_languages: int = typer.Option(
        1, "--min-languages", min=1, help="Languages in which both sides share a translation."
    ),
    most: int = typer.Option(20, "--most", min=1, help="Rules of one source."),
    min_link: float = typer.Option(
        0.0001, "--min-link", min=1e-9, max=1, help="Probability, in both directions, of a phrase and its translation."
    ),
    max_translations: int = typer.Option(
        50, "--max-translations", min=1, help="Translations of one English phrase that are joined."
    ),
    max_phrases: int = typer.Option(
        50, "--max-phrases", min=1, help="English phrases of one translation that are joined."
    ),
    max_words: int = typer.Option(5, "--max-words", min=1, help="Words of an English phrase."),
    length_ratio: float = typer.Option(
        2.0, "--length-ratio", min=1, help="Times that one side may have the words of the other, and one more word."
    ),
    keep_identity: bool = typer.Option(
        False, "--keep-identity", help="Write rules that change nothing, with their probability."
    ),
    engine: Literal["duckdb", "spark"] = typer.Option(
        "duckdb", "--engine", help="What computes; the rules do not depend on it."
    ),
    master: str | None = typer.Option(
        None, "--master", metavar="URL", help="Of Spark, as local[2] or spark://host:7077.", show_default=False
    ),
    spark: list[str] | None = typer.Option(
        None, "--spark", metavar="NAME=VALUE", help="A setting of Spark; may be repeated.", show_default=False
    ),
    memory: str = typer.Option("2GB", "--memory", metavar="SIZE", help="Of the engine; what is beyond goes to disk."),
    temporary: Path | None = typer.Option(
        None, "--temporary", metavar="DIR", help="Where files may go that are removed at the end.", show_default=False
    ),
    threads: int = typer.Option(1, "--threads", min=1, max=1024, help="Threads; the rules do not depend on it."),
    as_json: bool = typer.Option(False, "--json", help="JSON instead of text."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress, no notes."),
) -> None:
    """Find English phrases that share their translations, in one language or in many.

    \b
    Examples:
      plainwright learn pivot de=english-german.gz fr=english-french.gz -o paraphrases.gz
      plainwright learn pivot tables/*.gz --text news.txt.gz --memory 8GB --threads 4 -o paraphrases.gz
      plainwright learn pivot tables/*.gz --engine spark --master local[2] -o paraphrases.gz
    """
    from plainwright.learn.pivot import PhraseTable, PivotOptions, pivot_files

    options = PivotOptions(
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
        result = pivot_files(named, output, options, texts=text or [], progress=stages(report))
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
