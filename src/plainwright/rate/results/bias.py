"""Did the place at which an output was shown move its score?

Every rater sees the cards of a page in a random order, so that places and quality have nothing to do with each other.
Scores and places, from 0 (the first on the page) to 1 (the last), are both freed of the mean of their page and of the
effect of the system; what is left of one is put against what is left of the other, which is least squares with all
three (Frisch and Waugh, 1933). The slope is the change from first to last. Pages are drawn independently, so its
standard error sums over pages whatever happens within one (Liang and Zeger, 1986), enlarged by what the effects of
systems took. The interval is Student's with a degree of freedom less than there are pages that count: as many pages as
would say as much if all said the same.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plainwright.metrics.base import Array
from plainwright.rate.results.rows import Comparison, Judgement
from plainwright.study import student
from plainwright.study.estimate import Estimate, Interval
from plainwright.study.ratings import Scale

__all__ = ["PlaceMean", "PositionBias", "PositionEffect", "position_bias", "position_bias_of_pairs"]

_FEWEST_PAGES = 5  # fewer give an interval that is wide beyond use
_NOTHING = 1e-9  # of what is left of a place, squared: no more than rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionEffect:
    """How much a score changes from the first place to the last, in points of the scale; `n` counts outputs."""

    rater: str | None  # None: all of them
    pages: int
    change: Estimate

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        who = {} if self.rater is None else {"rater": self.rater}
        return {**who, "pages": self.pages, **self.change.to_dict()}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceMean:
    """What outputs at one place got above or below what their page and system would lead to expect."""

    place: int
    outputs: int
    mean: float
    error: float | None  # standard error; None for a single output


@dataclass(frozen=True, slots=True, kw_only=True)
class PositionBias:
    """The effect over all raters, that of each, and the means by place."""

    aspect: str
    scale: Scale
    overall: PositionEffect
    raters: tuple[PositionEffect, ...]
    places: tuple[PlaceMean, ...]
    level: float
    confidence: float

    @property
    def found(self) -> tuple[PositionEffect, ...]:
        """Raters with an effect, where the chance of any false alarm over all of them together is the level."""
        tested = [effect for effect in self.raters if effect.change.p_value is not None]
        limit = self.level / max(len(tested), 1)
        return tuple(effect for effect in tested if (effect.change.p_value or 0.0) < limit)

    @property
    def statement(self) -> str:
        """What can be said, in plain sentences."""
        change = self.overall.change
        if change.value is None:
            return f"Position bias cannot be told: {change.problem}."
        shown = f"{change.value:+.2f} points of {self.scale} from the first place to the last"
        if change.interval is not None:
            shown += f" [{change.interval.low:+.2f}, {change.interval.high:+.2f}]"
        if change.p_value is not None and change.p_value < self.level:
            way = "higher" if change.value > 0 else "lower"
            verdict = (
                f"Outputs were scored {way} the later they were shown: {shown}. The order was random for each rater, "
            )
            verdict += "so no system gained by it."
        else:
            verdict = f"No sign that the place on the page moved scores: {shown}."
        if self.found:
            names = ", ".join(f"{effect.rater} ({effect.change.value:+.2f})" for effect in self.found)
            verdict += f" Raters with an effect of their own: {names}."
        return verdict

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        return {
            "aspect": self.aspect,
            "scale": str(self.scale),
            "overall": self.overall.to_dict(),
            "raters": [effect.to_dict() for effect in self.raters],
            "places": [
                {"place": place.place, "outputs": place.outputs, "mean": place.mean}
                | ({} if place.error is None else {"error": place.error})
                for place in self.places
            ],
            "level": self.level,
            "statement": self.statement,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """Outputs as they were shown: one entry a card and page."""

    page: np.ndarray[Any, np.dtype[np.int64]]  # which page, from 0
    rater: np.ndarray[Any, np.dtype[np.int64]]
    place: Array  # from 1
    late: Array  # from -0.5 (the first of its page) to 0.5 (the last), without page and system
    rest: Array  # the score without page and system
    raters: tuple[str, ...]
    effects: int = 0  # of systems, that were fitted


def position_bias(
    rows: Iterable[Judgement], aspect: str, scale: Scale, *, level: float = 0.05, confidence: float = 0.95
) -> PositionBias:
    """The effect of the place on the scores of an aspect; second times and controls count, training does not."""
    kept = _cards([row for row in rows if row.aspect == aspect and not row.training and row.cards > 1])
    none = "no page showed several outputs side by side"
    if kept and all(row.position is None for row in kept):
        none = "the ratings were imported, and nobody knows in what order outputs were shown"
    # Imported pages have the order of their table, which follows the systems.
    kept = [row for row in kept if row.position is not None]
    if _same_order_for_all(kept):
        kept, none = [], "all raters saw the outputs of an item in the same order, so that nothing can be told from it"
    return _bias(_shown(kept), aspect, scale, level, confidence, none=none)


def position_bias_of_pairs(
    comparisons: Iterable[Comparison], aspect: str, scale: Scale, *, level: float = 0.05, confidence: float = 0.95
) -> PositionBias:
    """The same for pairs: how much more often the second was chosen than the first."""
    rows = [row for row in comparisons if row.aspect == aspect and not row.training]
    # Outputs that several systems share are one choice.
    pages = {(row.rater, row.order): row for row in rows}
    raters = tuple(dict.fromkeys(rater for rater, _ in pages))
    numbers = {rater: number for number, rater in enumerate(raters)}
    scores = np.array([row.score for row in pages.values()])
    shown = _Shown(
        page=np.repeat(np.arange(len(pages)), 2),
        rater=np.repeat(np.array([numbers[rater] for rater, _ in pages], dtype=np.int64), 2),
        place=np.tile([1.0, 2.0], len(pages)),
        late=np.tile([-0.5, 0.5], len(pages)),
        rest=np.stack([scores - 0.5, 0.5 - scores], axis=1).ravel(),
        raters=raters,
    )
    return _bias(shown, aspect, scale, level, confidence, none="nobody has compared anything yet")


def _cards(rows: Iterable[Judgement]) -> list[Judgement]:
    """One row a card: of those who made the same output, a system speaks for it rather than a control."""
    cards: dict[tuple[str, str, bool, str], Judgement] = {}
    for row in rows:
        key = (row.rater, row.item, row.repeat, row.card)
        if key not in cards or cards[key].control:
            cards[key] = row
    return list(cards.values())


def _same_order_for_all(rows: Iterable[Judgement]) -> bool:
    """Whether each output of an item that came several times always had the same place: nobody shuffled."""
    places: dict[tuple[str, str], list[int | None]] = {}
    for row in rows:
        places.setdefault((row.item, row.card), []).append(row.position)
    several = [found for found in places.values() if len(found) > 1]
    return bool(several) and all(len(set(found)) == 1 for found in several)


def _shown(rows: Sequence[Judgement]) -> _Shown:
    page = _codes([(row.rater, row.item, row.repeat) for row in rows])
    late = np.array([((row.position or 1) - 1) / (row.cards - 1) - 0.5 for row in rows])
    scores = np.array([row.score for row in rows], dtype=np.float64)
    left, effects = _without_effects(np.stack([late, scores], axis=1), page, _codes([row.system for row in rows]))
    return _Shown(
        page=page,
        rater=_codes([row.rater for row in rows]),
        place=np.array([row.position for row in rows], dtype=np.float64),
        late=left[:, 0],
        rest=left[:, 1],
        raters=tuple(dict.fromkeys(row.rater for row in rows)),
        effects=effects,
    )


def _codes(names: Sequence[object]) -> np.ndarray[Any, np.dtype[np.int64]]:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)


def _without_effects(
    values: Array, page: np.ndarray[Any, np.dtype[np.int64]], system: np.ndarray[Any, np.dtype[np.int64]]
) -> tuple[Array, int]:
    """What is left of each column by least squares without an effect of each page and system; how many of systems."""
    if len(values) == 0:
        return values, 0
    made = np.zeros((len(values), int(system.max()) + 1))
    made[np.arange(len(values)), system] = 1
    made, rest = _without_means(made, page), _without_means(values, page)
    effects, _, rank, _ = np.linalg.lstsq(made.T @ made, made.T @ rest, rcond=1e-10)
    return np.asarray(rest - made @ effects), int(rank)


def _without_means(values: Array, groups: np.ndarray[Any, np.dtype[np.int64]]) -> Array:
    sums = np.zeros((int(groups.max()) + 1, values.shape[1]))
    np.add.at(sums, groups, values)
    return np.asarray(values - (sums / np.bincount(groups)[:, None])[groups])


def _bias(shown: _Shown, aspect: str, scale: Scale, level: float, confidence: float, *, none: str) -> PositionBias:
    everybody = np.ones(len(shown.page), dtype=bool)
    return PositionBias(
        aspect=aspect,
        scale=scale,
        overall=_effect(shown, everybody, None, confidence, none),
        raters=tuple(
            _effect(shown, shown.rater == number, rater, confidence, none) for number, rater in enumerate(shown.raters)
        ),
        places=_places(shown),
        level=level,
        confidence=confidence,
    )


def _effect(
    shown: _Shown, chosen: np.ndarray[Any, np.dtype[np.bool_]], rater: str | None, confidence: float, none: str
) -> PositionEffect:
    late, rest, page = shown.late[chosen], shown.rest[chosen], shown.page[chosen]
    pages = len(np.unique(page))
    spread = float(late @ late)
    within = len(late) - pages
    free = within - shown.effects * len(late) / max(len(shown.late), 1)  # systems are fitted for all raters together
    if problem := _problem(pages, spread, free, none):
        return PositionEffect(rater=rater, pages=pages, change=Estimate(value=None, n=len(late), problem=problem))
    slope = float(late @ rest) / spread
    by_page = np.bincount(page, weights=late * (rest - slope * late))
    error = math.sqrt(float(by_page @ by_page) * pages / (pages - 1) * within / free) / spread
    parts = np.bincount(page, weights=late * late) / spread
    degrees = max(1 / float(parts @ parts) - 1, 1.0)
    reach = student.threshold(1 - confidence, degrees) * error
    change = Estimate(
        value=slope,
        n=len(late),
        interval=Interval(slope - reach, slope + reach, confidence),
        p_value=student.p_value(slope / error, degrees) if error > 0 else None,
    )
    return PositionEffect(rater=rater, pages=pages, change=change)


def _problem(pages: int, spread: float, free: float, none: str) -> str:
    """Why there is no effect to be told; empty if there is."""
    if pages == 0:
        return none
    if pages < _FEWEST_PAGES:
        return f"an effect needs at least {_FEWEST_PAGES} pages, found {pages}"
    if spread < _NOTHING or free < 1:
        return "there are too few pages to tell places from systems"
    return ""


def _places(shown: _Shown) -> tuple[PlaceMean, ...]:
    found = []
    for place in np.unique(shown.place):
        rest = shown.rest[shown.place == place]
        error = float(rest.std(ddof=1)) / math.sqrt(len(rest)) if len(rest) > 1 else None
        found.append(PlaceMean(place=int(place), outputs=len(rest), mean=float(rest.mean()), error=error))
    return tuple(found)
