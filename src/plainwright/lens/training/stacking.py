"""How much each member counts, from predictions for sources that it never saw.

Weights are at least 0 and found by least squares. A member that adds nothing gets none, rather than a small negative
weight that would turn its judgement round on other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright.extras import extra_for

__all__ = ["Weights", "cross_fitted", "find_weights"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Weights:
    """Mixes predictions: z = intercept + the sum of weight times prediction."""

    intercept: float
    members: Mapping[str, float]

    def applied(self, predictions: Mapping[str, Array]) -> Array:
        """Return the mix of these predictions."""
        total = np.asarray(sum(weight * predictions[name] for name, weight in self.members.items()))
        return total + self.intercept


def find_weights(predictions: Mapping[str, Array], z: Array) -> Weights:
    """Return the weights that come nearest to `z`."""
    with extra_for("training", "train"):
        from scipy.optimize import nnls
    table = np.stack(list(predictions.values()), axis=1)
    centre, middle = table.mean(axis=0), float(z.mean())
    found, _ = nnls(table - centre, z - middle)
    return Weights(middle - float(found @ centre), dict(zip(predictions, map(float, found), strict=True)))


def cross_fitted(predictions: Mapping[str, Array], z: Array, parts: Sequence[int] | npt.NDArray[np.int64]) -> Array:
    """Return the mix of every example with weights that its own part had no say in."""
    of = np.asarray(parts)
    mixed = np.zeros(len(z))
    for part in np.unique(of):
        others, own = of != part, of == part
        weights = find_weights({name: values[others] for name, values in predictions.items()}, z[others])
        mixed[own] = weights.applied({name: values[own] for name, values in predictions.items()})
    return mixed
