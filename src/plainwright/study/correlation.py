"""How far metrics agree with people, how sure that is, and whether one metric agrees better than another.

Values are compared at a level (`levels`): systems, sentences, items, or pairs of outputs. Intervals come from the
bootstrap and tests from the permutations of Deutsch et al. (2021), over inputs, systems or both (`draws`). All metrics
are judged on the same outputs: one that lacks a value of some output takes it from all, and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from plainwright.arguments import as_texts, check_instances
from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study.comparisons import corrected
from plainwright.study.correlation_result import (
    Correlation,
    CorrelationStudy,
    MetricDifference,
    Points,
    Protocol,
    named_group,
)
from plainwright.study.draws import draws, exchanges
from plainwright.study.estimate import Interval
from plainwright.study.levels import LEVELS, Booleans, Comparison, Level, PairLevel
from plainwright.study.operations import OPERATIONS
from plainwright.study.ratings.table import Cube, Ratings, check_ratings
from plainwright.study.scores import MetricScores
from plainwright.study.taulike import Pairs

__all__ = ["Correlation", "CorrelationStudy", "MetricDifference", "Points", "Protocol", "correlate_metrics"]

_LEAST_RESAMPLED = 3  # two items or systems drawn again say nothing about others
_ROUNDING = 1e-9
_SIGNIFICANT = 0.05


def correlate_metrics(
    ratings: Ratings,
    scores: Sequence[MetricScores],
    *,
    protocol: Protocol | None = None,
    aspects: Sequence[str] | None = None,
    operations: Mapping[tuple[str, str], str] | None = None,
    by_operation: bool = False,
) -> CorrelationStudy:
    """Compare every metric with every aspect, or with those named.

    `operations` names the operation of outputs by item and system, as `operations.operations_of` finds it; with
    `by_operation` everything is also computed for each operation alone.
    """
    check_ratings(ratings, "correlate_metrics")
    check_instances(scores, MetricScores, "correlate_metrics", "scores", "MetricScores, as score_outputs returns them")
    if aspects is not None:
        aspects = as_texts(aspects, "correlate_metrics", "aspects")
    protocol = protocol or Protocol()
    _check_scores(scores)
    if by_operation and operations is None:
        msg = "results by operation need the operations of outputs; pass `operations`"
        raise DataError(msg)
    chosen = tuple(aspects or ratings.aspects)
    groups: tuple[str | None, ...] = (None, *_known_operations(operations)) if by_operation else (None,)
    notes = [
        f"{metric.name}: {metric.unused} of its given values belong to no rated output"
        for metric in scores
        if metric.unused
    ]
    correlations: list[Correlation] = []
    differences: list[MetricDifference] = []
    for operation in groups:
        for aspect in chosen:
            comparison, remarks = _comparison(ratings, aspect, scores, protocol, operations, operation)
            level = _level(comparison, protocol)
            why_not = _too_few_to_resample(comparison, protocol, operation)
            samples = None if why_not or not protocol.resamples else _samples(level, protocol)
            found = _correlations(level, samples, protocol, operation)
            correlations += found
            differences += [] if samples is None else _differences(level, found, samples, protocol, operation)
            notes += remarks + why_not + ([] if samples is None else _too_few_to_exchange(comparison, protocol))
    return CorrelationStudy(
        protocol=protocol,
        unit=LEVELS[protocol.level].unit,
        metrics=tuple(metric.name for metric in scores),
        signatures={metric.name: metric.signature for metric in scores},
        aspects=chosen,
        operations=groups,
        correlations=tuple(correlations),
        differences=tuple(differences),
        notes=tuple(dict.fromkeys(notes)),
    )


def _check_scores(scores: Sequence[MetricScores]) -> None:
    names = [metric.name for metric in scores]
    if not names:
        msg = "there is no metric to compare with the ratings; name at least one"
        raise DataError(msg)
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        msg = f"two metrics are called {twice!r}; give each its own name"
        raise DataError(msg)


def _known_operations(operations: Mapping[tuple[str, str], str] | None) -> tuple[str, ...]:
    """Those that occur, ours first and in our order."""
    found = set((operations or {}).values())
    return (*(name for name in OPERATIONS if name in found), *sorted(found.difference(OPERATIONS)))


def _comparison(
    ratings: Ratings,
    aspect: str,
    scores: Sequence[MetricScores],
    protocol: Protocol,
    operations: Mapping[tuple[str, str], str] | None,
    operation: str | None,
) -> tuple[Comparison, list[str]]:
    """People and metrics on the same outputs, and notes on what is missing."""
    cube = ratings.cube(aspect, protocol.values)
    arranged = [metric.arranged(cube.items, cube.systems) for metric in scores]
    rated = np.isfinite(cube.means)
    notes = [] if operation is not None else _notes_on_gaps(cube, rated, arranged, protocol)
    kept = rated.copy()
    for metric in arranged:
        kept &= metric.present if protocol.level == "system" else np.isfinite(metric.sentences)
    pairs = None
    if protocol.level == "pairs":
        pairs = Pairs.of(cube, protocol.convention, operations)
        pairs = pairs if operation is None else pairs.of_operation(operation)
    elif operation is not None:
        assert operations is not None
        kept &= np.array([[operations.get((i, s)) == operation for s in cube.systems] for i in cube.items], dtype=bool)
    comparison = Comparison(
        aspect=aspect,
        items=cube.items,
        systems=cube.systems,
        human=np.where(kept, cube.means, np.nan),
        metrics=tuple(metric.where(kept) for metric in arranged),
        pairs=pairs,
    )
    return comparison, notes


def _notes_on_gaps(cube: Cube, rated: Booleans, metrics: Iterable[MetricScores], protocol: Protocol) -> list[str]:
    notes = []
    partly = [system for system, column in zip(cube.systems, rated.T, strict=True) if not column.all()]
    if partly:
        counts = rated.sum(axis=0)
        fewest = int(np.argmin(counts))
        notes.append(
            f"{len(partly)} of {len(cube.systems)} systems were not rated on every item ({cube.systems[fewest]} on "
            f"{counts[fewest]} of {len(cube.items)}); each system stands for the items it has"
        )
    for metric in metrics:
        there = metric.present if protocol.level == "system" else np.isfinite(metric.sentences)
        lacking = np.argwhere(rated & ~there)
        if len(lacking):
            item, system = lacking[0]
            notes.append(
                f"{len(lacking)} of {int(rated.sum())} rated outputs have no value of {metric.name} (the first is item "
                f"{cube.items[item]!r}, system {cube.systems[system]!r}); they are left out for all metrics"
            )
    return notes


def _level(comparison: Comparison, protocol: Protocol) -> Level:
    if protocol.level == "pairs":
        return PairLevel(comparison, protocol.convention.metric_ties)
    return LEVELS[protocol.level](comparison, protocol.coefficient)


def _correlations(level: Level, samples: Array | None, protocol: Protocol, operation: str | None) -> list[Correlation]:
    """The coefficients, with intervals from `samples` of shape (metrics, resamples)."""
    comparison = level.comparison
    estimates = [level.estimate(place, protocol.alternative) for place in range(len(comparison.metrics))]
    if samples is not None:
        estimates = [
            one if one.value is None else replace(one, interval=Interval.of(row, protocol.confidence))
            for one, row in zip(estimates, samples, strict=True)
        ]
    return [
        Correlation(
            metric=metric.name,
            aspect=comparison.aspect,
            operation=operation,
            estimate=estimates[place],
            points=_points(level, place),
            counts=level.counts(place),
        )
        for place, metric in enumerate(comparison.metrics)
    ]


def _too_few_to_resample(comparison: Comparison, protocol: Protocol, operation: str | None) -> list[str]:
    if not protocol.resamples:
        return []
    inputs, systems = (int(comparison.present.any(axis=axis).sum()) for axis in (1, 0))
    for name, number, drawn in (
        ("items", inputs, protocol.resampled != "systems"),
        ("systems", systems, protocol.resampled != "inputs"),
    ):
        if drawn and number < _LEAST_RESAMPLED:
            return [
                f"{named_group(comparison.aspect, operation)}: no intervals and no tests, because drawing {name} again "
                f"needs at least {_LEAST_RESAMPLED} of them, found {number}"
            ]
    return []


def _too_few_to_exchange(comparison: Comparison, protocol: Protocol) -> list[str]:
    if protocol.exchange == "both" or len(comparison.metrics) < 2:
        return []
    axis, name = (1, "items") if protocol.exchange == "inputs" else (0, "systems")
    number = int(comparison.present.any(axis=axis).sum())
    # All exchanged is as good as none, so that two of the 2 ** number ways are always as extreme.
    least = 2.0 ** (1 - number)
    if least < _SIGNIFICANT:
        return []
    return [f"{number} {name} can be exchanged in so few ways that no test between metrics comes below p {least:.2g}"]


def _samples(level: Level, protocol: Protocol) -> Array:
    comparison = level.comparison
    blocks = draws(
        len(comparison.items),
        len(comparison.systems),
        resampled=protocol.resampled,
        resamples=protocol.resamples,
        seed=protocol.seed,
        cells=level.cells,
    )
    return np.concatenate([level.resampled(block) for block in blocks], axis=1)


def _points(level: Level, place: int) -> Points:
    labels, metric, human = level.points(place)
    return Points(labels, tuple(map(float, metric)), tuple(map(float, human)))


def _differences(
    level: Level, found: Sequence[Correlation], samples: Array, protocol: Protocol, operation: str | None
) -> list[MetricDifference]:
    """The test of every two metrics, corrected for their number."""
    tested = [
        pair for pair in combinations(range(len(found)), 2) if all(found[i].estimate.value is not None for i in pair)
    ]
    p_values = dict(zip(tested, _p_values(level, tested, protocol), strict=True))
    adjusted = dict(zip(tested, corrected(list(p_values.values()), protocol.correction), strict=True))
    results = []
    for first, second in combinations(range(len(found)), 2):
        one, other = found[first].estimate, found[second].estimate
        values = (one.value, other.value)
        interval = Interval.of(samples[first] - samples[second], protocol.confidence)
        results.append(
            MetricDifference(
                first=found[first].metric,
                second=found[second].metric,
                aspect=found[first].aspect,
                operation=operation,
                difference=None if values[0] is None or values[1] is None else values[0] - values[1],
                interval=None if None in values else interval,
                p_value=p_values.get((first, second)),
                adjusted=adjusted.get((first, second)),
                problem=one.problem or other.problem,
            )
        )
    return results


def _p_values(level: Level, pairs: Sequence[tuple[int, int]], protocol: Protocol) -> list[float]:
    """Two-sided: how often exchanging values at random makes two metrics differ as much as they do."""
    comparison = level.comparison
    shape = (len(comparison.items), len(comparison.systems))
    nothing = np.zeros((1, *shape), dtype=bool)
    observed = [_gap(level, pair, nothing, protocol)[0] for pair in pairs]
    extreme = np.zeros(len(pairs))
    for swapped in exchanges(*shape, resampled=protocol.exchange, trials=protocol.resamples, seed=protocol.seed):
        for place, pair in enumerate(pairs):
            gaps = _gap(level, pair, swapped, protocol)
            # A trial in which a coefficient is undefined speaks for no difference.
            extreme[place] += (~(gaps < observed[place] - _ROUNDING)).sum()
    # The observed arrangement is one of those possible, hence never a p-value of 0.
    return [float(value) for value in (extreme + 1) / (protocol.resamples + 1)]


def _gap(level: Level, pair: tuple[int, int], swapped: Booleans, protocol: Protocol) -> Array:
    first, second = level.exchanged(*pair, swapped, protocol.exchange)
    return np.asarray(np.abs(first - second))
