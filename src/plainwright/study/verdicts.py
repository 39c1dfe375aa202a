"""Verdicts on pairs of systems (better, worse, no difference), and how far two lists of them agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from plainwright.metrics.base import Array
from plainwright.study import student

__all__ = ["Agreement", "Verdicts", "verdict_agreement", "verdicts"]

Agreement = Literal["tau-b", "tau-a", "matching", "outcomes"]
Verdicts = npt.NDArray[np.int8]


def verdicts(samples: Array, alpha: float | None, *, centre: Array | None = None) -> Verdicts:
    """For each pair of systems 1 (the first is better), -1 or 0: shape (samples, pairs).

    `samples` has the shape (samples, sentences, systems), NaN where an output is missing; a pair is tested on the
    sentences that have both. `alpha` is the level of a paired t-test, None takes the higher mean. `centre`, a score
    for each system near its mean, keeps digits.
    """
    _, size, systems = samples.shape
    centre = np.zeros(systems) if centre is None else centre
    count, total, squares = _pair_sums(samples - centre)
    first, second = np.triu_indices(systems, 1)
    safe = np.maximum(count, 1)
    mean = centre[first] - centre[second] + total / safe
    variance = np.maximum(squares - total**2 / safe, 0.0) / np.maximum(count - 1, 1)
    # Equal outputs have equal ratings; what rounding leaves of their difference is no difference.
    scale = max(float(np.nanmax(np.abs(samples), initial=0.0)), 1e-300)
    mean = np.where(np.abs(mean) <= 1e-9 * scale, 0.0, mean)
    if alpha is None:
        return np.where(count > 0, np.sign(mean), 0).astype(np.int8)
    variance = np.where(variance <= 1e-13 * scale**2, 0.0, variance)
    thresholds = student.critical_value(alpha, np.arange(size + 1) - 1.0)
    threshold = np.where(count > 1, thresholds[count.astype(np.int64)], 0.0)
    significant = (count > 1) & (mean**2 * count > threshold**2 * variance)
    return np.where(significant, np.sign(mean), 0).astype(np.int8)


def _pair_sums(scores: Array) -> tuple[Array, Array, Array]:
    """Of each pair of systems: sentences with both, and the sums of differences and of their squares."""
    samples, size, systems = scores.shape
    first, second = np.triu_indices(systems, 1)
    present = np.isfinite(scores)
    if present.all():
        products = scores.transpose(0, 2, 1) @ scores
        own = np.diagonal(products, axis1=1, axis2=2)
        sums = scores.sum(axis=1)
        squares = own[:, first] + own[:, second] - 2 * products[:, first, second]
        return np.full((samples, len(first)), float(size)), sums[:, first] - sums[:, second], squares
    filled = np.where(present, scores, 0.0)
    there = present.astype(np.float64)
    flipped = filled.transpose(0, 2, 1)
    count = there.transpose(0, 2, 1) @ there
    sums = flipped @ there
    own = (flipped**2) @ there
    products = flipped @ filled
    squares = own[:, first, second] + own[:, second, first] - 2 * products[:, first, second]
    return count[:, first, second], sums[:, first, second] - sums[:, second, first], squares


def verdict_agreement(reference: Verdicts, found: Verdicts, agreement: Agreement = "tau-b") -> Array:
    """Agreement of each row of `found` with `reference`, NaN where it is not defined; `CHOICES` has the formulas."""
    return _AGREEMENTS[agreement](reference.astype(np.float64), found.astype(np.float64))


def _tau_b(reference: Array, found: Array) -> Array:
    products = found @ reference
    size = np.sqrt((found**2).sum(axis=1) * (reference**2).sum())
    return np.where(size > 0, products / np.where(size > 0, size, 1.0), np.nan)


def _tau_a(reference: Array, found: Array) -> Array:
    return np.asarray(found @ reference / len(reference))


def _matching(reference: Array, found: Array) -> Array:
    return np.asarray(2 * (found == reference).mean(axis=1) - 1)


def _outcomes(reference: Array, found: Array) -> Array:
    """Tau-b of two lists over three values, from the table of how often each two values meet."""
    values = (-1.0, 0.0, 1.0)
    table = np.stack([np.stack([((reference == u) & (found == v)).sum(axis=1) for v in values]) for u in values])
    table = table.astype(np.float64)
    agree = sum(table[u, v] * table[u + 1 :, v + 1 :].sum(axis=(0, 1)) for u in range(2) for v in range(2))
    differ = sum(table[u, v] * table[u + 1 :, :v].sum(axis=(0, 1)) for u in range(2) for v in range(1, 3))
    every = len(reference) * (len(reference) - 1) / 2
    tied = [(side * (side - 1) / 2).sum(axis=0) for side in (table.sum(axis=1), table.sum(axis=0))]
    size = np.sqrt((every - tied[0]) * (every - tied[1]))
    return np.where(size > 0, (agree - differ) / np.where(size > 0, size, 1.0), np.nan)


_AGREEMENTS: dict[Agreement, Callable[[Array, Array], Array]] = {
    "tau-b": _tau_b,
    "tau-a": _tau_a,
    "matching": _matching,
    "outcomes": _outcomes,
}
