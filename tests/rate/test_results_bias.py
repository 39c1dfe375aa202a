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

from plainwright.rate.forms.registry import FORMS
from plainwright.rate.results.bias import position_bias, position_bias_of_pairs
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.table import comparisons_of, judgements_of


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


def test_slope_error_and_residuals_are_those_of_least_squares_with_dummies():
    study = SimulatedStudy(items=8, raters=honest(3, position=5.0), degraded=0.5, repeats=2)
    rows = judgements_of(study.record(3))
    bias = position_bias(rows, "overall", SCALE)
    pages = sorted({(row.rater, row.item, row.repeat) for row in rows})
    systems = sorted({row.system for row in rows})
    of_page = np.array([pages.index((row.rater, row.item, row.repeat)) for row in rows])
    design = np.zeros((len(rows), len(pages) + len(systems) + 1))
    design[np.arange(len(rows)), of_page] = 1
    for number, row in enumerate(rows):
        design[number, len(pages) + systems.index(row.system)] = 1
    scores = np.array([row.score for row in rows])
    rest = scores - design @ np.linalg.lstsq(design, scores, rcond=None)[0]
    by_place = [rest[[row.position == place.place for row in rows]].mean() for place in bias.places]
    assert [place.mean for place in bias.places] == pytest.approx(by_place)
    assert sum(place.outputs for place in bias.places) == len(rows)
    design[:, -1] = [(row.position - 1) / (row.cards - 1) - 0.5 for row in rows]
    inverse = np.linalg.pinv(design)
    change = bias.overall.change
    assert change.value == pytest.approx((inverse @ scores)[-1])
    # Liang and Zeger's sandwich, over pages; n - pages degrees within pages, of which systems but one take their share.
    errors = inverse[-1] * (scores - design @ (inverse @ scores))
    squares = np.sum(np.bincount(of_page, weights=errors) ** 2)
    within = len(rows) - len(pages)
    variance = squares * len(pages) / (len(pages) - 1) * within / (within - len(systems) + 1)
    parts = np.bincount(of_page, weights=inverse[-1] ** 2) / np.sum(inverse[-1] ** 2)
    reach = stats.t.ppf(0.975, 1 / np.sum(parts**2) - 1) * np.sqrt(variance)
    assert change.interval.high - change.value == pytest.approx(reach)


@pytest.mark.parametrize(("raters", "items", "systems"), [(1, 5, 6), (2, 5, 3), (1, 12, 2)])
def test_small_studies_show_the_whole_effect(raters, items, systems):
    # Without noise there is nothing but systems and places, which few pages do not keep apart by themselves.
    study = SimulatedStudy(
        systems=tuple(range(40, 40 + 5 * systems, 5)),
        items=items,
        raters=honest(raters, position=6.0, noise=0.0, page_noise=0.0),
        output_spread=0.0,
        degraded=0,
        repeats=0,
        rounded=False,
    )
    for seed in range(5):
        bias = bias_of(study, seed)
        assert [effect.change.value for effect in (bias.overall, *bias.raters)] == pytest.approx([6.0] * (1 + raters))


def test_intervals_of_small_studies_hold_the_effect_as_often_as_they_say():
    rates = position_rates(6.0, 200, raters=1, items=5)
    assert rates.covered >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / 200)
    assert rates.found >= 0.05


def test_of_two_systems_it_is_half_of_what_the_first_of_both_moves():
    # Pages differ in which system comes first; Welch's test between the two kinds of pages asks the same.
    study = SimulatedStudy(systems=(60, 55), items=60, raters=honest(1, position=5.0), degraded=0, repeats=0)
    rows = judgements_of(study.record(2))
    change = position_bias(rows, "overall", SCALE).overall.change
    gaps: dict[str, list[float]] = {"system 0": [], "system 1": []}
    for item in {row.item for row in rows}:
        first, second = sorted((row for row in rows if row.item == item), key=lambda row: row.position)
        gaps[first.system].append((second.score - first.score) * (1 if first.system == "system 1" else -1))
    welch = stats.ttest_ind(gaps["system 1"], gaps["system 0"], equal_var=False)
    assert change.value == pytest.approx((np.mean(gaps["system 1"]) - np.mean(gaps["system 0"])) / 2)
    assert change.p_value == pytest.approx(welch.pvalue, rel=0.05)


def test_places_that_always_went_with_a_system_say_nothing():
    cards = [card(k, f"text {k}", f"system {k}") for k in range(3)]
    pages = tuple(
        page(
            number=n, place=n, item=str(n), cards=cards, scores={c.id: {"overall": 10.0 * n + c.number} for c in cards}
        )
        for n in range(1, 9)
    )
    bias = position_bias(judgements_of(Record(settings=settings_of(), pages=pages)), "overall", SCALE)
    assert bias.overall.change.value is None
    assert "too few pages to tell places from systems" in bias.statement


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
    bias = position_bias_of_pairs(comparisons_of(record), "overall", FORMS["pairwise"].scale)
    second = np.mean([1 - row.score for row in comparisons_of(record)])
    assert bias.overall.change.value == pytest.approx(2 * second - 1)
    assert bias.overall.change.p_value < 0.001
    assert bias.overall.change.n == 400


def test_of_pairs_alarms_are_as_rare_as_the_level_says():
    changes = [
        position_bias_of_pairs(comparisons_of(pairs(0.5, 40, seed)), "overall", FORMS["pairwise"].scale).overall.change
        for seed in range(200)
    ]
    assert np.mean([change.p_value < 0.05 for change in changes]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_nothing_compared_is_no_effect():
    bias = position_bias_of_pairs((), "overall", FORMS["pairwise"].scale)
    assert bias.overall.change.value is None
    assert bias.raters == ()
