"""Everything that one table of ratings can tell, for one page; what it cannot tell becomes a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from plainwright.errors import DataError
from plainwright.report.study.results import StudyReport
from plainwright.study.ratings import Ratings, Values
from plainwright.study.resample import Protocol, Resampling, resample
from plainwright.study.tradeoff import Tradeoff, tradeoff

__all__ = ["gather"]

Result = TypeVar("Result")


def gather(
    ratings: Ratings,
    *,
    title: str = "Study",
    aspects: Sequence[str] | None = None,
    values: Values = "raw",
    resamples: int = 1000,
    seed: int = 12345,
) -> StudyReport:
    """Run each analysis that the ratings allow."""
    chosen = tuple(aspects or ratings.aspects)
    problems: dict[str, list[str]] = {}

    def between(first: str, second: str) -> Tradeoff:
        return tradeoff(ratings, first, second, values=values, resamples=resamples, seed=seed)

    def curves(aspect: str) -> Resampling:
        return resample(ratings, aspect, values=values, protocol=Protocol(samples=resamples, seed=seed))

    pairs = list(combinations(chosen, 2))
    if not pairs:
        problems["tradeoffs"] = [f"A trade-off needs two aspects; only {chosen[0]} was rated."]
    return StudyReport(
        title=title,
        ratings=ratings,
        tradeoffs=_attempts(between, pairs, "tradeoffs", problems),
        resampling=_attempts(curves, [(aspect,) for aspect in chosen], "resampling", problems),
        problems={key: " ".join(reasons) for key, reasons in problems.items()},
    )


def _attempts(
    analyse: Callable[..., Result], cases: Iterable[tuple[str, ...]], key: str, problems: dict[str, list[str]]
) -> tuple[Result, ...]:
    """The results of those cases that can be analysed; the others leave their reason under the section's key."""
    found = []
    for case in cases:
        try:
            found.append(analyse(*case))
        except DataError as error:
            problems.setdefault(key, []).append(f"Nothing is shown for {' and '.join(case)}: {error}.")
    return tuple(found)
