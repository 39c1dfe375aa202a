from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_strategies

from plainwright.boosted import BoostedTrees
from plainwright.errors import DataError


def boosted(*, seed=0, trees=20):
    from sklearn.ensemble import HistGradientBoostingRegressor

    rng = np.random.default_rng(seed)
    features = rng.normal(size=(300, 6))
    features[:, 5] = np.round(features[:, 5])
    targets = features[:, 0] * features[:, 1] + features[:, 5] + rng.normal(size=300)
    model = HistGradientBoostingRegressor(max_iter=trees, max_leaf_nodes=7, random_state=seed).fit(features, targets)
    return model, features


def companion_of(model):
    [[baseline]] = model._baseline_prediction
    return BoostedTrees.of_trees([predictor.nodes for [predictor] in model._predictors], baseline=float(baseline))


@pytest.fixture(scope="module")
def fitted():
    return boosted()


def test_values_are_those_of_scikit_learn(fitted):
    model, seen = fitted
    unseen = np.random.default_rng(9).normal(size=(2500, 6)) * 3  # more than one block of rows
    companion = companion_of(model)
    assert companion.trees == 20
    for features in (seen, unseen):
        assert companion.predict(features) == pytest.approx(model.predict(features), abs=1e-12)


def test_thresholds_are_decided_as_scikit_learn_does(fitted):
    model, seen = fitted
    companion = companion_of(model)
    rows = np.repeat(seen[:1], len(companion.threshold), axis=0)
    rows[np.arange(len(rows)), companion.feature] = companion.threshold  # exactly on the edge
    assert companion.predict(rows) == pytest.approx(model.predict(rows), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(
    rows=numpy_strategies.arrays(
        np.float64, st.tuples(st.integers(1, 9), st.just(6)), elements=st.floats(-1e300, 1e300)
    ),
    at=st.integers(0, 8),
)
def test_a_row_has_the_same_value_in_any_company(fitted, rows, at):
    companion = companion_of(fitted[0])
    at %= len(rows)
    assert companion.predict(rows)[at] == companion.predict(rows[at : at + 1])[0]


def test_arrays_and_back_and_the_mean_of_seeds(fitted):
    model, features = fitted
    other, _ = boosted(seed=4, trees=5)
    first, second = companion_of(model), companion_of(other)
    again = BoostedTrees.from_arrays(first.arrays())
    assert again.predict(features).tolist() == first.predict(features).tolist()
    expected = (model.predict(features) + other.predict(features)) / 2
    assert BoostedTrees.mean([first, second]).predict(features) == pytest.approx(expected, abs=1e-12)


def test_no_rows_have_no_values(fitted):
    assert companion_of(fitted[0]).predict(np.zeros((0, 6))).tolist() == []


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("left", lambda a: np.zeros_like(a), "after it"),
        ("right", lambda a: a + 10_000, "after it|within the list"),
        ("feature", lambda a: a - 5, "numbers from 0"),
        ("value", lambda a: a * np.nan, "not finite"),
        ("baseline", lambda a: a * np.inf, "not finite"),
        ("threshold", lambda a: a[:-1], "for each node"),
        ("roots", lambda a: a[:0], "numbers from 0"),
        ("roots", lambda a: a - 1, "within the list"),
        ("roots", lambda a: np.repeat(a, 2), "share no node"),
        ("left", lambda a: np.where(a > np.arange(len(a)), len(a) - 1, a), "share no node"),
        ("left", lambda a: a.astype(np.float64), "expected other numbers"),
        ("baseline", lambda a: a[None], "expected other numbers"),
        ("value", None, "expected the arrays"),
    ],
)
def test_trees_that_cannot_be_are_refused(fitted, name, change, said):
    arrays = companion_of(fitted[0]).arrays()
    if change is None:
        del arrays[name]
    else:
        arrays[name] = change(arrays[name])
    with pytest.raises(DataError, match=said):
        BoostedTrees.from_arrays(arrays)


def chain(length):
    """One tree that asks a question at each of so many levels."""
    nodes = 2 * length + 1
    own = np.arange(nodes)
    asks = (own % 2 == 0) & (own < nodes - 1)
    zero = np.zeros(nodes)
    return {
        "feature": np.zeros(nodes, np.int64),
        "threshold": zero,
        "left": np.where(asks, own + 1, own),
        "right": np.where(asks, own + 2, own),
        "value": zero,
        "roots": np.zeros(1, np.int64),
        "baseline": np.zeros(()),
    }


def test_trees_have_no_more_levels_than_can_be_gone_down_in_a_moment():
    assert BoostedTrees.from_arrays(chain(1_000)).predict(np.zeros((1, 1))).tolist() == [0]
    with pytest.raises(DataError, match="at most 1,000 levels"):
        BoostedTrees.from_arrays(chain(1_001))


def test_more_trees_than_any_model_has_are_refused():
    arrays = chain(0)
    many = 10_001
    arrays |= {name: np.zeros(many, arrays[name].dtype) for name in ("feature", "threshold", "value")}
    arrays |= {name: np.arange(many) for name in ("left", "right", "roots")}
    with pytest.raises(DataError, match="at most 10,000 trees"):
        BoostedTrees.from_arrays(arrays)


def test_features_that_are_too_few_or_not_finite_are_refused(fitted):
    companion = companion_of(fitted[0])
    with pytest.raises(DataError, match="at least 6 features"):
        companion.predict(np.zeros((2, 3)))
    with pytest.raises(DataError, match="finite features"):
        companion.predict(np.full((2, 6), np.nan))
    with pytest.raises(DataError, match="at least one tree"):
        BoostedTrees.of_trees([], baseline=0.0)
