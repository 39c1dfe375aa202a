"""Student's t distribution: thresholds, p-values, and the power of a t-test.

One p-value or one threshold needs no scipy, so that the pages of a rating study do without; many thresholds at once and
power need it, the extra `study`.
"""

from __future__ import annotations

import math

import numpy as np

from plainwright.metrics.base import Array
from plainwright.study.distributions import scipy_special

__all__ = ["critical_value", "noncentrality", "p_value", "power", "threshold"]

_TERMS = 500  # of the continued fraction; a few dozen are usually enough
_HALVINGS = 50  # until nothing is left of double precision
_CERTAIN = 8.0  # standard errors beyond the threshold at which a test cannot fail in double precision


def critical_value(alpha: float, degrees: Array) -> Array:
    """Return the |t| above which a two-sided test at `alpha` finds a difference; infinite for 0 degrees of freedom."""
    degrees = np.asarray(degrees, dtype=np.float64)
    values = -scipy_special().stdtrit(np.maximum(degrees, 1), alpha / 2)
    return np.where(degrees >= 1, values, np.inf)


def p_value(statistic: float, degrees: float) -> float:
    """Return the p-value of a two-sided test."""
    square = statistic * statistic
    if math.isinf(square):
        return 0.0
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square))


def threshold(alpha: float, degrees: float) -> float:
    """Return what `critical_value` does, for one number of degrees of freedom."""
    if degrees < 1:
        return math.inf
    low, high = 0.0, 1.0
    while p_value(high, degrees) > alpha:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if p_value(middle, degrees) > alpha else (low, middle)
    return high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function, by its continued fraction (DLMF 8.17.22).

    `rest` is 1 - x, given apart because close to 1 nothing would be left of it.
    """
    if x == 0 or rest == 0:
        return float(rest == 0)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly
        return 1 - _incomplete_beta(b, a, rest, x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    # Lentz's method, from the front: c and d are the ratios of successive numerators and denominators.
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for term in (even, odd):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value *= c * d
        if math.isclose(value, before, rel_tol=1e-15):
            break
    return math.exp(log_front) * value / a


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
