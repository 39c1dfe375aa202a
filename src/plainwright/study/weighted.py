"""Coefficients of points that count several times each, or not at all: one row of weights is one resample.

Ranks and tie groups are found once, for the points as they are; a resample only changes how far the ranks are apart.
The results are those of `coefficients` on vectors in which each point is repeated as often as its weight says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from plainwright.metrics.base import Array
from plainwright.study.coefficients import Coefficient, ratio

__all__ = ["weighted_correlations"]

_NO_VARIATION = 1e-12  # of the variance of all points, where rounding ends and variation begins


def weighted_correlations(xs: Array, y: Array, weights: Array, coefficient: Coefficient) -> Array:
    """Correlate each row of `xs` with `y` under each row of `weights`: shape (rows of xs, rows of weights).

    `xs` has shape (vectors, points), without gaps; `weights` are whole numbers of shape (resamples, points). NaN where
    a resample leaves no variation.
    """
    return _WEIGHTED[coefficient](xs, y, weights)


def _pearson(xs: Array, y: Array, weights: Array) -> Array:
    n = weights.sum(axis=1)
    xs, y = _standardised(xs), _standardised(y[None])[0]
    mean_y = ratio(weights @ y, n)
    variance_y = ratio(weights @ (y * y), n) - mean_y**2
    means = ratio((weights @ xs.T).T, n)
    variances = ratio((weights @ (xs * xs).T).T, n) - means**2
    covariances = ratio((weights @ (xs * y).T).T, n) - means * mean_y
    varied = (variances > _NO_VARIATION) & (variance_y > _NO_VARIATION)
    spread = np.sqrt(np.where(varied, variances * variance_y, 1.0))
    return np.where(varied, np.clip(covariances / spread, -1.0, 1.0), np.nan)


def _spearman(xs: Array, y: Array, weights: Array) -> Array:
    ranks_y, spread_y = _centred_ranks(y, weights)
    weighted_y = ranks_y * weights
    result = np.empty((len(xs), len(weights)))
    for row, x in zip(result, xs, strict=True):
        ranks_x, spread_x = _centred_ranks(x, weights)
        spread = np.sqrt(spread_x * spread_y)
        row[:] = ratio(np.einsum("bn,bn->b", ranks_x, weighted_y), spread)
    return np.clip(result, -1.0, 1.0)


def _kendall(xs: Array, y: Array, weights: Array) -> Array:
    # Whole numbers far below 2 ** 24: exact in single precision, which multiplies twice as fast.
    counts = weights.astype(np.float32)
    sign_y = np.sign(y[:, None] - y).astype(np.float32)
    untied_y = _untied_pairs(y, weights)
    result = np.empty((len(xs), len(weights)))
    for row, x in zip(result, xs, strict=True):
        agreement = counts @ (np.sign(x[:, None] - x).astype(np.float32) * sign_y)
        row[:] = np.einsum("bn,bn->b", agreement.astype(np.float64), weights) / 2
        row[:] = ratio(row, np.sqrt(_untied_pairs(x, weights) * untied_y))
    return result


_WEIGHTED: Mapping[str, Callable[[Array, Array, Array], Array]] = MappingProxyType(
    {"pearson": _pearson, "spearman": _spearman, "kendall": _kendall}
)


def _standardised(xs: Array) -> Array:
    """Each row with mean 0 and deviation 1; a constant row is 0."""
    centred = np.where(xs.min(axis=1, keepdims=True) < xs.max(axis=1, keepdims=True), xs, 0.0)
    centred = centred - centred.mean(axis=1, keepdims=True)
    deviation = centred.std(axis=1, keepdims=True)
    return np.asarray(centred / np.where(deviation > 0, deviation, 1.0))


def _grouped(values: Array, weights: Array) -> tuple[Array, npt.NDArray[np.intp]]:
    """The weight of each group of equal values, from the lowest: (resamples, groups); and the group of each point."""
    _, group_of = np.unique(values, return_inverse=True)
    order = np.argsort(group_of, kind="stable")
    starts = np.flatnonzero(np.diff(group_of[order], prepend=-1))
    return np.add.reduceat(weights[:, order], starts, axis=1), group_of


def _centred_ranks(values: Array, weights: Array) -> tuple[Array, Array]:
    """Mean ranks minus their mean, by point; and the sum of their squares in each resample."""
    groups, group_of = _grouped(values, weights)
    ends = np.cumsum(groups, axis=1)
    middle = (ends[:, -1:] + 1) / 2
    # A group of w equal points that ends at rank e has the mean rank e - (w - 1) / 2.
    ranks = ends - (groups - 1) / 2 - middle
    spread = np.einsum("bg,bg,bg->b", groups, ranks, ranks)
    return np.take(ranks, group_of, axis=1), spread


def _untied_pairs(values: Array, weights: Array) -> Array:
    groups, _ = _grouped(values, weights)
    total = groups.sum(axis=1)
    return np.asarray((total * (total - 1) - (groups * (groups - 1)).sum(axis=1)) / 2)
