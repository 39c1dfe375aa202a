"""Minimum error rate training (Och, 2003): exact line search on the corpus objective.

Along a line of weights every candidate's score is a straight line, so the best candidate of a segment changes only
at the corners of the upper envelope. Sweeping the corners of all segments gives the corpus objective everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import Pool, best_stats

__all__ = ["MERT", "upper_envelope"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MERT:
    """Settings of the optimiser: searches along the axes and some random directions, from several starts."""

    random_directions: int = 8
    restarts: int = 3  # starts at random beside the current weights
    most_rounds: int = 20
    least_gain: float = 1e-5

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """The best weights found; never worse on the pool than those given."""
        starts = [weights] + [
            weights + generator.normal(scale=np.abs(weights).mean() or 1.0, size=len(weights))
            for _ in range(self.restarts)
        ]
        found = [self._climb(pool, objective, start, generator) for start in starts]
        return max(found, key=lambda pair: pair[0])[1]

    def _climb(
        self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator
    ) -> tuple[float, Array]:
        best = float(objective.values(best_stats(pool, weights)))
        for _ in range(self.most_rounds):
            before = best
            directions = [*np.eye(len(weights)), *generator.normal(size=(self.random_directions, len(weights)))]
            for direction in directions:
                value, step = line_search(pool, objective, weights, direction)
                if value > best + self.least_gain:
                    best, weights = value, weights + step * direction
            if best - before < self.least_gain:
                break
        return best, weights


def line_search(pool: Pool, objective: Objective, weights: Array, direction: Array) -> tuple[float, float]:
    """The best value of the objective at weights + step x direction, and a step inside its interval."""
    start = np.zeros(objective.width)
    steps: list[Array] = []
    changes: list[Array] = []
    for features, stats in zip(pool.features, pool.stats, strict=True):
        winners, corners = upper_envelope(features @ direction, features @ weights)
        start += stats[winners[0]]
        if len(corners):
            steps.append(corners)
            changes.append(np.diff(stats[winners], axis=0))
    if not steps:
        return float(objective.values(start)), 0.0
    at = np.concatenate(steps)
    order = np.argsort(at, kind="stable")
    at = at[order]
    totals = start + np.cumsum(np.concatenate(changes)[order], axis=0)
    values = np.concatenate([[float(objective.values(start))], objective.values(totals)])
    # Between two corners that coincide there is no room for a step.
    room = np.concatenate([[True], np.diff(at) > 1e-12, [True]])
    values[~room] = -np.inf
    chosen = int(np.argmax(values))
    if chosen == 0:
        return float(values[0]), float(at[0] - 1.0)
    if chosen == len(at):
        return float(values[-1]), float(at[-1] + 1.0)
    return float(values[chosen]), float((at[chosen - 1] + at[chosen]) / 2)


def upper_envelope(slopes: Array, heights: Array) -> tuple[Array, Array]:
    """Which lines `height + slope x` are highest from left to right, and where they hand over."""
    order = np.lexsort((-heights, slopes))
    kept: list[int] = []
    corners: list[float] = []
    last_slope = None
    for index in order:
        slope, height = slopes[index], heights[index]
        if slope == last_slope:
            continue  # parallel and not higher
        last_slope = slope
        corner = -np.inf
        while kept:
            corner = (heights[kept[-1]] - height) / (slope - slopes[kept[-1]])
            if corners and corner <= corners[-1]:
                kept.pop()
                corners.pop()
            else:
                break
        if kept:
            corners.append(float(corner))
        kept.append(int(index))
    return np.array(kept), np.array(corners)
