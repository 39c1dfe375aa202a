"""Minimum error rate training (Och, 2003): exact line search on the corpus objective.

Along a line of weights every candidate's score is a straight line, so the best candidate of a segment changes only
at the corners of the upper envelope. Sweeping the corners of all segments gives the corpus objective everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright import _core
from plainwright.metrics.base import Array
from plainwright.tune.objective import Objective
from plainwright.tune.pool import Pool

__all__ = ["MERT", "Candidates", "line_search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MERT:
    """Searches along the axes and some random directions, from several starts."""

    random_directions: int = 8
    restarts: int = 3  # starts at random beside the current weights
    most_rounds: int = 20
    least_gain: float = 1e-5

    def fit(self, pool: Pool, objective: Objective, weights: Array, generator: np.random.Generator) -> Array:
        """Return the best weights found; never worse on the pool than those given."""
        starts = [weights] + [
            weights + generator.normal(scale=np.abs(weights).mean() or 1.0, size=len(weights))
            for _ in range(self.restarts)
        ]
        candidates = Candidates.of(pool)
        found = [self._climb(candidates, objective, start, generator) for start in starts]
        return max(found, key=lambda pair: pair[0])[1]

    def _climb(
        self, candidates: Candidates, objective: Objective, weights: Array, generator: np.random.Generator
    ) -> tuple[float, Array]:
        scores = candidates.features @ weights
        best = -np.inf
        for _ in range(self.most_rounds):
            before = best
            for direction in [*np.eye(len(weights)), *generator.normal(size=(self.random_directions, len(weights)))]:
                slopes = candidates.features @ direction
                value, step = line_search(candidates, objective, scores, slopes)
                if value > best + self.least_gain:
                    best, weights, scores = value, weights + step * direction, scores + step * slopes
            if best - before < self.least_gain:
                break
        return best, weights


@dataclass(frozen=True, slots=True)
class Candidates:
    """Stacks all candidates of a pool, and says where those of each segment begin."""

    features: Array
    stats: Array
    firsts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, pool: Pool) -> Candidates:
        """Copied out of a pool."""
        firsts = np.concatenate([[0], np.cumsum([len(rows) for rows in pool.features])])
        features = np.concatenate(pool.features, dtype=np.float64)
        return cls(features, np.concatenate(pool.stats), firsts.astype(np.int64))


def line_search(candidates: Candidates, objective: Objective, heights: Array, slopes: Array) -> tuple[float, float]:
    """Return the best value of the objective along a line of weights, and a step inside its interval.

    `heights` are the scores of all candidates at step 0, `slopes` what one step adds to them.
    """
    leftmost, at, before, after = _core.upper_envelopes(slopes, heights, candidates.firsts)
    start = candidates.stats[leftmost].sum(axis=0)
    if len(at) == 0:
        return float(objective.values(start)), 0.0
    order = np.argsort(at, kind="stable")
    at = at[order]
    changes = candidates.stats[after[order]] - candidates.stats[before[order]]
    values = objective.values(np.concatenate([start[None], start + np.cumsum(changes, axis=0)]))
    # Between two corners that coincide there is no room for a step.
    room = np.concatenate([[True], np.diff(at) > 1e-12, [True]])
    values[~room] = -np.inf
    chosen = int(np.argmax(values))
    if chosen == 0:
        return float(values[0]), float(at[0] - 1.0)
    if chosen == len(at):
        return float(values[-1]), float(at[-1] + 1.0)
    return float(values[chosen]), float((at[chosen - 1] + at[chosen]) / 2)
