"""Ridge regression on the features: a member that cannot fit much, and so errs differently from trees."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plainwright.boosted import Linear
from plainwright.lens.training.folds import Indices, parts_of

__all__ = ["fit_linear"]

Array = npt.NDArray[np.float64]

_PENALTIES = tuple(10.0 ** (exponent / 2) for exponent in range(-2, 13))  # 0.1 to 10^6, by the square root of 10
_PARTS = 5
_TAIL = 0.5  # percent at either end of a feature beyond which it counts as no further away


def fit_linear(features: Array, z: Array, groups: Sequence[str], *, weights: Array | None = None, seed: int) -> Linear:
    """The penalty is that which predicts groups best that were left out."""
    low, high = np.percentile(features, [_TAIL, 100 - _TAIL], axis=0)
    clipped = np.clip(features, low, high)
    mean = clipped.mean(axis=0)
    scale = clipped.std(axis=0)
    scale = np.where(scale > 1e-9 * (1 + np.abs(mean)), scale, np.inf)  # a constant feature says nothing
    standard = (clipped - mean) / scale
    importance = np.ones(len(z)) if weights is None else weights
    parts = parts_of(groups, min(_PARTS, len(set(groups))), seed=seed)
    errors = np.zeros(len(_PENALTIES))
    for part in range(int(parts.max()) + 1):
        kept, left = np.flatnonzero(parts != part), np.flatnonzero(parts == part)
        solutions = _solutions(standard, z, importance, kept)
        for number, (coefficients, intercept) in enumerate(solutions):
            miss = standard[left] @ coefficients + intercept - z[left]
            errors[number] += float((importance[left] * miss**2).sum())
    best = int(errors.argmin())
    coefficients, intercept = _solutions(standard, z, importance, np.arange(len(z)))[best]
    slopes = coefficients / scale
    return Linear(weights=slopes, low=low, high=high, intercept=float(intercept - slopes @ mean))


def _solutions(standard: Array, z: Array, importance: Array, rows: Indices) -> list[tuple[Array, float]]:
    """Coefficients and intercept for each penalty, from one decomposition of the features' covariances."""
    x, y, w = standard[rows], z[rows], importance[rows]
    centre, middle = np.average(x, axis=0, weights=w), float(np.average(y, weights=w))
    weighted = (x - centre) * w[:, None]
    values, vectors = np.linalg.eigh(weighted.T @ (x - centre))
    projected = vectors.T @ (weighted.T @ (y - middle))
    found = []
    for penalty in _PENALTIES:
        coefficients = vectors @ (projected / (np.maximum(values, 0.0) + penalty))
        found.append((coefficients, middle - float(centre @ coefficients)))
    return found
