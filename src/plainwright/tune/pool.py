"""Candidates gathered over the iterations of a tuning run: features and statistics, no text needed again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainwright.errors import DataError
from plainwright.metrics.base import Array

__all__ = ["KBest", "Pool", "best_stats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KBest:
    """The candidates of one segment from one decoding, best first."""

    texts: tuple[str, ...]
    features: Array  # (candidates, features), unweighted


class Pool:
    """Per segment, every distinct candidate seen so far; the same text with other features is another candidate."""

    def __init__(self, segments: int, features: int, statistics: int) -> None:
        self.features = [np.zeros((0, features)) for _ in range(segments)]
        self.stats = [np.zeros((0, statistics)) for _ in range(segments)]
        self._seen: list[set[bytes]] = [set() for _ in range(segments)]

    def __len__(self) -> int:
        return len(self.features)

    @property
    def candidates(self) -> int:
        """Over all segments."""
        return sum(map(len, self.features))

    def add(self, segment: int, features: Array, stats: Array) -> int:
        """Add candidates of one segment; returns how many were new."""
        seen = self._seen[segment]
        new = []
        for row, (feature, stat) in enumerate(zip(features, stats, strict=True)):
            key = feature.tobytes() + stat.tobytes()
            if key not in seen:
                seen.add(key)
                new.append(row)
        if new:
            self.features[segment] = np.concatenate([self.features[segment], features[new]])
            self.stats[segment] = np.concatenate([self.stats[segment], stats[new]])
        return len(new)

    def save(self, path: Path) -> None:
        """Write to `path`, complete or not at all."""
        temporary = path.with_name(f".{path.name}.part")
        sizes = np.array([len(rows) for rows in self.features])
        with temporary.open("wb") as stream:
            np.savez_compressed(
                stream, sizes=sizes, features=np.concatenate(self.features), stats=np.concatenate(self.stats)
            )
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> Pool:
        """Read what `save` wrote."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                sizes, features, stats = arrays["sizes"], arrays["features"], arrays["stats"]
        except (OSError, ValueError, KeyError) as error:
            msg = f"{path}: expected the candidates of a tuning run, found something else ({error})"
            raise DataError(msg) from None
        pool = cls(len(sizes), features.shape[1], stats.shape[1])
        ends = np.cumsum(sizes)[:-1]
        for segment, (rows, counts) in enumerate(zip(np.split(features, ends), np.split(stats, ends), strict=True)):
            pool.add(segment, rows, counts)
        return pool


def best_stats(pool: Pool, weights: Array) -> Array:
    """Summed statistics of the candidates that the weights choose; ties go to the earliest."""
    rows: Sequence[Array] = [
        stats[int(np.argmax(features @ weights))] for features, stats in zip(pool.features, pool.stats, strict=True)
    ]
    total: Array = np.sum(rows, axis=0)
    return total
