"""Who rates what: units are handed out one by one, so that raters may come and go at any time.

A rater has one unit at a time, training first. A unit that is handed out is leased: whoever does nothing for
`Settings.lease_hours` loses it to others, and gets it back on return if nobody has taken it meanwhile.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, bindparam, false, insert, select, update

from plainwright.errors import AccessError
from plainwright.rate.events import Finish
from plainwright.rate.forms.answers import Answers
from plainwright.rate.forms.limits import faults_of
from plainwright.rate.forms.page import Page
from plainwright.rate.forms.writing import reference_of, training_item
from plainwright.rate.settings import Expectation, Settings
from plainwright.rate.store import log
from plainwright.rate.store.choosing import (
    Given,
    card_order,
    count_needed,
    due_repeat,
    fewest_raters,
    needed_of,
    repeats_for,
)
from plainwright.rate.store.people import is_public_id, new_public_id
from plainwright.rate.store.reviewing import verdict_on
from plainwright.rate.store.schema import assignments, raters, study, units
from plainwright.rate.store.studies import expectations_of, load_settings, load_unit

__all__ = [
    "Assignment",
    "Progress",
    "TrainingResult",
    "assignment_of",
    "assignments_of",
    "may_be_given_more",
    "next_assignment",
    "progress_of",
    "release_idle",
    "training_result",
]


@dataclass(frozen=True, slots=True)
class Assignment:
    """One unit for one rater."""

    id: int
    public: str
    rater: int
    unit: int
    place: int
    order: tuple[int, ...]  # ids of cards as shown
    repeat: bool
    training: bool
    state: str  # open, finished, released
    version: int
    assigned: float
    touched: float
    finished: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rater is; repeats count as any other unit, since nobody may tell them apart."""

    done: int
    total: int  # with all that could still be given; others may be faster
    training_done: int
    training_total: int


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """How a rater did in training, by the first answers, which were given before any feedback."""

    within: int  # outputs that were scored as a careful rater would
    outputs: int  # of the pages finished so far
    passed: bool  # all finished, and enough of them within


def next_assignment(connection: Connection, rater_id: int, now: float) -> Assignment | None:
    """What this rater should do now; None if there is nothing, because all is done, closed, or training was failed."""
    if not connection.execute(_MAY_WORK, {"rater_id": rater_id}).scalar_one():
        return None
    settings = load_settings(connection)
    had = _had(connection, rater_id)
    current = next((given for given in had if given.state == "open"), None)
    if current is not None:
        return _resumed(connection, current, now)
    _release(connection, settings, now)
    lost = _lost(connection, settings, had)
    if lost is not None:
        return _resumed(connection, lost, now)
    training = _next_training(connection, had)
    if training is not None:
        return _assigned(connection, settings, rater_id, training, had, now, training=True)
    if not _let_on(connection, settings, rater_id, had):
        return None
    return _next_main(connection, settings, rater_id, had, now)


def assignment_of(connection: Connection, public: str, rater_id: int) -> Assignment:
    """An assignment of this rater. AccessError, in the same words, if it is another's or does not exist."""
    row = None
    if is_public_id(public):
        row = connection.execute(_own(), {"public_id": public, "rater_id": rater_id}).one_or_none()
    if row is None:
        msg = "no such page among yours"
        raise AccessError(msg)
    return _assignment(row)


def assignments_of(connection: Connection, rater_id: int) -> list[Assignment]:
    """All that this rater was given, in that order."""
    found = connection.execute(_select().where(assignments.c.rater == rater_id).order_by(assignments.c.place))
    return [_assignment(row) for row in found]


def release_idle(connection: Connection, now: float) -> int:
    """Take back the units whose raters have done nothing for too long; how many.

    Only those that somebody else could take: training and repeats wait for their rater.
    """
    return _release(connection, load_settings(connection), now)


def progress_of(connection: Connection, rater_id: int) -> Progress:
    """How much a rater has done, and how much there is to do."""
    settings = load_settings(connection)
    had = _had(connection, rater_id)
    kept = [given for given in had if given.main and given.state != "released"]
    more = count_needed(connection, settings, rater_id)
    if settings.units_per_rater:
        more = min(more, max(0, settings.units_per_rater - len(kept)))
    repeats = sum(given.repeat for given in had)
    finished = [given for given in had if given.state == "finished"]
    in_training = connection.execute(select(units.c.id).where(units.c.training)).all()
    return Progress(
        done=sum(not given.training for given in finished),
        total=len(kept) + more + max(repeats, repeats_for(settings.controls.repeats, len(kept) + more)),
        training_done=sum(given.training for given in finished),
        training_total=len(in_training),
    )


def may_be_given_more(connection: Connection, rater_id: int) -> bool:
    """Whether this rater has not had the share of one rater yet."""
    return _may_have_more(load_settings(connection), _had(connection, rater_id))


def training_result(connection: Connection, rater_id: int) -> TrainingResult:
    """How this rater did in training."""
    settings = load_settings(connection)
    in_training = set(connection.scalars(select(units.c.id).where(units.c.training)))
    judged = {
        given.unit: _judged(connection, settings, given.id) for given in _had(connection, rater_id) if given.training
    }
    marks = [mark for found in judged.values() if found is not None for mark in found]
    done = all(judged.get(unit) is not None for unit in in_training)
    enough = sum(marks) >= settings.pass_share * len(marks)
    return TrainingResult(within=sum(marks), outputs=len(marks), passed=done and enough)


# Statements that every page needs are put together once: that takes longer than the database needs for the answer.
_MAY_WORK = (
    select(and_(study.c.open, raters.c.left.is_(None)))
    .select_from(raters.join(study, study.c.id == 1))
    .where(raters.c.id == bindparam("rater_id"))
)
_HAD = (
    select(
        assignments.c.id,
        assignments.c.unit,
        units.c.item,
        assignments.c.place,
        assignments.c.repeat,
        units.c.training,
        assignments.c.state,
    )
    .join(units, units.c.id == assignments.c.unit)
    .where(assignments.c.rater == bindparam("rater_id"))
    .order_by(assignments.c.place)
)
_RELEASE = (
    update(assignments)
    .where(
        assignments.c.state == "open",
        assignments.c.touched < bindparam("before"),
        assignments.c.repeat == false(),
        assignments.c.unit.not_in(select(units.c.id).where(units.c.training)),
    )
    .values(state="released")
)
_ADD = insert(assignments).returning(assignments.c.id)


def _release(connection: Connection, settings: Settings, now: float) -> int:
    return connection.execute(_RELEASE, {"before": now - 3600 * settings.lease_hours}).rowcount


def _next_main(
    connection: Connection, settings: Settings, rater_id: int, had: Sequence[Given], now: float
) -> Assignment | None:
    again = due_repeat(settings, rater_id, had, last=False)
    if again is None and _may_have_more(settings, had):
        unit = fewest_raters(connection, settings, rater_id, had)
        if unit is not None:
            return _assigned(connection, settings, rater_id, unit, had, now)
    again = again or due_repeat(settings, rater_id, had, last=True)
    return None if again is None else _assigned(connection, settings, rater_id, again.unit, had, now, repeats=again)


def _lost(connection: Connection, settings: Settings, had: Sequence[Given]) -> Given | None:
    """The first unit that was taken back from this rater and is still needed."""
    released = [given for given in had if given.state == "released"]
    if not released:
        return None
    needed = needed_of(connection, settings, [given.unit for given in released if given.main])
    may = _may_have_more(settings, had)
    return next((given for given in released if not given.main or (may and given.unit in needed)), None)


def _may_have_more(settings: Settings, had: Sequence[Given]) -> bool:
    kept = sum(given.main and given.state != "released" for given in had)
    return not settings.units_per_rater or kept < settings.units_per_rater


def _next_training(connection: Connection, had: Sequence[Given]) -> int | None:
    if any(given.main for given in had):
        return None  # nobody gets there without all of the training
    in_training = connection.scalars(select(units.c.id).where(units.c.training).order_by(units.c.id))
    known = {given.unit for given in had}
    return next((unit for unit in in_training if unit not in known), None)


def _let_on(connection: Connection, settings: Settings, rater_id: int, had: Sequence[Given]) -> bool:
    # Asked once: whoever was let on stays so.
    if any(given.main for given in had):
        return True
    if settings.pass_share and not training_result(connection, rater_id).passed:
        return False
    return not settings.review or verdict_on(connection, rater_id) == "accepted"


def _judged(connection: Connection, settings: Settings, assignment_id: int) -> list[bool] | None:
    """For each answer on a training page whether it is as expected; None if the page was never finished."""
    unit = load_unit(connection, assignment_id)
    page = Page.start(unit, settings)
    for kept in log.history(connection, assignment_id):
        page = page.apply(kept.event, kept.sent)
        if isinstance(kept.event, Finish):
            if (item := training_item(settings, unit.source)) is not None:
                return [not faults_of(reference_of(page.answers, unit.source), item)]
            expected = expectations_of(connection, assignment_id)
            return _as_expected(page.answers, expected, settings.aspects[0].name)
    return None


def _as_expected(answers: Answers, expected: Mapping[str, Expectation], aspect: str) -> list[bool]:
    if aspect in answers.preferences:
        return [_fits(answers.preferences[aspect], expected)]
    scored = {card: given[aspect] for card, given in answers.scores.items() if aspect in given}
    return [card in scored and wish.low <= scored[card] <= wish.high for card, wish in expected.items()]


def _fits(preferred: str | None, expected: Mapping[str, Expectation]) -> bool:
    """Whether scores within the ranges could lead to this preference."""
    if preferred is None:
        return max(wish.low for wish in expected.values()) <= min(wish.high for wish in expected.values())
    return all(expected[preferred].high > wish.low for card, wish in expected.items() if card != preferred)


def _had(connection: Connection, rater_id: int) -> list[Given]:
    found = connection.execute(_HAD, {"rater_id": rater_id})
    return [Given(*row) for row in found]


def _assigned(
    connection: Connection,
    settings: Settings,
    rater_id: int,
    unit: int,
    had: Sequence[Given],
    now: float,
    *,
    training: bool = False,
    repeats: Given | None = None,
) -> Assignment:
    cards = json.loads(connection.execute(select(units.c.cards).where(units.c.id == unit)).scalar_one())
    before = () if repeats is None else _load(connection, repeats.id).order
    repeat = repeats is not None
    order = card_order(cards, seed=settings.seed, rater_id=rater_id, unit=unit, repeat=repeat, unlike=before)
    values: dict[str, Any] = {
        "public": new_public_id(),
        "rater": rater_id,
        "unit": unit,
        "place": max((given.place for given in had), default=0) + 1,
        "repeat": repeat,
        "state": "open",
        "version": 0,
        "assigned": now,
        "touched": now,
        "finished": None,
    }
    new_id = connection.execute(_ADD, {**values, "order": json.dumps(order)}).scalar_one()
    return Assignment(id=new_id, order=order, training=training, **values)


def _resumed(connection: Connection, given: Given, now: float) -> Assignment:
    """Lease it anew: whoever comes back must not lose it while looking at it."""
    connection.execute(update(assignments).where(assignments.c.id == given.id).values(state="open", touched=now))
    return _load(connection, given.id)


def _load(connection: Connection, assignment_id: int) -> Assignment:
    return _assignment(connection.execute(_select().where(assignments.c.id == assignment_id)).one())


def _select() -> Select[Any]:
    return select(*assignments.c, units.c.training).join(units, units.c.id == assignments.c.unit)


@functools.cache
def _own() -> Select[Any]:
    """Put together once: every event that a rater sends asks this."""
    return _select().where(assignments.c.public == bindparam("public_id"), assignments.c.rater == bindparam("rater_id"))


def _assignment(row: Row[Any]) -> Assignment:
    return Assignment(
        id=row.id,
        public=row.public,
        rater=row.rater,
        unit=row.unit,
        place=row.place,
        order=tuple(json.loads(row.order)),
        repeat=row.repeat,
        training=row.training,
        state=row.state,
        version=row.version,
        assigned=row.assigned,
        touched=row.touched,
        finished=row.finished,
    )
