"""What a comparison of metrics with people arrives at, and what it means in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import factorial
from typing import Any

from plainwright.arguments import check_choice
from plainwright.errors import DataError, UnknownNameError
from plainwright.study.coefficients import COEFFICIENTS, Alternative, Coefficient
from plainwright.study.comparisons import CORRECTIONS, Correction
from plainwright.study.draws import RESAMPLED, Resampled
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.levels import LEVELS, LevelName
from plainwright.study.ratings.table import Values
from plainwright.study.taulike import Convention, PairCounts

__all__ = ["Correlation", "CorrelationStudy", "MetricDifference", "Points", "Protocol", "named_group"]

_SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """Records every choice that can change a number.

    `coefficient` is not looked at for the level "pairs", which has the tau-like one; `convention` only there. With
    `resamples` 0 there are neither intervals nor tests. `exchanged` None exchanges inputs if only they are resampled,
    else systems: metrics misjudge whole systems, and exchanging single outputs then finds differences that are none.
    """

    level: LevelName = "system"
    coefficient: Coefficient = "spearman"
    values: Values = "raw"
    resampled: Resampled = "both"  # for intervals
    exchanged: Resampled | None = None  # for tests between metrics; see `exchange`
    resamples: int = 1000
    confidence: float = 0.95
    alternative: Alternative = "two-sided"  # of the p-value that a coefficient is 0
    correction: Correction = "holm"  # of the tests between metrics
    convention: Convention = field(default_factory=Convention)
    seed: int = 12345

    def __post_init__(self) -> None:
        check_choice(self.level, LEVELS, "level")
        check_choice(self.coefficient, COEFFICIENTS, "coefficient")
        check_choice(self.resampled, RESAMPLED, "choice of what to resample")
        check_choice(self.exchange, RESAMPLED, "choice of what to exchange")
        check_choice(self.correction, CORRECTIONS, "correction")
        if not 0 < self.confidence < 1:
            msg = f"confidence must be between 0 and 1, got {self.confidence!r}"
            raise DataError(msg)
        if self.resamples < 0:
            msg = f"the number of resamples must be 0 or more, got {self.resamples!r}"
            raise DataError(msg)

    @property
    def coefficient_name(self) -> str:
        """The coefficient that is computed at this level."""
        return "tau-like" if self.level == "pairs" else self.coefficient

    @property
    def exchange(self) -> Resampled:
        """What tests between metrics exchange."""
        return self.exchanged or ("inputs" if self.resampled == "inputs" else "systems")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        shown: dict[str, Any] = {
            "level": self.level,
            "coefficient": self.coefficient_name,
            "values": self.values,
            "resampled": self.resampled,
            "exchanged": self.exchange,
            "resamples": self.resamples,
            "confidence": self.confidence,
            "alternative": self.alternative,
            "correction": self.correction,
            "seed": self.seed,
        }
        if self.level == "pairs":
            shown["convention"] = self.convention.to_dict()
        return shown


@dataclass(frozen=True, slots=True)
class Points:
    """Holds what a scatter plot shows: systems or outputs, with what the metric and people say of each."""

    labels: tuple[str, ...]
    metric: tuple[float, ...]
    human: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Says how far a metric agrees with people on an aspect; `estimate.n` counts systems, outputs, items or pairs."""

    metric: str
    aspect: str
    operation: str | None  # None: outputs of any operation
    estimate: Estimate
    points: Points = field(repr=False)
    counts: PairCounts | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, without the points."""
        shown: dict[str, Any] = {"metric": self.metric, "aspect": self.aspect}
        if self.operation is not None:
            shown["operation"] = self.operation
        shown.update(self.estimate.to_dict())
        if self.counts is not None:
            shown["pairs"] = self.counts.to_dict()
        return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricDifference:
    """Says whether one metric agrees with people better than another: `difference` is first minus second.

    `adjusted` is the p-value corrected for all comparisons of the same aspect and operation.
    """

    first: str
    second: str
    aspect: str
    operation: str | None
    difference: float | None
    interval: Interval | None = None
    p_value: float | None = None
    adjusted: float | None = None
    problem: str = ""

    @property
    def significant(self) -> bool:
        """At 0.05 after correction."""
        return self.adjusted is not None and self.adjusted < _SIGNIFICANT

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        shown = {
            "first": self.first,
            "second": self.second,
            "aspect": self.aspect,
            "operation": self.operation,
            "difference": self.difference,
            "interval": None if self.interval is None else [self.interval.low, self.interval.high],
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted,
            "problem": self.problem or None,
        }
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class CorrelationStudy:
    """Holds all metrics on all aspects, by operation if that was asked for."""

    protocol: Protocol
    unit: str  # what `n` counts
    metrics: tuple[str, ...]
    signatures: Mapping[str, str | None]  # of metrics; None: values given by the user
    aspects: tuple[str, ...]
    operations: tuple[str | None, ...]
    correlations: tuple[Correlation, ...]
    differences: tuple[MetricDifference, ...]
    notes: tuple[str, ...] = ()

    def correlation(self, metric: str, aspect: str, operation: str | None = None) -> Correlation:
        """Return the correlation of one metric with one aspect."""
        for found in self.correlations:
            if (found.metric, found.aspect, found.operation) == (metric, aspect, operation):
                return found
        msg = f"nothing was computed for metric {metric!r}, aspect {aspect!r} and operation {operation!r}"
        raise UnknownNameError(msg)

    def best(self, aspect: str, operation: str | None = None) -> Correlation | None:
        """Return the metric with the highest value, None if none has a value."""
        found = [self.correlation(metric, aspect, operation) for metric in self.metrics]
        return max(
            (one for one in found if one.estimate.value is not None),
            key=lambda one: one.estimate.value or 0.0,
            default=None,
        )

    def difference(self, metric: str, other: str, aspect: str, operation: str | None = None) -> MetricDifference | None:
        """Return the test of two metrics, turned such that `metric` comes first; None if there was none."""
        for found in self.differences:
            if (found.aspect, found.operation) != (aspect, operation):
                continue
            if (found.first, found.second) == (metric, other):
                return found
            if (found.first, found.second) == (other, metric):
                turned = None if found.difference is None else -found.difference
                interval = found.interval and replace(
                    found.interval, low=-found.interval.high, high=-found.interval.low
                )
                return replace(found, first=metric, second=other, difference=turned, interval=interval)
        return None

    @property
    def conclusions(self) -> tuple[str, ...]:
        """What the numbers mean, a sentence for each aspect and operation."""
        return tuple(_conclusion(self, aspect, operation) for operation in self.operations for aspect in self.aspects)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "protocol": self.protocol.to_dict(),
            "unit": self.unit,
            "signatures": dict(self.signatures),
            "correlations": [found.to_dict() for found in self.correlations],
            "differences": [found.to_dict() for found in self.differences],
            "conclusions": list(self.conclusions),
            "notes": list(self.notes),
        }


def named_group(aspect: str, operation: str | None) -> str:
    """Return an aspect, and the only operation whose outputs are compared if there is one."""
    return aspect if operation is None else f"{aspect}, {operation} only"


def _conclusion(study: CorrelationStudy, aspect: str, operation: str | None) -> str:
    what = named_group(aspect, operation)
    best = study.best(aspect, operation)
    if best is None:
        return f"{what}: nothing can be said; {study.correlation(study.metrics[0], aspect, operation).estimate.problem}"
    value, interval = best.estimate.value, best.estimate.interval
    if interval is None:
        return f"{what}: {best.metric} has the highest value ({value:.2f}); without intervals nothing follows from that"
    by_chance = 2 / factorial(best.estimate.n)
    if study.unit == "systems" and study.protocol.resampled != "inputs" and by_chance > _SIGNIFICANT:
        said = f"{what}: {best.metric} has the highest value ({value:.2f}), but nothing follows from that"
        return f"{said}: even a perfect order of {best.estimate.n} systems comes about by chance with p {by_chance:.2g}"
    if interval.low == interval.high:
        # A perfect order stays perfect however it is drawn again; that is no certainty.
        said = f"{what}: {best.metric} has the highest value ({value:.2f}), the same in every resample"
        return f"{said}, so that its interval does not tell how sure it is"
    percent = f"{100 * interval.confidence:g} %"
    low, high = (round(end, 2) + 0.0 for end in (interval.low, interval.high))  # never -0.00
    shown = f"{value:.2f}, {percent} interval {low:.2f} to {high:.2f}"
    if interval.low > 0:
        sentence = f"{what}: {best.metric} agrees best with people ({shown})"
    elif interval.high < 0:
        sentence = f"{what}: every metric goes against people, {best.metric} the least ({shown})"
    else:
        shown += ", which includes 0"
        sentence = f"{what}: no metric can be said to agree with people; {best.metric} comes nearest ({shown})"
    others = [name for name in study.metrics if name != best.metric]
    against = [
        name
        for name in others
        if (found := study.correlation(name, aspect, operation).estimate.interval) and found.high < 0
    ]
    if against and interval.high >= 0:
        sentence += f"; {_listed(against)} {'goes' if len(against) == 1 else 'go'} against them"
    return sentence + _on_differences(study, best.metric, others, aspect, operation)


def _on_differences(
    study: CorrelationStudy, best: str, others: Sequence[str], aspect: str, operation: str | None
) -> str:
    tests = {name: study.difference(best, name, aspect, operation) for name in others}
    lower = [name for name, test in tests.items() if test is not None and test.significant]
    open_ = [
        name for name, test in tests.items() if test is not None and test.p_value is not None and not test.significant
    ]
    parts = []
    if lower:
        parts.append(f"{_listed(lower)} {'is' if len(lower) == 1 else 'are'} significantly lower")
    if open_:
        parts.append(f"that {_listed(open_)} {'is' if len(open_) == 1 else 'are'} lower may be chance")
    return "".join(f"; {part}" for part in parts)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
