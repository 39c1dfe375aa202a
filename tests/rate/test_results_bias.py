"""Position bias: found when it was planted, not when it was not, and the same as an ordinary regression says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.rate.simulated_pages import (
    SCALE,
    SimulatedRater,
    SimulatedStudy,
    card,
    honest,
    page,
    settings_of,
)
from tests.rate.simulated_results import position_rates

from plainwright.rate.results.bias import position_bias, position_bias_of_pairs
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.table import SHARE, comparisons_of, judgements_of


def bias_of(study: SimulatedStudy, seed: int = 1):
    return position_bias(judgements_of(study.record(seed)), "overall", SCALE)


def test_a_planted_effect_is_found_with_its_size():
    bias = bias_of(SimulatedStudy(items=40, raters=honest(4, position=12.0), systems=(65, 60, 55, 50, 45)))
    change = bias.overall.change
    assert change.p_value < 0.001
    assert 12.0 in change.interval
    assert "scored higher the later they were shown" in bias.statement
    assert all(effect.change.value > 0 for effect in bias.raters)


def test_early_places_can_gain_too():
    bias = bias_of(SimulatedStudy(items=40, raters=honest(4, position=-12.0)))
    assert "scored lower the later they were shown" in bias.statement


def test_without_an_effect_alarms_are_as_rare_as_the_level_says():
    rates = position_rates(0.0, 120, raters=3, items=10)
    assert rates.found <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 120)
    assert rates.covered >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 120)
    assert abs(rates.mean) < 1.0


def test_the_one_rater_with_an_effect_is_named():
    raters = [*honest(4), SimulatedRater(name="hasty", position=30.0)]
    bias = bias_of(SimulatedStudy(items=30, raters=raters))
    assert [effect.rater for effect in bias.found] == ["hasty"]
    assert "hasty (+" in bias.statement


def test_slope_and_residuals_are_those_of_least_squares_with_dummies():
    study = SimulatedStudy(items=8, raters=honest(3, position=5.0), degraded=0.5, repeats=2)
    rows = judgements_of(study.record(3))
    bias = position_bias(rows, "overall", SCALE)
    pages = sorted({(row.rater, row.item, row.repeat) for row in rows})
    systems = sorted({row.system for row in rows})
    design = np.zeros((len(rows), len(pages) + len(systems)))
    for number, row in enumerate(rows):
        design[number, pages.index((row.rater, row.item, row.repeat))] = 1
        design[number, len(pages) + systems.index(row.system)] = 1
    scores = np.array([row.score for row in rows])
    rest = scores - design @ np.linalg.lstsq(design, scores, rcond=None)[0]
    late = np.array([(row.position - 1) / (row.cards - 1) - 0.5 for row in rows])
    expected = stats.linregress(late, rest)
    assert bias.overall.change.value == pytest.approx(expected.slope)
    by_place = [rest[[row.position == place.place for row in rows]].mean() for place in bias.places]
    assert [place.mean for place in bias.places] == pytest.approx(by_place)
    assert sum(place.outputs for place in bias.places) == len(rows)


def test_with_two_cards_a_page_the_interval_is_that_of_a_t_test():
    # Two systems, as often first as second: page effects leave one difference a page.
    study = SimulatedStudy(systems=(60, 60), items=30, raters=honest(1), degraded=0, repeats=0)
    record = study.record(2)
    bias = position_bias(judgements_of(record), "overall", SCALE)
    rows = judgements_of(record)
    effect = {"system 0": 0.0, "system 1": 0.0}
    gaps = []
    for number in range(30):
        own = [row for row in rows if row.item == f"item {number}"]
        gaps.append(
            next(r.score for r in own if r.system == "system 0") - next(r.score for r in own if r.system == "system 1")
        )
    effect["system 0"] = float(np.mean(gaps)) / 2
    effect["system 1"] = -effect["system 0"]
    changes = []
    for number in range(30):
        first, second = sorted((row for row in rows if row.item == f"item {number}"), key=lambda row: row.position)
        changes.append((second.score - effect[second.system]) - (first.score - effect[first.system]))
    expected = stats.ttest_1samp(changes, 0).confidence_interval()
    assert bias.overall.change.value == pytest.approx(np.mean(changes))
    assert (bias.overall.change.interval.low, bias.overall.change.interval.high) == pytest.approx(tuple(expected))


def test_scores_moved_by_a_constant_for_each_page_change_nothing():
    study = SimulatedStudy(items=10, raters=honest(3))
    rows = judgements_of(study.record(5))
    shift = {key: 3.0 * number for number, key in enumerate({(row.rater, row.item, row.repeat) for row in rows})}
    moved = [replace(row, score=row.score + shift[row.rater, row.item, row.repeat]) for row in rows]
    first, second = (position_bias(part, "overall", SCALE).overall.change for part in (rows, moved))
    assert first.value == pytest.approx(second.value)
    assert first.p_value == pytest.approx(second.p_value)


def test_one_order_for_all_raters_says_nothing():
    study = SimulatedStudy(items=10, raters=honest(3), repeats=0)
    record = study.record(1)
    first = {one.item: one.cards for one in reversed(record.pages)}
    same = replace(record, pages=tuple(replace(one, cards=first[one.item]) for one in record.pages))
    bias = position_bias(judgements_of(same), "overall", SCALE)
    assert bias.overall.change.value is None
    assert "the same order" in bias.statement


def test_pages_with_one_output_have_no_places():
    pages = tuple(
        page(number=n, place=n, item=str(n), cards=[card(n, "x", "a")], scores={f"card-{n}": {"overall": 50.0}})
        for n in range(1, 8)
    )
    bias = position_bias(judgements_of(Record(settings=settings_of("direct"), pages=pages)), "overall", SCALE)
    assert bias.statement == "Position bias cannot be told: no page showed several outputs side by side."
    assert bias.to_dict()["places"] == []


def test_few_pages_are_said_to_be_few():
    bias = bias_of(SimulatedStudy(items=3, raters=honest(1), repeats=0))
    assert "at least 5 pages, found 3" in bias.statement


def test_scores_without_any_difference_have_no_p_value():
    study = SimulatedStudy(items=10, raters=honest(2))
    rows = [replace(row, score=50.0) for row in judgements_of(study.record(1))]
    change = position_bias(rows, "overall", SCALE).overall.change
    assert change.value == 0.0
    assert change.p_value is None


def pairs(share_second: float, number: int, seed: int) -> Record:
    generator = np.random.default_rng(seed)
    a, b = card(1, "one", "a"), card(2, "two", "b")
    pages: list[RatedPage] = []
    for place in range(1, number + 1):
        shown = [a, b] if generator.random() < 0.5 else [b, a]
        chosen = shown[int(generator.random() < share_second)].id
        pages.append(page(number=place, place=place, item=str(place), cards=shown, preferences={"overall": chosen}))
    return Record(settings=settings_of("pairwise"), pages=tuple(pages))


def test_of_pairs_it_is_how_much_more_often_the_second_was_chosen():
    record = pairs(0.75, 200, seed=4)
    bias = position_bias_of_pairs(comparisons_of(record), "overall", SHARE)
    second = np.mean([1 - row.score for row in comparisons_of(record)])
    assert bias.overall.change.value == pytest.approx(2 * second - 1)
    assert bias.overall.change.p_value < 0.001
    assert bias.overall.change.n == 400


def test_of_pairs_alarms_are_as_rare_as_the_level_says():
    changes = [
        position_bias_of_pairs(comparisons_of(pairs(0.5, 40, seed)), "overall", SHARE).overall.change
        for seed in range(200)
    ]
    assert np.mean([change.p_value < 0.05 for change in changes]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_nothing_compared_is_no_effect():
    bias = position_bias_of_pairs((), "overall", SHARE)
    assert bias.overall.change.value is None
    assert bias.raters == ()
