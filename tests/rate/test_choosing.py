"""Repeats and orders, without a database."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.rate.handing_out import bare_settings

from plainwright.rate.settings import Controls
from plainwright.rate.store.choosing import DISTANCE, Given, card_order, due_repeat, repeats_for


def work_through(share: float, units: int, *, training: int, units_per_item: int, rater: int) -> list[Given]:
    """All that a rater has who does so many units, one after the other, and the repeats that are due between them."""
    settings = bare_settings(controls=Controls(repeats=share))
    had = [done(place, unit=-place, training=True) for place in range(1, training + 1)]
    left = list(range(units, 0, -1))
    while True:
        again = due_repeat(settings, rater, had, last=not left)
        if again is not None:
            had.append(done(len(had) + 1, unit=again.unit, item=again.item, repeat=True))
        elif left:
            unit = left.pop()
            had.append(done(len(had) + 1, unit=unit, item=unit % (1 + units // units_per_item)))
        else:
            return had


def done(place: int, *, unit: int, item: int = -1, repeat: bool = False, training: bool = False) -> Given:
    return Given(id=place, unit=unit, item=item, place=place, repeat=repeat, training=training, state="finished")


@given(
    share=st.floats(0, 1),
    units=st.integers(1, 40),
    training=st.integers(0, 3),
    units_per_item=st.integers(1, 5),
    rater=st.integers(1, 1000),
)
def test_repeats_are_as_many_as_promised_and_far_enough(
    share: float, units: int, training: int, units_per_item: int, rater: int
):
    had = work_through(share, units, training=training, units_per_item=units_per_item, rater=rater)
    first = {one.unit: one for one in had if not one.repeat}
    again = [one for one in had if one.repeat]
    assert len(again) == repeats_for(share, units)
    assert len({one.unit for one in again}) == len(again)
    assert all(first[one.unit].main for one in again)
    least = 3 if units <= DISTANCE + 1 else DISTANCE
    assert all(one.place - first[one.unit].place >= least for one in again)


@given(share=st.floats(0, 0.5), units=st.integers(20, 60), rater=st.integers(1, 1000))
def test_few_repeats_are_kept_for_the_end(share: float, units: int, rater: int):
    had = work_through(share, units, training=0, units_per_item=1, rater=rater)
    last = max(one.place for one in had if one.main)
    assert sum(one.place > last for one in had) < share * (DISTANCE + 1) + 2


@given(
    cards=st.lists(st.integers(), min_size=1, max_size=8, unique=True),
    seed=st.integers(0, 100),
    rater=st.integers(1, 100),
    unit=st.integers(1, 100),
)
def test_orders_are_permutations_and_repeats_differ(cards: list[int], seed: int, rater: int, unit: int):
    first = card_order(cards, seed=seed, rater_id=rater, unit=unit, repeat=False)
    again = card_order(cards, seed=seed, rater_id=rater, unit=unit, repeat=True, unlike=first)
    assert sorted(first) == sorted(again) == sorted(cards)
    assert (first != again) == (len(cards) > 1)
    assert first == card_order(cards, seed=seed, rater_id=rater, unit=unit, repeat=False)
