"""One row a judgement: who said what of which output, on which scale; and the same as an array for arithmetic."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from plainwright.arguments import check_choice, check_instance
from plainwright.errors import DataError
from plainwright.metrics.base import Array

__all__ = ["Cube", "Rating", "Ratings", "Scale", "Values", "check_ratings", "first_few", "shortest"]

Values = Literal["raw", "z"]

_NUMBER = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_SCALE = re.compile(rf"\s*({_NUMBER})\s*\.\.\s*({_NUMBER})(?:\s+by\s+({_NUMBER}))?\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Scale:
    """Describes the scores that a rater could give."""

    low: float
    high: float
    step: float | None = None  # None: anything between the ends

    def __post_init__(self) -> None:
        steps = 1.0 if self.step is None else self.step
        if not (self.low < self.high and steps > 0 and all(map(math.isfinite, (self.low, self.high, steps)))):
            msg = f"expected a scale from a lower to a higher score with steps above 0, found {self}"
            raise DataError(msg)

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Return the scale that is written as "1..5 by 1", or as "0..100" if anything between the ends may be given."""
        found = _SCALE.fullmatch(text)
        if found is None:
            msg = f"expected a scale such as '1..5 by 1' or '0..100', found {text!r:.60}"
            raise DataError(msg)
        low, high, step = found.groups()
        return cls(float(low), float(high), None if step is None else float(step))

    def __contains__(self, score: float) -> bool:
        if not self.low <= score <= self.high:
            return False
        if self.step is None:
            return True
        steps = (score - self.low) / self.step
        return math.isclose(steps, round(steps), abs_tol=1e-9)  # steps such as 0.1 are no whole numbers in binary

    def __str__(self) -> str:
        ends = f"{shortest(self.low)}..{shortest(self.high)}"
        return ends if self.step is None else f"{ends} by {shortest(self.step)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """Records one judgement by one person."""

    item: str  # the source sentence's id
    system: str
    rater: str
    aspect: str  # what was asked: "simplicity", "meaning", "overall" …
    score: float
    z: float | None = None  # `score` on the rater's own scale of means and deviations, see `standardised`
    scale: Scale | None = None
    source: str | None = None
    output: str | None = None
    order: int | None = None  # the place at which this rater was shown it, from 1
    time: float | None = None  # when it was given, in seconds since 1970


@dataclass(frozen=True, kw_only=True)
class Cube:
    """Holds scores of one aspect by item, system and rater; NaN where nobody rated."""

    items: tuple[str, ...]
    systems: tuple[str, ...]
    raters: tuple[str, ...]
    scores: Array  # shape (items, systems, raters)

    @cached_property
    def means(self) -> Array:
        """The mean over raters: shape (items, systems); NaN where nobody rated."""
        counts = np.isfinite(self.scores).sum(axis=2)
        sums = np.nansum(self.scores, axis=2)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)


@dataclass(frozen=True)
class Ratings:
    """Judgements in the order of their file; no rater judged the same output on the same aspect twice."""

    rows: tuple[Rating, ...]

    def __post_init__(self) -> None:
        counts = Counter((row.item, row.system, row.rater, row.aspect) for row in self.rows)
        twice = [key for key, count in counts.items() if count > 1]
        if twice:
            item, system, rater, aspect = twice[0]
            msg = (
                f"expected one rating of an output by a rater and aspect, found {counts[twice[0]]} of item {item!r}, "
                f"system {system!r}, rater {rater!r}, aspect {aspect!r} and {len(twice) - 1} more such cases; "
                "keep one of each"
            )
            raise DataError(msg)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Rating]:
        return iter(self.rows)

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Ids of the sources, in order of appearance."""
        return _distinct(row.item for row in self.rows)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in order of appearance."""
        return _distinct(row.system for row in self.rows)

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """Ids of the raters, in order of appearance."""
        return _distinct(row.rater for row in self.rows)

    @cached_property
    def aspects(self) -> tuple[str, ...]:
        """What was asked, in order of appearance."""
        return _distinct(row.aspect for row in self.rows)

    def where(
        self,
        *,
        aspect: str | None = None,
        items: Collection[str] | None = None,
        systems: Collection[str] | None = None,
        raters: Collection[str] | None = None,
    ) -> Ratings:
        """Return only the rows that fit everything asked."""
        return Ratings(
            tuple(
                row
                for row in self.rows
                if (aspect is None or row.aspect == aspect)
                and (items is None or row.item in items)
                and (systems is None or row.system in systems)
                and (raters is None or row.rater in raters)
            )
        )

    def cube(self, aspect: str, values: Values = "raw") -> Cube:
        """Return the scores of one aspect as an array."""
        check_choice(aspect, self.aspects, "aspect", listing="these ratings have")
        part = self.where(aspect=aspect)
        places = [{name: i for i, name in enumerate(names)} for names in (part.items, part.systems, part.raters)]
        scores = np.full(tuple(map(len, places)), np.nan)
        for row in part.rows:
            place = (places[0][row.item], places[1][row.system], places[2][row.rater])
            scores[place] = row.score if values == "raw" else _z(row)
        return Cube(items=part.items, systems=part.systems, raters=part.raters, scores=scores)


def check_ratings(ratings: object, function: str) -> None:
    """Refuse what are no ratings."""
    check_instance(ratings, Ratings, function, "ratings", "Ratings, as read_ratings returns them")


def shortest(number: float) -> str:
    """Return the fewest digits that read back as the same number; no decimal point where none is needed."""
    return repr(float(number)).removesuffix(".0")


def first_few(names: Sequence[str], most: int) -> str:
    """Return at most so many names, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _z(row: Rating) -> float:
    if row.z is None:
        msg = "these ratings have no z-scores yet; call `standardised` first"
        raise DataError(msg)
    return row.z
