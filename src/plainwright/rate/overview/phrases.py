"""Counts, durations and moments as people say them."""

from __future__ import annotations

from datetime import datetime, timezone

__all__ = ["ago", "counted", "duration", "moment", "span"]

_UNITS = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s"))


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """The number with its noun: "1 page", "3 pages"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def duration(seconds: float) -> str:
    """The two largest units, rounded: "45 s", "4 min", "1 h 20 min", "3 d 4 h"; minutes alone below an hour."""
    rounded = _rounded(max(0.0, seconds))
    for (size, name), (smaller, lesser) in zip(_UNITS, (*_UNITS[1:], (1.0, "")), strict=True):
        if rounded >= size:
            whole, rest = divmod(rounded, size)
            part = round(rest / smaller)
            return f"{whole:.0f} {name}" + (f" {part} {lesser}" if part and size > 60 else "")
    return "0 s"


def span(low: float, high: float) -> str:
    """Two durations as a range, one if they read the same."""
    first, last = duration(low), duration(high)
    return first if first == last else f"{first} to {last}"


def ago(then: float, now: float) -> str:
    """How long ago: "just now", "5 min ago", "2 d 3 h ago"."""
    gone = now - then
    return "just now" if gone < 60 else f"{duration(gone)} ago"


def moment(seconds: float) -> str:
    """A time of day and its date, in UTC, since the organiser and the server may be far apart."""
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def _rounded(seconds: float) -> float:
    """To the smaller of the two units that are shown, so that 59 min 40 s reads "1 h"."""
    step = 1.0 if seconds < 59.5 else 60.0 if seconds < 86400 - 30 else 3600.0
    return step * round(seconds / step)
