"""How well the pieces of two texts match in the encoder's eyes: every piece finds its nearest one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plainwright.encoders.base import Vectors
from plainwright.lens.features.passage import Passage
from plainwright.metrics.base import Array

__all__ = ["MATCHES", "matches"]

_ONE_THREAD = 1 << 18  # multiplications: OpenBLAS's own limit, interface/gemm.c

MATCHES: Mapping[str, str] = {
    "precision": "mean cosine of the output's pieces with the nearest piece of the other text",
    "recall": "mean cosine of the other text's pieces with the nearest piece of the output",
    "f1": "harmonic mean of the two",
    "precision_lowest": "the least of the first cosines: something made up",
    "recall_lowest": "the least of the second cosines: something lost",
    "precision_tenth": "the tenth percentile of the first cosines",
    "recall_tenth": "the tenth percentile of the second cosines",
    "kept": "mean cosine of pieces that both texts have: whether they stand in the same context",
    "kept_lowest": "the least of these",
    "new": "mean cosine of pieces that only the output has with the nearest piece of the other text",
    "new_lowest": "the least of these",
    "lost": "mean cosine of pieces that only the other text has with the nearest piece of the output",
    "lost_lowest": "the least of these",
    "cosine": "cosine of the vectors of the two texts",
}


def matches(output: Passage, others: Sequence[Passage]) -> Array:
    """Return the values of `MATCHES` with each of the other texts: shape (others, values)."""
    table = np.zeros((len(others), len(MATCHES)))
    table[:, -1] = [float(output.direction @ other.direction) for other in others]
    for row, other in zip(table, others, strict=True):
        if len(output.pieces) and len(other.pieces):
            cosines = _products(output.pieces, other.pieces)
            found, asked = cosines.max(axis=1), cosines.max(axis=0)
            row[:-1] = [*_greedy(found, asked), *_by_kind(output, other, cosines, found, asked)]
    return table


def _products(left: Vectors, right: Vectors) -> Vectors:
    """Every row of one with every row of the other, a few rows at a time.

    OpenBLAS gives larger products to several threads. They would wait for one another longer than they work, and the
    last bits of a value would depend on their number.
    """
    rows = max(1, _ONE_THREAD // right.size)
    return np.concatenate([left[start : start + rows] @ right.T for start in range(0, len(left), rows)])


def _greedy(found: Vectors, asked: Vectors) -> list[float]:
    precision, recall = _mean(found), _mean(asked)
    f1 = 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return [precision, recall, f1, found.min(), asked.min(), _tenth(found), _tenth(asked)]


def _by_kind(output: Passage, other: Passage, cosines: Vectors, found: Vectors, asked: Vectors) -> list[float]:
    same = output.ids[:, None] == other.ids[None]
    in_other, in_output = same.any(axis=1), same.any(axis=0)
    kept = np.where(same, cosines, -1.0).max(axis=1)[in_other]
    new, lost = found[~in_other], asked[~in_output]
    return [value for part in (kept, new, lost) for value in _mean_and_least(part)]


def _mean_and_least(cosines: Vectors) -> tuple[float, float]:
    # Nothing new, nothing lost: as good as a perfect match.
    return (_mean(cosines), cosines.min()) if len(cosines) else (1.0, 1.0)


def _mean(values: Vectors) -> float:
    # Half the time of `values.mean()`, in which NumPy looks for special cases.
    return float(np.add.reduce(values)) / len(values)


def _tenth(values: Vectors) -> float:
    """The tenth percentile, without interpolation."""
    place = len(values) // 10
    return float(np.partition(values, place)[place])
