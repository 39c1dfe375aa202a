"""How estimates and their parts are written on the page."""

from __future__ import annotations

from collections.abc import Iterable

from plainwright.report import names
from plainwright.report.panels import Row
from plainwright.study.estimate import Estimate, Interval

__all__ = ["MOST_ROWS", "capital", "cells", "ends", "interval", "legend", "p_value", "row", "value_with_interval"]

MOST_ROWS = 500  # of a table of points; beyond, nobody reads it, and the page grows heavy
_FEW = 8  # names that find room beside their marks


def ends(found: Interval | None) -> tuple[float, float] | None:
    """Return the ends of an interval, for a drawing."""
    return None if found is None else (found.low, found.high)


def interval(found: Interval | None, digits: int = 2) -> str:
    """Return the interval in brackets."""
    return "–" if found is None else f"[{names.show(found.low, digits)}, {names.show(found.high, digits)}]"


def p_value(found: float | None) -> str:
    """Return the p value alone, for a column that is headed p."""
    return "–" if found is None else names.p_relation(found).removeprefix("= ")


def value_with_interval(estimate: Estimate) -> str:
    """The value and its interval, or why there is none."""
    if estimate.value is None:
        return f"none ({estimate.problem})"
    shown = names.show(estimate.value)
    return shown if estimate.interval is None else f"{shown} {interval(estimate.interval)}"


def cells(estimate: Estimate, digits: int = 2) -> tuple[str, str, str]:
    """Value, interval and n for the columns of a table; the reason stands in the place of the interval."""
    if estimate.value is None:
        return "–", estimate.problem, f"{estimate.n:,}"
    return names.show(estimate.value, digits), interval(estimate.interval, digits), f"{estimate.n:,}"


def row(name: str, mark: int, estimate: Estimate) -> Row:
    """Return the line of a row panel."""
    return Row(name, mark, estimate.value, ends(estimate.interval), estimate.problem)


def capital(text: str) -> str:
    """Return the same with a capital letter at its start, for headings."""
    return text[:1].upper() + text[1:]


def legend(marks: Iterable[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """The names of marks, where they are too many for all of them to be written beside the marks."""
    entries = tuple(marks)
    return entries if len(entries) > _FEW else ()
