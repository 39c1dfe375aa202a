"""Candidates gathered over the iterations of a tuning run: features and statistics, no text needed again."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes
from plainwright.metrics.base import Array

__all__ = ["KBest", "Pool"]

# What numpy and zipfile raise for files that are damaged in one way or another.
_UNREADABLE = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, MemoryError),
    *(NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KBest:
    """Lists the candidates of one segment from one decoding, best first."""

    texts: tuple[str, ...]
    features: Array  # (candidates, features), unweighted


class Pool:
    """Per segment, every distinct candidate seen so far; the same text with other features is another candidate.

    Features are kept as 32-bit floats: a long run gathers millions of candidates.
    """

    def __init__(self, segments: int, features: int, statistics: int) -> None:
        self.features = [np.zeros((0, features), dtype=np.float32) for _ in range(segments)]
        self.stats = [np.zeros((0, statistics)) for _ in range(segments)]
        self._seen: list[set[bytes]] = [set() for _ in range(segments)]
        self._saved = [0] * segments  # candidates that files have already

    def __len__(self) -> int:
        return len(self.features)

    @property
    def candidates(self) -> int:
        """Over all segments."""
        return sum(map(len, self.features))

    def add(self, segment: int, features: Array, stats: Array) -> int:
        """Add candidates of one segment; returns how many were new."""
        seen = self._seen[segment]
        short = np.ascontiguousarray(features, dtype=np.float32)
        new = []
        for row, (feature, stat) in enumerate(zip(short, stats, strict=True)):
            key = hashlib.blake2b(feature.tobytes() + stat.tobytes(), digest_size=16).digest()
            if key not in seen:
                seen.add(key)
                new.append(row)
        if new:
            self.features[segment] = np.concatenate([self.features[segment], short[new]])
            self.stats[segment] = np.concatenate([self.stats[segment], stats[new]])
        return len(new)

    def save_new(self, path: Path) -> None:
        """Write what was added since the last call to `path`, complete or not at all."""
        sizes = np.array([len(rows) - saved for rows, saved in zip(self.features, self._saved, strict=True)])
        features = [rows[saved:] for rows, saved in zip(self.features, self._saved, strict=True)]
        stats = [rows[saved:] for rows, saved in zip(self.stats, self._saved, strict=True)]
        with atomic_write_bytes(path) as stream:
            np.savez_compressed(stream, sizes=sizes, features=np.concatenate(features), stats=np.concatenate(stats))
        self._saved = [len(rows) for rows in self.features]

    def load(self, paths: Sequence[Path]) -> None:
        """Add what `save_new` wrote, file by file; a file for other numbers of segments or features is an error."""
        for path in paths:
            try:
                features, stats = self._read(path)
            except _UNREADABLE as error:
                msg = f"{path}: expected the candidates of a tuning run, found something else ({error})"
                raise DataError(msg) from None
            for segment, (rows, counts) in enumerate(zip(features, stats, strict=True)):
                self.add(segment, rows, counts)
        self._saved = [len(rows) for rows in self.features]

    def _read(self, path: Path) -> tuple[list[Array], list[Array]]:
        # numpy leaves a file open that is no archive.
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            sizes, features, stats = arrays["sizes"], arrays["features"], arrays["stats"]
        if sizes.shape != (len(self),) or sizes.dtype.kind != "i" or (sizes < 0).any():
            msg = f"not {len(self)} segments"
            raise ValueError(msg)
        for rows, own in ((features, self.features[0]), (stats, self.stats[0])):
            if rows.shape != (sizes.sum(), own.shape[1]) or rows.dtype != own.dtype:
                msg = f"not {sizes.sum()} rows of {own.shape[1]} numbers"
                raise ValueError(msg)
        ends = np.cumsum(sizes)[:-1]
        return np.split(features, ends), np.split(stats, ends)
