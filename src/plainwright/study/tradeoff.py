"""Does one thing that people were asked about come at the price of another?

Kauchak's short paper on human evaluation plots simplicity against adequacy over all outputs and finds a negative
slope. Such a slope has several possible origins: some *systems* are simple and inadequate, others careful; or, within
one system, the outputs that are simpler lost more; or, among the outputs for one *sentence*, the simpler lost more.
So the same regression is made at four levels, each with an interval that comes from resampling the sources.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainwright.arguments import check_text
from plainwright.errors import DataError
from plainwright.metrics.base import Array
from plainwright.study import student
from plainwright.study.checks import FEWEST_ITEMS, check_cube
from plainwright.study.draws import draws
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Cube, Ratings
from plainwright.study.ratings.table import Values, check_ratings

__all__ = ["LEVELS", "Point", "Relation", "Tradeoff", "tradeoff"]

# What is compared at each level, in words that fit behind "among" in a sentence.
LEVELS = {
    "all outputs": "all outputs, each one point",
    "between systems": "systems, each one point at its means",
    "within systems": "outputs of the same system: its means are taken away",
    "within sources": "outputs for the same source: its means are taken away",
}


@dataclass(frozen=True, slots=True)
class Point:
    """Stands for one output: the means over raters of both aspects."""

    item: str
    system: str
    first: float
    second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Holds the regression of the second aspect on the first at one level.

    The p-value is that of the t-test of the slope, which takes the points as independent; the intervals do not, they
    resample sources.
    """

    level: str
    r: Estimate
    r_squared: Estimate
    slope: Estimate
    intercept: float | None = None  # where a line can be drawn: for all outputs and between systems

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "level": self.level,
            "r": self.r.to_dict(),
            "r_squared": self.r_squared.to_dict(),
            "slope": self.slope.to_dict(),
            "intercept": self.intercept,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tradeoff:
    """Says how two aspects go together over the outputs that have both."""

    first: str
    second: str
    values: Values
    points: tuple[Point, ...]
    relations: tuple[Relation, ...]
    left_out: int  # outputs that were rated on one of the two aspects only
    resamples: int
    seed: int

    def relation(self, level: str) -> Relation:
        """Return the regression at one of `LEVELS`."""
        return next(relation for relation in self.relations if relation.level == level)

    @property
    def line(self) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """The ends of the fitted line over all outputs, for a plot."""
        fitted = self.relation("all outputs")
        if fitted.slope.value is None or fitted.intercept is None:
            return None
        places = [point.first for point in self.points]
        low, high = min(places), max(places)
        return (low, fitted.intercept + fitted.slope.value * low), (high, fitted.intercept + fitted.slope.value * high)

    @property
    def statement(self) -> str:
        """What the numbers mean, in plain sentences."""
        return " ".join(_statements(self))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "values": self.values,
            "outputs": len(self.points),
            "left_out": self.left_out,
            "relations": [relation.to_dict() for relation in self.relations],
            "line": None if self.line is None else [list(end) for end in self.line],
            "statement": self.statement,
            "points": [[point.item, point.system, point.first, point.second] for point in self.points],
            "resamples": self.resamples,
            "seed": self.seed,
        }


def tradeoff(
    ratings: Ratings,
    first: str,
    second: str,
    *,
    values: Values = "raw",
    resamples: int = 1000,
    seed: int = 12345,
) -> Tradeoff:
    """Correlate and regress `second` on `first` over rated outputs, at every level."""
    check_ratings(ratings, "tradeoff")
    check_text(first, "tradeoff", "first")
    check_text(second, "tradeoff", "second")
    if first == second:
        msg = f"a trade-off needs two different aspects, got {first!r} twice"
        raise DataError(msg)
    cubes = ratings.cube(first, values), ratings.cube(second, values)
    for name, cube in zip((first, second), cubes, strict=True):
        check_cube(cube, f"a trade-off with {name}")
    points, left_out = _points(*cubes)
    _check(points, first, second)
    table = _Table(points)
    items = len(table.items)
    drawn = draws(items, 1, resampled="inputs", resamples=resamples, seed=seed, cells=6 * items * len(table.systems))
    weights = np.concatenate([draw.inputs for draw in drawn])
    relations = tuple(_relation(level, table, weights, (first, second)) for level in LEVELS)
    return Tradeoff(
        first=first,
        second=second,
        values=values,
        points=points,
        relations=relations,
        left_out=left_out,
        resamples=resamples,
        seed=seed,
    )


def _points(first: Cube, second: Cube) -> tuple[tuple[Point, ...], int]:
    others = dict(_outputs(second))
    rated = dict(_outputs(first))
    points = tuple(Point(*place, score, others[place]) for place, score in rated.items() if place in others)
    return points, len(rated.keys() ^ others.keys())


def _outputs(cube: Cube) -> Iterator[tuple[tuple[str, str], float]]:
    for item, row in zip(cube.items, cube.means, strict=True):
        for system, score in zip(cube.systems, row, strict=True):
            if math.isfinite(score):
                yield (item, system), float(score)


def _check(points: Sequence[Point], first: str, second: str) -> None:
    if not points:
        msg = f"no output was rated on both {first!r} and {second!r}; choose two aspects that were asked together"
        raise DataError(msg)
    items = len({point.item for point in points})
    if items < FEWEST_ITEMS:
        msg = f"a trade-off needs outputs for at least {FEWEST_ITEMS} sources with both aspects rated, found {items}"
        raise DataError(msg)
    for aspect, scores in ((first, {point.first for point in points}), (second, {point.second for point in points})):
        if len(scores) == 1:
            msg = f"every output has the same {aspect}, {scores.pop():g}, so nothing can go together with it"
            raise DataError(msg)


class _Table:
    """The points as sums that resampled sources add up: count, x, y, x², y² and xy of each source and system."""

    def __init__(self, points: Sequence[Point]) -> None:
        self.items = tuple(dict.fromkeys(point.item for point in points))
        self.systems = tuple(dict.fromkeys(point.system for point in points))
        rows = [self.items.index(point.item) for point in points]
        columns = [self.systems.index(point.system) for point in points]
        scores = np.array([(point.first, point.second) for point in points])
        self.centre = scores.mean(axis=0)
        # Around their mean, so that squares keep their digits; scores that differ only by rounding do not differ.
        x, y = (scores - self.centre).T
        self.least = 1e-18 * np.maximum(np.abs(scores).max(axis=0), 1e-300) ** 2 * len(points)
        self.sums = np.zeros((6, len(self.items), len(self.systems)))
        for place, values in enumerate((np.ones(len(points)), x, y, x * x, y * y, x * y)):
            self.sums[place, rows, columns] = values


# For each row of weights: degrees of freedom, Sxx, Syy, Sxy, and the means of x and y.
_Fit = tuple[Array, Array, Array, Array, Array, Array]


def _around_means(sums: Array) -> tuple[Array, Array, Array]:
    """Sxx, Syy and Sxy of groups, from the sums that lie along the second axis from the end."""
    count, x, y, xx, yy, xy = np.moveaxis(sums, -2, 0)
    count = np.maximum(count, 1)
    return xx - x * x / count, yy - y * y / count, xy - x * y / count


def _all_outputs(table: _Table, weights: Array) -> _Fit:
    totals = weights @ table.sums.sum(axis=2).T
    xx, yy, xy = (part[..., 0] for part in _around_means(totals[..., None]))
    count = totals[:, 0]
    return count - 2, xx, yy, xy, totals[:, 1] / count, totals[:, 2] / count


def _between_systems(table: _Table, weights: Array) -> _Fit:
    totals = _by_system(table, weights)
    count = totals[:, 0]
    present = count > 0
    x, y = (np.where(present, totals[:, place] / np.maximum(count, 1), 0.0) for place in (1, 2))
    means = np.stack([present, x, y, x * x, y * y, x * y]).sum(axis=-1)
    xx, yy, xy = (part[..., 0] for part in _around_means(means.T[..., None]))
    number = means[0]
    return number - 2, xx, yy, xy, means[1] / number, means[2] / number


def _within_systems(table: _Table, weights: Array) -> _Fit:
    totals = _by_system(table, weights)
    xx, yy, xy = (part.sum(axis=-1) for part in _around_means(totals))
    degrees = totals[:, 0].sum(axis=-1) - (totals[:, 0] > 0).sum(axis=-1) - 1
    nothing = np.zeros(len(weights))
    return degrees, xx, yy, xy, nothing, nothing


def _within_sources(table: _Table, weights: Array) -> _Fit:
    sources = table.sums.sum(axis=2)
    # A source with one output says nothing here, and rounding must not pretend that it does.
    several = sources[0] > 1
    xx, yy, xy = (weights @ np.where(several, part, 0.0) for part in _around_means(sources))
    degrees = weights @ np.where(several, sources[0] - 1, 0.0) - 1
    nothing = np.zeros(len(weights))
    return degrees, xx, yy, xy, nothing, nothing


def _by_system(table: _Table, weights: Array) -> Array:
    """Shape (weights, 6, systems)."""
    parts, items, systems = table.sums.shape
    flat = weights @ table.sums.transpose(1, 0, 2).reshape(items, parts * systems)
    return flat.reshape(len(weights), parts, systems)


_FITS: dict[str, Callable[[_Table, Array], _Fit]] = {
    "all outputs": _all_outputs,
    "between systems": _between_systems,
    "within systems": _within_systems,
    "within sources": _within_sources,
}


def _relation(level: str, table: _Table, weights: Array, names: tuple[str, str]) -> Relation:
    fit = _FITS[level]
    degrees, xx, yy, xy, x_mean, y_mean = (float(part[0]) for part in fit(table, np.ones((1, len(table.items)))))
    number = _number(level, table)
    problem = _problem(level, table, degrees, (xx, yy), names)
    if problem:
        absent = Estimate(value=None, n=number, problem=problem)
        return Relation(level=level, r=absent, r_squared=absent, slope=absent)
    r = max(-1.0, min(1.0, xy / (math.sqrt(xx) * math.sqrt(yy))))  # the product of two tiny sums may be 0
    slope = xy / xx
    resampled_r, resampled_slope = _resampled(fit(table, weights), table.least)
    p_value = 0.0 if abs(r) == 1 else student.p_value(r * math.sqrt(degrees / (1 - r * r)), degrees)
    has_line = level in ("all outputs", "between systems")
    x_centre, y_centre = table.centre
    return Relation(
        level=level,
        r=Estimate(value=r, n=number, interval=Interval.of(resampled_r), p_value=p_value),
        r_squared=Estimate(value=r * r, n=number, interval=Interval.of(resampled_r**2), p_value=p_value),
        slope=Estimate(value=slope, n=number, interval=Interval.of(resampled_slope), p_value=p_value),
        intercept=float(y_centre + y_mean - slope * (x_centre + x_mean)) if has_line else None,
    )


def _resampled(fit: _Fit, least: Array) -> tuple[Array, Array]:
    """Correlations and slopes; NaN where a resample left one aspect without any difference."""
    degrees, xx, yy, xy = fit[:4]
    usable = (degrees >= 1) & (xx > least[0]) & (yy > least[1])
    safe_xx, safe_yy = np.where(usable, xx, 1.0), np.where(usable, yy, 1.0)
    r = np.clip(xy / (np.sqrt(safe_xx) * np.sqrt(safe_yy)), -1, 1)
    return np.where(usable, r, np.nan), np.where(usable, xy / safe_xx, np.nan)


def _number(level: str, table: _Table) -> int:
    counts = table.sums[0]
    if level == "between systems":
        return len(table.systems)
    if level == "within sources":
        by_source = counts.sum(axis=1)
        return int(by_source[by_source > 1].sum())
    return int(counts.sum())


def _problem(level: str, table: _Table, degrees: float, spread: tuple[float, float], names: tuple[str, str]) -> str:
    """Why there is no regression at this level, or nothing."""
    if level in ("between systems", "within systems") and len(table.systems) == 1:
        return "all outputs are of one system"
    if level == "within sources" and _number(level, table) == 0:
        return "no source has outputs of two systems"
    if degrees < 1:
        return f"only {_number(level, table)} points, too few for a line with an error"
    for name, square, least in zip(names, spread, table.least, strict=True):
        if square <= least:
            return f"{name} does not differ {level}"
    return ""


def _statements(result: Tradeoff) -> Iterator[str]:
    overall = result.relation("all outputs").r
    direction = _direction(overall)
    if overall.value is None or direction == 0:
        yield f"Over all outputs {result.first} and {result.second} show no clear relation."
    else:
        yield (
            f"Outputs with higher {result.first} have {'higher' if direction > 0 else 'lower'} {result.second}; "
            f"{result.first} accounts for {overall.value**2:.0%} of the differences in {result.second}."
        )
    for level, place in (
        ("between systems", "Between systems"),
        ("within systems", "Within one system"),
        ("within sources", "Among outputs for the same source"),
    ):
        part = result.relation(level).r
        if part.value is None:
            yield f"{place} nothing can be said: {part.problem}."
        else:
            yield f"{place} {_compared(_direction(part), direction)}."


def _direction(r: Estimate) -> int:
    """The sign of a correlation whose interval leaves out 0, otherwise 0."""
    if r.value is None or r.interval is None or 0.0 in r.interval:
        return 0
    return 1 if r.value > 0 else -1


def _compared(direction: int, overall: int) -> str:
    if direction == 0:
        return "there is no clear relation"
    if direction == overall:
        return "it is the same"
    word = "higher goes with higher" if direction > 0 else "higher goes with lower"
    return f"it is the other way round: {word}" if overall else word
