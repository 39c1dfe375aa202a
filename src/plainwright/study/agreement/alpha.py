"""Krippendorff's alpha, for any number of raters, with gaps.

Alpha is 1 - (n - 1) observed / expected. `observed` sums the squared differences between ratings of the same output,
divided by the number of its other ratings; `expected` sums those of all n ratings with each other. How far two scores
are apart depends on the level of measurement. Source: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from plainwright.arguments import check_choice
from plainwright.metrics.base import Array
from plainwright.study.agreement.compared import Compared, Integers, estimate
from plainwright.study.estimate import Estimate
from plainwright.study.sums import item_weights, slices

__all__ = ["Level", "krippendorff_alpha"]

Level = Literal["nominal", "ordinal", "interval", "ratio"]

_NO_DISAGREEMENT = 1e-10  # share of the largest possible value below which a sum is rounding error


def krippendorff_alpha(
    scores: Array,
    level: Level = "interval",
    *,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
) -> Estimate:
    """Krippendorff's alpha: 1 for perfect agreement, 0 for what chance would give; `n` counts the ratings compared."""
    check_choice(level, get_args(Level), "level")
    compared = Compared.of(scores)
    problem = compared.problem
    if not problem and level == "ratio" and compared.values.min() < 0:
        problem = f"the ratio level needs scores of 0 or more, found {compared.values.min():g}; use the interval level"
    if problem:
        return Estimate(value=None, n=len(compared.values), problem=problem)
    weights = item_weights(compared.items, resamples, np.random.default_rng(seed))
    alphas = _ALPHAS[level](compared, weights)
    return estimate(alphas, len(compared.values), confidence)


def _alphas(observed: Array, expected: Array, ratings: Array, largest: Array | float) -> Array:
    expected = np.where(expected > _NO_DISAGREEMENT * largest, expected, np.nan)
    return np.asarray(1 - (ratings - 1) * observed / expected)


def _interval_alphas(compared: Compared, weights: Array) -> Array:
    values = compared.values - compared.values.mean()  # squares of small numbers keep their digits
    observed = weights @ compared.by_item(compared.spread(values))
    ratings, sums, squares = (
        weights @ compared.by_item(compared.by_output(part)) for part in (np.ones_like(values), values, values**2)
    )
    return _alphas(observed, 2 * (ratings * squares - sums**2), ratings, ratings * squares)


def _ordinal_alphas(compared: Compared, weights: Array) -> Array:
    """The interval alpha of mid-ranks; they move with what is drawn, so every resample has its own."""
    distinct, codes = np.unique(compared.values, return_inverse=True)
    counts = _counts_by_item(compared, codes, len(distinct))
    alphas = []
    for rows in slices(len(weights), len(codes)):
        taken = weights[rows]
        times = taken @ counts  # (resamples, distinct scores)
        ratings = times.sum(axis=1)
        ranks = np.cumsum(times, axis=1) - times / 2 - ratings[:, None] / 2
        observed = (taken * compared.by_item(compared.spread(ranks[:, codes]))).sum(axis=1)
        sums, squares = (times * ranks).sum(axis=1), (times * ranks**2).sum(axis=1)
        alphas.append(_alphas(observed, 2 * (ratings * squares - sums**2), ratings, ratings * squares))
    return np.concatenate(alphas)


def _nominal_distance(first: Array, second: Array) -> Array:
    return np.asarray(first != second, dtype=np.float64)


def _ratio_distance(first: Array, second: Array) -> Array:
    total = first + second  # 0 only where both are 0, which are no way apart
    return np.asarray(((first - second) / np.where(total == 0, 1, total)) ** 2)


def _fixed_alphas(distance: Callable[[Array, Array], Array]) -> Callable[[Compared, Array], Array]:
    """Alpha for any distance that does not depend on the other ratings."""

    def alphas(compared: Compared, weights: Array) -> Array:
        distinct, codes = np.unique(compared.values, return_inverse=True)
        counts = _counts_by_item(compared, codes, len(distinct))
        between = np.zeros((compared.items, compared.items))  # all ratings of one item against all of another
        for columns in slices(len(distinct), len(distinct)):
            between += (counts @ distance(distinct[:, None], distinct[None, columns])) @ counts[:, columns].T
        expected = ((weights @ between) * weights).sum(axis=1)
        observed = weights @ compared.by_item(_pair_distances(compared, distance) / (compared.sizes - 1))
        ratings = weights @ counts.sum(axis=1)
        return _alphas(observed, expected, ratings, ratings)

    return alphas


def _pair_distances(compared: Compared, distance: Callable[[Array, Array], Array]) -> Array:
    """By output, the distances of its ratings from each other, each pair twice."""
    values, sums = compared.values, np.zeros(len(compared.first))
    output = np.repeat(np.arange(len(compared.first)), compared.sizes)
    for apart in range(1, int(compared.sizes.max())):
        same = output[:-apart] == output[apart:]
        pairs = distance(values[:-apart][same], values[apart:][same])
        sums += 2 * np.bincount(output[apart:][same], weights=pairs, minlength=len(sums))
    return sums


def _counts_by_item(compared: Compared, codes: Integers, distinct: int) -> Array:
    """How often each score was given to outputs of each item: shape (items, distinct scores)."""
    outputs = np.diff(np.append(compared.first_of_item, len(compared.first)))
    item = np.repeat(np.repeat(np.arange(compared.items), outputs), compared.sizes)
    counts = np.bincount(item * distinct + codes, minlength=compared.items * distinct)
    return counts.reshape(compared.items, distinct).astype(np.float64)


_ALPHAS: dict[Level, Callable[[Compared, Array], Array]] = {
    "nominal": _fixed_alphas(_nominal_distance),
    "ordinal": _ordinal_alphas,
    "interval": _interval_alphas,
    "ratio": _fixed_alphas(_ratio_distance),
}
