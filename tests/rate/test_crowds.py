"""Many raters at once, each in a transaction of their own: no unit twice, none too often, none forgotten."""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import pytest
from sqlalchemy import Connection, select
from tests.rate.handing_out import bare_settings, finish, new_raters, raters_by_unit, save_bare_study
from tests.rate.playing import NOW

from plainwright.rate.settings import Controls
from plainwright.rate.store import people
from plainwright.rate.store.assignment import Assignment, next_assignment
from plainwright.rate.store.database import Database
from plainwright.rate.store.schema import assignments

THREADS = 16

Result = TypeVar("Result")


def alone(database: Database, work: Callable[[Connection], Result]) -> Result:
    """In a transaction of its own, on a connection of its own."""
    with database.writing() as connection:
        return work(connection)


def queued(database: Database, work: Callable[[Connection], Result]) -> Result:
    """As the server does it."""
    return database.submit(work).result(60)


def in_threads(jobs: list[Callable[[], None]]) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        for outcome in [pool.submit(job) for job in jobs]:
            outcome.result(120)


def do_all(database: Database, way: Callable[..., Assignment | None], rater: int) -> None:
    while (assignment := way(database, lambda connection: next_assignment(connection, rater, NOW))) is not None:
        way(database, lambda connection, assignment=assignment: finish(connection, assignment))


@pytest.mark.parametrize("number", [25, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("way", [alone, queued])
def test_raters_at_once_never_collide(database: Database, way: Callable[..., Assignment | None], number: int):
    with database.writing() as connection:
        # Just enough: three units for each rater, five raters for each unit.
        settings = bare_settings(raters_per_unit=5, units_per_rater=3)
        save_bare_study(connection, settings, items=number * 3 // 5, training=1)
        raters = new_raters(connection, number)
    in_threads([lambda rater=rater: do_all(database, way, rater) for rater in raters])
    with database.reading() as connection:
        assert set(raters_by_unit(connection).values()) == {5}
        had = connection.execute(select(assignments.c.rater, assignments.c.unit, assignments.c.place)).all()
    assert len(had) == number * 4
    assert len({(row.rater, row.unit) for row in had}) == len(had)
    assert set(Counter(row.rater for row in had).values()) == {4}
    assert {row.place for row in had} == {1, 2, 3, 4}


def test_many_tabs_of_one_rater_get_the_same_unit(database: Database):
    with database.writing() as connection:
        save_bare_study(connection, bare_settings(controls=Controls(repeats=0.5)), items=20)
        (rater,) = new_raters(connection, 1)
    start = threading.Barrier(THREADS)
    found: list[Assignment | None] = []

    def open_tab() -> None:
        start.wait()
        found.append(alone(database, lambda connection: next_assignment(connection, rater, NOW)))

    in_threads([open_tab] * THREADS)
    assert len(found) == THREADS
    assert len({assignment.id for assignment in found if assignment}) == 1


def test_raters_who_leave_in_the_middle_are_replaced(database: Database):
    with database.writing() as connection:
        save_bare_study(connection, bare_settings(raters_per_unit=3), items=30)
        stayers, leavers = new_raters(connection, 3), new_raters(connection, 12)

    def come_and_go(rater: int, *, erased: bool) -> None:
        for number in itertools.count():
            assignment = alone(database, lambda connection: next_assignment(connection, rater, NOW))
            if assignment is None or number == 2:
                break
            alone(database, lambda connection, assignment=assignment: finish(connection, assignment))
        alone(database, lambda connection: (people.erase if erased else people.leave)(connection, rater, NOW))

    in_threads(
        [lambda rater=rater: come_and_go(rater, erased=rater % 2 == 0) for rater in leavers]
        + [lambda rater=rater: do_all(database, alone, rater) for rater in stayers]
    )
    in_threads([lambda rater=rater: do_all(database, alone, rater) for rater in stayers])
    with database.reading() as connection:
        assert set(raters_by_unit(connection).values()) == {3}
        assert set(connection.scalars(select(assignments.c.state))) <= {"finished", "released"}
