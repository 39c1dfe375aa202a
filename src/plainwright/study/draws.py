"""What is drawn again: inputs, systems or both, for intervals; and whose values are exchanged, for tests.

The procedures of Deutsch et al. (2021). A bootstrap over inputs asks what other sentences would have given, one over
systems what other systems would have given, one over both asks both; a permutation exchanges the values of two metrics
for whole inputs, for whole systems, or for single outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study.sums import slices

__all__ = ["RESAMPLED", "Draw", "Resampled", "draws", "exchanges"]

Resampled = Literal["inputs", "systems", "both"]
RESAMPLED: tuple[Resampled, ...] = get_args(Resampled)


@dataclass(frozen=True)
class Draw:
    """Holds some resamples, a row each."""

    inputs: Array  # how often each input was drawn: shape (resamples, inputs)
    systems: npt.NDArray[np.intp] | None  # which systems were drawn: shape (resamples, systems); None: each once

    @cached_property
    def system_counts(self) -> Array:
        """How often each system was drawn; meaningful only if systems were drawn."""
        assert self.systems is not None
        return _counts(self.systems)

    def of_systems(self, values: Array) -> Array:
        """Return values of shape (resamples, systems) of the systems drawn."""
        return values if self.systems is None else np.take_along_axis(values, self.systems, axis=1)


def draws(inputs: int, systems: int, *, resampled: Resampled, resamples: int, seed: int, cells: int) -> Iterator[Draw]:
    """Bootstrap resamples in blocks, such that a block of rows with `cells` numbers each fits into memory."""
    _check(resampled, resamples)
    generator = np.random.default_rng(seed)
    for rows in _blocks(resamples, cells):
        drawn = None
        counts = np.ones((rows, inputs))
        if resampled != "systems":
            counts = _counts(generator.integers(0, inputs, size=(rows, inputs)))
        if resampled != "inputs":
            drawn = generator.integers(0, systems, size=(rows, systems))
        yield Draw(counts, drawn)


def exchanges(
    inputs: int, systems: int, *, resampled: Resampled, trials: int, seed: int
) -> Iterator[npt.NDArray[np.bool_]]:
    """Of which outputs two metrics exchange their values, at random: shape (trials, inputs, systems), in blocks."""
    _check(resampled, trials)
    # Another stream than that of the resamples with the same seed.
    generator = np.random.default_rng([seed, 1])
    for rows in _blocks(trials, inputs * systems):
        shape = (rows, 1 if resampled == "systems" else inputs, 1 if resampled == "inputs" else systems)
        chosen = generator.integers(0, 2, size=shape, dtype=np.int8).astype(bool)
        yield np.broadcast_to(chosen, (rows, inputs, systems))


def _counts(drawn: npt.NDArray[np.intp]) -> Array:
    """How often each number below the length of a row stands in it."""
    rows, n = drawn.shape
    # Row r counts in [r n, (r + 1) n), so that one count serves all rows.
    shifted = drawn + n * np.arange(rows)[:, None]
    return np.bincount(shifted.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float64)


def _blocks(total: int, cells: int) -> list[int]:
    return [part.stop - part.start for part in slices(total, cells)]


def _check(resampled: str, number: int) -> None:
    check_choice(resampled, RESAMPLED, "choice of what to resample")
    if number < 1:
        msg = f"at least one resample is needed, got {number!r}"
        raise DataError(msg)
