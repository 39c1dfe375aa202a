"""Variance components: against the mean squares of a balanced design, on simulated ratings with gaps, and merged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.study.rated import from_array

from plainwright.errors import CorpusMissingError, DataError
from plainwright.study.components import Components, ComponentsEstimate, estimate_components
from plainwright.study.ratings import Scale
from plainwright.study.spread import PUBLIC, public_components, usual_components

_TRUE = Components(item=0.3, system_item=0.5, rater=0.4, item_rater=0.2, system_rater=0.1, residual=0.6)


def _simulated(generator: np.random.Generator, true: Components, items: int, systems: int, raters: int) -> np.ndarray:
    def effect(variance: float, *shape: int) -> np.ndarray:
        return np.sqrt(variance) * generator.normal(size=shape)

    return (
        np.linspace(0, 1, systems)[None, :, None]
        + effect(true.item, items, 1, 1)
        + effect(true.system_item, items, systems, 1)
        + effect(true.rater, 1, 1, raters)
        + effect(true.item_rater, items, 1, raters)
        + effect(true.system_rater, 1, systems, raters)
        + effect(true.residual, items, systems, raters)
    )


def _found(scores: np.ndarray, resamples: int = 0) -> ComponentsEstimate:
    return estimate_components(from_array(scores).cube("simplicity"), resamples=resamples)


def _anova(scores: np.ndarray) -> dict[str, float]:
    """The classical estimates of a balanced three-way layout with one score a cell, from expected mean squares."""
    sizes = np.array(scores.shape)

    def mean(*kept: int) -> np.ndarray:
        return scores.mean(axis=tuple(axis for axis in range(3) if axis not in kept), keepdims=True)

    def square(effect: np.ndarray, *kept: int) -> float:
        degrees = np.prod([sizes[axis] - 1 for axis in kept])
        others = np.prod([sizes[axis] for axis in range(3) if axis not in kept])
        return float((effect**2).sum() * others / degrees)

    one = [mean(axis) - mean() for axis in range(3)]
    two = {(a, b): mean(a, b) - mean(a) - mean(b) + mean() for a, b in ((0, 1), (0, 2), (1, 2))}
    residual = square(scores - mean() - sum(one) - sum(two.values()), 0, 1, 2)
    pairs = {kept: (square(effect, *kept) - residual) / sizes[3 - sum(kept)] for kept, effect in two.items()}
    single = {}
    for axis in (0, 2):
        b, c = (other for other in range(3) if other != axis)
        inner = sum(pairs[tuple(sorted((axis, other)))] * sizes[3 - axis - other] for other in (b, c))
        single[axis] = (square(one[axis], axis) - residual - inner) / (sizes[b] * sizes[c])
    return {
        "item": single[0],
        "system_item": pairs[0, 1],
        "rater": single[2],
        "item_rater": pairs[0, 2],
        "system_rater": pairs[1, 2],
        "residual": residual,
    }


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.integers(3, 8), st.integers(2, 5), st.integers(2, 4))
def test_without_gaps_it_is_the_analysis_of_variance(seed: int, items: int, systems: int, raters: int) -> None:
    scores = _simulated(np.random.default_rng(seed), _TRUE, items, systems, raters)
    found, expected = _found(scores).components, _anova(scores)
    for name, variance in expected.items():
        assert getattr(found, name) == pytest.approx(max(variance, 0.0), abs=1e-9), name


def test_with_gaps_the_mean_over_many_studies_is_the_truth() -> None:
    # 200 studies of 40 x 4 x 6 with half of the ratings missing; nothing is cut at 0 at these sizes but rarely.
    generator = np.random.default_rng(11)
    sums = dict.fromkeys(Components.__slots__, 0.0)
    for _ in range(200):
        scores = _simulated(generator, _TRUE, 40, 4, 6)
        scores[generator.random(scores.shape) < 0.5] = np.nan
        found = _found(scores).components
        for name in sums:
            sums[name] += getattr(found, name) / 200
    for name, mean in sums.items():
        assert mean == pytest.approx(getattr(_TRUE, name), rel=0.12), name


def test_intervals_hold_the_truth_of_what_varies_with_items() -> None:
    estimate = _found(_simulated(np.random.default_rng(5), _TRUE, 80, 5, 4), resamples=300)
    for name in ("item", "system_item", "item_rater", "residual"):
        interval = estimate.deviations[name].interval
        assert interval is not None
        assert np.sqrt(getattr(_TRUE, name)) in interval, name
        assert 0 < interval.high - interval.low < 0.4, name


@given(st.floats(0.1, 100), st.floats(-50, 50))
@settings(max_examples=20)
def test_deviations_follow_the_scale(factor: float, shift: float) -> None:
    scores = _simulated(np.random.default_rng(2), _TRUE, 10, 3, 3)
    before, after = _found(scores).components, _found(factor * scores + shift).components
    for name in Components.__slots__:
        assert getattr(before.scaled(factor), name) == pytest.approx(getattr(after, name), rel=1e-6, abs=1e-9), name


def test_with_one_system_what_belongs_together_says_so() -> None:
    estimate = _found(_simulated(np.random.default_rng(3), _TRUE, 200, 1, 30))
    absent = {name: found.problem for name, found in estimate.deviations.items() if found.value is None}
    assert set(absent) == {"system_item", "item_rater", "system_rater"}
    assert absent["system_item"] == "with one system it cannot be told apart from item, and is in it"
    assert estimate.components.item == pytest.approx(_TRUE.item + _TRUE.system_item, rel=0.25)
    assert estimate.components.residual == pytest.approx(_TRUE.item_rater + _TRUE.residual, rel=0.1)


def test_one_rating_for_each_output_cannot_tell_the_output_from_the_rating() -> None:
    scores = _simulated(np.random.default_rng(3), _TRUE, 30, 3, 1)
    problem = _found(scores).deviations["system_item"].problem
    assert "have one rating for each output cannot tell it apart from residual" in problem


def test_systems_on_sentences_of_their_own_cannot_tell_the_output_from_the_sentence() -> None:
    scores = _simulated(np.random.default_rng(3), _TRUE, 30, 2, 3)
    scores[::2, 0] = scores[1::2, 1] = np.nan
    problem = _found(scores).deviations["system_item"].problem
    assert "have no sentence with outputs of two systems cannot tell it apart from item" in problem


def test_variance_of_a_difference_by_hand() -> None:
    # 2 (0.5 + (0.6 + 0.1) / 2); raters of their own add 0.4 + 0.2 to what is divided by 2.
    assert float(_TRUE.difference(2)) == pytest.approx(1.7)
    assert float(_TRUE.difference(2, same_raters=False)) == pytest.approx(2.3)


def test_known_deviations_replace_estimated_ones_in_every_resample() -> None:
    estimate = _found(_simulated(np.random.default_rng(3), _TRUE, 30, 3, 3), resamples=50)
    changed = estimate.with_deviations(system_item=0.5, residual=None)
    assert changed.components.system_item == 0.25
    assert changed.components.residual == estimate.components.residual
    assert set(changed.resampled["system_item"]) == {0.25}


@pytest.mark.parametrize(
    ("scores", "sentence"),
    [
        (np.full((9, 2, 2), 3.0), "the spread of ratings needs ratings that differ, and every one is 3"),
        (np.random.default_rng(1).random((2, 2, 2)), "found 2"),
    ],
)
def test_what_has_no_spread_is_refused(scores: np.ndarray, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        _found(scores)


def test_usual_components_are_medians_on_the_width_of_the_scale() -> None:
    expected = float(np.median([spread.residual for spread in PUBLIC.values()]))
    assert usual_components(Scale(1, 5)).residual == pytest.approx(16 * expected)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_table_of_public_spreads_is_what_the_public_data_give(name: str) -> None:
    try:
        found = public_components(name)
    except CorpusMissingError as missing:
        pytest.skip(str(missing))
    for effect, deviation in found.deviations().items():
        assert PUBLIC[name].deviations()[effect] == pytest.approx(deviation, abs=0.0005), effect
