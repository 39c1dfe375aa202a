"""`plainwright study`: how far can a metric be trusted, and how many sentences and raters does a study need?"""

from __future__ import annotations

import typer

from plainwright.cli.study_ratings import ratings

__all__ = ["app"]

app = typer.Typer(
    help="Ratings by people: agreement, metrics against them, trade-offs, and the size that a study needs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("ratings", short_help="What is in a file of ratings: counts, scales, gaps.")(ratings)
