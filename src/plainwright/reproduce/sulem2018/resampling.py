"""Rank correlations of metrics with people, on the data and on resamples of inputs, systems and both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from plainwright.metrics.base import Array
from plainwright.reproduce.table import Sampling
from plainwright.study.draws import RESAMPLED, draws
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.levels import Comparison, Level
from plainwright.study.scores import MetricScores

__all__ = ["Sampled", "Setting", "correlated", "input_weights", "intervals"]


@dataclass(frozen=True, kw_only=True)
class Sampled:
    """Holds a correlation on the data and, by what was resampled, on each resample; NaN where undefined."""

    estimate: Estimate
    resampled: Mapping[str, Array]

    @property
    def value(self) -> float:
        """On the data; NaN if undefined."""
        return np.nan if self.estimate.value is None else self.estimate.value


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Compares every metric with every aspect, on the same systems or outputs."""

    title: str
    points: int
    correlations: Mapping[tuple[str, str], Sampled]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(dict.fromkeys(metric for metric, _ in self.correlations))

    @property
    def aspects(self) -> tuple[str, ...]:
        """Names of the aspects."""
        return tuple(dict.fromkeys(aspect for _, aspect in self.correlations))


def correlated(
    title: str,
    kind: type[Level],
    metrics: Mapping[str, MetricScores],
    people: Mapping[str, Array],
    sampling: Sampling | None,
) -> Setting:
    """Spearman's rho of each metric with each aspect's scores, shape (items, systems); None resamples nothing."""
    found = {}
    first = next(iter(metrics.values()))
    for aspect, human in people.items():
        comparison = Comparison(
            aspect=aspect, items=first.items, systems=first.systems, human=human, metrics=tuple(metrics.values())
        )
        level = kind(comparison, "spearman")
        samples = {} if sampling is None else _samples(level, sampling)
        for place, metric in enumerate(metrics):
            found[metric, aspect] = Sampled(
                estimate=level.estimate(place, "one-sided"),
                resampled={resampled: values[place] for resampled, values in samples.items()},
            )
    return Setting(title=title, points=next(iter(found.values())).estimate.n, correlations=found)


def intervals(sampled: Sampled) -> dict[str, Interval]:
    """Return what the middle 95 % of the resamples span, by what was resampled."""
    found = {kind: Interval.of(values) for kind, values in sampled.resampled.items()}
    return {kind: interval for kind, interval in found.items() if interval is not None}


def input_weights(inputs: int, sampling: Sampling) -> Array:
    """Return how often each input is taken: once each in the first row, as drawn in the others."""
    drawn = draws(inputs, 1, resampled="inputs", resamples=sampling.resamples, seed=sampling.seed, cells=inputs)
    return np.vstack([np.ones(inputs), *(draw.inputs for draw in drawn)])


def _samples(level: Level, sampling: Sampling) -> dict[str, Array]:
    """Coefficients by what is resampled: shape (metrics, resamples)."""
    comparison = level.comparison
    return {
        resampled: np.concatenate(
            [
                level.resampled(draw)
                for draw in draws(
                    len(comparison.items),
                    len(comparison.systems),
                    resampled=resampled,
                    resamples=sampling.resamples,
                    seed=sampling.seed,
                    cells=level.cells,
                )
            ],
            axis=1,
        )
        for resampled in RESAMPLED
    }
