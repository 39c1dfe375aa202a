"""What each rater did, and whether it looks like judging: flat, contrary, unrelated or drifting raters.

A rater is compared with the mean of the others on the same outputs. Intervals are bootstraps over items. Nobody is
removed here: a finding says what stands out and how sure that is, and somebody who knows the rater decides.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from plainwright.metrics.base import Array
from plainwright.study import student
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Rating, Ratings, Scale
from plainwright.study.ratings.table import Values
from plainwright.study.sums import item_weights, pair_sums, pearson_from_sums, slope_from_sums

__all__ = ["Finding", "Limits", "RaterReport", "rater_reports"]

Kind = Literal["few", "flat", "contrary", "unrelated", "drift"]
_FEWEST_FOR_ESTIMATES = 3  # two points always lie on a line, and two items say nothing of others


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """From where on a rater stands out; found by simulation, see docs/studies/agreement.md."""

    few: int = 10  # a rater of fewer outputs is not judged
    flat_share: float = 0.8  # one score given to at least this share of the outputs …
    flat_excess: float = 0.2  # … and by this much more often than the raters' median of that share
    flat_spread: float = 0.25  # or: a standard deviation of at most this part of the raters' median
    varied: int = 5  # a correlation is judged if this many outputs got another score than the rater's favourite
    turned: float = -0.3  # a contrary rater below it may have turned the scale round
    unrelated: float = 0.2  # the whole interval of the correlation with the others lies below
    drift_change: float = 0.5  # change from first to last, in standard deviations of the rater's scores
    drift_p: float = 0.05  # chance of a false alarm over all raters together, so divided by their number


@dataclass(frozen=True, slots=True)
class Finding:
    """Points to something about a rater that somebody should look at."""

    kind: Kind
    sentence: str

    def to_dict(self) -> dict[str, str]:
        """Return plain values for JSON."""
        return {"kind": self.kind, "sentence": self.sentence}


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterReport:
    """One rater on one aspect; means, deviations and uses of the scale are of the scores as given."""

    rater: str
    ratings: int
    mean: float
    deviation: float  # of these scores, not an estimate for others: divided by n
    most_used: float
    most_used_share: float
    lowest: float
    highest: float
    distinct: int
    range_used: float | None  # share of the scale between lowest and highest; None where the scale is not known
    with_others: Estimate  # correlation with the mean of the other raters of the same outputs
    drift: Estimate  # how much the difference from the others' mean changes from the first output to the last
    findings: tuple[Finding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        shown = {
            "rater": self.rater,
            "ratings": self.ratings,
            "mean": self.mean,
            "deviation": self.deviation,
            "most_used": self.most_used,
            "most_used_share": self.most_used_share,
            "lowest": self.lowest,
            "highest": self.highest,
            "distinct": self.distinct,
            "range_used": self.range_used,
            "with_others": self.with_others.to_dict(),
            "drift": self.drift.to_dict(),
            "findings": [finding.to_dict() for finding in self.findings],
        }
        return {key: value for key, value in shown.items() if value is not None}


def rater_reports(
    ratings: Ratings,
    aspect: str,
    *,
    values: Values = "raw",
    limits: Limits | None = None,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
) -> tuple[RaterReport, ...]:
    """A report on each rater of an aspect, in order of appearance; `values` are what raters are compared by."""
    cube = ratings.cube(aspect, values)
    given: dict[str, list[Rating]] = {rater: [] for rater in cube.raters}
    for row in ratings.where(aspect=aspect):
        given[row.rater].append(row)
    others = _mean_of_others(cube.scores)
    taken = item_weights(len(cube.items), resamples, np.random.default_rng(seed))
    with_others = _correlations(cube, others, taken, confidence)
    drifts = _drifts(cube, others, _places(cube, given), taken, confidence)
    reports = [_described(rater, given[rater], with_others[k], drifts[k]) for k, rater in enumerate(cube.raters)]
    judge = _Judge(reports, cube, limits or Limits())
    return tuple(judge.judged(k) for k in range(len(reports)))


def _described(rater: str, rows: Sequence[Rating], with_others: Estimate, drift: Estimate) -> RaterReport:
    scores = np.array([row.score for row in rows])
    most_used, times = min(Counter(scores.tolist()).items(), key=lambda pair: (-pair[1], pair[0]))
    scale: Scale | None = rows[0].scale
    span = None if scale is None or scale.high <= scale.low else scale.high - scale.low
    return RaterReport(
        rater=rater,
        ratings=len(rows),
        mean=float(scores.mean()),
        deviation=float(scores.std()),
        most_used=most_used,
        most_used_share=times / len(rows),
        lowest=float(scores.min()),
        highest=float(scores.max()),
        distinct=len(np.unique(scores)),
        range_used=None if span is None else float(scores.max() - scores.min()) / span,
        with_others=with_others,
        drift=drift,
    )


def _mean_of_others(scores: Array) -> Array:
    """For each rating the mean of the other ratings of its output; NaN where there are none."""
    rated = np.isfinite(scores)
    known = np.where(rated, scores, 0)
    counts = rated.sum(axis=2, keepdims=True) - rated
    sums = known.sum(axis=2, keepdims=True) - known
    return np.where(rated & (counts > 0), sums / np.maximum(counts, 1), np.nan)


def _correlations(cube: Cube, others: Array, taken: Array, confidence: float) -> list[Estimate]:
    middle = np.nanmean(cube.scores)
    sums = pair_sums(cube.scores - middle, others - middle, axis=1)  # (items, raters, 6)
    values = pearson_from_sums(np.tensordot(taken, sums, axes=1))
    items = (sums[..., 0] > 0).sum(axis=0)
    estimates = []
    for k, n in enumerate(sums[..., 0].sum(axis=0).astype(int)):
        problem = _too_little(int(n), int(items[k]))
        if not problem and not np.isfinite(values[0, k]):
            problem = "the rater or the mean of the others is the same for all outputs, so nothing can correlate"
        estimates.append(_estimate(values[:, k], int(n), confidence, problem))
    return estimates


def _drifts(cube: Cube, others: Array, places: Array, taken: Array, confidence: float) -> list[Estimate]:
    differences = cube.scores - others
    sums = pair_sums(places, differences, axis=1)
    values = slope_from_sums(np.tensordot(taken, sums, axes=1))
    items = (sums[..., 0] > 0).sum(axis=0)
    compared = np.isfinite(differences).sum(axis=(0, 1))
    estimates = []
    for k, n in enumerate(sums[..., 0].sum(axis=0).astype(int)):
        problem = _too_little(int(compared[k]), int(items[k]) if n else int(compared[k]))
        if not problem and n == 0:
            problem = "neither the order nor the time of the ratings is recorded"
        if not problem and not np.isfinite(values[0, k]):
            problem = "all ratings have the same time"
        estimates.append(_estimate(values[:, k], int(n), confidence, problem, tested_items=int(items[k])))
    return estimates


def _too_little(outputs: int, items: int) -> str:
    if outputs < _FEWEST_FOR_ESTIMATES:
        return f"only {outputs} of the rater's outputs {'was' if outputs == 1 else 'were'} rated by others too"
    if items < _FEWEST_FOR_ESTIMATES:
        return f"only {items} of the rater's items {'was' if items == 1 else 'were'} rated by others too"
    return ""


def _estimate(values: Array, n: int, confidence: float, problem: str, *, tested_items: int | None = None) -> Estimate:
    if problem:
        return Estimate(value=None, n=n, problem=problem)
    resampled = values[1:]
    return Estimate(
        value=float(values[0]),
        n=n,
        interval=Interval.of(resampled, confidence),
        p_value=None if tested_items is None else _p_value(float(values[0]), resampled, tested_items),
    )


def _p_value(value: float, resampled: Array, items: int) -> float | None:
    """Two-sided, of a t-test with the standard error of the resamples; so it can fall below one in `resamples`."""
    defined = resampled[np.isfinite(resampled)]
    # Items that are drawn with replacement vary less than new ones would, by the factor of n / (n - 1).
    error = math.sqrt(items / (items - 1)) * float(defined.std()) if len(defined) > 1 else 0.0
    return student.p_value(value / error, items - 2) if error > 0 else None


def _places(cube: Cube, given: Mapping[str, Sequence[Rating]]) -> Array:
    """When each rating was given, as its rank among the rater's own from 0 (first) to 1 (last); NaN if unknown."""
    items, systems = ({name: k for k, name in enumerate(names)} for names in (cube.items, cube.systems))
    places = np.full(cube.scores.shape, np.nan)
    for column, rater in enumerate(cube.raters):
        own = given[rater]
        when = [row.order for row in own]
        moments = when if None not in when else [row.time for row in own]
        if None in moments or len(own) < 2:
            continue
        for row, rank in zip(own, _ranks(np.array(moments, dtype=np.float64)), strict=True):
            places[items[row.item], systems[row.system], column] = rank
    return places


def _ranks(moments: Array) -> Array:
    """Ranks from 0 to 1; what happened at once shares the middle rank."""
    _, group, sizes = np.unique(moments, return_inverse=True, return_counts=True)
    middle = np.cumsum(sizes) - (sizes + 1) / 2
    return np.asarray(middle[group] / (len(moments) - 1))


class _Judge:
    """Compares reports with the limits and with each other."""

    def __init__(self, reports: Sequence[RaterReport], cube: Cube, limits: Limits) -> None:
        self.reports = reports
        self.limits = limits
        enough = [report for report in reports if report.ratings >= limits.few]
        self.usual_share = float(np.median([report.most_used_share for report in enough])) if enough else 1.0
        self.usual_deviation = float(np.median([report.deviation for report in enough])) if enough else 0.0
        # The differences that drift is measured in may be of z-scores, so the yardstick is too.
        self.deviations = [float(np.nanstd(cube.scores[..., k])) for k in range(len(cube.raters))]

    def judged(self, k: int) -> RaterReport:
        """The k-th report with its findings."""
        report = self.reports[k]
        if report.ratings < self.limits.few:
            counted = f"{report.ratings} output{'' if report.ratings == 1 else 's'}"
            found = [Finding("few", f"rater {report.rater!r} rated only {counted}, too few to be judged")]
        else:
            # Who gives one score has no relation to others worth a number: the few exceptions decide it.
            checks = [self._flat(report) or self._relation(report), self._drift(report, self.deviations[k])]
            found = [finding for finding in checks if finding is not None]
        return replace(report, findings=tuple(found))

    def _flat(self, report: RaterReport) -> Finding | None:
        limits, share = self.limits, report.most_used_share
        if share >= limits.flat_share and share >= self.usual_share + limits.flat_excess:
            words = f"gave {report.most_used:g} to {100 * share:.0f} % of {report.ratings} outputs; the raters' median"
            return Finding(
                "flat", f"rater {report.rater!r} {words} for their own favourite is {100 * self.usual_share:.0f} %"
            )
        if len(self.reports) > 1 and report.deviation <= limits.flat_spread * self.usual_deviation:
            words = f"hardly varies: a standard deviation of {report.deviation:.2g}, where the raters' median is"
            return Finding("flat", f"rater {report.rater!r} {words} {self.usual_deviation:.2g}")
        return None

    def _relation(self, report: RaterReport) -> Finding | None:
        relation = report.with_others
        others = round(report.ratings * (1 - report.most_used_share))
        if relation.value is None or relation.interval is None or others < self.limits.varied:
            return None
        low, high = relation.interval.low, relation.interval.high
        numbers = f"correlation with their mean {relation.value:.2f} [{low:.2f}, {high:.2f}]"
        if high < 0:
            question = "; was the scale turned round?" if relation.value < self.limits.turned else ""
            return Finding("contrary", f"rater {report.rater!r} goes against the others ({numbers}){question}")
        if high < self.limits.unrelated:
            return Finding("unrelated", f"rater {report.rater!r} does not follow the others ({numbers})")
        return None

    def _drift(self, report: RaterReport, deviation: float) -> Finding | None:
        drift, limits = report.drift, self.limits
        if drift.value is None or drift.interval is None or drift.p_value is None:
            return None
        if drift.p_value >= limits.drift_p / len(self.reports) or abs(drift.value) < limits.drift_change * deviation:
            return None
        way = "more generous" if drift.value > 0 else "stricter"
        numbers = f"{drift.value:+.2f} [{drift.interval.low:+.2f}, {drift.interval.high:+.2f}]"
        return Finding(
            "drift", f"rater {report.rater!r} grew {way}: {numbers} from first output to last, next to the others' mean"
        )
