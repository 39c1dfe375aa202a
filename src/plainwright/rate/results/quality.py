"""How carefully each rater worked: controls, repeats, time, agreement with others.

Nobody is removed here: a finding is a sentence about what stands out, and somebody who knows the rater decides.
Where an output has several aspects, controls and repeats are judged by its total: the mean over aspects of the share
of the scale, from 0 to 1. The limits are checked by simulation, see docs/rate/results.md.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist, median
from typing import Any

import numpy as np

from plainwright.rate.material import Control
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.table import Judgement, judgements_of, main_rows, ratings_of
from plainwright.study import student
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.raters import RaterReport, rater_reports
from plainwright.study.ratings import Ratings

__all__ = ["Degraded", "QualityFinding", "QualityLimits", "RaterQuality", "Repeats", "Standing", "quality_of"]

_FEWEST_PAIRS = 4  # Fisher's interval of a correlation divides by n - 3


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityLimits:
    """From where on a rater stands out."""

    noticed: float = 0.8  # share of degraded copies that a careful rater puts below their originals
    noticed_p: float = 0.05  # such a rater is blamed at most this often
    repeated: float = 0.4  # the whole interval of the correlation with oneself lies below
    hurried: float = 1 / 3  # of the raters' median time for an output
    hurried_pages: int = 5  # fewer are not judged
    standing: float = 0.25  # difference from the others' standing of the same control
    standing_p: float = 0.05  # chance of a false alarm over all raters together, so divided by their number
    standing_items: int = 5


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """Something about a rater that somebody should look at.

    Kinds: degraded, repeats, hurried, source, reference; few, flat, contrary, unrelated, drift as in `study.raters`.
    """

    kind: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Degraded:
    """How often a damaged copy got less than its original from the same rater."""

    below: int
    equal: int
    above: int
    share: Estimate  # below, of all; Wilson's interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a control stands among the other outputs of its item: 0 below all, 1 above all, equal ones half."""

    control: Control
    own: Estimate
    others: float | None  # mean of the other raters on the same items; None if nobody else rated them
    difference: Estimate  # own less others, item by item


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """The same outputs a second time: how far the two totals are apart, and how they go together."""

    pages: int
    difference: Estimate  # mean of absolute differences, as a share of the scale
    by_chance: float | None  # what it would be if the second scores were dealt out at random
    correlation: Estimate  # Pearson's, Fisher's interval


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterQuality:
    """What one rater did."""

    rater: str
    pages: int  # finished, without training; second times count
    outputs: int
    seconds: float  # median for a page
    seconds_per_output: float  # median over pages
    last: float  # when the last page was finished
    contradictions: int  # pairs of outputs whose scores were kept against their order
    contradicting_pages: int
    degraded: Degraded
    standings: tuple[Standing, ...]  # of the source and of the reference, where they are in the study
    repeats: Repeats
    reports: Mapping[str, RaterReport]  # by aspect: spread, agreement with others, drift
    findings: tuple[QualityFinding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "rater": self.rater,
            "pages": self.pages,
            "outputs": self.outputs,
            "seconds": self.seconds,
            "seconds_per_output": self.seconds_per_output,
            "contradictions": self.contradictions,
            "contradicting_pages": self.contradicting_pages,
            "degraded": {
                "below": self.degraded.below,
                "equal": self.degraded.equal,
                "above": self.degraded.above,
                "share": self.degraded.share.to_dict(),
            },
            "standings": {
                standing.control: {
                    "own": standing.own.to_dict(),
                    **({} if standing.others is None else {"others": standing.others}),
                    "difference": standing.difference.to_dict(),
                }
                for standing in self.standings
            },
            "repeats": {
                "pages": self.repeats.pages,
                "difference": self.repeats.difference.to_dict(),
                **({} if self.repeats.by_chance is None else {"by_chance": self.repeats.by_chance}),
                "correlation": self.repeats.correlation.to_dict(),
            },
            "aspects": {aspect: report.to_dict() for aspect, report in self.reports.items()},
            "findings": [{"kind": finding.kind, "sentence": finding.sentence} for finding in self.findings],
        }


def quality_of(
    record: Record,
    rows: Sequence[Judgement] | None = None,
    *,
    limits: QualityLimits | None = None,
    resamples: int = 200,
    seed: int = 12345,
) -> tuple[RaterQuality, ...]:
    """A report on each rater who finished a page after training, in order of appearance.

    `rows` are those of the record, if somebody has them already. A thousand pages take about a second.
    """
    rows = judgements_of(record) if rows is None else rows
    limits = limits or QualityLimits()
    pages = _by_rater([page for page in record.pages if not page.training])
    totals = _totals(rows)
    pairs = record.settings.form == "pairwise"
    standings = _standings(totals, pairs=pairs)
    reports = _reports(main_rows(rows), resamples, seed)
    usual = median(_pace(own) for own in pages.values()) if pages else 0.0
    found = []
    for rater, own in pages.items():
        degraded = _degraded(totals.get(rater, ()), pairs=pairs)
        repeats = _repeats(totals.get(rater, ()))
        standing = tuple(_standing(rater, control, by_item) for control, by_item in standings.items())
        of_rater = reports.get(rater, {})
        findings = [
            *_degraded_findings(rater, degraded, limits),
            *_repeat_findings(rater, repeats, limits),
            *(finding for each in standing for finding in _standing_findings(rater, each, len(pages), limits)),
            *_pace_findings(rater, own, usual, len(pages), limits),
            *(QualityFinding(f.kind, f.sentence) for report in of_rater.values() for f in report.findings),
        ]
        found.append(
            RaterQuality(
                rater=rater,
                pages=len(own),
                outputs=sum(len(page.cards) for page in own),
                seconds=median(page.work.seconds for page in own),
                seconds_per_output=_pace(own),
                last=max(page.finished for page in own),
                contradictions=sum(len(page.work.contradictions) for page in own),
                contradicting_pages=sum(bool(page.work.contradictions) for page in own),
                degraded=degraded,
                standings=standing,
                repeats=repeats,
                reports=of_rater,
                findings=tuple(dict.fromkeys(findings)),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Total:
    """An output as one rater saw it, one number for all aspects; one entry for each who made it."""

    item: str
    system: str
    card: str
    control: Control | None
    of: str | None
    repeat: bool
    value: float


def _by_rater(pages: Iterable[RatedPage]) -> dict[str, list[RatedPage]]:
    by_rater: dict[str, list[RatedPage]] = defaultdict(list)
    for page in sorted(pages, key=lambda page: page.number):
        by_rater[page.rater].append(page)
    return by_rater


def _totals(rows: Iterable[Judgement]) -> Mapping[str, Sequence[_Total]]:
    shares: dict[tuple[str, str, str, bool], list[tuple[float, Judgement]]] = defaultdict(list)
    for row in rows:
        if not row.training:
            share = (row.score - row.scale.low) / (row.scale.high - row.scale.low)
            shares[row.rater, row.item, row.system, row.repeat].append((share, row))
    totals: dict[str, list[_Total]] = defaultdict(list)
    for (rater, item, system, repeat), found in shares.items():
        row = found[0][1]
        value = sum(share for share, _ in found) / len(found)
        totals[rater].append(_Total(item, system, row.card, row.control, row.of, repeat, value))
    return totals


def _degraded(totals: Sequence[_Total], *, pairs: bool) -> Degraded:
    """Of pairs, a copy is compared with nothing but its original, so its share of wins says it all."""
    originals = {(total.item, total.system): total for total in totals if not total.control and not total.repeat}
    differences = []
    for total in totals:
        if total.control != "degraded" or total.repeat:
            continue
        original = originals.get((total.item, total.of or ""))
        if pairs:
            differences.append(0.5 - total.value)
        elif original is not None and original.card != total.card:
            differences.append(original.value - total.value)
    n, below = len(differences), sum(difference > 0 for difference in differences)
    equal = sum(difference == 0 for difference in differences)
    share = Estimate(value=None, n=0, problem="the rater has seen no degraded copy with its original")
    if n:
        share = Estimate(value=below / n, n=n, interval=_wilson(below, n))
    return Degraded(below=below, equal=equal, above=n - below - equal, share=share)


def _wilson(successes: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's (1927) interval of a share, which stays within 0 and 1."""
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share = successes / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return Interval(max(0.0, middle - reach), min(1.0, middle + reach), confidence)


def _at_most(successes: int, n: int, share: float) -> float:
    """The probability of so few successes or fewer, each of which has the probability `share`."""
    return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(successes + 1))


def _degraded_findings(rater: str, degraded: Degraded, limits: QualityLimits) -> list[QualityFinding]:
    n = degraded.share.n
    if not n or _at_most(degraded.below, n, limits.noticed) >= limits.noticed_p:
        return []
    others = f"{degraded.equal} as high, {degraded.above} higher"
    sentence = f"rater {rater!r} put only {degraded.below} of {n} damaged copies below their originals ({others})"
    return [QualityFinding("degraded", sentence)]


def _repeats(totals: Sequence[_Total]) -> Repeats:
    first = {(total.item, total.card): total.value for total in totals if not total.repeat}
    again = {(total.item, total.card): total.value for total in totals if total.repeat}
    both = [key for key in again if key in first]
    if not both:
        nothing = Estimate(value=None, n=0, problem="the rater has seen no output a second time")
        return Repeats(pages=0, difference=nothing, by_chance=None, correlation=nothing)
    once = np.array([first[key] for key in both])
    twice = np.array([again[key] for key in both])
    apart = np.abs(once - twice)
    return Repeats(
        pages=len({item for item, _ in both}),
        difference=Estimate(value=float(apart.mean()), n=len(both), interval=_mean_interval(apart)),
        by_chance=float(np.abs(once[:, None] - twice[None, :]).mean()),
        correlation=_self_correlation(once, twice),
    )


def _mean_interval(values: np.ndarray) -> Interval | None:
    n = len(values)
    if n < 3:
        return None
    reach = float(student.critical_value(0.05, np.array(n - 1))) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(float(values.mean()) - reach, float(values.mean()) + reach)


def _self_correlation(once: np.ndarray, twice: np.ndarray) -> Estimate:
    n = len(once)
    if n < _FEWEST_PAIRS:
        return Estimate(value=None, n=n, problem=f"a correlation needs at least {_FEWEST_PAIRS} outputs, found {n}")
    if np.ptp(once) == 0 or np.ptp(twice) == 0:
        return Estimate(value=None, n=n, problem="all outputs got the same score, so nothing can correlate")
    r = float(np.clip(np.corrcoef(once, twice)[0, 1], -1, 1))
    if abs(r) > 1 - 1e-12:
        return Estimate(value=r, n=n, interval=Interval(r, r))
    reach = NormalDist().inv_cdf(0.975) / math.sqrt(n - 3)
    return Estimate(value=r, n=n, interval=Interval(math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)))


def _repeat_findings(rater: str, repeats: Repeats, limits: QualityLimits) -> list[QualityFinding]:
    relation = repeats.correlation
    if relation.value is None or relation.interval is None or relation.interval.high >= limits.repeated:
        return []
    numbers = f"correlation {relation.value:.2f} [{relation.interval.low:.2f}, {relation.interval.high:.2f}]"
    apart = f"on average {100 * (repeats.difference.value or 0):.0f} % of the scale apart"
    sentence = f"rater {rater!r} scored {relation.n} outputs quite differently the second time ({numbers}, {apart})"
    return [QualityFinding("repeats", sentence)]


def _standings(totals: Mapping[str, Sequence[_Total]], *, pairs: bool) -> dict[Control, dict[str, dict[str, float]]]:
    """By control and item, the standing that each rater gave it; of pairs, its share of wins."""
    standings: dict[Control, dict[str, dict[str, float]]] = {}
    for rater, own in totals.items():
        by_item: dict[str, list[_Total]] = defaultdict(list)
        for total in own:
            if not total.repeat:
                by_item[total.item].append(total)
        for item, outputs in by_item.items():
            for control in (total for total in outputs if total.control in ("source", "reference")):
                # Each distinct output counts once, and damaged ones are no yardstick.
                others = {o.card: o.value for o in outputs if not o.control and o.card != control.card}
                if others or pairs:
                    won = [(o < control.value) + (o == control.value) / 2 for o in others.values()]
                    standing = control.value if pairs else sum(won) / len(won)
                    assert control.control is not None
                    standings.setdefault(control.control, {}).setdefault(item, {})[rater] = standing
    return standings


def _standing(rater: str, control: Control, by_item: Mapping[str, Mapping[str, float]]) -> Standing:
    own = np.array([given[rater] for given in by_item.values() if rater in given])
    shared = [given for given in by_item.values() if rater in given and len(given) > 1]
    others = np.array([(sum(given.values()) - given[rater]) / (len(given) - 1) for given in shared])
    apart = np.array([given[rater] for given in shared]) - others
    return Standing(
        control=control,
        own=_mean(own, f"the rater has seen no {control} among outputs"),
        others=float(others.mean()) if len(others) else None,
        difference=_mean(apart, f"nobody else has rated the {control} on the same items"),
    )


def _mean(values: np.ndarray, problem: str) -> Estimate:
    n = len(values)
    if n == 0:
        return Estimate(value=None, n=0, problem=problem)
    mean, p_value = float(values.mean()), None
    if n >= 3 and np.ptp(values) > 0:
        p_value = student.p_value(mean / (float(values.std(ddof=1)) / math.sqrt(n)), n - 1)
    return Estimate(value=mean, n=n, interval=_mean_interval(values), p_value=p_value)


def _standing_findings(rater: str, standing: Standing, raters: int, limits: QualityLimits) -> list[QualityFinding]:
    apart = standing.difference
    if apart.value is None or apart.n < limits.standing_items or abs(apart.value) < limits.standing:
        return []
    # Without any spread there is no p-value, and no doubt either.
    if apart.p_value is not None and apart.p_value >= limits.standing_p / raters:
        return []
    what = "the unchanged source" if standing.control == "source" else "what a person wrote"
    way = "higher" if apart.value > 0 else "lower"
    assert standing.others is not None
    own = standing.others + apart.value
    sentence = (
        f"rater {rater!r} puts {what} {way} than the others do: above {100 * own:.0f} % of the outputs beside it, "
        f"the others above {100 * standing.others:.0f} % ({apart.n} items)"
    )
    return [QualityFinding(standing.control, sentence)]


def _pace(pages: Sequence[RatedPage]) -> float:
    return median(page.work.seconds / len(page.cards) for page in pages)


def _pace_findings(
    rater: str, pages: Sequence[RatedPage], usual: float, raters: int, limits: QualityLimits
) -> list[QualityFinding]:
    pace = _pace(pages)
    if raters < 2 or len(pages) < limits.hurried_pages or pace >= limits.hurried * usual:
        return []
    sentence = f"rater {rater!r} takes {pace:.1f} seconds for an output; the raters' median is {usual:.1f}"
    return [QualityFinding("hurried", sentence)]


def _reports(rows: Sequence[Judgement], resamples: int, seed: int) -> dict[str, dict[str, RaterReport]]:
    """By rater and aspect."""
    reports: dict[str, dict[str, RaterReport]] = defaultdict(dict)
    ratings: Ratings = ratings_of(rows)
    for aspect in ratings.aspects:
        for report in rater_reports(ratings, aspect, resamples=resamples, seed=seed):
            reports[report.rater][aspect] = report
    return reports
