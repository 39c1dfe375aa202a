"""Counts, durations and moments as people say them."""

from __future__ import annotations

from datetime import datetime, timezone

__all__ = ["ago", "counted", "duration", "moment", "span"]

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """The number with its noun: "1 page", "3 pages"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """In the two largest units that matter: "45 s", "1 min 20 s", "14 min", "1 h 20 min", "3 d 4 h"."""
    seconds = max(0.0, seconds)
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    if seconds < 10 * _MINUTE - 0.5:
        return _two(seconds, _MINUTE, "min", 1.0, "s")
    if seconds < _HOUR - 30:
        return f"{seconds / _MINUTE:.0f} min"
    if seconds < _DAY - 30:
        return _two(seconds, _HOUR, "h", _MINUTE, "min")
    return _two(seconds, _DAY, "d", _HOUR, "h")


def span(low: float, high: float) -> str:
    """Two durations as a range, one if they read the same."""
    first, last = duration(low), duration(high)
    return first if first == last else f"{first} to {last}"


def ago(then: float, now: float) -> str:
    """How long ago, in one unit: "just now", "90 min ago", "30 h ago", "3 d ago"."""
    gone = now - then
    if gone < _MINUTE:
        return "just now"
    for limit, size, name in ((119.5 * _MINUTE, _MINUTE, "min"), (47.5 * _HOUR, _HOUR, "h")):
        if gone < limit:
            return f"{gone / size:.0f} {name} ago"
    return f"{gone / _DAY:.0f} d ago"


def moment(seconds: float) -> str:
    """A time of day and its date, in UTC, since the organiser and the server may be far apart."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")


def _two(seconds: float, size: float, name: str, smaller: float, lesser: str) -> str:
    whole, rest = divmod(smaller * round(seconds / smaller), size)
    return f"{whole:.0f} {name}" + (f" {rest / smaller:.0f} {lesser}" if rest else "")
