"""Minimum risk: raise the expected objective under the distribution that the weights give to the candidates.

Where MERT sees only the winner, the expectation is smooth in the weights, so gradients lead (Smith and Eisner, 2006).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainwright.extras import extra_for
from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import Pool

__all__ = ["MinimumRisk", "expected_value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimumRisk:
    """Raises the expected objective by its gradient; `sharpness` multiplies the model score before the softmax."""

    sharpness: float = 1.0
    penalty: float = 1e-3  # on the squared distance from the weights before
    costs: tuple[float, ...] = ()  # of one unit of each feature, taken off the objective; empty: none
    most_steps: int = 200

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """Return new weights, from all candidates of the pool."""
        with extra_for("minimum risk", "learn"):
            from scipy.optimize import minimize
        values = [objective.values(stats) for stats in pool.stats]
        if self.costs:
            values = [value - rows @ np.array(self.costs) for value, rows in zip(values, pool.features, strict=True)]
        scale = np.concatenate(pool.features).std(axis=0)
        scale[scale == 0] = 1.0
        start = weights * scale
        features = [rows / scale for rows in pool.features]

        def loss(point: Array) -> tuple[float, Array]:
            value, gradient = expected_value(features, values, point, self.sharpness)
            away = point - start
            return -value + self.penalty * float(away @ away), -gradient + 2 * self.penalty * away

        found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": self.most_steps})
        result: Array = found.x / scale
        return result


def expected_value(features: list[Array], values: list[Array], weights: Array, sharpness: float) -> tuple[float, Array]:
    """Return the mean over segments of the expected objective, and its gradient."""
    total = 0.0
    gradient = np.zeros(len(weights))
    for rows, value in zip(features, values, strict=True):
        scores = sharpness * (rows @ weights)
        chance = np.exp(scores - scores.max())
        chance /= chance.sum()
        expected = float(chance @ value)
        total += expected
        gradient += sharpness * (chance * (value - expected)) @ rows
    return total / len(features), gradient / len(features)
