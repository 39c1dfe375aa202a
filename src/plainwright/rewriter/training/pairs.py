"""Sources and rewrites as tokens, with the ratios between them, in one file for all processes of a training."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from plainwright.arrays import read_arrays, write_arrays
from plainwright.rewriter.controls import CONTROLS, HIGHEST_RATIO, measured
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.rewriter.training.corpus import Row
from plainwright.rewriter.training.vocabulary import SmallVocabulary

__all__ = ["Pair", "Pairs", "encoded_pairs"]


class Pair(NamedTuple):
    """Tokens of a source and its rewrite, what the rewrite is like, and whether it is held out."""

    level: Level
    source: list[int]
    target: list[int]
    ratios: dict[str, float]
    held_out: bool


@dataclass(frozen=True, slots=True)
class Pairs:
    """Arrays with an entry for each pair; the tokens of all stand one after another."""

    arrays: dict[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.arrays["levels"])

    def __iter__(self) -> Iterator[Pair]:
        arrays, at = self.arrays, 0
        rows = zip(
            *(arrays[name].tolist() for name in ("levels", "sources", "targets", "ratios", "held_out")), strict=True
        )
        for level, sources, targets, ratios, held_out in rows:
            middle, end = at + sources, at + sources + targets
            source, target = arrays["tokens"][at:middle].tolist(), arrays["tokens"][middle:end].tolist()
            yield Pair(LEVELS[level], source, target, dict(zip(CONTROLS, ratios, strict=True)), bool(held_out))
            at = end

    @classmethod
    def of(cls, pairs: Sequence[Pair]) -> Pairs:
        """Put pairs into arrays."""
        tokens = [token for pair in pairs for text in (pair.source, pair.target) for token in text]
        ratios = [[pair.ratios[name] for name in CONTROLS] for pair in pairs]
        return cls(
            {
                "levels": np.array([LEVELS.index(pair.level) for pair in pairs], dtype=np.uint8),
                "sources": np.array([len(pair.source) for pair in pairs], dtype=np.int32),
                "targets": np.array([len(pair.target) for pair in pairs], dtype=np.int32),
                "ratios": np.array(ratios, dtype=np.float64).reshape(len(pairs), len(CONTROLS)),
                "held_out": np.array([pair.held_out for pair in pairs], dtype=np.uint8),
                "tokens": np.array(tokens, dtype=np.int32),
            }
        )

    def write(self, path: Path) -> None:
        """Write all arrays."""
        write_arrays(path, self.arrays)

    @classmethod
    def read(cls, path: Path) -> Pairs:
        """Read what `write` wrote."""
        return cls(read_arrays(path))


def encoded_pairs(
    rows: Sequence[Row], vocabulary: SmallVocabulary, *, progress: Callable[[int, int], None] | None = None
) -> Pairs:
    """Turn rows of texts into tokens and ratios."""
    sources = vocabulary.encode([row.source for row in rows])
    targets = vocabulary.encode([f" {row.target}" for row in rows])
    pairs: list[Pair] = []
    for number, (row, source, target) in enumerate(zip(rows, sources, targets, strict=True), start=1):
        ratios = {name: min(HIGHEST_RATIO, ratio) for name, ratio in measured(row.source, row.target).items()}
        pairs.append(Pair(row.level, source, target, ratios, row.held_out))
        if progress is not None:
            progress(number, len(rows))
    return Pairs.of(pairs)
