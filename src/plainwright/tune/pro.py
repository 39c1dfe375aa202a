"""Pairwise ranking optimisation (Hopkins and May, 2011), as Xu et al. (2016), section 3.5, use it.

Pairs of candidates of one segment are sampled; those whose objective differs enough become examples of a binary
classifier: is the difference of their features that of a better candidate? Its weights are the new weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from plainwright.extras import extra_for
from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import Pool

__all__ = ["PRO"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PRO:
    """Settings of the optimiser; the defaults are those of the released system, but for the classifier.

    `classifier` "logistic" is Hopkins and May's; "perceptron" that of the released system. That one also scales its
    weights so that |lm_0| = 1; ours keep the length that they started with, so a model needs no language model.
    """

    sampled_pairs: int = 8000  # Gamma, for each segment
    kept_pairs: int = 50  # Xi, those with the largest difference
    least_difference: float = 0.005  # of the objective, 0 to 1
    interpolation: float = 0.5  # weight of the new solution against the old one
    classifier: Literal["logistic", "perceptron"] = "logistic"
    regularisation: float = 1.0  # inverse strength, scikit-learn's C

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """Return new weights, from all candidates of the pool."""
        examples = self.examples(pool, objective, generator)
        if len(examples) == 0:
            return weights
        learnt = self._classify(examples, generator)
        size = np.linalg.norm(learnt)
        if size == 0:
            return weights
        # Only the direction ranks; the length of the old weights keeps both on one scale.
        learnt = learnt * (np.linalg.norm(weights) or 1.0) / size
        mixed: Array = self.interpolation * learnt + (1 - self.interpolation) * weights
        return mixed

    def examples(self, pool: Pool, objective: Objective, generator: np.random.Generator) -> Array:
        """Return differences of features, the better candidate first."""
        differences = []
        for features, stats in zip(pool.features, pool.stats, strict=True):
            if len(features) < 2:
                continue
            values = objective.values(stats)
            pairs = generator.integers(0, len(features), size=(self.sampled_pairs, 2))
            gaps = values[pairs[:, 0]] - values[pairs[:, 1]]
            usable = np.flatnonzero(np.abs(gaps) >= self.least_difference)
            largest = usable[np.argsort(-np.abs(gaps[usable]), kind="stable")[: self.kept_pairs]]
            signs = np.sign(gaps[largest])[:, None]
            differences.append(signs * (features[pairs[largest, 0]] - features[pairs[largest, 1]]))
        return np.concatenate(differences) if differences else np.zeros((0, 0))

    def _classify(self, examples: Array, generator: np.random.Generator) -> Array:
        with extra_for("tuning", "learn"):
            from sklearn.linear_model import LogisticRegression, Perceptron
        # Features live on scales from 0.01 to 100; without this the penalty would fall on the small ones.
        scale = examples.std(axis=0)
        scale[scale == 0] = 1.0
        scaled = examples / scale
        both = np.concatenate([scaled, -scaled])
        labels = np.repeat([1, 0], len(scaled))
        if self.classifier == "perceptron":
            seed = int(generator.integers(2**31))
            model = Perceptron(fit_intercept=False, max_iter=30, tol=None, random_state=seed)
        else:
            model = LogisticRegression(fit_intercept=False, C=self.regularisation, max_iter=1000)
        found: Array = model.fit(both, labels).coef_[0] / scale
        return found
