"""Gradient-boosted trees on the features: the companion.

Several are averaged. Each leaves another part of the training sources out, stops where its error on them is least, and
sees another draw of the features at every split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plainwright.boosted import BoostedTrees
from plainwright.extras import extra_for
from plainwright.lens.training.folds import Indices

__all__ = ["Boosting", "fit_trees"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boosting:
    """Sets how trees are boosted."""

    trees: int = 400  # at most; early stopping takes fewer
    rate: float = 0.05
    leaves: int = 12
    least: int = 20  # examples in a leaf
    penalty: float = 1.0  # on the values of leaves
    share: float = 0.3  # of the features, drawn anew at every split


def fit_trees(
    features: Array,
    z: Array,
    training: Indices,
    validation: Indices,
    settings: Boosting,
    *,
    weights: Array | None = None,
    seed: int,
) -> BoostedTrees:
    """Fit trees up to the number at which the error on `validation` is least."""
    with extra_for("training", "train"):
        from sklearn.ensemble import HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits
    model = HistGradientBoostingRegressor(
        max_iter=settings.trees,
        learning_rate=settings.rate,
        max_leaf_nodes=settings.leaves,
        min_samples_leaf=min(settings.least, max(1, len(training) // 10)),
        l2_regularization=settings.penalty,
        max_features=settings.share,
        early_stopping=False,
        random_state=seed,
    )
    # One thread: with so few examples several only wait for each other.
    with threadpool_limits(1):
        model.fit(features[training], z[training], sample_weight=None if weights is None else weights[training])
        errors = _errors(model, features[validation], z[validation])
    kept = int(np.argmin(errors)) + 1
    # Private names of scikit-learn, the same since 0.21; a test compares the values.
    trees = [predictors[0].nodes for predictors in model._predictors[:kept]]
    return BoostedTrees.of_trees(trees, baseline=float(np.ravel(model._baseline_prediction)[0]))


def _errors(model: Any, features: Array, z: Array) -> list[float]:
    """The squared error with the first tree, with the first two, and so on."""
    return [float(((staged - z) ** 2).mean()) for staged in model.staged_predict(features)]
