"""Counts, medians and durations behind the organiser's page; no database."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rate.overview.demand import demand_of
from plainwright.rate.overview.pace import Pace, median_of
from plainwright.rate.overview.phrases import ago, counted, duration, moment, span


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "0 s"),
        (-5, "0 s"),
        (45, "45 s"),
        (59.4, "59 s"),
        (59.6, "1 min"),
        (60.4, "1 min"),
        (89, "1 min 29 s"),
        (599.4, "9 min 59 s"),
        (599.6, "10 min"),
        (840, "14 min"),
        (3570, "1 h"),
        (4800, "1 h 20 min"),
        (7200, "2 h"),
        (86399, "1 d"),
        (100_000, "1 d 4 h"),
        (273_600, "3 d 4 h"),
    ],
)
def test_durations_as_people_say_them(seconds, said):
    assert duration(seconds) == said


@given(st.floats(0, 1e8))
def test_a_duration_is_never_far_from_what_it_says(seconds):
    sizes = {"d": 86400, "h": 3600, "min": 60, "s": 1}
    words = duration(seconds).split()
    said = sum(int(number) * sizes[unit] for number, unit in zip(words[::2], words[1::2], strict=True))
    assert abs(said - seconds) <= (0.5 if seconds < 599.5 else 30 if seconds < 86370 else 1800)


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (-5, "just now"),
        (30, "just now"),
        (90, "2 min ago"),
        (5400, "90 min ago"),
        (7300, "2 h ago"),
        (108_000, "30 h ago"),
        (180_000, "2 d ago"),
    ],
)
def test_how_long_ago(gone, said):
    assert ago(1_000_000, 1_000_000 + gone) == said


def test_spans_moments_and_counts():
    assert span(60, 60.3) == "1 min"
    assert span(61, 180) == "1 min 1 s to 3 min"
    assert moment(0) == "1970-01-01 00:00:00 UTC"
    assert counted(1, "page") == "1 page"
    assert counted(1200, "page") == "1,200 pages"


def test_too_few_pages_have_no_median():
    found = median_of([10, 20])
    assert found.value is None
    assert found.problem == "it takes 3 finished pages to tell, and only 2 were"


def test_a_median_of_few_pages_has_no_interval():
    # Of five values, both ends leave out 2 / 2**5 = 6 %, more than 5 %.
    assert median_of([5, 1, 3, 2, 4]).interval is None
    assert median_of([5, 1, 3, 2, 4]).value == 3


def test_the_interval_of_a_median_by_hand():
    # Of ten values: 1 + 10 of 1,024 outcomes have at most one below (1.1 %), 1 + 10 + 45 at most two (5.5 %).
    interval = median_of(list(range(1, 11))).interval
    assert (interval.low, interval.high) == (2, 9)


@given(st.lists(st.floats(0, 1e6), min_size=3, max_size=60))
def test_a_median_lies_in_its_interval(values):
    found = median_of(values)
    assert sum(v <= found.value for v in values) >= len(values) / 2
    if found.interval is not None:
        assert found.interval.low <= found.value <= found.interval.high


def test_time_left_is_the_time_of_the_pages():
    pace = Pace(seconds=median_of([60.0] * 10), last_day=3)
    assert pace.time_for(20).value == 1200
    assert pace.time_for(20).interval.low == 1200
    assert Pace(seconds=median_of([]), last_day=0).time_for(20).value is None


def test_what_is_wanted_by_hand():
    had = [(1, 10, "finished"), (1, 11, "open"), (2, 10, "finished"), (3, 10, "finished"), (2, 12, "released")]
    found = demand_of([10, 11, 12], had, active=[1, 2, 3], raters_per_unit=2, units_per_rater=0)
    assert (found.needed, found.finished, found.under_way, found.left) == (6, 2, 1, 4)  # the third of unit 10 is extra
    assert found.available == {1: 1, 2: 2, 3: 2}  # unit 11 lacks one, 12 two; rater 1 is at 11
    assert found.more_raters == 0


def test_a_unit_that_too_few_have_not_seen_needs_somebody_new():
    had = [(1, 10, "finished"), (2, 10, "finished")]
    found = demand_of([10], had, active=[1, 2], raters_per_unit=3, units_per_rater=0)
    assert found.more_raters == 1


def test_raters_with_a_limit_do_only_so_much():
    found = demand_of(range(10), [], active=[1], raters_per_unit=1, units_per_rater=4)
    assert found.available == {1: 4}
    assert found.more_raters == 2  # six pages, four a rater


@st.composite
def halfway(draw):
    units, raters = draw(st.integers(1, 6)), draw(st.integers(0, 6))
    pairs = [(r, u) for r in range(raters) for u in range(units)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    had = [(r, u, draw(st.sampled_from(["open", "finished", "released"]))) for r, u in chosen]
    return units, raters, had, draw(st.integers(1, 4)), draw(st.integers(0, 6))


@given(halfway())
def test_enough_new_raters_are_enough_and_fewer_never_are(study):
    """Against a search: give pages greedily, most wanted units first, until nothing can be given."""
    units, raters, had, wanted, limit = study
    found = demand_of(range(units), had, active=range(raters), raters_per_unit=wanted, units_per_rater=limit)
    assert 0 <= found.finished <= found.finished + found.under_way <= found.needed
    assert _left_over(units, raters + 20 * wanted * units, had, wanted, limit) == 0
    if found.more_raters:
        assert _left_over(units, raters + found.more_raters - 1, had, wanted, limit) > 0


def _left_over(units, raters, had, wanted, limit) -> int:
    """Pages that nobody can take, by maximum flow from raters to units; each pair at most once."""
    met = {(r, u) for r, u, state in had if state != "released"}
    busy = [sum(1 for _, u, state in had if u == unit and state != "released") for unit in range(units)]
    lack = [max(0, wanted - count) for count in busy]
    room = [(limit - sum(1 for r, u in met if r == rater)) if limit else units for rater in range(raters)]
    given_to: list[set[int]] = [set() for _ in range(units)]

    def place(unit: int, seen: set[int]) -> bool:
        for rater in range(raters):
            if (rater, unit) in met or rater in given_to[unit] or rater in seen:
                continue
            seen.add(rater)
            load = [u for u in range(units) if rater in given_to[u]]
            if len(load) < room[rater]:
                given_to[unit].add(rater)
                return True
            for other in load:
                if place(other, seen):
                    given_to[other].discard(rater)
                    given_to[unit].add(rater)
                    return True
        return False

    return sum(not place(unit, set()) for unit in range(units) for _ in range(lack[unit]))


def test_an_empty_study_is_done():
    found = demand_of([], [], active=[], raters_per_unit=3, units_per_rater=0)
    assert found.share == 1
    assert math.isclose(found.left, 0)
