"""Trade-offs between aspects: against scipy's regression, by hand, and where nothing can be said."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.study.rated import from_array, joined

from plainwright.errors import DataError, UnknownNameError
from plainwright.study.estimate import Estimate
from plainwright.study.ratings import Ratings
from plainwright.study.tradeoff import LEVELS, Tradeoff, tradeoff

_SMALL = 200  # resamples, where the test is not about intervals


def _pair(simplicity: np.ndarray, adequacy: np.ndarray) -> Ratings:
    return joined(from_array(simplicity, "simplicity"), from_array(adequacy, "adequacy"))


def _random(seed: int, items: int = 12, systems: int = 4, raters: int = 3, missing: float = 0.2) -> Ratings:
    generator = np.random.default_rng(seed)
    first, second = generator.integers(1, 6, size=(2, items, systems, raters)).astype(float)
    for scores in (first, second):
        scores[generator.random(scores.shape) < missing] = np.nan
    return _pair(first, second)


def _xy(result: Tradeoff) -> tuple[np.ndarray, np.ndarray]:
    return np.array([p.first for p in result.points]), np.array([p.second for p in result.points])


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_over_all_outputs_it_is_the_regression_of_scipy(seed: int) -> None:
    result = tradeoff(_random(seed), "simplicity", "adequacy", resamples=_SMALL)
    expected = stats.linregress(*_xy(result))
    found = result.relation("all outputs")
    assert found.r.value == pytest.approx(expected.rvalue, abs=1e-12)
    assert found.r_squared.value == pytest.approx(expected.rvalue**2, abs=1e-12)
    assert found.slope.value == pytest.approx(expected.slope, abs=1e-12)
    assert found.intercept == pytest.approx(expected.intercept, abs=1e-10)
    assert found.r.p_value == pytest.approx(expected.pvalue, abs=1e-10)
    assert result.line is not None
    for x, y in result.line:
        assert y == pytest.approx(expected.intercept + expected.slope * x)


@pytest.mark.parametrize("level", ["within systems", "within sources"])
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1))
def test_within_groups_it_is_the_regression_with_one_constant_for_each_group(level: str, seed: int) -> None:
    result = tradeoff(_random(seed), "simplicity", "adequacy", resamples=_SMALL)
    x, y = _xy(result)
    groups = [p.system if level == "within systems" else p.item for p in result.points]
    members = np.array([[group == name for name in sorted(set(groups))] for group in groups], dtype=float)
    design = np.column_stack([x, members])
    coefficients, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    residuals = y - design @ coefficients
    variance = residuals @ residuals / (len(y) - rank) * np.linalg.inv(design.T @ design)[0, 0]
    expected_p = 2 * stats.t.sf(abs(coefficients[0]) / np.sqrt(variance), len(y) - rank)
    found = result.relation(level)
    assert found.slope.value == pytest.approx(coefficients[0], abs=1e-9)
    assert found.slope.p_value == pytest.approx(expected_p, abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_between_systems_it_is_the_regression_of_their_means(seed: int) -> None:
    result = tradeoff(_random(seed), "simplicity", "adequacy", resamples=_SMALL)
    x, y = _xy(result)
    systems = np.array([p.system for p in result.points])
    means = [[scores[systems == name].mean() for name in sorted(set(systems))] for scores in (x, y)]
    expected = stats.linregress(*means)
    found = result.relation("between systems")
    assert found.r.value == pytest.approx(expected.rvalue, abs=1e-9)
    assert found.r.p_value == pytest.approx(expected.pvalue, abs=1e-9)
    assert found.intercept == pytest.approx(expected.intercept, abs=1e-6)


def test_the_interval_resamples_sources_with_all_their_outputs() -> None:
    result = tradeoff(_random(5), "simplicity", "adequacy", resamples=300, seed=7)
    items = list(dict.fromkeys(p.item for p in result.points))
    rows = {item: [(p.first, p.second) for p in result.points if p.item == item] for item in items}
    drawn = np.random.default_rng(7).integers(0, len(items), size=(300, len(items)))
    correlations = [
        np.corrcoef(np.array([point for i in sample for point in rows[items[i]]]).T)[0, 1] for sample in drawn
    ]
    interval = result.relation("all outputs").r.interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx(tuple(np.quantile(correlations, [0.025, 0.975])))


def test_a_trade_off_between_systems_is_told_apart_from_one_between_sentences() -> None:
    generator = np.random.default_rng(3)
    # Simple systems are inadequate; within one system, the simpler output is the more adequate.
    system = np.linspace(-2, 2, 5)[None, :, None]
    inside = generator.normal(size=(60, 5, 1))
    noise = 0.3 * generator.normal(size=(2, 60, 5, 1))
    result = tradeoff(
        _pair(system + 0.5 * inside + noise[0], -system + 0.5 * inside + noise[1]), "simplicity", "adequacy"
    )
    signs = {level: np.sign(result.relation(level).r.value or 0) for level in LEVELS}
    assert signs["all outputs"] == signs["between systems"] == -1
    assert signs["within systems"] == 1
    assert "Outputs with higher simplicity have lower adequacy" in result.statement
    assert "Within one system it is the other way round" in result.statement


def test_the_same_seed_gives_the_same_result_and_plain_values() -> None:
    ratings = _random(1)
    first, again = (tradeoff(ratings, "simplicity", "adequacy", resamples=_SMALL) for _ in range(2))
    assert first == again
    document = first.to_dict()
    assert document["outputs"] == len(document["points"]) == len(first.points)
    assert [relation["level"] for relation in document["relations"]] == list(LEVELS)


def test_outputs_with_one_of_the_aspects_are_counted_and_left_out() -> None:
    simplicity = np.random.default_rng(1).random((5, 2, 1))
    adequacy = np.random.default_rng(2).random((5, 2, 1))
    adequacy[0, 0] = np.nan
    simplicity[1, 1] = np.nan
    result = tradeoff(_pair(simplicity, adequacy), "simplicity", "adequacy", resamples=_SMALL)
    assert (len(result.points), result.left_out) == (8, 2)


def _absent(estimate: Estimate) -> str:
    assert estimate.value is None
    return estimate.problem


def test_one_output_for_each_source_leaves_only_the_relation_over_all() -> None:
    generator = np.random.default_rng(4)
    result = tradeoff(_pair(*generator.random((2, 20, 1, 3))), "simplicity", "adequacy", resamples=_SMALL)
    assert result.relation("all outputs").r.value is not None
    assert _absent(result.relation("between systems").r) == "all outputs are of one system"
    assert _absent(result.relation("within sources").r) == "no source has outputs of two systems"


def test_two_systems_are_too_few_points_for_a_line_between_them() -> None:
    generator = np.random.default_rng(4)
    result = tradeoff(_pair(*generator.random((2, 20, 2, 3))), "simplicity", "adequacy", resamples=_SMALL)
    assert _absent(result.relation("between systems").slope) == "only 2 points, too few for a line with an error"


def test_an_aspect_that_differs_only_between_systems_says_so_within_them() -> None:
    simplicity = np.broadcast_to(np.array([1.1, 2.3, 3.7])[None, :, None], (9, 3, 1))
    result = tradeoff(
        _pair(simplicity, np.random.default_rng(1).random((9, 3, 1))), "simplicity", "adequacy", resamples=_SMALL
    )
    assert _absent(result.relation("within systems").r) == "simplicity does not differ within systems"


_ROUND = np.random.default_rng(0).random((5, 2, 1))
_EVEN = np.array([[[1.0, 3.0], [2.0, 2.0]]] * 5)  # ratings differ, their means do not
_BEGINNING = np.concatenate([_ROUND, _ROUND + 1])
_BEGINNING[2:5] = np.nan
_APART = np.concatenate([_ROUND[:, :1], np.full((5, 1, 1), np.nan)], axis=1)


@pytest.mark.parametrize(
    ("ratings", "sentence"),
    [
        (
            _pair(np.full((5, 2, 1), 3.0), _ROUND),
            "a trade-off with simplicity needs ratings that differ, and every one is 3",
        ),
        (_pair(_ROUND[:2], _ROUND[:2] + 1), "at least 3 rated sources, found 2"),
        (_pair(_EVEN, _ROUND), "every output has the same simplicity, 2"),
        (_pair(_ROUND, _BEGINNING), "for at least 3 sources with both aspects rated, found 2"),
        (_pair(_APART, _APART[:, ::-1]), "no output was rated on both 'simplicity' and 'adequacy'"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_the_reason(ratings: Ratings, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        tradeoff(ratings, "simplicity", "adequacy")


def test_names_are_checked() -> None:
    with pytest.raises(DataError, match="two different aspects"):
        tradeoff(_random(1), "simplicity", "simplicity")
    with pytest.raises(UnknownNameError, match="did you mean adequacy"):
        tradeoff(_random(1), "simplicity", "adequcy")
