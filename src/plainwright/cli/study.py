"""`plainwright study`: how far can a metric be trusted, and how many sentences and raters does a study need?"""

from __future__ import annotations

import typer

from plainwright.cli.study_agree import agree
from plainwright.cli.study_correlate import correlate
from plainwright.cli.study_plan import plan
from plainwright.cli.study_ratings import ratings
from plainwright.cli.study_report import report
from plainwright.cli.study_resample import resample
from plainwright.cli.study_tradeoff import tradeoff

__all__ = ["app"]

app = typer.Typer(
    help="Ratings by people: agreement, metrics against them, trade-offs, and the size that a study needs.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("ratings", short_help="What is in a file of ratings: counts, scales, gaps.")(ratings)
app.command("agree", short_help="Do the raters agree, and does one of them stand out?")(agree)
app.command("tradeoff", short_help="Does one aspect come at the price of another?")(tradeoff)
app.command("resample", short_help="How many sentences and raters would have been enough?")(resample)
app.command("plan", short_help="How to spend ratings, and what they will be able to show.")(plan)
app.command("correlate", short_help="How far metrics agree with people, and whether one does better.")(correlate)
app.command("report", short_help="Write one HTML page with all that the ratings can tell.")(report)
