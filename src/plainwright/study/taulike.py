"""The Kendall-tau-like coefficient of the WMT metrics tasks: does a metric prefer the output that people prefer?

For each source, pairs of outputs are taken on which people are clear. A metric that prefers the same output is
concordant, one that prefers the other is discordant, and tau is the difference of the two counts over their sum.
Counts sum over sources, systems and groups. What "clear" means, and how a metric's tie counts, has changed from year
to year and from paper to code, so each such choice has a name here (`Convention`).

Metric ties, by name and by who counted them so (the first three as Macháček and Bojar, 2014, compare them):

- `discordant`: a tie is an error (WMT12, again from WMT17; the released code of LENS).
- `ignored`: a tied pair is left out (WMT13).
- `half`: a tied pair counts in the denominator only, as if half concordant and half discordant (WMT14 to WMT16).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_choice
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics.base import Array
from plainwright.study.ratings.table import Cube

__all__ = ["CONVENTIONS", "Convention", "MetricTies", "PairCounts", "Pairs", "RaterRule", "tau_from_counts"]

RaterRule = Literal["unanimous", "majority", "mean"]
MetricTies = Literal["discordant", "ignored", "half"]
Difference = Literal["each", "mean"]
Scope = Literal["any", "same-operation"]

_ROUNDING = 1e-9  # scores such as 60.1 and 55.1 differ by 5 and a rounding error


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """Says which pairs count, and how.

    `raters` "unanimous": all who rated both outputs order them in the same way; "majority": more than half of them
    do; "mean": the mean of their ratings decides. A difference counts if it is greater than `min_difference` (or equal,
    with `at_least`), either of `each` rater (smaller ones are no order) or of their `mean`. `pairs` "same-operation"
    compares only outputs of one operation.
    """

    min_difference: float = 5.0
    at_least: bool = False
    raters: RaterRule = "unanimous"
    difference: Difference = "each"
    metric_ties: MetricTies = "discordant"
    pairs: Scope = "any"

    def __post_init__(self) -> None:
        check_choice(self.raters, get_args(RaterRule), "choice of raters")
        check_choice(self.difference, get_args(Difference), "choice of difference")
        check_choice(self.metric_ties, get_args(MetricTies), "choice of metric ties")
        check_choice(self.pairs, get_args(Scope), "choice of pairs")
        if not (np.isfinite(self.min_difference) and self.min_difference >= 0):
            msg = f"the minimum difference must be a number from 0 up, got {self.min_difference!r}"
            raise DataError(msg)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Counts pairs on which people are clear, by what the metric says of them. Sums count all parts together."""

    concordant: int = 0
    discordant: int = 0
    tied: int = 0  # in the metric

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(
            self.concordant + other.concordant, self.discordant + other.discordant, self.tied + other.tied
        )

    @property
    def total(self) -> int:
        """All pairs on which people are clear."""
        return self.concordant + self.discordant + self.tied

    def tau(self, metric_ties: MetricTies) -> float | None:
        """Return the coefficient, None if no pair counts."""
        value = float(tau_from_counts(np.array([self.concordant, self.discordant, self.tied], float), metric_ties))
        return None if np.isnan(value) else value

    def to_dict(self) -> dict[str, int]:
        """Return plain values for JSON."""
        return asdict(self)


def tau_from_counts(counts: Array, metric_ties: MetricTies) -> Array:
    """Return tau from (concordant, discordant, tied) along the last axis; NaN if no pair counts."""
    concordant, discordant, tied = np.moveaxis(counts, -1, 0)
    if metric_ties == "discordant":
        discordant = discordant + tied
    total = concordant + discordant + (tied if metric_ties == "half" else 0.0)
    return np.where(total > 0, (concordant - discordant) / np.where(total > 0, total, 1.0), np.nan)


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs of outputs of one source: what people say of each, and of which operation both are."""

    items: tuple[str, ...]
    systems: tuple[str, ...]
    first: npt.NDArray[np.intp]  # by pair: the place of one system …
    second: npt.NDArray[np.intp]  # … and of the other
    preferred: npt.NDArray[np.int8]  # shape (items, pairs): 1 the first is better, -1 the second, 0 not clear
    operation: npt.NDArray[np.str_] | None = None  # shape (items, pairs): of both outputs; empty if they differ

    @classmethod
    def of(
        cls,
        cube: Cube,
        convention: Convention,
        operations: Mapping[tuple[str, str], str] | None = None,
    ) -> Pairs:
        """The pairs in ratings of one aspect; `operations` are those of outputs, by item and system."""
        first, second = np.triu_indices(len(cube.systems), k=1)
        pairs = cls(
            items=cube.items,
            systems=cube.systems,
            first=first,
            second=second,
            preferred=_preferred(cube.scores[:, first] - cube.scores[:, second], convention),
            operation=None if operations is None else _shared(cube, first, second, operations),
        )
        return pairs.same_operation() if convention.pairs == "same-operation" else pairs

    def same_operation(self) -> Pairs:
        """Return only pairs of which both outputs are of one operation."""
        return self._only(np.asarray(self._operations() != "", dtype=bool))

    def of_operation(self, name: str) -> Pairs:
        """Return only pairs of which both outputs are of this operation."""
        return self._only(np.asarray(self._operations() == name, dtype=bool))

    def outcomes(self, values: Array) -> Array:
        """Return what a metric makes of each pair: (…, items, pairs, [concordant, discordant, tied]), each 1 or 0.

        `values` are the metric's, of shape (…, items, systems); a pair without both values counts nowhere.
        """
        if values.shape[-2:] != (len(self.items), len(self.systems)):
            msg = f"expected values of {len(self.items)} items and {len(self.systems)} systems, got {values.shape}"
            raise LengthMismatchError(msg)
        return self.outcomes_of(values[..., self.first], values[..., self.second])

    def outcomes_of(self, one: Array, other: Array) -> Array:
        """Return `outcomes` from the values of both outputs of each pair: shape (…, items, pairs)."""
        difference = one - other
        # Equal up to rounding is a tie: whether 0.1 + 0.2 is 0.3 must not decide a preference.
        close = np.abs(difference) <= _ROUNDING * np.maximum(np.abs(one), np.abs(other))
        sign = np.where(close, 0.0, np.sign(difference)) * self.preferred
        counted = np.isfinite(difference) & (self.preferred != 0)
        return np.stack([counted & (sign > 0), counted & (sign < 0), counted & (sign == 0)], axis=-1).astype(float)

    def counts_by_item(self, values: Array) -> Array:
        """Return counts of a metric for each source: shape (items, [concordant, discordant, tied])."""
        return np.asarray(self.outcomes(values).sum(axis=-2))

    def counts(self, values: Array) -> PairCounts:
        """Return counts of a metric over all sources."""
        concordant, discordant, tied = self.counts_by_item(values).sum(axis=0)
        return PairCounts(int(concordant), int(discordant), int(tied))

    def __len__(self) -> int:
        """How many pairs people are clear about."""
        return int((self.preferred != 0).sum())

    def _operations(self) -> npt.NDArray[np.str_]:
        if self.operation is None:
            msg = "these pairs do not know the operations of their outputs; give `operations` when they are made"
            raise DataError(msg)
        return self.operation

    def _only(self, kept: npt.NDArray[np.bool_]) -> Pairs:
        return replace(self, preferred=np.where(kept, self.preferred, 0).astype(np.int8))


def _preferred(differences: Array, convention: Convention) -> npt.NDArray[np.int8]:
    """The order that raters give, from differences of shape (items, pairs, raters), NaN where one did not rate both."""
    there = np.isfinite(differences)
    raters = there.sum(axis=-1)
    filled = np.where(there, differences, 0.0)
    mean = filled.sum(axis=-1) / np.maximum(raters, 1)
    clear_mean = _order(mean, convention.min_difference, at_least=convention.at_least)
    if convention.raters == "mean":
        return clear_mean
    least = convention.min_difference if convention.difference == "each" else 0.0
    votes = _order(filled, least, at_least=convention.at_least)
    needed = raters if convention.raters == "unanimous" else np.floor(raters / 2) + 1
    agreed = np.zeros(raters.shape, dtype=np.int8)
    for order in (1, -1):
        chosen = (votes == order).sum(axis=-1)
        agreed[(chosen >= needed) & (raters > 0)] = order
    return agreed if convention.difference == "each" else np.where(clear_mean == agreed, agreed, 0).astype(np.int8)


def _order(differences: Array, least: float, *, at_least: bool) -> npt.NDArray[np.int8]:
    distance = np.abs(differences)
    clear = (distance > _ROUNDING) & (distance > least + (-_ROUNDING if at_least else _ROUNDING))
    return np.where(clear, np.sign(differences), 0).astype(np.int8)


def _shared(
    cube: Cube,
    first: npt.NDArray[np.intp],
    second: npt.NDArray[np.intp],
    operations: Mapping[tuple[str, str], str],
) -> npt.NDArray[np.str_]:
    names = [[operations.get((item, system), "") for system in cube.systems] for item in cube.items]
    kinds = np.array(names, dtype=np.str_).reshape(len(cube.items), len(cube.systems))
    one, other = kinds[:, first], kinds[:, second]
    return np.where(one == other, one, "")


CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        # What section 4.1 of Maddela et al. (2023) says; it is silent on metric ties, which its code counts so.
        "lens2023": Convention(),
        # What the code released with it does: a strict majority, and only outputs of one operation.
        "lens2023-code": Convention(raters="majority", pairs="same-operation"),
        "wmt12": Convention(min_difference=0, raters="mean", metric_ties="discordant"),
        "wmt13": Convention(min_difference=0, raters="mean", metric_ties="ignored"),
        "wmt14": Convention(min_difference=0, raters="mean", metric_ties="half"),
        # Ratings from 0 to 100 made into rankings, with a gap of 25 points or more.
        "wmt17": Convention(min_difference=25, at_least=True, raters="mean", metric_ties="discordant"),
    }
)
