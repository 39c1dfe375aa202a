"""Who gets which unit, when; on both databases."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import Connection, select
from tests.rate.handing_out import (
    ask,
    bare_settings,
    change_settings,
    do_all,
    do_one,
    finish,
    new_raters,
    raters_by_unit,
    save_bare_study,
    set_state,
    take_turns,
)
from tests.rate.playing import NOW, batch, whole_page
from tests.rate.studies import small_study

from plainwright.errors import AccessError, ClosedError
from plainwright.rate.events import Comment, Event, Finish, Prefer, Reopen, Score, Show
from plainwright.rate.settings import Controls
from plainwright.rate.store import log, people, schema
from plainwright.rate.store.assignment import (
    Assignment,
    Progress,
    TrainingResult,
    assignment_of,
    assignments_of,
    next_assignment,
    progress_of,
    release_idle,
    training_result,
)
from plainwright.rate.store.choosing import DISTANCE, card_order, repeats_for
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import expectations_of, load_settings, load_unit, save_study, set_open

HOUR = 3600.0


@pytest.fixture
def connection(database: Database):
    with database.writing() as connection:
        yield connection


# What comes first


def test_training_comes_first_and_in_order(connection: Connection):
    save_bare_study(connection, bare_settings(), items=2, training=3)
    (rater,) = new_raters(connection, 1)
    done = do_all(connection, rater)
    in_training = connection.scalars(
        select(schema.units.c.id).where(schema.units.c.training).order_by(schema.units.c.id)
    )
    assert [one.unit for one in done[:3]] == list(in_training)
    assert [one.training for one in done] == [True, True, True, False, False]
    assert [one.place for one in done] == [1, 2, 3, 4, 5]


def test_the_open_unit_comes_again_until_it_is_finished(connection: Connection):
    save_bare_study(connection, bare_settings(), items=3)
    (rater,) = new_raters(connection, 1)
    first = ask(connection, rater)
    assert ask(connection, rater) == first
    finish(connection, first)
    second = ask(connection, rater)
    assert second.unit != first.unit
    assert [one.id for one in assignments_of(connection, rater)] == [first.id, second.id]


def test_nothing_comes_after_everything(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1), items=2)
    first, second = new_raters(connection, 2)
    assert len(do_all(connection, first)) == 2
    assert next_assignment(connection, first, NOW) is None
    assert next_assignment(connection, second, NOW) is None


def test_nothing_comes_while_the_study_is_closed(connection: Connection):
    save_bare_study(connection, bare_settings(), items=2)
    (rater,) = new_raters(connection, 1)
    assignment = ask(connection, rater)
    set_open(connection, False)
    assert next_assignment(connection, rater, NOW) is None
    set_open(connection, True)
    assert ask(connection, rater) == assignment


def test_a_reopened_page_comes_before_the_one_at_hand(connection: Connection):
    save_bare_study(connection, bare_settings(), items=3)
    (rater,) = new_raters(connection, 1)
    first = do_one(connection, rater)
    second = ask(connection, rater)
    set_state(connection, first.id, "open", NOW)
    assert ask(connection, rater).id == first.id
    finish(connection, first)
    assert ask(connection, rater).id == second.id


# Who else has it


def test_units_with_the_fewest_raters_come_first(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=3), items=6)
    first, second, third = new_raters(connection, 3)
    had = {do_one(connection, first).unit for _ in range(4)}
    new = {do_one(connection, second).unit for _ in range(2)}
    assert had.isdisjoint(new)
    assert sorted(raters_by_unit(connection).values()) == [1] * 6
    assert {do_one(connection, third).unit for _ in range(6)} == had | new


def test_raters_begin_with_different_units(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=30), items=50)
    firsts = [ask(connection, rater).unit for rater in new_raters(connection, 30)]
    assert len(set(firsts)) == 30
    assert firsts != sorted(firsts)


def test_the_seed_decides_what_comes_first(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=30), items=50)
    (rater,) = new_raters(connection, 1)
    units = []
    for seed in range(5):
        change_settings(connection, bare_settings(raters_per_unit=30, seed=seed))
        with connection.begin_nested() as attempt:
            units.append([do_one(connection, rater).unit for _ in range(5)])
            attempt.rollback()
    assert len({tuple(found) for found in units}) == 5


@pytest.mark.parametrize(("items", "per_unit", "raters"), [(10, 3, 4), (7, 2, 5), (30, 5, 20), (5, 3, 3)])
def test_who_works_at_the_same_pace_does_the_same_amount(
    connection: Connection, items: int, per_unit: int, raters: int
):
    save_bare_study(connection, bare_settings(raters_per_unit=per_unit), items=items)
    done = take_turns(connection, new_raters(connection, raters))
    assert set(raters_by_unit(connection).values()) == {per_unit}
    assert max(done.values()) - min(done.values()) <= 2


def test_limits_hold_and_raters_who_reached_theirs_are_replaced(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=2, units_per_rater=3), items=6, training=2)
    raters = new_raters(connection, 5)
    for rater in raters[:4]:
        assert Counter(one.training for one in do_all(connection, rater)) == {True: 2, False: 3}
    assert set(raters_by_unit(connection).values()) == {2}
    assert all(one.training for one in do_all(connection, raters[4]))


@pytest.mark.parametrize("seed", range(8))
def test_limits_that_just_suffice_do_suffice_in_any_order_of_work(connection: Connection, seed: int):
    """6 raters with 10 units each are 3 for each of 20 units; the fewest raters alone get stuck in 9 of 20 orders."""
    save_bare_study(connection, bare_settings(raters_per_unit=3, units_per_rater=10), items=20, training=1)
    working = new_raters(connection, 6)
    pace = random.Random(seed)
    while working:
        rater = pace.choice(working)
        assignment = next_assignment(connection, rater, NOW)
        if assignment is None:
            working.remove(rater)
        else:
            finish(connection, assignment)
    assert set(raters_by_unit(connection).values()) == {3}


def test_more_raters_for_each_unit_bring_finished_raters_back(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1), items=4)
    first, second = new_raters(connection, 2)
    do_all(connection, first)
    assert next_assignment(connection, second, NOW) is None
    change_settings(connection, bare_settings(raters_per_unit=2))
    assert len(do_all(connection, second)) == 4


# Coming and going


def test_what_was_left_idle_goes_to_another(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1, lease_hours=24), items=1)
    idle, other = new_raters(connection, 2)
    lost = ask(connection, idle)
    assert next_assignment(connection, other, NOW + 24 * HOUR) is None
    found = ask(connection, other, NOW + 24 * HOUR + 1)
    assert found.unit == lost.unit
    assert assignment_of(connection, lost.public, idle).state == "released"
    finish(connection, found)
    assert next_assignment(connection, idle, NOW + 25 * HOUR) is None


def test_who_comes_back_gets_the_unit_with_the_work_if_it_is_still_needed(connection: Connection):
    save_study(connection, *small_study(items=1, raters_per_unit=1, lease_hours=1), NOW)
    rater, other = new_raters(connection, 2)
    lost = ask(connection, rater)
    log.append(connection, lost.id, batch(0, Show(), Comment("so far")), NOW)
    assert release_idle(connection, NOW + 2 * HOUR) == 1
    assert release_idle(connection, NOW + 2 * HOUR) == 0
    with pytest.raises(ClosedError):
        log.append(connection, lost.id, batch(2, Comment("more")), NOW + 2 * HOUR)
    again = ask(connection, rater, NOW + 3 * HOUR)
    assert (again.id, again.state, again.touched) == (lost.id, "open", NOW + 3 * HOUR)
    assert log.work_of(connection, again.id).answers.comment == "so far"
    assert next_assignment(connection, other, NOW + 3 * HOUR) is None
    assert log.audit(connection) == []


def test_who_comes_back_too_late_gets_another_unit(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1, lease_hours=1), items=3)
    rater, other = new_raters(connection, 2)
    lost = ask(connection, rater)
    taken = {do_one(connection, other, NOW + 2 * HOUR).unit for _ in range(2)}
    if lost.unit not in taken:
        taken.add(do_one(connection, other, NOW + 2 * HOUR).unit)
    assert lost.unit in taken
    rest = do_all(connection, rater, NOW + 3 * HOUR)
    assert lost.unit not in {one.unit for one in rest}
    assert set(raters_by_unit(connection).values()) == {1}


def test_a_unit_that_is_needed_again_goes_back_to_who_lost_it(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1, lease_hours=1), items=1)
    rater, other = new_raters(connection, 2)
    lost = ask(connection, rater)
    ask(connection, other, NOW + 2 * HOUR)
    assert next_assignment(connection, rater, NOW + 2 * HOUR) is None
    people.leave(connection, other, NOW + 2 * HOUR)
    assert ask(connection, rater, NOW + 2 * HOUR).id == lost.id


def test_who_has_reached_the_limit_gets_nothing_back(connection: Connection):
    settings = bare_settings(raters_per_unit=1, units_per_rater=1, lease_hours=1)
    save_bare_study(connection, settings, items=2)
    rater, other = new_raters(connection, 2)
    lost = ask(connection, rater)
    with_other = ask(connection, other, NOW + 2 * HOUR)
    assert with_other.unit == lost.unit  # by this seed
    do_one(connection, rater, NOW + 2 * HOUR)
    people.leave(connection, other, NOW + 2 * HOUR)
    assert raters_by_unit(connection)[lost.unit] == 0
    assert next_assignment(connection, rater, NOW + 2 * HOUR) is None


def test_coming_back_in_time_leases_anew(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1, lease_hours=1), items=1)
    rater, other = new_raters(connection, 2)
    ask(connection, rater)
    ask(connection, rater, NOW + 50 * 60)
    assert next_assignment(connection, other, NOW + 100 * 60) is None


def test_an_unnoticed_lateness_is_forgiven(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1, lease_hours=1), items=1)
    rater, other = new_raters(connection, 2)
    first = ask(connection, rater)
    assert ask(connection, rater, NOW + 100 * HOUR).id == first.id
    assert next_assignment(connection, other, NOW + 100 * HOUR) is None


def test_training_and_repeats_wait_for_their_rater(connection: Connection):
    settings = bare_settings(raters_per_unit=1, lease_hours=1, controls=Controls(repeats=1.0))
    save_bare_study(connection, settings, items=3, training=1)
    (rater,) = new_raters(connection, 1)
    in_training = ask(connection, rater)
    assert release_idle(connection, NOW + 9 * HOUR) == 0
    assert ask(connection, rater, NOW + 9 * HOUR).id == in_training.id
    finish(connection, in_training)
    while not (assignment := ask(connection, rater, NOW + 9 * HOUR)).repeat:
        finish(connection, assignment, NOW + 9 * HOUR)
    assert release_idle(connection, NOW + 99 * HOUR) == 0


def test_who_left_is_replaced_but_finished_work_stays(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1), items=3)
    leaver, other = new_raters(connection, 2)
    done = do_one(connection, leaver)
    at_hand = ask(connection, leaver)
    people.leave(connection, leaver, NOW)
    assert next_assignment(connection, leaver, NOW) is None
    taken = {one.unit for one in do_all(connection, other)}
    assert at_hand.unit in taken
    assert done.unit not in taken


def test_who_was_erased_is_replaced_altogether(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=1), items=3)
    leaver, other = new_raters(connection, 2)
    do_all(connection, leaver)
    assert next_assignment(connection, other, NOW) is None
    people.erase(connection, leaver, NOW)
    assert next_assignment(connection, leaver, NOW) is None
    assert len(do_all(connection, other)) == 3


# Repeats


@pytest.mark.parametrize(
    ("share", "items", "repeats"), [(0.1, 30, 3), (0.1, 31, 4), (0.25, 12, 3), (0.1, 8, 1), (0, 9, 0)]
)
def test_a_share_of_units_comes_twice(connection: Connection, share: float, items: int, repeats: int):
    save_bare_study(connection, bare_settings(controls=Controls(repeats=share)), items=items, training=2)
    for rater in new_raters(connection, 3):
        done = do_all(connection, rater)
        again = [one for one in done if one.repeat]
        assert len(again) == repeats
        assert not any(one.training for one in again)
        place = {one.unit: one.place for one in done if not one.repeat}
        assert all(one.place - place[one.unit] > DISTANCE for one in again)


def test_repeats_are_spread_among_the_rest_and_not_always_of_the_first(connection: Connection):
    settings = bare_settings(raters_per_unit=8, controls=Controls(repeats=0.2))
    save_bare_study(connection, settings, items=40)
    places, originals = Counter[int](), Counter[int]()
    for rater in new_raters(connection, 8):
        done = do_all(connection, rater)
        before = {one.unit: one.place for one in done if not one.repeat}
        again = [one for one in done if one.repeat]
        places.update(one.place for one in again)
        originals.update(before[one.unit] for one in again)
        # 8 repeats for 40 units: one after every fifth, with up to one more before the first.
        assert max(later.place - earlier.place for earlier, later in itertools.pairwise(again)) <= 10
    assert len(places) > 15
    assert len(originals) > 15
    assert sum(count for place, count in originals.items() if place > 20) > 8


@pytest.mark.parametrize(("items", "repeats"), [(1, 0), (2, 0), (3, 3), (5, 5)])
def test_small_studies_repeat_as_late_as_they_can(connection: Connection, items: int, repeats: int):
    save_bare_study(connection, bare_settings(controls=Controls(repeats=1.0)), items=items)
    (rater,) = new_raters(connection, 1)
    done = do_all(connection, rater)
    place = {one.unit: one.place for one in done if not one.repeat}
    assert sum(one.repeat for one in done) == repeats
    assert all(one.place - place[one.unit] > 2 for one in done if one.repeat)


def test_repeats_count_neither_for_units_nor_for_limits(connection: Connection):
    settings = bare_settings(raters_per_unit=2, units_per_rater=6, controls=Controls(repeats=0.5))
    save_bare_study(connection, settings, items=6)
    for rater in new_raters(connection, 2):
        assert Counter(one.repeat for one in do_all(connection, rater)) == {False: 6, True: 3}
    assert set(raters_by_unit(connection).values()) == {2}


def test_shares_are_counted_without_rounding_errors():
    assert [repeats_for(0.1, units) for units in (2, 3, 10, 11, 30, 70)] == [0, 1, 1, 2, 3, 7]


# Sources and cards


@pytest.mark.parametrize(("items", "units_per_item"), [(2, 6), (3, 5), (10, 4)])
def test_a_source_comes_again_as_late_as_possible(connection: Connection, items: int, units_per_item: int):
    settings = bare_settings(form="likert", raters_per_unit=3)
    save_bare_study(connection, settings, items=items, units_per_item=units_per_item, cards=1)
    item_of = {row.id: row.item for row in connection.execute(select(schema.units))}
    for rater in new_raters(connection, 3):
        seen = [item_of[one.unit] for one in do_all(connection, rater)]
        assert len(seen) == items * units_per_item
        gap = min(items, 6)
        assert all(len(set(seen[start : start + gap])) == gap for start in range(len(seen) - gap - units_per_item))


def test_each_rater_sees_cards_in_an_order_of_their_own(connection: Connection):
    save_bare_study(connection, bare_settings(raters_per_unit=10), items=1, cards=8)
    orders = [ask(connection, rater).order for rater in new_raters(connection, 10)]
    assert len(set(orders)) == 10
    assert all(sorted(order) == list(range(8)) for order in orders)


def test_the_order_is_that_of_seed_rater_and_unit(connection: Connection):
    save_bare_study(connection, bare_settings(seed=7), items=1, cards=8)
    (rater,) = new_raters(connection, 1)
    found = ask(connection, rater)
    assert found.order == card_order(range(8), seed=7, rater_id=rater, unit=found.unit, repeat=False)
    others = {
        card_order(range(8), seed=seed, rater_id=rater_id, unit=unit, repeat=repeat)
        for seed in (7, 8)
        for rater_id in (1, 2)
        for unit in (1, 2)
        for repeat in (False, True)
    }
    assert len(others) == 16


@pytest.mark.parametrize("cards", [2, 3, 8])
def test_a_repeat_shows_another_order(connection: Connection, cards: int):
    save_bare_study(connection, bare_settings(controls=Controls(repeats=1.0)), items=8, cards=cards)
    for rater in new_raters(connection, 3):
        done = do_all(connection, rater)
        first = {one.unit: one.order for one in done if not one.repeat}
        again = {one.unit: one.order for one in done if one.repeat}
        assert len(again) == 8
        assert all(again[unit] != first[unit] and sorted(again[unit]) == sorted(first[unit]) for unit in again)


def test_a_single_card_can_be_repeated():
    assert card_order([5], seed=1, rater_id=1, unit=1, repeat=True, unlike=[5]) == (5,)


# Training


def answer_training(connection: Connection, assignment: Assignment, *, right: bool) -> None:
    """Every score as expected, or at the other end of the scale."""
    settings = load_settings(connection)
    events: list[Event] = []
    for card, expected in expectations_of(connection, assignment.id).items():
        for aspect in settings.aspects:
            ends = (aspect.scale.low, aspect.scale.high)
            wrong = next(end for end in ends if not expected.low <= end <= expected.high)
            events.append(Score(card, aspect.name, expected.low if right else wrong))
    log.append(connection, assignment.id, batch(0, *events, Finish(confirmed=True)), NOW)


@pytest.mark.parametrize("form", ["rank", "likert"])
def test_who_rates_the_training_as_expected_is_let_on(connection: Connection, form: str):
    save_study(connection, *small_study(form, items=1, training=1, pass_share=1.0), NOW)
    (rater,) = new_raters(connection, 1)
    assert training_result(connection, rater) == TrainingResult(within=0, outputs=0, passed=False)
    while (assignment := ask(connection, rater)).training:
        assert not training_result(connection, rater).passed
        answer_training(connection, assignment, right=True)
    assert training_result(connection, rater) == TrainingResult(within=2, outputs=2, passed=True)


@pytest.mark.parametrize(
    ("share", "right", "let_on"), [(0.5, 0, False), (0.5, 1, True), (0.51, 1, False), (0.0, 0, True)]
)
def test_the_share_within_the_ranges_decides(connection: Connection, share: float, right: int, let_on: bool):
    save_study(connection, *small_study("likert", items=1, training=1, pass_share=share), NOW)
    (rater,) = new_raters(connection, 1)
    for number in range(2):
        answer_training(connection, ask(connection, rater), right=number < right)
    assert training_result(connection, rater) == TrainingResult(within=right, outputs=2, passed=let_on)
    assert (next_assignment(connection, rater, NOW) is not None) == let_on


def test_answers_that_were_changed_after_the_feedback_do_not_count(connection: Connection):
    save_study(connection, *small_study(items=1, training=1, pass_share=1.0), NOW)
    (rater,) = new_raters(connection, 1)
    assignment = ask(connection, rater)
    answer_training(connection, assignment, right=False)
    version = log.work_of(connection, assignment.id).version
    better = [
        Score(card, load_settings(connection).aspects[0].name, expected.low)
        for card, expected in expectations_of(connection, assignment.id).items()
    ]
    log.append(connection, assignment.id, batch(version, Reopen(), *better, Finish(confirmed=True)), NOW)
    assert training_result(connection, rater) == TrainingResult(within=0, outputs=2, passed=False)
    assert next_assignment(connection, rater, NOW) is None


def test_studies_without_training_let_everybody_on(connection: Connection):
    save_study(connection, *small_study(items=1, pass_share=1.0), NOW)
    (rater,) = new_raters(connection, 1)
    assert training_result(connection, rater) == TrainingResult(within=0, outputs=0, passed=True)
    assert not ask(connection, rater).training


@pytest.mark.parametrize(("choice", "within"), [("better", 1), ("worse", 0), (None, 0)])
def test_a_preference_in_training_has_to_fit_the_ranges(connection: Connection, choice: str | None, within: int):
    save_study(connection, *small_study("pairwise", items=1, training=1, pass_share=1.0), NOW)
    (rater,) = new_raters(connection, 1)
    assignment = ask(connection, rater)
    worse, better = sorted(expectations_of(connection, assignment.id).items(), key=lambda one: one[1].low)
    card = {"better": better[0], "worse": worse[0], None: None}[choice]
    preferred = [Prefer(aspect.name, card) for aspect in load_settings(connection).aspects]
    log.append(connection, assignment.id, batch(0, *preferred, Finish()), NOW)
    assert training_result(connection, rater) == TrainingResult(within=within, outputs=1, passed=within == 1)


# Pages


def test_a_page_opens_only_for_its_rater(connection: Connection):
    save_bare_study(connection, bare_settings(), items=3)
    mine, other = new_raters(connection, 2)
    assignment = ask(connection, mine)
    assert assignment_of(connection, assignment.public, mine) == assignment
    sentences = set()
    for public, rater in [
        (assignment.public, other),
        (assignment.public, 999),
        *((wrong, mine) for wrong in ("", "x", "\0", "\ud800", "' OR 1=1 --", "../..", "a" * 100_000)),
    ]:
        with pytest.raises(AccessError) as refusal:
            assignment_of(connection, public, rater)
        sentences.add(str(refusal.value))
    assert len(sentences) == 1


def test_a_whole_page_finishes_through_the_log(connection: Connection):
    save_study(connection, *small_study(items=2), NOW)
    (rater,) = new_raters(connection, 1)
    first = ask(connection, rater)
    assert {card.id for card in load_unit(connection, first.id).cards} == public_ids(connection, first)
    log.append(connection, first.id, batch(0, *whole_page(connection, first.id)), NOW)
    found = assignment_of(connection, first.public, rater)
    assert (found.state, found.finished) == ("finished", NOW)
    assert ask(connection, rater).unit != first.unit


def public_ids(connection: Connection, assignment: Assignment) -> set[str]:
    return set(connection.scalars(select(schema.cards.c.public).where(schema.cards.c.id.in_(assignment.order))))


# Progress


def test_progress_counts_what_is_done_and_what_could_come(connection: Connection):
    settings = bare_settings(raters_per_unit=2, controls=Controls(repeats=0.2))
    save_bare_study(connection, settings, items=10, training=2)
    rater, other = new_raters(connection, 2)
    assert progress_of(connection, rater) == Progress(0, 12, 0, 2)
    do_one(connection, rater)
    ask(connection, rater)
    assert progress_of(connection, rater) == Progress(0, 12, 1, 2)
    do_all(connection, rater)
    assert progress_of(connection, rater) == Progress(12, 12, 2, 2)
    change_settings(connection, replace(settings, raters_per_unit=1))
    assert progress_of(connection, other) == Progress(0, 0, 0, 2)


def test_progress_knows_limits(connection: Connection):
    settings = bare_settings(raters_per_unit=2, units_per_rater=4, controls=Controls(repeats=0.25))
    save_bare_study(connection, settings, items=10)
    (rater,) = new_raters(connection, 1)
    for done in range(5):
        assert progress_of(connection, rater) == Progress(done, 5, 0, 0)
        do_one(connection, rater)
    assert progress_of(connection, rater) == Progress(5, 5, 0, 0)
    assert next_assignment(connection, rater, NOW) is None
