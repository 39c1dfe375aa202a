"""Intervals and tests over any metric, from its statistics alone.

A resampled corpus is a weighted sum of segment vectors, so a thousand of them cost one matrix product and no text
is read again. Everything is seeded; the same seed gives the same numbers on any number of threads.

- `bootstrap_interval`: percentile bootstrap (Efron and Tibshirani, 1993).
- `paired_bootstrap`: as Koehn (2004) with the shifted null distribution that sacreBLEU uses.
- `randomisation`: approximate randomisation (Riezler and Maxwell, 2005).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plainwright.arguments import check_choice, check_instance, refuse
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics.base import Array, Metric

__all__ = ["TestResult", "bootstrap_interval", "bootstrap_intervals", "paired_bootstrap", "randomisation"]

_BLOCK_CELLS = 4_000_000  # weights held at once, so that memory stays flat for large corpora


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """A comparison of two systems: `difference` is first minus second; `p_value` is two-sided."""

    __test__ = False  # not a pytest class

    difference: float
    p_value: float
    test: str
    samples: int
    seed: int


def bootstrap_interval(
    metric: Metric,
    stats: Array,
    *,
    part: str | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 12345,
) -> tuple[float, float]:
    """Return the interval of the corpus value (or of one of its parts) over resampled segments."""
    _check_metric(metric, "bootstrap_interval")
    _check_stats(stats, "bootstrap_interval", "stats")
    _check_samples(resamples)
    _check_confidence(confidence)
    _check_segments(stats)
    return _interval(_values(metric, _resampled_sums(stats, resamples, seed), part), confidence)


def bootstrap_intervals(
    scored: Sequence[tuple[Metric, Array]],
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 12345,
) -> list[tuple[float, float]]:
    """Return `bootstrap_interval` of many statistics of the same segments at once, from the same resamples."""
    _check_samples(resamples)
    _check_confidence(confidence)
    for pair in _as_pairs(scored):
        _check_metric(pair[0], "bootstrap_intervals")
        _check_stats(pair[1], "bootstrap_intervals", "statistics")
    for _, stats in scored[1:]:
        _check_pair(scored[0][1][:, :0], stats[:, :0])
    if not scored:
        return []
    _check_segments(scored[0][1])
    joined = _resampled_sums(np.concatenate([stats for _, stats in scored], axis=1), resamples, seed)
    ends = np.cumsum([stats.shape[1] for _, stats in scored])
    columns = np.split(joined, ends[:-1], axis=1)
    return [
        _interval(_values(metric, sums, None), confidence) for (metric, _), sums in zip(scored, columns, strict=True)
    ]


def paired_bootstrap(
    metric: Metric, first: Array, second: Array, *, resamples: int = 1000, seed: int = 12345
) -> TestResult:
    """Could the difference of two systems on the same segments come from the choice of segments?"""
    _check_metric(metric, "paired_bootstrap")
    _check_stats(first, "paired_bootstrap", "first")
    _check_stats(second, "paired_bootstrap", "second")
    _check_pair(first, second)
    _check_samples(resamples)
    observed = _difference(metric, first.sum(axis=0), second.sum(axis=0))
    joined = _resampled_sums(np.concatenate([first, second], axis=1), resamples, seed)
    width = first.shape[1]
    differences = _values(metric, joined[:, :width], None) - _values(metric, joined[:, width:], None)
    # Under the null hypothesis the true difference is 0: shift the resampled ones to be centred there.
    extreme = np.abs(differences - differences.mean()) >= abs(observed)
    return TestResult(
        difference=observed,
        p_value=_p_value(extreme),
        test="bootstrap",
        samples=resamples,
        seed=seed,
    )


def randomisation(metric: Metric, first: Array, second: Array, *, trials: int = 1000, seed: int = 12345) -> TestResult:
    """Would the difference be as large if each pair of outputs were dealt to the systems at random?"""
    _check_metric(metric, "randomisation")
    _check_stats(first, "randomisation", "first")
    _check_stats(second, "randomisation", "second")
    _check_pair(first, second)
    _check_samples(trials)
    total_first, total_second = first.sum(axis=0), second.sum(axis=0)
    observed = _difference(metric, total_first, total_second)
    generator = np.random.default_rng(seed)
    moved = np.concatenate(
        [
            generator.integers(0, 2, size=(rows, len(first)), dtype=np.int8).astype(np.float64) @ (second - first)
            for rows in _blocks(trials, len(first))
        ]
    )
    differences = _values(metric, total_first + moved, None) - _values(metric, total_second - moved, None)
    # Sums in another order differ in the last bits; equal systems must not look different for that.
    extreme = np.abs(differences) >= abs(observed) - 1e-9
    return TestResult(
        difference=observed,
        p_value=_p_value(extreme),
        test="randomisation",
        samples=trials,
        seed=seed,
    )


def _resampled_sums(stats: Array, resamples: int, seed: int) -> Array:
    """Summed statistics of `resamples` corpora drawn with replacement: shape (resamples, statistics)."""
    n = len(stats)
    generator = np.random.default_rng(seed)
    sums = []
    for rows in _blocks(resamples, n):
        # How often each segment was drawn, for all rows in one count: row r counts in [r n, (r + 1) n).
        drawn = generator.integers(0, n, size=(rows, n)) + n * np.arange(rows)[:, None]
        weights = np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n)
        sums.append(weights.astype(np.float64) @ stats)
    return np.concatenate(sums)


def _interval(values: Array, confidence: float) -> tuple[float, float]:
    tail = 50.0 * (1 - confidence)
    low, high = np.nanpercentile(values, [tail, 100 - tail])
    return float(low), float(high)


def _blocks(samples: int, segments: int) -> list[int]:
    rows = max(1, min(samples, _BLOCK_CELLS // max(segments, 1)))
    full, rest = divmod(samples, rows)
    return [rows] * full + ([rest] if rest else [])


def _values(metric: Metric, sums: Array, part: str | None) -> Array:
    values = metric.parts_from_stats(sums)
    name = part or metric.name
    check_choice(name, values, f"part of {metric.name}")
    return values[name]


def _difference(metric: Metric, first: Array, second: Array) -> float:
    return float(metric.values_from_stats(first) - metric.values_from_stats(second))


def _p_value(extreme: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> float:
    # The observed arrangement is one of those possible, hence never a p-value of 0.
    return float((extreme.sum() + 1) / (len(extreme) + 1))


def _as_pairs(scored: Sequence[tuple[Metric, Array]]) -> Sequence[tuple[Metric, Array]]:
    if not isinstance(scored, Sequence) or not all(isinstance(pair, tuple) and len(pair) == 2 for pair in scored):
        refuse(scored, "bootstrap_intervals", "scored", "a list of pairs (metric, statistics)")
    return scored


def _check_metric(metric: Metric, function: str) -> None:
    check_instance(metric, Metric, function, "metric", 'a Metric, such as create("sari")')


def _check_stats(stats: Array, function: str, parameter: str) -> None:
    if not isinstance(stats, np.ndarray) or stats.ndim != 2:
        refuse(stats, function, parameter, "an array with a row for each segment, as Metric.corpus_stats returns it")


def _check_pair(first: Array, second: Array) -> None:
    if first.shape != second.shape:
        msg = f"both systems need statistics of the same segments; got shapes {first.shape} and {second.shape}"
        raise LengthMismatchError(msg)
    _check_segments(first)


def _check_segments(stats: Array) -> None:
    if len(stats) == 0:
        msg = "statistics of at least one segment are needed, got none"
        raise DataError(msg)


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        msg = f"confidence must be between 0 and 1, got {confidence!r}"
        raise DataError(msg)


def _check_samples(samples: int) -> None:
    if samples < 1:
        msg = f"at least one sample is needed, got {samples!r}"
        raise DataError(msg)
