"""Why ratings differ: the sentence, the rater, the output, and chance, each with its variance.

The model: score = mean + system + item + rater + system x item + item x rater + system x rater + residual, all crossed.
Estimated by the method of moments: half the mean squared difference of two ratings that share, say, item and rater has
as its expectation the sum of the variances of whatever they do not share. Taken over all pairs that share each set of
factors this gives as many equations as there are variances (symmetric differences squared: Koch, 1968). It needs no
balance and no normality, is unbiased whatever is missing, and equals the classical ANOVA estimates where nothing is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from plainwright.metrics.base import Array
from plainwright.study.checks import check_cube
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube
from plainwright.study.sums import item_weights

__all__ = ["EFFECTS", "Components", "ComponentsEstimate", "difference_variance", "estimate_components", "unseparated"]

# Fields of `Components`, with the axes of a cube (0 item, 1 system, 2 rater) that two ratings must share for it to be
# the same. In the order in which they are kept if the data cannot tell all of them apart.
EFFECTS: Mapping[str, tuple[int, ...]] = {
    "residual": (0, 1, 2),
    "item": (0,),
    "system_item": (0, 1),
    "rater": (2,),
    "system": (1,),
    "item_rater": (0, 2),
    "system_rater": (1, 2),
}

_SHARED = [axes for size in range(3) for axes in combinations(range(3), size)]  # what pairs of ratings may share


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Variances, in squared points of the scale; the systems' own spread is no part of it."""

    item: float = 0.0  # some sentences get higher ratings whatever the system
    system_item: float = 0.0  # a system suits some sentences better than others
    rater: float = 0.0  # some raters are kinder
    item_rater: float = 0.0  # a rater's view of one sentence
    system_rater: float = 0.0  # a rater's view of one system
    residual: float = 0.0  # what the same rater might have said otherwise

    def difference(self, raters: Array | int, *, same_raters: bool = True) -> Array:
        """Return the variance, over sentences, of the difference of two systems' mean ratings."""
        variances = {name: np.asarray(getattr(self, name)) for name in self.__slots__}
        return difference_variance(variances, raters, same_raters=same_raters)

    def scaled(self, factor: float) -> Components:
        """Return the same for scores that are `factor` times as large."""
        return Components(**{name: factor**2 * getattr(self, name) for name in self.__slots__})

    def with_deviations(self, **deviations: float | None) -> Components:
        """Some variances replaced, given as standard deviations; None leaves one as it is."""
        return replace(self, **{name: value**2 for name, value in deviations.items() if value is not None})

    def deviations(self) -> dict[str, float]:
        """Return standard deviations by name."""
        return {name: math.sqrt(getattr(self, name)) for name in self.__slots__}


def difference_variance(variances: Mapping[str, Array], raters: Array | int, *, same_raters: bool) -> Array:
    """Do as `Components.difference`, for many sets of variances at once."""
    names = ["residual", "system_rater", *([] if same_raters else ["rater", "item_rater"])]
    noise = sum((variances[name] for name in names if name in variances), np.zeros(()))
    return np.asarray(2 * (variances.get("system_item", np.zeros(())) + noise / np.asarray(raters)))


@dataclass(frozen=True, kw_only=True)
class ComponentsEstimate:
    """Components found in ratings, with the uncertainty that comes from their sentences."""

    components: Components
    deviations: Mapping[str, Estimate]  # standard deviations; those that could not be told apart say with what
    ratings: int
    resampled: Mapping[str, Array] = field(repr=False)  # variances in each bootstrap sample of the items

    def with_deviations(self, **deviations: float | None) -> ComponentsEstimate:
        """Some components known from elsewhere, as standard deviations; None leaves one as it is."""
        known = {name: value for name, value in deviations.items() if value is not None}
        draws = len(next(iter(self.resampled.values()), ()))
        return replace(
            self,
            components=self.components.with_deviations(**known),
            deviations={**self.deviations, **{name: Estimate(value=value, n=0) for name, value in known.items()}},
            resampled={**self.resampled, **{name: np.full(draws, value**2) for name, value in known.items()}},
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {name: estimate.to_dict() for name, estimate in self.deviations.items()}


def estimate_components(cube: Cube, *, resamples: int = 1000, seed: int = 12345) -> ComponentsEstimate:
    """The variance components of one aspect; negative estimates count as 0; intervals by resampling items."""
    check_cube(cube, "the spread of ratings")
    moments = _Moments(cube)
    # The first row of the weights is the ratings as they are, the others are resamples.
    equations, squares = moments.equations(item_weights(len(cube.items), resamples, np.random.default_rng(seed)))
    solved = _solved(equations, squares, _separable(equations[0]))
    found = {name: float(variances[0]) for name, variances in solved.items()}
    samples = {name: variances[1:] for name, variances in solved.items() if name in Components.__slots__}
    number = int(np.isfinite(cube.scores).sum())
    return ComponentsEstimate(
        components=Components(**{name: found[name] for name in samples}),
        deviations={
            name: Estimate(value=math.sqrt(found[name]), n=number, interval=Interval.of(np.sqrt(samples[name])))
            if name in samples
            else Estimate(value=None, n=number, problem=_merged(name, cube))
            for name in Components.__slots__
        },
        ratings=number,
        resampled=samples if resamples else {},
    )


class _Moments:
    """Counts, sums and sums of squares of ratings that share factors, under weights of items."""

    def __init__(self, cube: Cube) -> None:
        rated = np.isfinite(cube.scores)
        scores = np.where(rated, cube.scores - np.nanmean(cube.scores), 0.0)
        self._cells = (rated.astype(np.float64), scores, scores**2)

    def equations(self, weights: Array) -> tuple[Array, Array]:
        """Shares of pairs that differ in each effect, (weights, shared, effects); and mean halved squares."""
        sums = {axes: self._pairs(axes, weights) for axes in [*_SHARED, (0, 1, 2)]}
        pairs = np.stack([sums[shared][0] for shared in _SHARED], axis=-1)
        squares = np.stack([sums[shared][1] for shared in _SHARED], axis=-1)
        differing = np.stack(
            [
                np.stack(
                    [sums[shared][0] - sums[tuple(sorted({*shared, *axes}))][0] for axes in EFFECTS.values()],
                    axis=-1,
                )
                for shared in _SHARED
            ],
            axis=-2,
        )
        # A rating is a pair with itself as well; pairs of nothing else leave an empty equation, 0 = 0.
        return differing / pairs[..., None], squares / pairs

    def _pairs(self, shared: tuple[int, ...], weights: Array) -> tuple[Array, Array]:
        """How many ordered pairs of ratings share these factors, and the sum of half their squared differences."""
        summed = tuple(axis for axis in (1, 2) if axis not in shared)
        count, total, square = (cells.sum(axis=summed).reshape(len(cells), -1) for cells in self._cells)
        if 0 in shared:
            # A sentence drawn twice is two sentences, each with its own pairs.
            return weights @ (count**2).sum(axis=1), weights @ (count * square - total**2).sum(axis=1)
        count, total, square = weights @ count, weights @ total, weights @ square
        return (count**2).sum(axis=1), (count * square - total**2).sum(axis=1)


def _separable(equations: Array) -> list[str]:
    """The effects whose columns are no combination of those before them."""
    kept: list[str] = []
    basis = np.zeros((len(equations), 0))
    for name, column in zip(EFFECTS, equations.T, strict=True):
        rest = column - basis @ (basis.T @ column)
        rest -= basis @ (basis.T @ rest)
        if np.linalg.norm(rest) > 1e-9 * max(float(np.linalg.norm(column)), 1e-3):
            kept.append(name)
            basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
    return kept


def _solved(equations: Array, squares: Array, kept: list[str]) -> dict[str, Array]:
    columns = [place for place, name in enumerate(EFFECTS) if name in kept]
    solution = np.linalg.pinv(equations[..., columns]) @ squares[..., None]
    return {name: np.maximum(solution[:, place, 0], 0.0) for place, name in enumerate(n for n in EFFECTS if n in kept)}


def unseparated(cube: Cube) -> str:
    """Return what ratings do that cannot show how a system changes from sentence to sentence."""
    if len(cube.systems) == 1:
        return "are of one system"
    return "have one rating for each output" if _rated_once(cube) else "have no sentence with outputs of two systems"


def _rated_once(cube: Cube) -> bool:
    return int(np.isfinite(cube.scores).sum(axis=2).max()) < 2


def _merged(name: str, cube: Cube) -> str:
    """Why an effect cannot be told apart, and where it went."""
    homes = {"system_item": "item", "system_rater": "rater", "item_rater": "residual"}
    if name in homes and len(cube.systems) == 1:
        return f"with one system it cannot be told apart from {homes[name]}, and is in it"
    if name in ("rater", "item_rater", "system_rater") and len(cube.raters) == 1:
        return "with one rater it cannot be told apart from the rest"
    if name == "system_item":
        home = "residual" if _rated_once(cube) else "item"
        return f"ratings that {unseparated(cube)} cannot tell it apart from {home}, and it is in that"
    return "these ratings cannot tell it apart; it is in the residual or in the effect that goes with it"
