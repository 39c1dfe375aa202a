"""Correlations in words: the value, what resampling leaves of it, and whether its sign is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from plainwright.reproduce.sulem2018.resampling import Sampled, intervals
from plainwright.study.estimate import Estimate, Interval

__all__ = ["difference", "in_words", "shown", "survivors"]

BOTH = "both"

Side = Literal["above", "below"]


def shown(sampled: Sampled, side: Side, *, kind: str = BOTH) -> bool:
    """Return whether the interval lies wholly on that side of zero."""
    interval = intervals(sampled).get(kind)
    return interval is not None and (interval.low > 0 if side == "above" else interval.high < 0)


def in_words(label: str, sampled: Sampled) -> str:
    """Write an estimate as in `M 0.13 [-0.57 +0.77]`."""
    return f"{label} {sampled.value:.2f} {_bracketed(intervals(sampled).get(BOTH))}"


def survivors(sampled: Mapping[str, Sampled], side: Side) -> str:
    """Return how many of the values are on that side of zero, and of how many resampling shows it."""
    values = sum(one.value > 0 if side == "above" else one.value < 0 for one in sampled.values())
    by_kind = {kind: sum(shown(one, side, kind=kind) for one in sampled.values()) for kind in _kinds(sampled)}
    kept = ", ".join(f"in {count} for {_other(kind)}" for kind, count in by_kind.items())
    return f"{values} of {len(sampled)} values are {side} zero; the whole interval is so {kept}"


def difference(first: Sampled, second: Sampled) -> Sampled:
    """Return what the first has more than the second, on the data and on each resample."""
    n = first.estimate.n
    return Sampled(
        estimate=Estimate(value=first.value - second.value, n=n),
        resampled={kind: first.resampled[kind] - second.resampled[kind] for kind in first.resampled},
    )


def _kinds(sampled: Mapping[str, Sampled]) -> Sequence[str]:
    return tuple(dict.fromkeys(kind for one in sampled.values() for kind in one.resampled))


def _other(kind: str) -> str:
    return "both" if kind == BOTH else f"other {kind}"


def _bracketed(interval: Interval | None) -> str:
    return "[undefined]" if interval is None else f"[{interval.low:+.2f} {interval.high:+.2f}]"
