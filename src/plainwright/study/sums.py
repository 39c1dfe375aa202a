"""Correlations and slopes from sums, so that a resampled study is one matrix product.

Six sums describe a set of pairs (x, y): how many, and the sums of x, y, x², y² and xy. They add up over items, hence
the coefficient of any resample of items comes from weighted sums and no score is looked at again.
"""

from __future__ import annotations

import numpy as np

from plainwright.metrics.base import Array

__all__ = ["item_weights", "pair_sums", "pearson_from_sums", "slices", "slope_from_sums"]

_BLOCK_CELLS = 4_000_000  # numbers held at once, so that memory stays flat for large studies
_NO_SPREAD = 1e-12  # share of the summed squares below which a spread is rounding error


def item_weights(items: int, resamples: int, generator: np.random.Generator) -> Array:
    """Return how often each item is taken: once each in the first row, as drawn with replacement in the others."""
    drawn = generator.multinomial(items, np.full(items, 1 / items), size=resamples)
    return np.vstack([np.ones(items), drawn])


def slices(rows: int, cells: int) -> list[slice]:
    """Cut `rows` rows of `cells` numbers into slices, each as large as memory should hold."""
    size = max(1, _BLOCK_CELLS // max(cells, 1))
    return [slice(first, min(first + size, rows)) for first in range(0, rows, size)]


def pair_sums(x: Array, y: Array, axis: int) -> Array:
    """The six sums over `axis`, on a new last axis; pairs with a NaN are left out."""
    both = np.isfinite(x) & np.isfinite(y)
    x, y = np.where(both, x, 0), np.where(both, y, 0)
    return np.stack([part.sum(axis=axis) for part in (both, x, y, x * x, y * y, x * y)], axis=-1, dtype=np.float64)


def pearson_from_sums(sums: Array) -> Array:
    """Return Pearson's correlation; NaN for fewer than two pairs or where x or y is constant."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    spread_x, spread_y = _spread(n, x, xx), _spread(n, y, yy)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.clip((n * xy - x * y) / np.sqrt(spread_x * spread_y), -1, 1))


def slope_from_sums(sums: Array) -> Array:
    """Return the slope of the least-squares line of y over x; NaN where x is constant."""
    n, x, y, xx, _, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(invalid="ignore"):
        return np.asarray((n * xy - x * y) / _spread(n, x, xx))


def _spread(n: Array, x: Array, xx: Array) -> Array:
    """The number of pairs times the summed squared deviations; NaN where there are none."""
    spread = n * xx - x * x
    return np.where(spread > _NO_SPREAD * n * xx, spread, np.nan)
