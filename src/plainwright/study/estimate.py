"""A number that a study arrives at, with its uncertainty; or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plainwright.metrics.base import Array

__all__ = ["Estimate", "Interval"]


@dataclass(frozen=True, slots=True)
class Interval:
    """Says where the value lies in the middle `confidence` of the resamples."""

    low: float
    high: float
    confidence: float = 0.95
    undefined: int = 0  # resamples in which the value could not be computed; they are left out

    @classmethod
    def of(cls, samples: Array, confidence: float = 0.95) -> Interval | None:
        """Return the percentile interval of resampled values, NaN where a resample gave none; None if none gave any."""
        defined = samples[np.isfinite(samples)]
        if len(defined) == 0:
            return None
        tail = (1 - confidence) / 2
        low, high = np.quantile(defined, [tail, 1 - tail])
        return cls(float(low), float(high), confidence, len(samples) - len(defined))

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A value over `n` observations; without a value, `problem` says in one sentence why there is none."""

    value: float | None
    n: int
    interval: Interval | None = None
    p_value: float | None = None
    problem: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) != bool(self.problem):
            msg = f"an estimate has either a value or a problem, got {self.value!r} and {self.problem!r}"
            raise ValueError(msg)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        interval = self.interval
        shown = {
            "value": self.value,
            "n": self.n,
            "interval": None if interval is None else [interval.low, interval.high],
            "confidence": None if interval is None else interval.confidence,
            "undefined_resamples": (interval.undefined or None) if interval else None,
            "p_value": self.p_value,
            "problem": self.problem or None,
        }
        return {key: value for key, value in shown.items() if value is not None}
