"""How well the pieces of two texts match in the encoder's eyes: every piece finds its nearest one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from plainwright.lens.encoders.base import Vectors
from plainwright.lens.features.passage import Passage
from plainwright.metrics.base import Array

__all__ = ["MATCHES", "matches"]

MATCHES: Mapping[str, str] = {
    "precision": "mean cosine of the output's pieces with the nearest piece of the other text",
    "recall": "mean cosine of the other text's pieces with the nearest piece of the output",
    "f1": "harmonic mean of the two",
    "precision_lowest": "the least of the first cosines: something made up",
    "recall_lowest": "the least of the second cosines: something lost",
    "precision_tenth": "the tenth percentile of the first cosines",
    "recall_tenth": "the tenth percentile of the second cosines",
    "cosine": "cosine of the vectors of the two texts",
}


def matches(output: Passage, others: Sequence[Passage]) -> Array:
    """The values of `MATCHES` with each of the other texts: shape (others, values)."""
    table = np.zeros((len(others), len(MATCHES)))
    table[:, -1] = [float(output.direction @ other.direction) for other in others]
    if not len(output.pieces):
        return table
    for row, other in zip(table, others, strict=True):
        if len(other.pieces):
            cosines = output.pieces @ other.pieces.T
            row[:-1] = _greedy(cosines.max(axis=1), cosines.max(axis=0))
    return table


def _greedy(found: Vectors, asked: Vectors) -> tuple[float, ...]:
    precision, recall = float(found.mean()), float(asked.mean())
    f1 = 2 * precision * recall / (precision + recall) if precision > 0 and recall > 0 else 0.0
    return (precision, recall, f1, float(found.min()), float(asked.min()), _tenth(found), _tenth(asked))


def _tenth(values: Vectors) -> float:
    """The tenth percentile, without interpolation."""
    place = len(values) // 10
    return float(np.partition(values, place)[place])
