"""At which level metrics and people are compared: systems, sentences, items, or pairs of outputs.

A level knows the value of its coefficient on the data, on resamples of them, and after two metrics have exchanged some
of their values. What is drawn or exchanged comes from `draws`; no loop here runs over resamples.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from plainwright.metrics.base import Array
from plainwright.study.coefficients import MIN_POINTS, Alternative, Coefficient, correlate, estimate
from plainwright.study.draws import Draw, Resampled
from plainwright.study.estimate import Estimate
from plainwright.study.scores import MetricScores
from plainwright.study.taulike import MetricTies, PairCounts, Pairs, tau_from_counts
from plainwright.study.weighted import weighted_correlations

__all__ = [
    "LEVELS",
    "Booleans",
    "Comparison",
    "ItemLevel",
    "Level",
    "LevelName",
    "PairLevel",
    "SentenceLevel",
    "SystemLevel",
]

LevelName = Literal["system", "sentence", "item", "pairs"]
Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Holds what people and metrics say of the same outputs, on one aspect."""

    aspect: str
    items: tuple[str, ...]
    systems: tuple[str, ...]
    human: Array  # shape (items, systems); NaN where people or a metric say nothing
    metrics: tuple[MetricScores, ...]  # on the same items and systems, with the same gaps
    pairs: Pairs | None = None

    @cached_property
    def present(self) -> Booleans:
        """Which outputs are compared."""
        return np.asarray(np.isfinite(self.human))

    @cached_property
    def standardised(self) -> Array:
        """Sentence values of every metric with mean 0 and deviation 1, so that metrics can exchange them."""
        return np.stack([_standardised(np.where(self.present, metric.sentences, np.nan)) for metric in self.metrics])


class Level(ABC):
    """Compares metrics with people in one way; `unit` names what is counted."""

    name: ClassVar[LevelName]
    unit: ClassVar[str]

    def __init__(self, comparison: Comparison, coefficient: Coefficient) -> None:
        self.comparison = comparison
        self.coefficient = coefficient

    @property
    def cells(self) -> int:
        """How many numbers one resample takes."""
        return len(self.comparison.items) * len(self.comparison.systems)

    @abstractmethod
    def estimate(self, metric: int, alternative: Alternative) -> Estimate:
        """Return the coefficient of the metric at this place, without an interval."""

    @abstractmethod
    def resampled(self, draw: Draw) -> Array:
        """Return the coefficients of all metrics in each resample: shape (metrics, resamples)."""

    @abstractmethod
    def exchanged(self, first: int, second: int, swapped: Booleans, resampled: Resampled) -> Array:
        """Return the coefficients of two metrics in each trial after exchanges: shape (2, trials)."""

    def points(self, metric: int) -> tuple[tuple[str, ...], Array, Array]:
        """Return what a scatter plot shows: labels, values of the metric, values of people."""
        comparison = self.comparison
        places = np.argwhere(comparison.present & np.isfinite(comparison.metrics[metric].sentences))
        labels = tuple(f"{comparison.systems[j]}, item {comparison.items[i]}" for i, j in places)
        rows, columns = places.T
        return labels, comparison.metrics[metric].sentences[rows, columns], comparison.human[rows, columns]

    def counts(self, metric: int) -> PairCounts | None:
        """Return counts of pairs behind the coefficient, where it has such."""
        return None

    def _mixed(self, first: int, second: int, swapped: Booleans) -> tuple[Array, Array]:
        """Standardised sentence values of two metrics after exchanges: shape (trials, items, systems) each."""
        one, other = self.comparison.standardised[[first, second]]
        return np.where(swapped, other, one), np.where(swapped, one, other)


class SystemLevel(Level):
    """Compares the metric's value of a whole system with the mean of its ratings."""

    name = "system"
    unit = "systems"

    @property
    def cells(self) -> int:
        """See `Level.cells`."""
        widest = max(metric.stats.shape[-1] for metric in self.comparison.metrics)
        return int(len(self.comparison.items) + len(self.comparison.systems) * (widest + 4))

    @cached_property
    def _human(self) -> Array:
        return self._human_means(np.ones(len(self.comparison.items)))

    def _human_means(self, weights: Array) -> Array:
        return _weighted_means(self.comparison.human, weights)

    def points(self, metric: int) -> tuple[tuple[str, ...], Array, Array]:
        """See `Level.points`."""
        values = self.comparison.metrics[metric].corpus()
        there = np.isfinite(values) & np.isfinite(self._human)
        names = tuple(name for name, kept in zip(self.comparison.systems, there, strict=True) if kept)
        return names, values[there], self._human[there]

    def estimate(self, metric: int, alternative: Alternative) -> Estimate:
        """See `Level.estimate`."""
        scores = self.comparison.metrics[metric]
        names = (f"{scores.name} of systems", f"the mean {self.comparison.aspect} of systems")
        return estimate(scores.corpus(), self._human, self.coefficient, alternative=alternative, names=names)

    def resampled(self, draw: Draw) -> Array:
        """See `Level.resampled`."""
        human = draw.of_systems(self._human_means(draw.inputs))
        return np.stack(
            [
                correlate(draw.of_systems(metric.corpus(draw.inputs)), human, self.coefficient)
                for metric in self.comparison.metrics
            ]
        )

    def exchanged(self, first: int, second: int, swapped: Booleans, resampled: Resampled) -> Array:
        """Exchange corpus values for whole systems; else sentence values, whose mean is then the system's.

        Statistics of two metrics cannot be mixed, their standardised values can.
        """
        if resampled == "systems":
            one, other = (_standardised(self.comparison.metrics[metric].corpus()) for metric in (first, second))
            whole = swapped[:, 0]
            mixed = np.where(whole, other, one), np.where(whole, one, other)
        else:
            there = np.isfinite(self.comparison.standardised[[first, second]]).all(axis=0)
            counts = np.maximum(there.sum(axis=0), 1)
            sums = (np.where(there, part, 0.0).sum(axis=1) for part in self._mixed(first, second, swapped))
            one, other = (np.where(there.any(axis=0), part / counts, np.nan) for part in sums)
            mixed = one, other
        return np.stack([correlate(part, self._human, self.coefficient) for part in mixed])


class SentenceLevel(Level):
    """The metric's value of an output against its ratings, all outputs pooled."""

    name = "sentence"
    unit = "outputs"

    @cached_property
    def _places(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        rows, columns = np.nonzero(self.comparison.present)
        return rows, columns

    @cached_property
    def _human(self) -> Array:
        return self.comparison.human[self._places]

    @cached_property
    def _values(self) -> Array:
        return np.stack([metric.sentences[self._places] for metric in self.comparison.metrics])

    def estimate(self, metric: int, alternative: Alternative) -> Estimate:
        """See `Level.estimate`."""
        names = (f"{self.comparison.metrics[metric].name} of outputs", f"the {self.comparison.aspect} of outputs")
        return estimate(self._values[metric], self._human, self.coefficient, alternative=alternative, names=names)

    def resampled(self, draw: Draw) -> Array:
        """See `Level.resampled`."""
        rows, columns = self._places
        weights = draw.inputs[:, rows]
        if draw.systems is not None:
            weights = weights * draw.system_counts[:, columns]
        return weighted_correlations(self._values, self._human, weights, self.coefficient)

    def exchanged(self, first: int, second: int, swapped: Booleans, resampled: Resampled) -> Array:
        """Each output has two points, one of either metric, of which it takes one."""
        chosen = swapped[:, self._places[0], self._places[1]].astype(np.float64)
        pooled = self.comparison.standardised[:, self._places[0], self._places[1]]
        both = np.concatenate([pooled[first], pooled[second]])[None]
        human = np.concatenate([self._human, self._human])
        weights = (np.concatenate(pair, axis=1) for pair in ((1 - chosen, chosen), (chosen, 1 - chosen)))
        return np.concatenate([weighted_correlations(both, human, row, self.coefficient) for row in weights])


class ItemLevel(Level):
    """Averages the coefficients over the outputs of each item."""

    name = "item"
    unit = "items"

    @cached_property
    def _eligible(self) -> Booleans:
        return np.asarray(self.comparison.present.sum(axis=1) >= MIN_POINTS)

    @cached_property
    def _by_item(self) -> Array:
        """Shape (metrics, items); NaN where an item has no coefficient."""
        values = np.stack([metric.sentences for metric in self.comparison.metrics])
        return self._of_items(values, self.comparison.human)

    def _of_items(self, values: Array, human: Array) -> Array:
        return np.where(self._eligible, correlate(values, human, self.coefficient), np.nan)

    def estimate(self, metric: int, alternative: Alternative) -> Estimate:
        """See `Level.estimate`."""
        found = self._by_item[metric]
        n = int(np.isfinite(found).sum())
        if n == 0:
            problem = f"no item has {MIN_POINTS} outputs"
            if self._eligible.any():
                name, aspect = self.comparison.metrics[metric].name, self.comparison.aspect
                problem += f" of which {name} and {aspect} both say different things"
            return Estimate(value=None, n=0, problem=problem)
        return Estimate(value=float(np.nanmean(found)), n=n)

    def resampled(self, draw: Draw) -> Array:
        """See `Level.resampled`."""
        if draw.systems is None:
            return np.stack([_weighted_means(row[:, None], draw.inputs)[..., 0] for row in self._by_item])
        human = self.comparison.human[:, draw.systems].swapaxes(0, 1)
        return np.stack(
            [
                self._mean_of_items(metric.sentences[:, draw.systems].swapaxes(0, 1), human, draw.inputs)
                for metric in self.comparison.metrics
            ]
        )

    def exchanged(self, first: int, second: int, swapped: Booleans, resampled: Resampled) -> Array:
        """See `Level.exchanged`."""
        each_once = np.ones(len(self.comparison.items))
        return np.stack(
            [
                self._mean_of_items(part, self.comparison.human, each_once)
                for part in self._mixed(first, second, swapped)
            ]
        )

    def _mean_of_items(self, values: Array, human: Array, weights: Array) -> Array:
        """The weighted mean of coefficients of items: values of shape (resamples, items, systems)."""
        found = self._of_items(values, human)
        there = np.isfinite(found)
        counts = np.where(there, weights, 0.0).sum(axis=-1)
        sums = np.where(there, found * weights, 0.0).sum(axis=-1)
        return np.where(counts > 0, sums / np.where(counts > 0, counts, 1.0), np.nan)


class PairLevel(Level):
    """Takes pairs of outputs of one source on which people are clear: the tau-like coefficient."""

    name = "pairs"
    unit = "pairs"

    def __init__(self, comparison: Comparison, metric_ties: MetricTies) -> None:
        super().__init__(comparison, "kendall")
        assert comparison.pairs is not None
        kept = comparison.present[:, comparison.pairs.first] & comparison.present[:, comparison.pairs.second]
        self.pairs = replace(comparison.pairs, preferred=np.where(kept, comparison.pairs.preferred, 0).astype(np.int8))
        self.metric_ties = metric_ties

    @property
    def cells(self) -> int:
        """See `Level.cells`."""
        return len(self.comparison.items) + 3 * len(self.pairs.first)

    @cached_property
    def _outcomes(self) -> Array:
        """Shape (metrics, items, pairs, 3)."""
        return np.stack([self.pairs.outcomes(metric.sentences) for metric in self.comparison.metrics])

    def counts(self, metric: int) -> PairCounts:
        """See `Level.counts`."""
        return self.pairs.counts(self.comparison.metrics[metric].sentences)

    def estimate(self, metric: int, alternative: Alternative) -> Estimate:
        """See `Level.estimate`."""
        counts = self.counts(metric)
        value = counts.tau(self.metric_ties)
        if value is None:
            tied = " that the metric does not tie" if counts.tied else ""
            problem = f"there is no pair of outputs on which people are clear{tied}"
            return Estimate(value=None, n=counts.total, problem=problem)
        return Estimate(value=value, n=counts.total)

    def resampled(self, draw: Draw) -> Array:
        """See `Level.resampled`."""
        items, pairs = self.pairs.preferred.shape
        weight_of_pair = None
        if draw.systems is not None:
            # Two copies of one system make no pair; a pair of two counts as often as their copies can meet.
            weight_of_pair = draw.system_counts[:, self.pairs.first] * draw.system_counts[:, self.pairs.second]
        found = []
        for outcomes in self._outcomes:
            sums = (draw.inputs @ outcomes.reshape(items, -1)).reshape(-1, pairs, 3)
            counts = sums.sum(axis=1) if weight_of_pair is None else np.einsum("bpk,bp->bk", sums, weight_of_pair)
            found.append(tau_from_counts(counts, self.metric_ties))
        return np.stack(found)

    def exchanged(self, first: int, second: int, swapped: Booleans, resampled: Resampled) -> Array:
        """See `Level.exchanged`."""
        if resampled == "systems":
            return self._exchanged_systems(first, second, swapped[:, 0].astype(np.intp))
        if resampled == "inputs":
            by_item = self._outcomes[[first, second]].sum(axis=2)
            moved = swapped[:, :, 0].astype(np.float64) @ (by_item[1] - by_item[0])
            counts = np.stack([by_item[0].sum(axis=0) + moved, by_item[1].sum(axis=0) - moved])
            return tau_from_counts(counts, self.metric_ties)
        rows = max(1, _PAIR_CELLS // max(1, self.pairs.preferred.size))  # pairs outnumber outputs
        parts = [
            np.stack([self._tau(part) for part in self._mixed(first, second, swapped[start : start + rows])])
            for start in range(0, len(swapped), rows)
        ]
        return np.concatenate(parts, axis=1)

    def _exchanged_systems(self, first: int, second: int, swapped: npt.NDArray[np.intp]) -> Array:
        """Each output of a pair has its value from either metric: four cases, counted once for all trials."""
        values = self.comparison.standardised[[first, second]]
        one, other = values[..., self.pairs.first], values[..., self.pairs.second]
        cases = self.pairs.outcomes_of(one[:, None], other[None]).sum(axis=2)  # (metric, metric, pairs, 3)
        places = np.arange(len(self.pairs.first))
        taken = (swapped, 1 - swapped)
        return np.stack(
            [
                tau_from_counts(
                    cases[row[:, self.pairs.first], row[:, self.pairs.second], places].sum(axis=1), self.metric_ties
                )
                for row in taken
            ]
        )

    def _tau(self, values: Array) -> Array:
        return tau_from_counts(self.pairs.outcomes(values).sum(axis=(-3, -2)), self.metric_ties)


_PAIR_CELLS = 1_000_000

LEVELS: Mapping[str, type[Level]] = MappingProxyType(
    {level.name: level for level in (SystemLevel, SentenceLevel, ItemLevel, PairLevel)}
)


def _weighted_means(values: Array, weights: Array) -> Array:
    """Means over items: values of shape (items, columns), weights of shape (…, items); NaN where there are none."""
    there = np.isfinite(values)
    counts = weights @ there.astype(np.float64)
    sums = weights @ np.where(there, values, 0.0)
    return np.where(counts > 0, sums / np.where(counts > 0, counts, 1.0), np.nan)


def _standardised(values: Array) -> Array:
    there = values[np.isfinite(values)]
    if len(there) == 0 or there.min() == there.max():
        return np.where(np.isfinite(values), 0.0, np.nan)
    return np.asarray((values - there.mean()) / there.std())
