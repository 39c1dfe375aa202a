"""`plainwright rate export`: all ratings as a table that `plainwright study` reads; all texts, or references."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.rate.options import StudyArgument, StudyFiles, opened
from plainwright.cli.study import options as study_options

if TYPE_CHECKING:
    from plainwright.rate.results.record import Record

__all__ = ["export"]

Layout = Literal["long", "simpeval", "references"]


def export(
    study: StudyArgument,
    save: Annotated[
        Path,
        typer.Option(
            "--save",
            "-o",
            metavar="FILE",
            help="The table to write: .csv, .tsv, .jsonl (these also .gz) or .parquet. References: .tsv, .jsonl or a "
            "folder.",
        ),
    ] = Path("ratings.csv"),
    layout: Annotated[
        Layout,
        typer.Option(
            help="long: one row per judgement or text. simpeval: one row per output, as SimpEval was published. "
            "references: what raters wrote, as `evaluate` reads it."
        ),
    ] = "long",
    count: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="References per source; sources with fewer are left out. Default: as many as people write for each "
            "source; for a table, all there are.",
        ),
    ] = None,
    aspect: study_options.Aspects = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Include training, controls and repeated pages, with columns that mark them.")
    ] = False,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="For a pairwise study: one row per comparison instead of the share of wins.")
    ] = False,
    ddof: study_options.Ddof = 0,
    normalisation: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Means and deviations for z-scores: the file beside an earlier export, or the SimpEval table that "
            "the study was made from. Default: those of the ratings.",
        ),
    ] = None,
) -> None:
    """Write all ratings as a table that `plainwright study` and `lens train` read.

    A file beside it holds each rater's mean and deviation, from which the z-scores were made.

    \b
    Examples:
      plainwright rate export study.toml -o ratings.parquet
      plainwright rate export study.toml --layout simpeval -o simpeval.csv
      plainwright rate export study.toml --layout references -o references
    """
    options.check_range("--ddof", ddof, 0, 1)
    if count is not None:
        options.check_range("--count", count, 1, 1000)
    _check_name(save)
    with opened(study) as database:
        from plainwright.rate.results.export import ExportOptions, write_export
        from plainwright.rate.results.loading import load_record

        if not save.is_dir():
            options.check_output(save, StudyFiles(study, database, normalisation))
        with database.reading() as connection:
            record = load_record(connection)
    if layout == "references" or record.settings.writing is not None:
        _export_written(record, save, layout, count, everything=everything)
        return
    chosen = ExportOptions(
        layout=layout,
        aspects=study_options.split_names(aspect, [known.name for known in record.settings.aspects]),
        everything=everything,
        pairs=pairs,
        ddof=ddof,
        normalisation=normalisation,
    )
    written = write_export(record, save, chosen)
    typer.echo(f"Saved {written.rows:,} {written.what} as {written.path}.", err=True)
    if written.normalisation is not None:
        typer.echo(f"Saved the means and deviations behind z-scores as {written.normalisation}.", err=True)


def _export_written(record: Record, save: Path, layout: Layout, count: int | None, *, everything: bool) -> None:
    from plainwright.errors import DataError
    from plainwright.rate.results.references import references_of, texts_of, write_references, write_texts

    if layout == "simpeval" or (layout == "long" and count is not None):
        found = "--count" if layout == "long" else "--layout simpeval"
        msg = f"{found}: expected --layout references, or none for a table of all texts, found a study of writing"
        raise DataError(msg)
    if layout == "long":
        rows = write_texts(texts_of(record, everything=everything), save, everything=everything)
        typer.echo(f"Saved {rows:,} texts as {save}.", err=True)
        return
    is_table = save.suffix in (".tsv", ".jsonl")
    wanted = None if is_table and count is None else count or record.settings.raters_per_unit
    references = references_of(record, fewest=wanted or 1, most=wanted)
    written = write_references(references, save)
    low, high = references.per_source
    each = f"{low}" if low == high else f"{low} to {high}"
    typer.echo(f"Saved {len(references.sources):,} sources with {each} references each as {_named(written)}.", err=True)
    if references.left_out:
        typer.echo(f"plainwright: warning: {references.left_out:,} sources with fewer references left out", err=True)


def _named(files: Sequence[Path]) -> str:
    return ", ".join(map(str, files)) if len(files) < 4 else f"{files[0]}, {files[1]} … {files[-1]}"


def _check_name(save: Path) -> None:
    from plainwright.errors import DataError

    if str(save) == "-":
        msg = "-: expected the name of a table, beside which another file is written, found standard output"
        raise DataError(msg)
