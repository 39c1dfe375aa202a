"""`plainwright study`: how far can a metric be trusted, and how many sentences and raters does a study need?"""

from __future__ import annotations

from plainwright.cli.lazy import lazy_group

__all__ = ["app"]

_COMMANDS = {
    "ratings": ("plainwright.cli.study.ratings:ratings", "Show what is in a file of ratings: counts, scales, gaps."),
    "agree": ("plainwright.cli.study.agree:agree", "Do the raters agree, and does one of them stand out?"),
    "tradeoff": ("plainwright.cli.study.tradeoff:tradeoff", "Does one aspect come at the cost of another?"),
    "resample": ("plainwright.cli.study.resample:resample", "How many sentences and raters would have been enough?"),
    "plan": ("plainwright.cli.study.plan:plan", "Plan how to spend ratings, and what they can show."),
    "correlate": (
        "plainwright.cli.study.correlate:correlate",
        "How well do metrics agree with people?",
    ),
    "report": ("plainwright.cli.study.report:report", "Write one HTML page with everything the ratings show."),
}

app = lazy_group(
    _COMMANDS,
    help="Analyse ratings by people: agreement, correlation with metrics, trade-offs, and how large a study must be.",
)
