"""Planning: simulated studies reach the promised power, more never hurts, and questions without an answer."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.study.rated import from_array, joined

from plainwright.errors import DataError
from plainwright.study.components import Components
from plainwright.study.plan import plan, plan_from_public, plan_from_ratings, power_of
from plainwright.study.plan_result import Goal
from plainwright.study.ratings import Scale

_SPREAD = Components(item=0.2, system_item=0.15, rater=0.1, item_rater=0.05, system_rater=0.04, residual=0.3)
_LIKERT = Scale(1, 5, 1)


def _normal(generator: np.random.Generator, variance: float, *shape: int) -> np.ndarray:
    return np.sqrt(variance) * generator.standard_normal(shape)


def _simulated_ratings(
    seed: int, goal: Goal, spread: Components, *, studies: int, sentences: int, raters: int, rest: float = 0.0
) -> np.ndarray:
    """Single ratings, (studies, sentences, systems, raters); the first system is better by the goal's difference.

    Each sentence has raters of its own pool. `rest` is the mean of the other systems but the second.
    """
    generator = np.random.default_rng(seed)
    shape = (studies, sentences)
    people = (1, raters) if goal.same_raters else (goal.systems, raters)
    mean = np.full(goal.systems, rest)
    mean[:2] = goal.difference, 0.0
    return (
        mean[:, None]
        + _normal(generator, spread.item, *shape, 1, 1)
        + _normal(generator, spread.system_item, *shape, goal.systems, 1)
        + _normal(generator, spread.rater, *shape, *people)
        + _normal(generator, spread.item_rater, *shape, *people)
        + _normal(generator, spread.system_rater, *shape, goal.systems, raters)
        + _normal(generator, spread.residual, *shape, goal.systems, raters)
    )


def _found(scores: np.ndarray, level: float) -> float:
    """In how many studies a paired t-test finds that the first system is better than the second."""
    means = scores.mean(axis=-1)
    test = stats.ttest_rel(means[..., 0], means[..., 1], axis=1)
    return float(((test.pvalue < level) & (test.statistic > 0)).mean())


@pytest.mark.parametrize(
    ("goal", "raters"),
    [
        (Goal(systems=2, difference=0.3, budget=200), 1),
        (Goal(systems=2, difference=0.4, budget=200), 3),
        (Goal(systems=4, difference=0.3, budget=600), 2),
        (Goal(systems=4, difference=0.3, budget=600, same_raters=False), 2),
        (Goal(systems=3, difference=0.5, budget=90, alpha=0.01, correction="none"), 1),
        (Goal(systems=5, difference=0.3, budget=500, compare="baseline", correction="bonferroni"), 1),
    ],
)
def test_simulated_studies_reach_the_promised_power(goal: Goal, raters: int) -> None:
    [design] = [design for design in plan(goal, _SPREAD).designs if design.raters == raters]
    assert 0.15 < design.power < 0.97  # elsewhere any formula would do
    scores = _simulated_ratings(7, goal, _SPREAD, studies=4000, sentences=design.sentences, raters=raters)
    # The promise is 3 points; 4,000 studies know a share to 0.8 points (one standard error) at most.
    assert _found(scores, goal.level) == pytest.approx(design.power, abs=0.025)


def test_a_pilot_on_a_likert_scale_promises_the_power_that_studies_on_it_reach() -> None:
    # Ratings are rounded and cut off as on paper; the pilot sees them so, and the formula knows nothing of it.
    goal = Goal(systems=3, difference=0.25, budget=500, correction="none")

    def on_paper(scores: np.ndarray) -> np.ndarray:
        return np.clip(np.round(scores + 3), 1, 5)

    pilot_scores = on_paper(_simulated_ratings(1, goal, _SPREAD, studies=1, sentences=400, raters=4))[0]
    true = on_paper(_simulated_ratings(2, goal, _SPREAD, studies=1, sentences=200_000, raters=1)).mean(axis=(0, 1, 3))
    asked = dataclasses.replace(goal, difference=float(true[0] - true[1]))
    result, _ = plan_from_ratings(asked, from_array(pilot_scores, scale=_LIKERT), "simplicity", resamples=50)
    design = result.designs[1]
    studies = _simulated_ratings(3, goal, _SPREAD, studies=3000, sentences=design.sentences, raters=design.raters)
    assert _found(on_paper(studies), goal.level) == pytest.approx(design.power, abs=0.03)


def test_holm_finds_no_less_than_promised() -> None:
    # One pair differs by the whole difference, the systems between them by half of it.
    goal = Goal(systems=3, difference=0.4, budget=300)
    design = plan(goal, _SPREAD).recommended
    scores = _simulated_ratings(
        5, goal, _SPREAD, studies=2000, sentences=design.sentences, raters=design.raters, rest=0.2
    ).mean(axis=-1)
    pairs = [(0, 1), (0, 2), (1, 2)]
    p = np.stack([stats.ttest_rel(scores[..., a], scores[..., b], axis=1).pvalue for a, b in pairs], axis=1)
    order = np.argsort(p, axis=1)
    passed = np.take_along_axis(p, order, axis=1) < goal.alpha / np.array([3, 2, 1])
    rejected = np.zeros_like(passed)
    np.put_along_axis(rejected, order, np.logical_and.accumulate(passed, axis=1), axis=1)
    assert float(rejected[:, 0].mean()) > design.power - 0.025


_SPREADS = st.builds(
    Components,
    item=st.floats(0, 4),
    system_item=st.floats(0.01, 4),
    rater=st.floats(0, 4),
    item_rater=st.floats(0, 4),
    system_rater=st.floats(0, 4),
    residual=st.floats(0.01, 4),
)
_GOALS = st.builds(
    Goal,
    systems=st.integers(2, 8),
    difference=st.floats(0.05, 2),
    budget=st.integers(24, 5000),
    same_raters=st.booleans(),
    compare=st.sampled_from(["all", "baseline"]),
)


@settings(max_examples=40, deadline=None)
@given(_GOALS, _SPREADS, st.integers(1, 2000), st.floats(0.01, 1))
def test_more_budget_and_larger_differences_never_lower_the_power(
    goal: Goal, spread: Components, more: int, larger: float
) -> None:
    first = plan(goal, spread).recommended
    richer = plan(dataclasses.replace(goal, budget=goal.budget + more), spread).recommended
    easier = plan(dataclasses.replace(goal, difference=goal.difference + larger), spread).recommended
    # Designs that are equal to four digits count as equal.
    assert richer.power >= first.power - 1e-4
    assert easier.power >= first.power - 1e-4


@given(_GOALS, _SPREADS, st.integers(1, 10))
def test_more_sentences_and_more_raters_never_lower_the_power(goal: Goal, spread: Components, raters: int) -> None:
    over_sentences = power_of(goal, spread, np.arange(3, 200), raters)
    over_raters = power_of(goal, spread, 50, np.arange(1, 11))
    for powers in (over_sentences, over_raters):
        assert (np.diff(powers) >= -1e-9).all()


@settings(max_examples=30, deadline=None)
@given(_GOALS, _SPREADS)
def test_designs_keep_to_the_budget_and_what_they_promise(goal: Goal, spread: Components) -> None:
    result = plan(goal, spread)
    for design in result.designs:
        assert design.ratings == goal.systems * design.sentences * design.raters <= goal.budget
        # At the smallest difference that can be detected, the power is the one asked for.
        detectable = dataclasses.replace(goal, difference=design.detectable)
        assert float(power_of(detectable, spread, design.sentences, design.raters)) == pytest.approx(0.8, abs=1e-6)
        assert design.needed_sentences is not None
        needed = power_of(goal, spread, np.array([design.needed_sentences - 1, design.needed_sentences]), design.raters)
        assert needed[1] >= 0.8
        assert needed[0] < 0.8 or design.needed_sentences == 3


def test_one_rater_is_best_while_there_are_sentences() -> None:
    result = plan(Goal(systems=4, difference=0.3, budget=1200), _SPREAD)
    assert (result.recommended.sentences, result.recommended.raters) == (300, 1)
    powers = [design.power for design in result.designs]
    assert all(later < earlier for earlier, later in pairwise(powers))
    assert "With one rater nobody knows whether raters agree" in result.statement


def test_with_few_sentences_the_rest_of_the_budget_goes_to_raters() -> None:
    result = plan(Goal(systems=4, difference=0.3, budget=1200, max_sentences=60), _SPREAD)
    assert (result.recommended.sentences, result.recommended.raters) == (60, 5)
    assert max(size for curve in result.sentence_curves for size in curve.sizes) == 60


def test_the_level_is_shared_by_the_comparisons() -> None:
    assert Goal(systems=4, difference=1, budget=100).level == pytest.approx(0.05 / 6)
    assert Goal(systems=4, difference=1, budget=100, compare="baseline").level == pytest.approx(0.05 / 3)
    assert Goal(systems=4, difference=1, budget=100, correction="none").level == 0.05


def test_an_answer_out_of_reach_says_what_it_would_take() -> None:
    result = plan(Goal(systems=4, difference=0.1, budget=200), _SPREAD)
    assert not result.reached
    assert "No split of 200 ratings reaches 80%; that takes a difference of" in result.statement
    assert result.cheapest is not None
    assert f"{result.cheapest.needed_ratings:,} ratings are needed" in result.statement
    limited = plan(Goal(systems=4, difference=0.01, budget=200, max_sentences=50), _SPREAD)
    assert limited.cheapest is None
    assert "No number of ratings on 50 sentences reaches it" in limited.statement


def test_a_budget_for_which_the_scale_is_too_short_says_so() -> None:
    result = plan_from_public(Goal(systems=4, difference=0.2, budget=12), _LIKERT)
    assert "No split of 12 ratings reaches 80%; no difference that fits on 1..5 by 1 does." in result.statement


def test_curves_have_round_sizes_and_reach_twice_the_budget() -> None:
    result = plan(Goal(systems=4, difference=0.3, budget=1200), _SPREAD)
    assert [curve.fixed for curve in result.sentence_curves] == [1, 2, 3, 5, 10]
    assert result.sentence_curves[0].sizes == (3, *range(20, 601, 20))
    assert result.rater_curve.fixed == 300
    [at_budget] = [
        p for n, p in zip(result.sentence_curves[0].sizes, result.sentence_curves[0].powers, strict=True) if n == 300
    ]
    assert at_budget == pytest.approx(result.recommended.power)


def test_a_pilot_gives_intervals_and_the_same_seed_the_same_plan() -> None:
    goal = Goal(systems=4, difference=0.3, budget=400)
    scores = _simulated_ratings(9, goal, _SPREAD, studies=1, sentences=40, raters=3)[0]
    ratings = from_array(scores)
    (first, pilot), (again, _) = (plan_from_ratings(goal, ratings, "simplicity", resamples=200) for _ in range(2))
    assert first == again
    interval = first.recommended.power_interval
    assert interval is not None
    assert interval.low < first.recommended.power < interval.high
    assert first.components == pilot.components
    json.dumps(first.to_dict(), allow_nan=False)


def test_public_ratings_show_how_far_the_answer_can_be_off() -> None:
    result = plan_from_public(Goal(systems=4, difference=0.2, budget=1200), _LIKERT)
    assert len(result.public) == 6
    assert "In public ratings it would be" in result.statement
    # The same question on a scale 25 times as wide.
    wider = plan_from_public(Goal(systems=4, difference=5, budget=1200), Scale(0, 100))
    assert wider.recommended.power == pytest.approx(result.recommended.power)
    given_all = plan_from_public(
        Goal(systems=4, difference=0.2, budget=1200), _LIKERT, deviations={"system_item": 0.4, "residual": 0.5}
    )
    assert given_all.public == {}


_FINE = {"systems": 4, "difference": 0.2, "budget": 1200}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"systems": 1}, "at least 2 systems, got 1"),
        ({"difference": 0}, "must be above 0, got 0"),
        ({"difference": -0.2}, "must be above 0, got -0.2"),
        ({"difference": float("nan")}, "must be above 0, got nan"),
        ({"budget": 3}, "a budget of 3 ratings is below one for each of 4 systems"),
        ({"budget": 11}, "buys 2 sentences; 3 are needed, so at least 12 ratings"),
        ({"power": 1}, "power must lie between 0 and 1, got 1"),
        ({"alpha": 0}, "alpha must lie between 0 and 1, got 0"),
        ({"alpha": 1e-300}, "at least 1e-09"),
        ({"power": 0.01}, "no more than chance"),
        ({"max_raters": 0}, "at least 1 rater"),
        ({"max_sentences": 2}, "at least 3 sentences, got 2"),
    ],
)
def test_questions_without_an_answer_are_refused(change: dict[str, float], sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        Goal(**{**_FINE, **change})  # type: ignore[arg-type]


_GOAL = Goal(systems=4, difference=0.2, budget=1200)
_SCORES = _simulated_ratings(1, _GOAL, _SPREAD, studies=1, sentences=12, raters=3)[0]


def test_a_pilot_of_one_system_or_one_rating_needs_the_interaction() -> None:
    for scores, sentence in ((_SCORES[:, :1], "are of one system"), (_SCORES[..., :1], "have one rating for each")):
        with pytest.raises(DataError, match=sentence):
            plan_from_ratings(_GOAL, from_array(scores), "simplicity")
        result, _ = plan_from_ratings(_GOAL, from_array(scores), "simplicity", deviations={"system_item": 0.4})
        assert result.components.system_item == pytest.approx(0.16)


def test_scales_must_fit_each_other_and_the_difference() -> None:
    with pytest.raises(DataError, match=r"a difference of 20 does not fit on a scale of 1..5 by 1"):
        plan_from_public(Goal(systems=4, difference=20, budget=1200), _LIKERT)
    ratings = from_array(_SCORES, scale=Scale(0, 100))
    with pytest.raises(DataError, match=r"rated on 0..100, not on 1..5"):
        plan_from_ratings(_GOAL, ratings, "simplicity", scale=_LIKERT)
    mixed = joined(ratings, from_array(_SCORES, scale=_LIKERT, first_item=100))
    with pytest.raises(DataError, match=r"different scales, 0..100 and 1..5"):
        plan_from_ratings(_GOAL, mixed, "simplicity")


def test_without_spread_there_is_nothing_to_plan() -> None:
    with pytest.raises(DataError, match="without any spread"):
        plan(_GOAL, Components())
