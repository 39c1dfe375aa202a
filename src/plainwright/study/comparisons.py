"""Correction of p-values for many comparisons: of twenty true null hypotheses, one is rejected at 0.05 by chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal

import numpy as np

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.metrics.base import Array

__all__ = ["CORRECTIONS", "Correction", "corrected"]

Correction = Literal["holm", "benjamini-hochberg", "bonferroni", "none"]


def corrected(p_values: Sequence[float], correction: Correction = "holm") -> list[float]:
    """Return the p-values, each such that comparing it with 0.05 allows for all the others.

    "holm" and "bonferroni" bound the chance of any false alarm, Holm (1979) with more power; "benjamini-hochberg"
    (1995) bounds the share of false alarms among the alarms.
    """
    check_choice(correction, CORRECTIONS, "correction")
    values = np.asarray(p_values, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        msg = f"p-values lie between 0 and 1, got {list(p_values)!r:.80}"
        raise DataError(msg)
    order = np.argsort(values, kind="stable")
    adjusted = np.empty(len(values))
    adjusted[order] = np.minimum(CORRECTIONS[correction](values[order]), 1.0)
    return [float(value) for value in adjusted]


def _holm(ordered: Array) -> Array:
    n = len(ordered)
    return np.maximum.accumulate(ordered * (n - np.arange(n)))


def _benjamini_hochberg(ordered: Array) -> Array:
    n = len(ordered)
    return np.minimum.accumulate((ordered * n / np.arange(1, n + 1))[::-1])[::-1]


def _bonferroni(ordered: Array) -> Array:
    return ordered * len(ordered)


def _unchanged(ordered: Array) -> Array:
    return ordered


CORRECTIONS: Mapping[str, Callable[[Array], Array]] = MappingProxyType(
    {"holm": _holm, "benjamini-hochberg": _benjamini_hochberg, "bonferroni": _bonferroni, "none": _unchanged}
)
