"""Pages wanted and done, and how many more raters they need."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

__all__ = ["Demand", "demand_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """Pages of the study proper: no training, no repeats. A page is one unit rated by one rater."""

    units: int
    needed: int  # units times the raters that each is to have
    finished: int  # more than a unit needs is not counted
    under_way: int  # open with somebody, and needed
    available: Mapping[int, int]  # by rater: pages that they could still be given
    more_raters: int  # without whom the rest cannot be done

    @property
    def left(self) -> int:
        """Pages not finished."""
        return self.needed - self.finished

    @property
    def share(self) -> float:
        """Finished, of what is needed."""
        return self.finished / self.needed if self.needed else 1.0


def demand_of(
    units: Collection[int],
    had: Iterable[tuple[int, int, str]],
    *,
    active: Collection[int],
    raters_per_unit: int,
    units_per_rater: int,
) -> Demand:
    """What is wanted, from who had what: (rater, unit, state) of every assignment but training and repeats.

    `active` are the raters that may be given more. Nobody is given a unit twice, unless it was released and they
    come back, so a unit that too few active raters have not had yet needs somebody new.
    """
    had = list(had)
    finished = Counter(unit for _, unit, state in had if state == "finished")
    open_now = Counter(unit for _, unit, state in had if state == "open")
    done = {unit: min(finished[unit], raters_per_unit) for unit in units}
    busy = {unit: min(open_now[unit], raters_per_unit - done[unit]) for unit in units}
    short = {unit: lack for unit in units if (lack := raters_per_unit - done[unit] - busy[unit]) > 0}
    taken = Counter(rater for rater, _, state in had if state != "released")
    met = {(rater, unit) for rater, unit, state in had if state != "released" and unit in short}
    blocked = Counter(rater for rater, _ in met)
    room = {rater: units_per_rater - taken[rater] if units_per_rater else len(short) for rater in active}
    available = {rater: max(0, min(room[rater], len(short) - blocked[rater])) for rater in active}
    return Demand(
        units=len(units),
        needed=len(units) * raters_per_unit,
        finished=sum(done.values()),
        under_way=sum(busy.values()),
        available=available,
        more_raters=_more_raters(short, met, available, units_per_rater),
    )


def _more_raters(
    short: Mapping[int, int], met: Collection[tuple[int, int]], available: Mapping[int, int], units_per_rater: int
) -> int:
    """The least number of new raters: for the unit that lacks most, and for all pages together."""
    free = {rater for rater, pages in available.items() if pages}
    known = Counter(unit for rater, unit in met if rater in free)
    for_one_unit = max((lack - (len(free) - known[unit]) for unit, lack in short.items()), default=0)
    over = sum(short.values()) - sum(available.values())
    for_all = math.ceil(over / (units_per_rater or len(short))) if over > 0 else 0
    return max(0, for_one_unit, for_all)
