"""Everything that one table of ratings can tell, for one page; what it cannot tell becomes a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from plainwright.report.study.results import StudyReport
from plainwright.study.agreement import AspectAgreement, aspect_agreement
from plainwright.study.attempts import attempt_each
from plainwright.study.correlation import CorrelationStudy, correlate_metrics
from plainwright.study.correlation import Protocol as CorrelationProtocol
from plainwright.study.levels import LevelName
from plainwright.study.ratings import Ratings, Values
from plainwright.study.ratings.table import check_ratings
from plainwright.study.resample import resample
from plainwright.study.resample_result import Protocol, Resampling
from plainwright.study.scores import MetricScores
from plainwright.study.tradeoff import Tradeoff, tradeoff

__all__ = ["gather", "reasons"]

_LEVELS: tuple[LevelName, ...] = ("system", "sentence")


def gather(
    ratings: Ratings,
    *,
    title: str = "Study",
    scores: Sequence[MetricScores] = (),
    score_notes: Sequence[str] = (),
    no_scores: str = "No metric was given.",
    aspects: Sequence[str] | None = None,
    values: Values = "raw",
    resamples: int = 1000,
    seed: int = 12345,
) -> StudyReport:
    """Run each analysis that the ratings allow; `no_scores` is what the page says if no metric is given."""
    check_ratings(ratings, "gather")
    chosen = tuple(aspects or ratings.aspects)
    single = [(aspect,) for aspect in chosen]

    def agreement(aspect: str) -> AspectAgreement:
        return aspect_agreement(ratings, aspect, values=values, draws=resamples, resamples=resamples, seed=seed)

    def correlation(level: LevelName) -> CorrelationStudy:
        protocol = CorrelationProtocol(level=level, values=values, resamples=resamples, seed=seed)
        study = correlate_metrics(ratings, scores, protocol=protocol, aspects=chosen)
        return replace(study, notes=(*score_notes, *study.notes))

    def between(first: str, second: str) -> Tradeoff:
        return tradeoff(ratings, first, second, values=values, resamples=resamples, seed=seed)

    def curves(aspect: str) -> Resampling:
        return resample(ratings, aspect, values=values, protocol=Protocol(samples=resamples, seed=seed))

    agreements, no_agreement = attempt_each(agreement, single, at_least_one=False)
    levels = zip(_LEVELS, strict=True) if scores else ()
    correlations, no_correlation = attempt_each(correlation, levels, at_least_one=False)
    tradeoffs, no_tradeoff = attempt_each(between, combinations(chosen, 2), at_least_one=False)
    resamplings, no_resampling = attempt_each(curves, single, at_least_one=False)
    problems = {
        "agreement": reasons(no_agreement),
        "correlation": reasons(no_correlation) if scores else no_scores,
        "tradeoffs": reasons(no_tradeoff)
        if len(chosen) > 1
        else f"A trade-off needs two aspects; here is only {', '.join(chosen)}.",
        "resampling": reasons(no_resampling),
    }
    return StudyReport(
        title=title,
        ratings=ratings,
        agreement=tuple(agreements),
        correlation=tuple(correlations),
        tradeoffs=tuple(tradeoffs),
        resampling=tuple(resamplings),
        problems={key: problem for key, problem in problems.items() if problem},
    )


def reasons(problems: Mapping[tuple[str, ...], str]) -> str:
    """Return why some cases have no result, in sentences for the page."""
    return " ".join(f"Nothing is shown for {' and '.join(case)}: {problem}." for case, problem in problems.items())
