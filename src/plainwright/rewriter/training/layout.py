"""Where the trained weights stand in one long row of numbers, which all processes share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright.rewriter.graph import BLOCK
from plainwright.rewriter.training.recipe import Bits, Training

__all__ = ["Layout", "Matrices", "Place"]

Matrices = Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Place:
    """The part of the row that a matrix takes, and the bits that it will be kept in (None: it is not rounded)."""

    name: str
    shape: tuple[int, ...]
    start: int
    bits: int | None

    @property
    def end(self) -> int:
        """The first number after it."""
        return self.start + math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Layout:
    """All trained matrices one after another, and the frozen ones."""

    trained: tuple[Place, ...]
    frozen: tuple[Place, ...]  # each from 0

    @classmethod
    def of(cls, weights: Matrices, training: Training, bits: Bits) -> Layout:
        """Place all matrices of a model."""
        trained, frozen, at = [], [], 0
        for name, matrix in weights.items():
            kept = bits.of(name, training.frozen_layers) if matrix.ndim == 2 else None
            if _is_trained(name, training):
                trained.append(Place(name, matrix.shape, at, kept))
                at = trained[-1].end
            else:
                frozen.append(Place(name, matrix.shape, 0, kept))
        return cls(tuple(trained), tuple(frozen))

    @property
    def size(self) -> int:
        """Numbers that are trained."""
        return self.trained[-1].end

    def flat(self, weights: Matrices) -> npt.NDArray[np.float32]:
        """Return the trained weights in one row."""
        return np.concatenate([weights[place.name].ravel() for place in self.trained])

    def share(self, rank: int, processes: int) -> tuple[int, int]:
        """Return the part that one of the processes updates: whole blocks, so that it can round them alone."""
        blocks = self.size // BLOCK  # a width is a multiple of it, so all matrices and norms are
        first, last = (blocks * one // processes for one in (rank, rank + 1))
        return first * BLOCK, last * BLOCK

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, int | None]]:
        """Yield the parts of a range that belong to one matrix each, with its bits."""
        for place in self.trained:
            if place.start < end and start < place.end:
                yield max(start, place.start), min(end, place.end), place.bits


def _is_trained(name: str, training: Training) -> bool:
    layer, dot, _ = name.partition(".")
    return int(layer) >= training.frozen_layers if dot else name != "embeddings" or training.embeddings
