"""Folds, spoilt texts, ridge regression, trees and the mix: all that needs no encoder."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lens.training.rated import toy_ratings

from plainwright.boosted import BoostedTrees, Linear
from plainwright.errors import DataError
from plainwright.lens.training.boosting import Boosting, fit_trees
from plainwright.lens.training.data import training_set
from plainwright.lens.training.folds import folds_of, parts_of
from plainwright.lens.training.linear import fit_linear
from plainwright.lens.training.spoilt import spoilt_examples, spoilt_targets
from plainwright.lens.training.stacking import cross_fitted, find_weights


@given(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=60), st.integers(2, 4), st.integers(0, 9))
def test_every_example_judges_once_and_no_source_is_on_both_sides(sources, folds, seed):
    systems = ["x"] * len(sources)
    if len(set(sources)) < 2 * folds:
        with pytest.raises(DataError, match="source sentences"):
            folds_of(sources, systems, folds=folds, seed=seed)
        return
    found = folds_of(sources, systems, folds=folds, seed=seed)
    assert sorted(np.concatenate([fold.judging for fold in found]).tolist()) == list(range(len(sources)))
    for fold in found:
        trained = {sources[row] for row in fold.training}
        judged = {sources[row] for row in fold.judging}
        assert not trained & judged
        assert len(fold.training) + len(fold.judging) == len(sources)


def test_folds_by_source_and_system_share_neither():
    sources = [source for source in "abcdef" for _ in range(4)]
    systems = ["u", "v", "w", "x"] * 6
    found = folds_of(sources, systems, folds=2, by="source-system")
    assert len(found) == 4
    assert sorted(np.concatenate([fold.judging for fold in found]).tolist()) == list(range(24))
    for fold in found:
        for names in (sources, systems):
            assert not {names[row] for row in fold.training} & {names[row] for row in fold.judging}


def test_too_few_systems_are_said():
    with pytest.raises(DataError, match="4 different systems, found 3"):
        folds_of(list("abcdef"), list("uvwuvw"), folds=2, by="source-system")
    with pytest.raises(DataError, match="2 folds or more"):
        folds_of(list("abcdef"), list("uvwuvw"), folds=1)


def test_parts_have_as_equal_numbers_of_groups_as_can_be():
    parts = parts_of([str(number // 3) for number in range(33)], 5, seed=1)
    sizes = np.bincount(parts, minlength=5)
    assert sizes.tolist() == [9, 6, 6, 6, 6]  # 11 groups of three


def test_spoilt_texts_aim_below_what_was_spoilt():
    ratings, references = toy_ratings(sources=4)
    examples = training_set(ratings, references).examples
    spoilt = spoilt_examples(examples, "both", seed=1)
    assert {text.like for text in spoilt} == {"source", "reference"}
    assert all(text.output not in (text.source, *text.references) for text in spoilt)
    assert len(spoilt_examples(examples, "sources", seed=1)) == 12  # three copies of four sources
    targets = spoilt_targets(spoilt, examples, margin=0.5)
    copies = np.mean([one.z for one in examples if one.like == "source"])
    assert {round(float(z), 9) for z, text in zip(targets, spoilt, strict=True) if text.like == "source"} == {
        round(float(copies) - 0.5, 9)
    }


def test_ridge_finds_a_line_and_stays_within_what_it_saw():
    rng = np.random.default_rng(1)
    features = np.column_stack([rng.normal(size=300) * 1000, rng.normal(size=300), np.full(300, 7.0)])
    z = 0.002 * features[:, 0] - 1.5 * features[:, 1] + 3
    groups = [str(number // 3) for number in range(300)]
    linear = fit_linear(features, z, groups, seed=0)
    inside = np.array([[500.0, 0.5, 7.0], [-200.0, -1.0, 7.0]])
    assert np.allclose(linear.predict(inside), 0.002 * inside[:, 0] - 1.5 * inside[:, 1] + 3, atol=0.02)
    beyond = linear.predict(np.array([[1e9, 0.0, 7.0]]))
    assert beyond[0] < 0.002 * features[:, 0].max() + 3.1
    assert linear.weights[2] == 0  # a constant says nothing


def test_ridge_with_weights_ignores_what_counts_nothing():
    rng = np.random.default_rng(2)
    features = rng.normal(size=(200, 3))
    z = features @ [1.0, 2.0, 0.0]
    wrong = np.concatenate([z[:150], np.full(50, 99.0)])
    weights = np.concatenate([np.ones(150), np.zeros(50)])
    linear = fit_linear(features, wrong, [str(number) for number in range(200)], weights=weights, seed=0)
    inside = np.array([[0.5, -0.5, 0.0]])
    assert linear.predict(inside)[0] == pytest.approx(-0.5, abs=0.05)


def test_trees_are_those_of_scikit_learn_up_to_the_best_number():
    rng = np.random.default_rng(3)
    features = rng.normal(size=(200, 6))
    z = np.sign(features[:, 0]) + 0.3 * features[:, 1] + rng.normal(size=200)
    training, validation = np.arange(150), np.arange(150, 200)
    settings = Boosting(trees=40)
    companion = fit_trees(features, z, training, validation, settings, seed=5)

    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(
        max_iter=companion.trees,
        learning_rate=settings.rate,
        max_leaf_nodes=settings.leaves,
        min_samples_leaf=15,  # a tenth of the examples
        l2_regularization=settings.penalty,
        max_features=settings.share,
        early_stopping=False,
        random_state=5,
    ).fit(features[training], z[training])
    assert 1 <= companion.trees <= 40
    assert np.allclose(companion.predict(features), model.predict(features), atol=1e-12)


def test_a_companion_can_be_trees_and_a_line_and_is_kept_so():
    linear = Linear(weights=np.array([1.0, 0.0, 2.0]), low=-np.ones(3), high=np.ones(3), intercept=0.5)
    features = np.array([[0.5, 9.0, 0.25], [5.0, 0.0, -5.0]])
    # By hand: 0.5 + 0.5 + 2 * 0.25 = 1.5, and 0.5 + 1 - 2 = -0.5; both times the weight 2.
    alone = BoostedTrees.weighted(None, (linear, 2.0))
    assert alone.predict(features).tolist() == [3.0, -1.0]
    again = BoostedTrees.from_arrays(alone.arrays())
    assert again.predict(features).tolist() == [3.0, -1.0]
    with pytest.raises(DataError, match="trees or a linear"):
        BoostedTrees.weighted(None, None)
    with pytest.raises(DataError, match="intercept"):
        BoostedTrees.from_arrays({name: values for name, values in alone.arrays().items() if name != "intercept"})


def test_weights_are_found_and_none_is_below_0():
    rng = np.random.default_rng(4)
    good, noise = rng.normal(size=400), rng.normal(size=400)
    z = 0.7 * good + 0.2
    weights = find_weights({"good": good, "opposite": noise - good}, z)
    assert weights.members["good"] == pytest.approx(0.7)
    assert weights.members["opposite"] == pytest.approx(0.0)
    assert weights.intercept == pytest.approx(0.2)


def test_a_cross_fitted_mix_owes_nothing_to_its_own_part():
    rng = np.random.default_rng(5)
    predictions = {"one": rng.normal(size=90), "two": rng.normal(size=90)}
    z = predictions["one"] + rng.normal(size=90)
    parts = np.arange(90) % 3
    before = cross_fitted(predictions, z, parts)
    changed = np.where(parts == 1, -50.0, z)  # what people said of part 1
    after = cross_fitted(predictions, changed, parts)
    assert np.array_equal(before[parts == 1], after[parts == 1])
    assert not np.allclose(before[parts == 0], after[parts == 0])
