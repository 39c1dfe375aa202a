"""How far the scores of any two raters go together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from plainwright.arguments import check_instance
from plainwright.metrics.base import Array
from plainwright.study.agreement.compared import Compared, estimate
from plainwright.study.estimate import Estimate
from plainwright.study.ratings import Cube
from plainwright.study.sums import item_weights, pair_sums, pearson_from_sums, slices

__all__ = ["PairCorrelation", "RaterCorrelations", "pairwise_correlations"]

_FEWEST_SHARED = 3  # two outputs always lie on a line


@dataclass(frozen=True, slots=True)
class PairCorrelation:
    """Holds Pearson's correlation of two raters over the outputs that both rated."""

    first: str
    second: str
    correlation: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"raters": [self.first, self.second], **self.correlation.to_dict()}


@dataclass(frozen=True, slots=True)
class RaterCorrelations:
    """Holds each pair of raters that shares an output, and the mean over the pairs that have a correlation."""

    mean: Estimate
    pairs: tuple[PairCorrelation, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"mean": self.mean.to_dict(), "pairs": [pair.to_dict() for pair in self.pairs]}


def pairwise_correlations(
    cube: Cube, *, resamples: int = 1000, seed: int = 12345, confidence: float = 0.95
) -> RaterCorrelations:
    """Return Pearson's correlation of each two raters that share an output, and the mean of these."""
    check_instance(cube, Cube, "pairwise_correlations", "cube", "a Cube, as Ratings.cube returns it")
    compared = Compared.of(cube.scores)
    if compared.problem:
        return RaterCorrelations(Estimate(value=None, n=0, problem=compared.problem), ())
    rated = np.isfinite(cube.scores).reshape(-1, len(cube.raters)).astype(np.float64)
    together = rated.T @ rated
    pairs = [(a, b) for a, b in combinations(range(len(cube.raters)), 2) if together[a, b] > 0]
    taken = item_weights(len(cube.items), resamples, np.random.default_rng(seed))
    values = _correlations(cube.scores, pairs, taken)
    shared = [int(together[pair]) for pair in pairs]
    values[:, np.array(shared) < _FEWEST_SHARED] = np.nan
    rows = tuple(
        PairCorrelation(cube.raters[a], cube.raters[b], _pair_estimate(values[:, k], shared[k], confidence))
        for k, (a, b) in enumerate(pairs)
    )
    usable = values[:, np.isfinite(values[0])]
    if usable.shape[1] == 0:
        problem = "no two raters have three outputs in common on which both vary, so no correlation can be computed"
        return RaterCorrelations(Estimate(value=None, n=0, problem=problem), rows)
    counts = np.isfinite(usable).sum(axis=1)
    means = np.nansum(usable, axis=1) / np.where(counts > 0, counts, np.nan)
    return RaterCorrelations(estimate(means, usable.shape[1], confidence), rows)


def _correlations(scores: Array, pairs: Sequence[tuple[int, int]], taken: Array) -> Array:
    """Of each pair in each resample: shape (resamples, pairs)."""
    centred = scores - np.nanmean(scores)
    values = np.empty((len(taken), len(pairs)))
    for part in slices(len(pairs), 6 * len(taken)):
        first, second = np.array(pairs[part]).T
        sums = pair_sums(centred[..., first], centred[..., second], axis=1)  # (items, pairs, 6)
        values[:, part] = pearson_from_sums(np.tensordot(taken, sums, axes=1))
    return values


def _pair_estimate(values: Array, shared: int, confidence: float) -> Estimate:
    if np.isfinite(values[0]):
        return estimate(values, shared, confidence)
    if shared < _FEWEST_SHARED:
        problem = f"a correlation needs at least {_FEWEST_SHARED} outputs that both rated, found {shared}"
    else:
        problem = f"one of the two gave the same score to all {shared} outputs that both rated"
    return Estimate(value=None, n=shared, problem=problem)
