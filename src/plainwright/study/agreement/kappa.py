"""Cohen's kappa with weights, and the protocol that extends it to more than two raters.

Kappa is 1 - n observed / expected. The expected disagreement is a product of what each rater's scores sum to on their
own: counts of each score in general; for quadratic weights the number, the sum and the sum of squares will do.
Sources: Cohen (1968); a rater drawn at random for each output: Pavlick and Tetreault (2016), Sulem et al. (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal, get_args

import numpy as np

from plainwright.arguments import check_choice
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics.base import Array
from plainwright.study.agreement.compared import Compared, Integers, as_scores, estimate
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Scale
from plainwright.study.sums import item_weights, slices

__all__ = ["DrawnFor", "KappaWeights", "RepeatedKappa", "Rounding", "cohen_kappa", "repeated_kappa"]

KappaWeights = Literal["none", "linear", "quadratic"]
Rounding = Literal["away", "even", "up", "down"]
DrawnFor = Literal["output", "item"]

_NO_DISAGREEMENT = 1e-10  # mean disagreement expected by chance below which it is rounding error
_MOST_SCORES = 1001  # beyond, "the same score" means little, and the table of pairs would fill the memory


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatedKappa:
    """Kappa between a rater drawn at random for each output and the rounded mean of the others, drawn many times."""

    median: Estimate  # its interval: what other items might have given
    repetitions: Interval | None  # what other draws of raters gave: the middle 95 % of the repetitions
    margin: float | None  # half the interval of the median itself; shrinks with more repetitions, not with more data
    draws: int
    weights: KappaWeights
    rounding: Rounding
    drawn_for: DrawnFor

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        spread = self.repetitions
        return {
            **self.median.to_dict(),
            **({} if spread is None else {"repetitions_interval": [spread.low, spread.high]}),
            **({} if self.margin is None else {"margin_of_median": self.margin}),
            "draws": self.draws,
            "weights": self.weights,
            "rounding": self.rounding,
            "drawn_for": self.drawn_for,
        }


def cohen_kappa(
    first: Array,
    second: Array,
    *,
    weights: KappaWeights = "none",
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
) -> Estimate:
    """Cohen's kappa of two raters, by item or by item and system; `n` counts the outputs that both rated.

    Linear and quadratic weights take the distance of the scores themselves: 1 and 5 are four steps apart, also where
    nobody gave 2, 3 or 4.
    """
    check_choice(weights, get_args(KappaWeights), "weights")
    first, second = (
        as_scores(scores, name, (1, 2), "by output, or by item and system")
        for name, scores in (("first", first), ("second", second))
    )
    if first.shape != second.shape:
        msg = f"both raters need scores of the same outputs; got shapes {first.shape} and {second.shape}"
        raise LengthMismatchError(msg)
    compared = Compared.of(np.stack([first, second], axis=-1).reshape(len(first), -1, 2))
    outputs = len(compared.first)
    distinct, codes = np.unique(compared.values, return_inverse=True)
    problem = compared.problem or _too_fine(len(distinct), weights)
    if problem:
        return Estimate(value=None, n=outputs, problem=problem)
    kappa = _Kappa.of(distinct, weights)
    sums = compared.by_item(kappa.statistics(codes[0::2], codes[1::2]), axis=0)
    taken = item_weights(compared.items, resamples, np.random.default_rng(seed))
    return estimate(kappa.values(taken @ sums), outputs, confidence)


def repeated_kappa(
    scores: Array,
    scale: Scale,
    *,
    weights: KappaWeights = "quadratic",
    rounding: Rounding = "away",
    drawn_for: DrawnFor = "output",
    repetitions: int = 1000,
    resamples: int = 1000,
    seed: int = 12345,
    confidence: float = 0.95,
) -> RepeatedKappa:
    """The protocol of Sulem et al. (2018), section 4.1; needs a scale with steps and three raters.

    For each output one of its raters is drawn as annotator 1; annotator 2 is the mean of its other raters, rounded to
    the scale. A mean halfway between two steps goes away from zero, to the even step, up or down, as `rounding` says.
    `drawn_for="item"` takes the same rater for all outputs of an item, which spreads the repetitions more.
    """
    check_choice(weights, get_args(KappaWeights), "weights")
    check_choice(rounding, get_args(Rounding), "rounding")
    check_choice(drawn_for, get_args(DrawnFor), "drawn_for")
    if repetitions < 1:
        msg = f"at least one repetition is needed, got {repetitions!r}"
        raise DataError(msg)
    compared = Compared.of(scores)
    outputs = len(compared.first)
    problem = compared.problem or _kappa_problem(compared, scale) or _too_fine(len(_steps(scale)), weights)
    if problem:
        return RepeatedKappa(
            median=Estimate(value=None, n=outputs, problem=problem),
            repetitions=None,
            margin=None,
            draws=repetitions,
            weights=weights,
            rounding=rounding,
            drawn_for=drawn_for,
        )
    generator = np.random.default_rng(seed)
    kappa = _Kappa.of(_steps(scale), weights)
    annotators = _Annotators.of(compared, scale, rounding, drawn_for)
    sums = np.concatenate(
        [
            compared.by_item(kappa.statistics(*annotators.draw(rows.stop - rows.start, generator)), axis=1)
            for rows in slices(repetitions, outputs * kappa.width)
        ]
    )
    drawn = kappa.values(sums.sum(axis=1))
    taken = item_weights(compared.items, resamples, generator)
    medians = np.concatenate([_median(kappa.values(part)) for part in _weighted(taken, sums)])
    return RepeatedKappa(
        median=estimate(medians, outputs, confidence),
        repetitions=Interval.of(drawn, confidence),
        margin=_margin_of_median(drawn, confidence),
        draws=repetitions,
        weights=weights,
        rounding=rounding,
        drawn_for=drawn_for,
    )


def _kappa_problem(compared: Compared, scale: Scale) -> str:
    if scale.step is None:
        return f"kappa needs a scale with steps, and {scale} has none; use alpha"
    if compared.sizes.max() < 3:
        return "the mean of the other raters needs outputs with at least three raters, found none; use Cohen's kappa"
    outside = [value for value in np.unique(compared.values) if float(value) not in scale]
    if outside:
        return f"the score {outside[0]:g} is not on the scale {scale}"
    return ""


def _too_fine(scores: int, weights: KappaWeights) -> str:
    if weights == "quadratic" or scores <= _MOST_SCORES:
        return ""
    return f"kappa with {weights!r} weights needs a scale of at most {_MOST_SCORES} scores, found {scores}; use alpha"


def _unlike(first: Array, second: Array) -> Array:
    return np.asarray(first != second, dtype=np.float64)


def _apart(first: Array, second: Array) -> Array:
    return np.asarray(np.abs(first - second))


def _squared(first: Array, second: Array) -> Array:
    return np.asarray((first - second) ** 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kappa:
    """How disagreement is weighed, as sums."""

    distinct: Array  # the scores that can occur, in order
    features: Array  # (distinct, features): what a rater's scores are summed as
    products: Array  # (features, features): the disagreement that a product of two sums stands for
    distance: Callable[[Array, Array], Array]

    @classmethod
    def of(cls, distinct: Array, weights: KappaWeights) -> _Kappa:
        if weights == "quadratic":
            middle = distinct - distinct.mean()
            features = np.stack([np.ones_like(middle), middle, middle**2], axis=1)
            products = np.array([[0, 0, 1], [0, -2, 0], [1, 0, 0]], dtype=np.float64)
            return cls(distinct=distinct, features=features, products=products, distance=_squared)
        distance = _unlike if weights == "none" else _apart
        products = distance(distinct[:, None], distinct[None, :])
        return cls(distinct=distinct, features=np.eye(len(distinct)), products=products, distance=distance)

    @property
    def width(self) -> int:
        """Statistics of one pair of scores."""
        return 2 + 2 * int(self.features.shape[1])

    def statistics(self, first: Integers, second: Integers) -> Array:
        """What sums, for scores given by their place in `distinct`: 1, the disagreement, the features of either."""
        apart = self.distance(self.distinct[first], self.distinct[second])
        single = np.stack([np.ones(first.shape), apart], axis=-1)
        return np.concatenate([single, self.features[first], self.features[second]], axis=-1)

    def values(self, sums: Array) -> Array:
        """Kappa from summed statistics; NaN where both raters gave one and the same score throughout."""
        n, observed = sums[..., 0], sums[..., 1]
        one, two = np.split(sums[..., 2:], 2, axis=-1)
        expected = ((one @ self.products) * two).sum(axis=-1)
        expected = np.where(expected > _NO_DISAGREEMENT * n**2, expected, np.nan)
        return np.asarray(1 - n * observed / expected)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Annotators:
    """Draws a rater for each output, and rounds the mean of the others; scores are counted in steps of the scale."""

    compared: Compared
    steps: Integers  # (ratings,): how many steps above the lowest score
    zero: float  # the step at which the score is 0, where there is one
    rounding: Rounding
    drawn_for: DrawnFor

    @classmethod
    def of(cls, compared: Compared, scale: Scale, rounding: Rounding, drawn_for: DrawnFor) -> _Annotators:
        assert scale.step is not None
        # "Even" and "away from zero" are said of the scores, so count steps from 0 where 0 is on the grid.
        zero = -scale.low / scale.step
        return cls(
            compared=compared,
            steps=np.rint((compared.values - scale.low) / scale.step).astype(np.int64),
            zero=zero if float(zero).is_integer() else 0.0,
            rounding=rounding,
            drawn_for=drawn_for,
        )

    def draw(self, repetitions: int, generator: np.random.Generator) -> tuple[Integers, Integers]:
        """Steps of annotators 1 and 2: two arrays of shape (repetitions, outputs)."""
        sizes = self.compared.sizes
        if self.drawn_for == "output":
            chosen = generator.integers(0, sizes, size=(repetitions, len(sizes)))
        else:
            # One number for all outputs of an item picks the same rater wherever the same raters judged.
            outputs = np.diff(np.append(self.compared.first_of_item, len(sizes)))
            numbers = np.repeat(generator.random((repetitions, self.compared.items)), outputs, axis=1)
            chosen = np.floor(numbers * sizes).astype(np.int64)
        one = self.steps[self.compared.first + chosen]
        others = (np.add.reduceat(self.steps, self.compared.first) - one) / (sizes - 1)
        return one, self._rounded(others)

    def _rounded(self, means: Array) -> Integers:
        from_zero = means - self.zero
        below = np.floor(from_zero)
        half = from_zero - below == 0.5
        up = {"up": half, "down": False, "away": half & (from_zero > 0), "even": half & (below % 2 == 1)}[self.rounding]
        nearest = np.where(half, below + up, np.floor(from_zero + 0.5))
        return np.asarray(nearest + self.zero, dtype=np.int64)


def _steps(scale: Scale) -> Array:
    """All scores of a scale, from the lowest."""
    if scale.step is None:
        return np.empty(0)
    return np.linspace(scale.low, scale.high, round((scale.high - scale.low) / scale.step) + 1, dtype=np.float64)


def _weighted(weights: Array, sums: Array) -> Iterator[Array]:
    """Sums over weighted items, some resamples at a time: shapes (resamples, repetitions, statistics)."""
    by_item = np.moveaxis(sums, 1, 0)
    flat = by_item.reshape(len(by_item), -1)
    for rows in slices(len(weights), flat.shape[1]):
        yield (weights[rows] @ flat).reshape(-1, *by_item.shape[1:])


def _median(values: Array) -> Array:
    """The median over the last axis of what is defined; NaN where nothing is."""
    missing = np.isnan(values)
    if not missing.any():
        return np.asarray(np.median(values, axis=-1))
    return np.array(
        [np.median(row[~gone]) if not gone.all() else np.nan for row, gone in zip(values, missing, strict=True)]
    )


def _margin_of_median(values: Array, confidence: float) -> float | None:
    """Half the interval of the median of independent draws: the order statistics around the middle."""
    ordered = np.sort(values[np.isfinite(values)])
    n = len(ordered)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * np.sqrt(n) / 2
    low, high = int(np.floor(n / 2 - reach)), int(np.ceil(n / 2 + reach))
    if low < 0 or high >= n:
        return None
    return float(ordered[high] - ordered[low]) / 2
