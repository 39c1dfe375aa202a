"""Which raters stand out, in one plain sentence each; nobody is removed here, somebody who knows the rater decides.

The limits are checked by simulation, see docs/rate/results.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from plainwright.rate.results.controls import Standing

if TYPE_CHECKING:
    from plainwright.rate.results.quality import RaterQuality

__all__ = ["Judge", "QualityFinding", "QualityLimits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class QualityLimits:
    """From where on a rater stands out."""

    noticed: float = 0.8  # share of degraded copies that a careful rater puts below their originals
    noticed_p: float = 0.05  # such a rater is blamed at most this often
    repeated: float = 0.4  # the whole interval of the correlation with oneself lies below
    hurried: float = 1 / 3  # of the raters' median time for an output
    hurried_pages: int = 5  # fewer are not judged
    # Twice what most adults read at most, 300 (Brysbaert, 2019); nobody doubles the speed and understands as much
    # (Rayner et al., 2016).
    words_per_minute: float = 600.0
    standing: float = 0.25  # difference from the others' standing of the same control
    standing_p: float = 0.05  # chance of a false alarm over all raters together, so divided by their number
    standing_items: int = 5
    standing_part: float = 2 / 3  # of the largest such difference: one odd rater makes all the others look odd


@dataclass(frozen=True, slots=True)
class QualityFinding:
    """Something about a rater that somebody should look at.

    Kinds: degraded, repeats, unread, hurried, source, reference; few, flat, contrary, unrelated, drift as in
    `study.raters`.
    """

    kind: str
    sentence: str


class Judge:
    """Compares raters with the limits and with each other."""

    def __init__(self, raters: Sequence[RaterQuality], limits: QualityLimits) -> None:
        self.raters = len(raters)
        self.limits = limits
        self.usual_pace = median(rater.seconds_per_output for rater in raters) if raters else 0.0
        self.largest: dict[str, float] = {}  # difference of anybody from the others, by control
        for standing in (standing for rater in raters for standing in rater.standings):
            apart = abs(standing.difference.value or 0.0)
            self.largest[standing.control] = max(apart, self.largest.get(standing.control, 0.0))

    def findings(self, rater: RaterQuality) -> tuple[QualityFinding, ...]:
        """What to look at, the controls first."""
        found = [*self._degraded(rater), *self._repeats(rater)]
        found += [finding for standing in rater.standings for finding in self._standing(rater.rater, standing)]
        found += self._pace(rater)
        found += [
            QualityFinding(finding.kind, finding.sentence)
            for report in rater.reports.values()
            for finding in report.findings
        ]
        return tuple(dict.fromkeys(found))

    def _degraded(self, rater: RaterQuality) -> Iterator[QualityFinding]:
        degraded = rater.degraded
        n = degraded.share.n
        if n and _at_most(degraded.below, n, self.limits.noticed) < self.limits.noticed_p:
            counts = f"{degraded.below} of {n} damaged copies below their originals"
            others = f"{degraded.equal} as high, {degraded.above} higher"
            yield QualityFinding("degraded", f"rater {rater.rater!r} put only {counts} ({others})")

    def _repeats(self, rater: RaterQuality) -> Iterator[QualityFinding]:
        relation = rater.repeats.correlation
        if relation.value is None or relation.interval is None or relation.interval.high >= self.limits.repeated:
            return
        numbers = f"correlation {relation.value:.2f} [{relation.interval.low:.2f}, {relation.interval.high:.2f}]"
        apart = f"on average {100 * (rater.repeats.difference.value or 0):.0f} % of the scale apart"
        yield QualityFinding(
            "repeats",
            f"rater {rater.rater!r} judged {relation.n} outputs quite differently the second time ({numbers}, {apart})",
        )

    def _standing(self, rater: str, standing: Standing) -> Iterator[QualityFinding]:
        apart, limits = standing.difference, self.limits
        if apart.value is None or standing.others is None or apart.n < limits.standing_items:
            return
        # Without any spread there is no p-value, and no doubt either.
        if apart.p_value is not None and apart.p_value >= limits.standing_p / self.raters:
            return
        if abs(apart.value) < max(limits.standing, limits.standing_part * self.largest[standing.control]):
            return
        what = "the unchanged source" if standing.control == "source" else "what a person wrote"
        way = "higher" if apart.value > 0 else "lower"
        shares = [f"{100 * share:.0f} %" for share in (standing.others + apart.value, standing.others)]
        yield QualityFinding(
            standing.control,
            f"rater {rater!r} puts {what} {way} than the others do: above {shares[0]} of the outputs beside it, the "
            f"others above {shares[1]} ({apart.n} items)",
        )

    def _pace(self, rater: RaterQuality) -> Iterator[QualityFinding]:
        if rater.pages < self.limits.hurried_pages:
            return
        pace, reading, most = rater.seconds_per_output, rater.seconds_per_word, self.limits.words_per_minute
        if reading == 0:
            told = f"answers in no time at all; nobody reads more than {most:g} words a minute"
            yield QualityFinding("unread", f"rater {rater.rater!r} {told}")
        elif reading is not None and 60 / reading > most:
            told = f"goes through the texts at {60 / reading:,.0f} words a minute; nobody reads more than {most:g}"
            yield QualityFinding("unread", f"rater {rater.rater!r} {told}")
        if self.raters > 1 and pace < self.limits.hurried * self.usual_pace:
            times = f"{pace:.1f} seconds for an output; the raters' median is {self.usual_pace:.1f}"
            yield QualityFinding("hurried", f"rater {rater.rater!r} takes {times}")


def _at_most(successes: int, n: int, share: float) -> float:
    """The probability of so few successes or fewer, each of which has the probability `share`."""
    return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(successes + 1))
