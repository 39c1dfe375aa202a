"""Student's t distribution: thresholds, p-values, and the power of a t-test. Needs scipy, the extra `study`."""

from __future__ import annotations

import numpy as np

from plainwright.metrics.base import Array
from plainwright.study.distributions import scipy_special

__all__ = ["critical_value", "noncentrality", "p_value", "power"]

_HALVINGS = 50  # until nothing is left of double precision
_CERTAIN = 8.0  # standard errors beyond the threshold at which a test cannot fail in double precision


def critical_value(alpha: float, degrees: Array) -> Array:
    """Return the |t| above which a two-sided test at `alpha` finds a difference; infinite for 0 degrees of freedom."""
    degrees = np.asarray(degrees, dtype=np.float64)
    values = -scipy_special().stdtrit(np.maximum(degrees, 1), alpha / 2)
    return np.where(degrees >= 1, values, np.inf)


def p_value(statistic: float, degrees: float) -> float:
    """Return the p-value of a two-sided test."""
    return float(2 * scipy_special().stdtr(degrees, -abs(statistic)))


def power(noncentrality: Array, degrees: Array, alpha: float) -> Array:
    """Return the probability that a two-sided test at `alpha` finds a difference, and in its right direction.

    `noncentrality` is the true difference in standard errors, not negative.
    """
    noncentrality, degrees = np.broadcast_arrays(np.asarray(noncentrality, dtype=np.float64), degrees)
    threshold = critical_value(alpha, degrees)
    finite = np.where(np.isfinite(threshold), threshold, 0.0)
    # The statistic spreads around its centre by about sqrt(1 + t²/2df); far beyond the threshold the answer is 1
    # to the last bit, and scipy's series is spared arguments at which it may lose its way.
    certain = noncentrality > threshold + _CERTAIN * np.sqrt(1 + finite**2 / (2 * np.maximum(degrees, 1)))
    usable = (degrees >= 1) & ~certain
    result = np.array(certain, dtype=np.float64)
    result[usable] = 1 - scipy_special().nctdtr(degrees[usable], noncentrality[usable], threshold[usable])
    clipped: Array = np.clip(result, 0.0, 1.0)
    return clipped


def noncentrality(wanted: float, degrees: Array, alpha: float) -> Array:
    """The true difference, in standard errors, at which a two-sided test at `alpha` has the power wanted."""
    degrees = np.asarray(degrees, dtype=np.float64)
    low, high = np.zeros(degrees.shape), np.ones(degrees.shape)
    while (short := power(high, degrees, alpha) < wanted).any():
        low, high = np.where(short, high, low), np.where(short, 2 * high, high)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        short = power(middle, degrees, alpha) < wanted
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return high
