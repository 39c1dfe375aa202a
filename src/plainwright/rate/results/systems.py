"""Which systems people find better: means with intervals, and clusters of systems that cannot be told apart.

Clusters are made as at WMT: systems are sorted by their mean, and a line is drawn where every system above is
significantly better than every system below. Two systems are compared on the items for which both were rated, by the
mean over raters; a permutation turns the sign of whole items. P-values are corrected for the number of pairs, so
the chance that any two equal systems are parted is at most the level stated (Holm, 1979).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, count
from typing import Any, Literal, get_args

import numpy as np

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study.agreement.compared import FEWEST_ITEMS
from plainwright.study.checks import check_level
from plainwright.study.comparisons import Correction, corrected
from plainwright.study.distributions import scipy_stats
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Ratings, Values
from plainwright.study.sums import item_weights, slices

__all__ = ["Difference", "SystemMean", "SystemRanking", "SystemTest", "rank_systems"]

SystemTest = Literal["permutation", "wilcoxon"]

_ALL_SIGNS = 14  # items up to which every sign is tried, 2^14 of them; beyond, as many as asked for at random
_ENOUGH = 2  # times the trials with which the smallest p-value just passes the correction for the number of pairs
_SAME = 1e-9  # share of the largest value by which two values differ at most if they are equal


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMean:
    """A system: the mean over items of the mean over raters, on both scales, and where it stands."""

    system: str
    items: int
    ratings: int
    raw: Estimate
    z: Estimate
    cluster: int  # from 1, the best
    best_rank: int  # 1 + how many are significantly better
    worst_rank: int  # the number of systems less those significantly worse

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        shown = {name: getattr(self, name) for name in ("system", "items", "ratings", "cluster")}
        return {**shown, "raw": self.raw.to_dict(), "z": self.z.to_dict(), "ranks": [self.best_rank, self.worst_rank]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Two systems on the items for which both were rated; the better one by its mean there comes first."""

    better: str
    worse: str
    items: int
    difference: float
    p_value: float  # two-sided
    corrected: float  # for all pairs of systems
    significant: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRanking:
    """All systems of an aspect, the best first, and every two of them compared."""

    aspect: str
    values: Values  # what systems are sorted and compared by
    systems: tuple[SystemMean, ...]
    differences: tuple[Difference, ...]
    test: SystemTest
    correction: Correction
    level: float
    trials: int
    resamples: int
    seed: int
    exact: bool = False  # all signs of all items were tried, and `trials` is their number
    items_needed: int | None = None  # for any difference to be significant, if there are fewer
    problem: str = ""  # why nothing was tested

    @property
    def clusters(self) -> tuple[tuple[str, ...], ...]:
        """Names of systems that belong together, the best first."""
        numbers = dict.fromkeys(system.cluster for system in self.systems)
        return tuple(tuple(system.system for system in self.systems if system.cluster == n) for n in numbers)

    @property
    def statement(self) -> str:
        """What can be said of the systems, in one sentence."""
        if self.problem:
            return f"Systems were not compared: {self.problem}."
        if len(self.systems) == 1:
            return f"There is one system, {self.systems[0].system}, and nothing to compare it with."
        first, *rest = self.clusters
        if self.items_needed is not None:
            return (
                f"The {len(self.systems)} systems cannot be parted into better and worse ones: with "
                f"{self._items_compared} items, no difference could be significant at {self.level:g} after the "
                f"correction for {len(self.differences)} pairs ({self.correction}); that takes {self.items_needed}"
                f"{' for every pair' if '-' in self._items_compared else ''}."
            )
        if not rest:
            return f"The {len(self.systems)} systems cannot be parted into better and worse ones at {self.level:g}."
        best = (
            f"{first[0]} is significantly better than all others"
            if len(first) == 1
            else (f"{', '.join(first[:-1])} and {first[-1]} are significantly better than all others")
        )
        return f"{best}; there are {1 + len(rest)} clusters."

    @property
    def _items_compared(self) -> str:
        """Of the pairs, as "8", or "3-6" where they differ."""
        items = {found.items for found in self.differences}
        return f"{min(items)}" if len(items) == 1 else f"{min(items)}-{max(items)}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        return {
            "aspect": self.aspect,
            "values": self.values,
            "systems": [system.to_dict() for system in self.systems],
            "clusters": [list(cluster) for cluster in self.clusters],
            "differences": [asdict(difference) for difference in self.differences],
            "test": self.test,
            "correction": self.correction,
            "level": self.level,
            **({"trials": self.trials, "exact": self.exact} if self.test == "permutation" else {}),
            **({} if self.items_needed is None else {"items_needed": self.items_needed}),
            "resamples": self.resamples,
            "seed": self.seed,
            "statement": self.statement,
        }


def rank_systems(
    ratings: Ratings,
    aspect: str,
    *,
    values: Values = "raw",
    test: SystemTest = "permutation",
    correction: Correction = "holm",
    level: float = 0.05,
    trials: int = 10_000,
    resamples: int = 1000,
    seed: int = 12345,
) -> SystemRanking:
    """Sort the systems of an aspect, compare every two and draw the lines; `ratings` need z-scores.

    With few items all signs are tried. Otherwise there are more trials than asked for where with these no difference
    could be significant after the correction.
    """
    check_choice(test, get_args(SystemTest), "test")
    check_level(level, "the level")
    if trials < 1:
        msg = f"a permutation test needs at least one trial, got {trials}"
        raise DataError(msg)
    cube = ratings.cube(aspect)
    by_values: dict[Values, Array] = {"raw": cube.means, "z": ratings.cube(aspect, "z").means}
    means = by_values[values]
    order = _sorted(cube.systems, means)
    problem = _problem(means)
    pairs = [] if problem else list(combinations(order, 2))
    exact = bool(pairs) and test == "permutation" and len(means) <= _ALL_SIGNS
    trials = 2 ** len(means) if exact else max(trials, math.ceil(_ENOUGH * len(pairs) / level))
    p_values = _TESTS[test](np.nan_to_num(_gaps(means, pairs)), trials, seed) if pairs else np.empty(0)
    differences = _differences(cube.systems, means, pairs, p_values.tolist(), correction, level)
    estimates = {name: _estimates(array, resamples, seed) for name, array in by_values.items()}
    systems = _placed(cube, order, estimates["raw"], estimates["z"], differences)
    return SystemRanking(
        aspect=aspect,
        values=values,
        systems=systems,
        differences=differences,
        test=test,
        correction=correction,
        level=level,
        trials=trials,
        resamples=resamples,
        seed=seed,
        exact=exact,
        items_needed=_items_needed(differences, correction, level),
        problem=problem,
    )


def _placed(
    cube: Cube, order: Sequence[int], raw: Sequence[Estimate], z: Sequence[Estimate], found: Sequence[Difference]
) -> tuple[SystemMean, ...]:
    """All systems, the best first, with their clusters and ranks."""
    better = {(difference.better, difference.worse) for difference in found if difference.significant}
    clusters = _clusters([cube.systems[s] for s in order], better)
    ratings = np.isfinite(cube.scores).sum(axis=(0, 2))
    return tuple(
        SystemMean(
            system=name,
            items=raw[s].n,
            ratings=int(ratings[s]),
            raw=raw[s],
            z=z[s],
            cluster=clusters[name],
            best_rank=1 + sum((other, name) in better for other in cube.systems),
            worst_rank=len(cube.systems) - sum((name, other) in better for other in cube.systems),
        )
        for s, name in ((s, cube.systems[s]) for s in order)
    )


def _sorted(names: Sequence[str], means: Array) -> list[int]:
    """The best first; equal means keep the order of the ratings."""
    overall = np.nanmean(means, axis=0)
    return sorted(range(len(names)), key=lambda s: -overall[s])


def _problem(means: Array) -> str:
    if len(means) < FEWEST_ITEMS:
        return f"a test over items needs at least {FEWEST_ITEMS} of them, found {len(means)}"
    return ""


def _estimates(means: Array, resamples: int, seed: int) -> list[Estimate]:
    """The mean of each system over items, with an interval over items."""
    rated = np.isfinite(means)
    taken = item_weights(len(means), resamples, np.random.default_rng(seed))
    counts = taken @ rated
    with np.errstate(invalid="ignore"):
        values = np.where(counts > 0, taken @ np.where(rated, means, 0) / counts, np.nan)
    enough = rated.sum(axis=0) >= FEWEST_ITEMS
    return [
        Estimate(
            value=float(values[0, s]),
            n=int(rated[:, s].sum()),
            interval=Interval.of(values[1:, s]) if enough[s] else None,
        )
        for s in range(means.shape[1])
    ]


def _gaps(means: Array, pairs: Sequence[tuple[int, int]]) -> Array:
    """By item and pair, how much better the first is; NaN where one of the two was not rated."""
    first, second = np.array(pairs).T
    # A mean of three has no exact number: differences that are equal must not differ in their last bit.
    step = _SAME * float(np.nanmax(np.abs(means))) or 1.0
    return np.asarray(np.round((means[:, first] - means[:, second]) / step) * step)


def _differences(
    names: Sequence[str],
    means: Array,
    pairs: Sequence[tuple[int, int]],
    p_values: Sequence[float],
    correction: Correction,
    level: float,
) -> tuple[Difference, ...]:
    adjusted = corrected(p_values, correction)
    found = []
    for k, (a, b) in enumerate(pairs):
        gaps = means[:, a] - means[:, b]
        gaps = gaps[np.isfinite(gaps)]
        mean = float(gaps.sum() / max(len(gaps), 1))
        better, worse = (a, b) if mean >= 0 else (b, a)
        found.append(
            Difference(
                better=names[better],
                worse=names[worse],
                items=len(gaps),
                difference=abs(mean),
                p_value=p_values[k],
                corrected=adjusted[k],
                significant=adjusted[k] < level,
            )
        )
    return tuple(found)


def _items_needed(differences: Sequence[Difference], correction: Correction, level: float) -> int | None:
    """How many items it takes for any difference to be significant; None if these are enough."""

    def can_pass(items: Sequence[int]) -> bool:
        # The smallest p of both tests: of all signs, only these and their opposites are as extreme.
        return min(corrected([2.0 ** (1 - max(n, 1)) for n in items], correction)) < level

    if not differences or any(found.significant for found in differences):
        return None
    if can_pass([found.items for found in differences]):
        return None
    return next(n for n in count(1) if can_pass([n] * len(differences)))


def _permutation(gaps: Array, trials: int, seed: int) -> Array:
    """Two-sided: how often a random sign for each item gives a sum as far from 0; an item that lacks one counts 0."""
    observed = np.abs(gaps.sum(axis=0))
    least = observed - _SAME * np.abs(gaps).sum(axis=0)
    if len(gaps) <= _ALL_SIGNS:
        signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * len(gaps))).reshape(len(gaps), -1).T
        return np.asarray((np.abs(signs @ gaps) >= least).mean(axis=0))
    generator = np.random.default_rng([seed, 2])  # another stream than that of the resamples
    extreme = np.zeros(gaps.shape[1])
    for rows in slices(trials, max(gaps.shape)):
        signs = generator.integers(0, 2, size=(rows.stop - rows.start, len(gaps))) * 2.0 - 1
        extreme += (np.abs(signs @ gaps) >= least).sum(axis=0)
    return np.asarray((extreme + 1) / (trials + 1))


def _wilcoxon(gaps: Array, trials: int, seed: int) -> Array:
    """Wilcoxon's signed-rank test of each pair, two-sided; items without a difference are left out, as he did."""
    stats = scipy_stats()

    def p_value(column: Array) -> float:
        if len(column) > _ALL_SIGNS:
            return float(stats.wilcoxon(column).pvalue)
        # Few enough to try all signs of the ranks: with ties scipy does the same, but one pair at a time in Python.
        ranks = np.sign(column) * stats.rankdata(np.abs(column))
        return float(_permutation(ranks[:, None], trials, seed)[0])

    columns = [column[column != 0] for column in gaps.T]
    return np.array([p_value(column) if len(column) else 1.0 for column in columns])


_TESTS: Mapping[SystemTest, Callable[[Array, int, int], Array]] = {
    "permutation": _permutation,
    "wilcoxon": _wilcoxon,
}


def _clusters(order: Sequence[str], better: set[tuple[str, str]]) -> dict[str, int]:
    """The number of each system's cluster."""
    numbers, number = {}, 1
    for place, name in enumerate(order):
        if place and all((above, below) in better for above in order[:place] for below in order[place:]):
            number += 1
        numbers[name] = number
    return numbers
