"""The ratings that can be compared: those of outputs which at least two raters have judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright.arguments import refuse
from plainwright.metrics.base import Array
from plainwright.study.estimate import Estimate, Interval

__all__ = ["FEWEST_ITEMS", "Compared", "Integers", "as_scores", "estimate"]

Integers = npt.NDArray[np.int64]

FEWEST_ITEMS = 3  # fewer say nothing about other items, so no interval could be honest
_NO_DIFFERENCE = "without any difference, agreement cannot be told from chance"


def as_scores(scores: object, parameter: str, dimensions: tuple[int, ...], layout: str) -> Array:
    """Scores as an array, also from lists of numbers; NaN stands where a rater gave none."""
    try:
        found = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        found = np.empty(())
    if found.ndim not in dimensions:
        refuse(scores, "agreement", parameter, f"an array of numbers {layout}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Lays ratings of outputs with at least two side by side: those of one output together, outputs by item."""

    values: Array  # (ratings,)
    first: Integers  # (outputs,): where the ratings of each begin
    sizes: Integers  # (outputs,): how many each has
    first_of_item: Integers  # (items,): where the outputs of each begin
    problem: str  # why nothing can be computed, or ""

    @classmethod
    def of(cls, scores: Array) -> Compared:
        """Lay out scores by item, system and rater, or by item and rater."""
        scores = as_scores(scores, "scores", (2, 3), "by item and rater, or by item, system and rater")
        if scores.ndim == 2:
            scores = scores[:, None, :]
        rated = np.isfinite(scores)
        sizes = rated.sum(axis=-1)
        several = sizes >= 2
        values = scores[rated & several[..., None]]
        outputs = several.sum(axis=1)
        outputs = outputs[outputs > 0]
        sizes = sizes[several]
        return cls(
            values=values,
            first=np.cumsum(sizes) - sizes,
            sizes=sizes,
            first_of_item=np.cumsum(outputs) - outputs,
            problem=_problem(rated, values, len(outputs)),
        )

    @property
    def items(self) -> int:
        """How many items have an output that two raters judged."""
        return len(self.first_of_item)

    def by_output(self, ratings: Array) -> Array:
        """Sum over the ratings of each output, along the last axis."""
        return np.asarray(np.add.reduceat(ratings, self.first, axis=-1))

    def by_item(self, outputs: Array, axis: int = -1) -> Array:
        """Sum over the outputs of each item."""
        return np.asarray(np.add.reduceat(outputs, self.first_of_item, axis=axis))

    def spread(self, ratings: Array) -> Array:
        """Sum the squared differences of each output's ratings, each pair twice, over the number of the others."""
        # Measured from the first rating of the output: where all are equal, the spread is 0 to the last digit.
        apart = ratings - np.repeat(ratings[..., self.first], self.sizes, axis=-1)
        squares, sums = self.by_output(apart**2), self.by_output(apart)
        return np.asarray(2 * (self.sizes * squares - sums**2) / (self.sizes - 1))


def _problem(rated: npt.NDArray[np.bool_], values: Array, items: int) -> str:
    raters = int(rated.any(axis=(0, 1)).sum())
    if raters < 2:
        return f"agreement needs at least two raters, found {raters}"
    if items == 0:
        return "no output was rated by two raters, so there is nothing to compare"
    if items < FEWEST_ITEMS:
        return f"agreement needs at least {FEWEST_ITEMS} items that two raters have rated, found {items}"
    if values.min() == values.max():
        return f"all {len(values)} ratings are {values[0]:g}; {_NO_DIFFERENCE}"
    return ""


def estimate(values: Array, n: int, confidence: float) -> Estimate:
    """The first value is that of the data, the others those of resamples."""
    if not np.isfinite(values[0]):
        return Estimate(value=None, n=n, problem=_NO_DIFFERENCE)
    return Estimate(value=float(values[0]), n=n, interval=Interval.of(values[1:], confidence))
