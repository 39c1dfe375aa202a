"""Raters who come, work, idle, go back, leave and are erased in any order: what must hold at every moment."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select
from tests.rate.handing_out import (
    bare_settings,
    change_settings,
    finish,
    raters_by_unit,
    save_bare_study,
    set_state,
    take_turns,
)
from tests.rate.playing import NOW

from plainwright.rate.settings import Controls
from plainwright.rate.store import people, schema
from plainwright.rate.store.assignment import (
    Assignment,
    assignments_of,
    next_assignment,
    progress_of,
    release_idle,
)
from plainwright.rate.store.database import Database

HOUR = 3600.0


class StudyAtWork(RuleBasedStateMachine):
    """One study; each run is a transaction that is taken back at the end."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.connection = database._engines.writing.connect()
        if database.dialect == "postgresql":
            # Chance depends on ids: they must be the same when a run is repeated.
            for table in ("items", "units", "raters"):
                self.connection.exec_driver_sql(f"ALTER SEQUENCE {table}_id_seq RESTART")
        self.now = NOW
        self.raters: list[int] = []
        self.had: dict[int, list[Assignment]] = {}  # what each rater was given, by place

    def teardown(self) -> None:
        try:
            if hasattr(self, "study"):
                self.check_the_end()
        finally:
            self.connection.rollback()
            self.connection.close()

    @initialize(
        items=st.integers(1, 4),
        units_per_item=st.integers(1, 2),
        raters_per_unit=st.integers(1, 2),
        units_per_rater=st.sampled_from([0, 0, 3, 6]),
        repeats=st.sampled_from([0.0, 0.2, 1.0]),
        training=st.sampled_from([0, 0, 1]),
        seed=st.integers(0, 3),
        raters=st.integers(1, 3),
    )
    def start(
        self,
        items: int,
        units_per_item: int,
        raters_per_unit: int,
        units_per_rater: int,
        repeats: float,
        training: int,
        seed: int,
        raters: int,
    ) -> None:
        self.study = bare_settings(
            raters_per_unit=raters_per_unit,
            units_per_rater=units_per_rater,
            controls=Controls(repeats=repeats),
            seed=seed,
        )
        save_bare_study(
            self.connection, self.study, items=items, units_per_item=units_per_item, cards=2, training=training
        )
        self.units = {row.id: row for row in self.connection.execute(select(schema.units))}
        for _ in range(raters):
            self.join()

    @precondition(lambda self: len(self.raters) < 5)
    @rule()
    def join(self) -> None:
        rater = people.add_rater(self.connection, "", self.now).id
        self.raters.append(rater)
        self.had[rater] = []

    @precondition(lambda self: self.raters)
    @rule(data=st.data(), then_finish=st.booleans())
    def ask(self, data: st.DataObject, then_finish: bool) -> None:
        rater = data.draw(st.sampled_from(self.raters))
        mine = {one.unit for one in assignments_of(self.connection, rater)}
        found = next_assignment(self.connection, rater, self.now)
        if found is None:
            return
        assert found.state == "open"
        if found.place > len(self.had[rater]):
            self.check_new(rater, found, mine)
            self.had[rater].append(found)
        else:
            known = self.had[rater][found.place - 1]
            assert (found.id, found.unit, found.order) == (known.id, known.unit, known.order)
        if then_finish:
            finish(self.connection, found, self.now)

    @precondition(lambda self: self.raters)
    @rule(data=st.data())
    def reopen(self, data: st.DataObject) -> None:
        rater = data.draw(st.sampled_from(self.raters))
        finished = [one for one in assignments_of(self.connection, rater) if one.state == "finished"]
        if finished:
            set_state(self.connection, data.draw(st.sampled_from(finished)).id, "open", self.now)

    @rule(hours=st.sampled_from([1.0, 25.0]))
    def wait(self, hours: float) -> None:
        self.now += hours * HOUR

    @precondition(lambda self: len(self.raters) > 2)
    @rule(data=st.data(), erased=st.booleans())
    def leave(self, data: st.DataObject, erased: bool) -> None:
        rater = data.draw(st.sampled_from(self.raters))
        self.raters.remove(rater)
        (people.erase if erased else people.leave)(self.connection, rater, self.now)
        assert next_assignment(self.connection, rater, self.now) is None

    @precondition(lambda self: len(self.raters) > 3 and self.study.raters_per_unit < 3)
    @rule()
    def want_more(self) -> None:
        self.study = replace(self.study, raters_per_unit=self.study.raters_per_unit + 1)
        change_settings(self.connection, self.study)

    @invariant()
    def nobody_collides(self) -> None:
        if not hasattr(self, "study"):
            return
        taken = raters_by_unit(self.connection)
        assert all(count <= self.study.raters_per_unit for count in taken.values())

    @invariant()
    def nobody_has_too_much(self) -> None:
        for rater in self.raters:
            had = assignments_of(self.connection, rater)
            assert [one.place for one in had] == list(range(1, len(had) + 1))
            assert max(Counter((one.unit, one.repeat) for one in had).values(), default=1) == 1
            main = [one for one in had if not one.repeat and not one.training and one.state != "released"]
            assert not self.study.units_per_rater or len(main) <= self.study.units_per_rater

    def check_new(self, rater: int, found: Assignment, mine: set[int]) -> None:
        had = self.had[rater]
        assert sorted(found.order) == sorted(json.loads(self.units[found.unit].cards))
        if found.training:
            assert not any(not one.training for one in had)
        elif found.repeat:
            (original,) = (one for one in had if one.unit == found.unit)
            assert not original.training
            assert found.place - original.place > 2
            assert found.order != original.order
        else:
            assert found.unit not in mine
            self.check_choice(rater, found, mine)

    def check_choice(self, rater: int, found: Assignment, mine: set[int]) -> None:
        """Not the source just seen, if there is another; of those not seen lately, one with the fewest raters."""
        now = raters_by_unit(self.connection)  # after those who were idle had to give back
        now[found.unit] -= 1
        free = [unit for unit, count in now.items() if count < self.study.raters_per_unit and unit not in mine]
        item_of = {unit: row.item for unit, row in self.units.items()}
        recent = [item_of[one.unit] for one in self.had[rater][-5:]]
        if recent and any(item_of[unit] != recent[-1] for unit in free):
            assert item_of[found.unit] != recent[-1]
        fresh = [unit for unit in free if item_of[unit] not in recent]
        if fresh:
            assert found.unit in fresh
            assert now[found.unit] == min(now[unit] for unit in fresh)

    def check_the_end(self) -> None:
        """Once everybody has done what there was, no unit lacks a rater that somebody could have been."""
        self.now += 48 * HOUR  # those who left something open lose it, or come back for it
        release_idle(self.connection, self.now)
        for _ in range(2):  # those who were done early may be needed again
            take_turns(self.connection, self.raters, self.now)
        finished = {
            rater: [one for one in assignments_of(self.connection, rater) if one.state == "finished"]
            for rater in self.raters
        }
        limit = self.study.units_per_rater
        for unit, count in raters_by_unit(self.connection).items():
            for done in finished.values():
                main = [one.unit for one in done if not one.repeat and not one.training]
                assert count == self.study.raters_per_unit or unit in main or (limit and len(main) == limit)
        for rater in self.raters:
            progress = progress_of(self.connection, rater)
            assert (progress.done, progress.training_done) == (progress.total, progress.training_total)


def examples(database: Database) -> int:
    return 40 if database.dialect == "sqlite" else 10


def test_any_coming_and_going_keeps_the_balance(database: Database):
    run_state_machine_as_test(
        lambda: StudyAtWork(database),
        settings=settings(
            max_examples=examples(database),
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
