"""Pearson's, Spearman's and Kendall's coefficients of many pairs of vectors at once.

Vectors lie along the last axis, all leading axes are worked on together, and NaN marks what is missing: a place
counts where both vectors have a value. What is undefined (a constant vector, fewer than two places) is NaN inside
arrays; `estimate` says it in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_choice
from plainwright.errors import LengthMismatchError
from plainwright.metrics.base import Array
from plainwright.study.distributions import scipy_stats
from plainwright.study.estimate import Estimate

__all__ = [
    "COEFFICIENTS",
    "MIN_POINTS",
    "Alternative",
    "Coefficient",
    "average_ranks",
    "correlate",
    "estimate",
    "kendall",
    "p_value",
    "pearson",
    "problem_of",
    "ratio",
    "spearman",
]

Coefficient = Literal["pearson", "spearman", "kendall"]
# "one-sided" looks in the direction that was observed, as the p-values of Sulem et al. (2018) do.
Alternative = Literal["two-sided", "one-sided", "greater", "less"]

MIN_POINTS = 3  # through two points goes a line whatever they are


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Return Pearson's r along the last axis."""
    return _pearson_of_complete(*_complete(x, y))


def spearman(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Return Spearman's rho along the last axis: Pearson's r of the ranks, ties sharing their mean rank."""
    first, second = _complete(x, y)
    return _pearson_of_complete(average_ranks(first), average_ranks(second))


def kendall(x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
    """Return Kendall's tau-b along the last axis."""
    first, second = _complete(x, y)
    shape = first.shape[:-1]
    agreement, untied_first, untied_second = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    # All pairs, one distance apart at a time: arrays stay as small as the input.
    for lag in range(1, first.shape[-1]):
        sign_first = np.sign(first[..., lag:] - first[..., :-lag])
        sign_second = np.sign(second[..., lag:] - second[..., :-lag])
        agreement += np.nansum(sign_first * sign_second, axis=-1)
        untied_first += np.nansum(np.abs(sign_first), axis=-1)
        untied_second += np.nansum(np.abs(sign_second), axis=-1)
    return ratio(agreement, np.sqrt(untied_first * untied_second))


COEFFICIENTS: Mapping[str, Callable[[npt.ArrayLike, npt.ArrayLike], Array]] = MappingProxyType(
    {"pearson": pearson, "spearman": spearman, "kendall": kendall}
)


def correlate(x: npt.ArrayLike, y: npt.ArrayLike, coefficient: Coefficient = "pearson") -> Array:
    """Return the coefficient of that name along the last axis; NaN where it is undefined."""
    return _named(coefficient)(x, y)


def average_ranks(values: npt.ArrayLike) -> Array:
    """Ranks from 1 along the last axis; equal values share the mean of their ranks, NaN has none."""
    numbers = np.asarray(values, dtype=np.float64)
    n = numbers.shape[-1]
    order = np.argsort(numbers, axis=-1, kind="stable")  # NaN last
    ordered = np.take_along_axis(numbers, order, axis=-1)
    new = np.ones(ordered.shape, dtype=bool)
    new[..., 1:] = ordered[..., 1:] != ordered[..., :-1]
    places = np.broadcast_to(np.arange(n), ordered.shape)
    first = np.maximum.accumulate(np.where(new, places, 0), axis=-1)
    # The last place of a group stands just before the first of the next, so look from the end.
    last_of_group = np.concatenate([new[..., 1:], np.ones((*new.shape[:-1], min(n, 1)), dtype=bool)], axis=-1)
    last = np.minimum.accumulate(np.where(last_of_group, places, n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(ordered.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return np.where(np.isnan(numbers), np.nan, ranks)


def p_value(value: float, n: int, coefficient: Coefficient, alternative: Alternative = "two-sided") -> float:
    """Return how often `n` independent points reach `value`, by Student's t; for Kendall by the normal distribution.

    `estimate` is more exact for Kendall, because it sees the points.
    """
    _named(coefficient)
    stats = scipy_stats()
    if coefficient == "kendall":
        variance = 2 * (2 * n + 5) / (9 * n * (n - 1))
        tail = float(stats.norm.sf(abs(value) / np.sqrt(variance)))
    else:
        with np.errstate(divide="ignore"):
            t = abs(value) * np.sqrt(np.divide(n - 2, (1 - value) * (1 + value)))
        tail = float(stats.t.sf(t, n - 2))
    return _of_tail(tail, positive=value >= 0, alternative=alternative)


def estimate(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    coefficient: Coefficient = "pearson",
    *,
    alternative: Alternative = "two-sided",
    names: tuple[str, str] = ("the first", "the second"),
) -> Estimate:
    """The coefficient of two vectors with its p-value, or why there is none; `names` are those of the vectors."""
    first, second = _complete(x, y)
    if first.ndim != 1:
        msg = f"an estimate is made from two vectors, got arrays of shape {first.shape}"
        raise LengthMismatchError(msg)
    there = np.isfinite(first)
    first, second = first[there], second[there]
    problem = problem_of(first, second, names=names)
    if problem:
        return Estimate(value=None, n=len(first), problem=problem)
    value = float(_named(coefficient)(first, second))
    return Estimate(value=value, n=len(first), p_value=_analytic(first, second, value, coefficient, alternative))


def problem_of(x: Array, y: Array, *, names: tuple[str, str]) -> str:
    """Return why two complete vectors have no coefficient, in one sentence; empty if they have one."""
    if len(x) < MIN_POINTS:
        return f"a correlation needs at least {MIN_POINTS} points with both values, found {len(x)}"
    for values, name in zip((x, y), names, strict=True):
        if values.min() == values.max():
            return f"{name} is the same ({values[0]:g}) at all {len(values)} points, so nothing can vary with it"
    return ""


def _named(coefficient: str) -> Callable[[npt.ArrayLike, npt.ArrayLike], Array]:
    check_choice(coefficient, COEFFICIENTS, "coefficient")
    return COEFFICIENTS[coefficient]


def _complete(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Array, Array]:
    """Both as numbers of one shape, NaN wherever either is missing."""
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.ndim == 0 or second.ndim == 0 or first.shape[-1] != second.shape[-1]:
        msg = f"both vectors need the same length, got shapes {first.shape} and {second.shape}"
        raise LengthMismatchError(msg)
    first, second = np.broadcast_arrays(first, second)
    missing = ~(np.isfinite(first) & np.isfinite(second))
    return np.where(missing, np.nan, first), np.where(missing, np.nan, second)


def _pearson_of_complete(first: Array, second: Array) -> Array:
    there = np.isfinite(first)
    counts = np.maximum(there.sum(axis=-1, keepdims=True), 1)
    a, b = _centred(first, there, counts), _centred(second, there, counts)
    value = ratio((a * b).sum(axis=-1), np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1)))
    return np.clip(value, -1.0, 1.0)  # rounding may step over the ends; NaN stays NaN


def _centred(values: Array, there: npt.NDArray[np.bool_], counts: npt.NDArray[np.int64]) -> Array:
    """Distances from the mean, as a share of the largest; 0 where missing, and all 0 if constant."""
    filled = np.where(there, values, 0.0)
    centred = np.where(there, values - filled.sum(axis=-1, keepdims=True) / counts, 0.0)
    # The mean of equal numbers may miss them by a rounding error, which must not count as variation.
    if values.shape[-1]:
        low = np.where(there, values, np.inf).min(axis=-1, keepdims=True)
        high = np.where(there, values, -np.inf).max(axis=-1, keepdims=True)
        centred = np.where(low < high, centred, 0.0)
        largest = np.abs(centred).max(axis=-1, keepdims=True)
        centred = centred / np.where(largest > 0, largest, 1.0)
    return centred


def ratio(numerator: Array, denominator: Array) -> Array:
    """NaN where the denominator is 0."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1.0), np.nan)


def _analytic(x: Array, y: Array, value: float, coefficient: Coefficient, alternative: Alternative) -> float:
    if coefficient != "kendall":
        return p_value(value, len(x), coefficient, alternative)
    # scipy counts all orders where there are few points and no ties, and corrects the variance for ties elsewhere.
    stats = scipy_stats()
    if alternative in ("greater", "less", "two-sided"):
        return float(stats.kendalltau(x, y, alternative=alternative).pvalue)
    return float(stats.kendalltau(x, y, alternative="greater" if value >= 0 else "less").pvalue)


def _of_tail(tail: float, *, positive: bool, alternative: Alternative) -> float:
    """The p-value from the tail beyond the distance from 0 of a symmetric distribution."""
    values: Mapping[str, float] = {
        "two-sided": min(1.0, 2 * tail),
        "one-sided": tail,
        "greater": tail if positive else 1 - tail,
        "less": 1 - tail if positive else tail,
    }
    check_choice(alternative, values, "alternative")
    return values[alternative]
