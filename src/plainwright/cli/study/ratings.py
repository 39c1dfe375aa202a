"""`plainwright study ratings`: what is in a table of ratings, and the same as a long table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.study import options as study_options
from plainwright.cli.study.page import check_page, write_page
from plainwright.cli.study.text import aligned, echo_json, wrapped
from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.study.ratings import Summary

__all__ = ["ratings"]


@study_options.takes_ratings
def ratings(
    chosen: study_options.RatingsOptions,
    *,
    as_json: options.AsJson = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            "-o",
            metavar="FILE",
            help="Write the long table with z-scores to this file: .csv, .tsv, .jsonl or .parquet.",
        ),
    ] = None,
    html: study_options.Html = None,
) -> None:
    """Show what is in a file of ratings: counts, scales, gaps.

    \b
    Examples:
      plainwright study ratings mine.csv --columns item=id,rater=worker
      plainwright study ratings simpeval/2022 --save simpeval.parquet
    """
    from plainwright.study.ratings import file_format, summarise, write_ratings

    if save is not None:
        file_format(save)
        options.check_output(save, chosen)
    check_page(html, chosen)
    loaded = chosen.load()
    summary = summarise(loaded)
    if save is not None:
        write_ratings(loaded, save)
    write_page(html, title=f"Ratings: {chosen.display_name}", ratings=loaded)
    if as_json:
        echo_json({"ratings_file": chosen.ratings, "ddof": chosen.ddof, **summary.to_dict()})
    else:
        typer.echo(printable("\n".join(_lines(chosen.ratings, summary)), layout=True))
        if save is not None:
            typer.echo(f"\nSaved {summary.ratings:,} ratings as {save}.")


_HEADER = (
    "aspect",
    "scale",
    "ratings",
    "items",
    "systems",
    "raters",
    "lowest",
    "mean",
    "highest",
    "ratings/output",
    "not rated",
)


def _lines(name: str, summary: Summary) -> Iterator[str]:
    counts = (
        (summary.ratings, "rating"),
        (summary.raters, "rater"),
        (summary.systems, "system"),
        (summary.items, "item"),
    )
    ratings, raters, systems, items = (f"{number:,} {noun}{'' if number == 1 else 's'}" for number, noun in counts)
    yield f"{name}: {ratings} by {raters} of {systems} on {items}"
    yield ""
    rows = [
        (
            aspect.aspect,
            aspect.scale or "not stated",
            f"{aspect.ratings:,}",
            f"{aspect.items:,}",
            f"{aspect.systems:,}",
            f"{aspect.raters:,}",
            f"{aspect.lowest:g}",
            f"{aspect.mean:.2f}",
            f"{aspect.highest:g}",
            str(aspect.most) if aspect.fewest == aspect.most else f"{aspect.fewest} to {aspect.most}",
            f"{aspect.unrated:,} of {aspect.outputs + aspect.unrated:,}",
        )
        for aspect in summary.aspects
    ]
    yield from aligned(_HEADER, rows, left=2)
    yield ""
    if summary.notes:
        yield from (wrapped(note) for note in summary.notes)
    else:
        yield "Every output was rated, and no rater always gave the same score."
