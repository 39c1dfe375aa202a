"""How long a page takes, and what that means for the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from plainwright.study.estimate import Estimate, Interval

__all__ = ["Pace", "median_of"]

_CONFIDENCE = 0.95
_ENOUGH = 3  # pages, below which a median says nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds in sight for one page: the median of the latest finished pages of the study proper."""

    seconds: Estimate
    last_day: int  # pages finished within the last 24 hours

    def time_for(self, pages: float) -> Estimate:
        """How long so many pages take one person, in seconds."""
        if self.seconds.value is None:
            return self.seconds
        interval = self.seconds.interval
        scaled = None if interval is None else Interval(interval.low * pages, interval.high * pages, _CONFIDENCE)
        return Estimate(value=self.seconds.value * pages, n=self.seconds.n, interval=scaled)


def median_of(values: Sequence[float]) -> Estimate:
    """The median with the interval between two order statistics that holds it in at least 95 % of samples.

    Exact for any distribution: the number of values below the true median is binomial with a half.
    """
    ordered = sorted(values)
    count = len(ordered)
    if count < _ENOUGH:
        found = "none was" if count == 0 else f"only {count} {'was' if count == 1 else 'were'}"
        return Estimate(value=None, n=count, problem=f"it takes {_ENOUGH} finished pages to tell, and {found}")
    middle = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
    rank = _rank(count)
    interval = None if rank == 0 else Interval(ordered[rank - 1], ordered[count - rank], _CONFIDENCE)
    return Estimate(value=middle, n=count, interval=interval)


def _rank(count: int) -> int:
    """The largest rank from either end that still leaves at most 2.5 % outside; 0: too few values for any."""
    tail, rank = 0.0, 0
    while True:
        tail += math.comb(count, rank) / 2**count
        if tail > (1 - _CONFIDENCE) / 2:
            return rank
        rank += 1
