"""`plainwright rate export`: all ratings as a table that `plainwright study` reads."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from plainwright.cli import options
from plainwright.cli.rate.options import StudyArgument, StudyFiles, opened
from plainwright.cli.study import options as study_options

__all__ = ["export"]


def export(
    study: StudyArgument,
    save: Annotated[
        Path,
        typer.Option(
            "--save", "-o", metavar="FILE", help="The table to write: .csv, .tsv, .jsonl (these also .gz) or .parquet."
        ),
    ] = Path("ratings.csv"),
    layout: Annotated[
        Literal["long", "simpeval"],
        typer.Option(help="long: one row per judgement. simpeval: one row per output, as SimpEval was published."),
    ] = "long",
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

    Beside it stands what the z-scores were made with: each rater's mean and deviation.

    \b
    Examples:
      plainwright rate export study.toml -o ratings.parquet
      plainwright rate export study.toml --layout simpeval -o simpeval.csv
    """
    options.check_range("--ddof", ddof, 0, 1)
    _check_name(save)
    with opened(study) as database:
        from plainwright.rate.results.export import ExportOptions, write_export
        from plainwright.rate.results.loading import load_record

        options.check_output(save, StudyFiles(study, database, normalisation))
        with database.reading() as connection:
            record = load_record(connection)
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


def _check_name(save: Path) -> None:
    from plainwright.errors import DataError

    if str(save) == "-":
        msg = "-: expected the name of a table, beside which another file is written, found standard output"
        raise DataError(msg)
