"""Which unit a rater gets next, and in which order its cards are shown.

Everything that looks random is a function of the study's seed, the rater and the unit, so that a study can be told
again. What others have is asked of the database in one statement; what this rater had is a short list.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    Connection,
    Select,
    Subquery,
    and_,
    bindparam,
    case,
    false,
    func,
    literal,
    select,
)

from plainwright.rate.settings import Settings
from plainwright.rate.store.schema import assignments, units

__all__ = ["DISTANCE", "Given", "card_order", "count_needed", "due_repeat", "fewest_raters", "needed_of", "repeats_for"]

DISTANCE = 5  # other units between one and its repeat, so that the answers are no longer in mind
_LEAST_DISTANCE = 2  # where a study is too small for that
# A source should not come again within so many units, where several have the same one; the latest first.
_RECENT = ("latest", "second", "third", "fourth", "fifth")
_PRIME = (1 << 31) - 1  # products of two numbers below it fit into the integers of both databases


@dataclass(frozen=True, slots=True)
class Given:
    """A unit that a rater has had."""

    id: int  # of the assignment
    unit: int
    item: int
    place: int
    repeat: bool
    training: bool
    state: str

    @property
    def main(self) -> bool:
        """Neither training nor a repeat: what counts for `raters_per_unit` and `units_per_rater`."""
        return not (self.repeat or self.training)


def fewest_raters(connection: Connection, settings: Settings, rater_id: int, had: Sequence[Given]) -> int | None:
    """The unit that needs this rater most, or None if none does.

    A source that this rater has just seen comes last; then the fewest raters decide. Among equals, with a limit for
    raters, a unit comes first whose raters are still at work: they cannot take it again, and the last open places must
    not be just those that nobody left may fill. Then the source seen least, then chance.
    """
    recent = dict(zip(_RECENT, [*_recent_items(had), *[None] * len(_RECENT)], strict=False))
    chance = {
        "factor": 1 + _hashed(settings.seed, rater_id, "factor") % (_PRIME - 1),
        "offset": _hashed(settings.seed, rater_id, "offset"),
    }
    statement = _fewest_raters(limited=settings.units_per_rater > 0)
    found: int | None = connection.scalar(statement, {**_limits(settings), **recent, **chance, "rater": rater_id})
    return found


def needed_of(connection: Connection, settings: Settings, of: Sequence[int]) -> set[int]:
    """Those of the units that need one more rater."""
    needed = _needed(_taken(limited=False)).where(units.c.id.in_(of))
    return set(connection.scalars(needed, _limits(settings)))


def count_needed(connection: Connection, settings: Settings, rater_id: int) -> int:
    """How many units need a rater and could still be given to this one, those that were taken back included."""
    return connection.execute(_count_needed(), {**_limits(settings), "rater": rater_id}).scalar_one()


def due_repeat(settings: Settings, rater_id: int, had: Sequence[Given], *, last: bool) -> Given | None:
    """The unit that this rater should see a second time now; `last` if there is nothing else left.

    Repeats come evenly among the others from a point on that differs between raters. What comes again is drawn from
    all that is long enough ago; when nothing else is left and nothing is, the oldest.
    """
    finished = [given for given in had if given.main and given.state == "finished"]
    again = {given.unit for given in had if given.repeat}
    share = settings.controls.repeats
    if last:
        wanted = repeats_for(share, len(finished))
    else:
        # The latest units are left for later: were all others repeated by then, the last would have to follow itself.
        start = _hashed(settings.seed, rater_id, "repeats") / _PRIME
        wanted = math.floor(share * max(0, len(finished) - DISTANCE) + start)
    if len(again) >= wanted:
        return None
    ahead = max(given.place for given in had) + 1
    once = [given for given in finished if given.unit not in again]
    old = [given for given in once if ahead - given.place > DISTANCE]
    if old:
        recent = _recent_items(had)
        return min(old, key=lambda given: (given.item in recent, _hashed(settings.seed, rater_id, given.unit)))
    oldest = min(once, key=lambda given: given.place, default=None)
    if last and oldest is not None and ahead - oldest.place > _LEAST_DISTANCE:
        return oldest
    return None


def repeats_for(share: float, finished: int) -> int:
    """How many repeats a rater has at the end who finished so many main units."""
    if finished <= _LEAST_DISTANCE:
        return 0
    return math.ceil(round(share * finished, 9))  # 0.1 * 30 is a little more than 3


def card_order(
    cards: Sequence[int], *, seed: int, rater_id: int, unit: int, repeat: bool, unlike: Sequence[int] = ()
) -> tuple[int, ...]:
    """The cards shuffled for this rater and unit, differently from `unlike` where there are two or more."""
    order = list(cards)
    for attempt in itertools.count():
        random.Random(f"{seed} {rater_id} {unit} {int(repeat)} {attempt}").shuffle(order)
        if len(order) < 2 or order != list(unlike):
            break
    return tuple(order)


def _limits(settings: Settings) -> dict[str, int]:
    return {"raters_per_unit": settings.raters_per_unit, "units_per_rater": settings.units_per_rater}


# Statements are put together once: that takes longer than the database needs for the answer.


@functools.cache
def _fewest_raters(*, limited: bool) -> Select[int]:
    taken = _taken(limited=limited)
    rater = bindparam("rater", type_=BigInteger)
    seen = (
        select(units.c.item, func.count().label("times"))
        .join(assignments, assignments.c.unit == units.c.id)
        .where(assignments.c.rater == rater)
        .group_by(units.c.item)
        .subquery("seen")
    )
    ages = [(units.c.item == bindparam(name, type_=BigInteger), age) for age, name in enumerate(reversed(_RECENT), 1)]
    # Another order for each rater, by arithmetic that both databases do alike.
    chance = (units.c.id * bindparam("factor", type_=BigInteger) + bindparam("offset", type_=BigInteger)) % _PRIME
    return (
        _needed(taken)
        .outerjoin(seen, seen.c.item == units.c.item)
        .where(units.c.id.not_in(select(assignments.c.unit).where(assignments.c.rater == rater)))
        .order_by(
            case(*reversed(ages), else_=0),
            func.coalesce(taken.c.raters, 0),
            func.coalesce(taken.c.working, 0).desc(),
            func.coalesce(seen.c.times, 0),
            chance,
        )
        .limit(1)
    )


@functools.cache
def _count_needed() -> Select[int]:
    mine = select(assignments.c.unit).where(
        assignments.c.rater == bindparam("rater", type_=BigInteger), assignments.c.state != "released"
    )
    needed = _needed(_taken(limited=False)).where(units.c.id.not_in(mine)).subquery("needed")
    return select(func.count()).select_from(needed)


def _taken(*, limited: bool) -> Subquery:
    """For each unit how many have it or had it to the end, and how many of these have not reached their limit."""
    counted = and_(assignments.c.repeat == false(), assignments.c.state.in_(("open", "finished")))
    if not limited:
        return (
            select(assignments.c.unit, func.count().label("raters"), literal(0).label("working"))
            .where(counted)
            .group_by(assignments.c.unit)
            .subquery("taken")
        )
    # Whoever has main units has had all of the training.
    training = select(func.count()).select_from(units).where(units.c.training).scalar_subquery()
    working = (
        select(assignments.c.rater)
        .where(counted)
        .group_by(assignments.c.rater)
        .having(func.count() < bindparam("units_per_rater", type_=BigInteger) + training)
        .subquery("working")
    )
    return (
        select(assignments.c.unit, func.count().label("raters"), func.count(working.c.rater).label("working"))
        .outerjoin_from(assignments, working, working.c.rater == assignments.c.rater)
        .where(counted)
        .group_by(assignments.c.unit)
        .subquery("taken")
    )


def _needed(taken: Subquery) -> Select[int]:
    limit = bindparam("raters_per_unit", type_=BigInteger)
    return (
        select(units.c.id)
        .outerjoin(taken, taken.c.unit == units.c.id)
        .where(units.c.training == false(), func.coalesce(taken.c.raters, 0) < limit)
    )


def _recent_items(had: Sequence[Given]) -> list[int]:
    """The items of the latest units, the latest first."""
    latest = sorted(had, key=lambda given: given.place, reverse=True)[: len(_RECENT)]
    return list(dict.fromkeys(given.item for given in latest))


def _hashed(*parts: object) -> int:
    digest = hashlib.sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") % _PRIME
