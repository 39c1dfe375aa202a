"""Scores on each rater's own scale: how far above or below what this rater usually gives.

People use a scale differently, one between 60 and 80, another between 10 and 100. Within every rater and aspect,
z = (score - mean) / deviation takes that away. The deviation divides by n - `ddof`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from plainwright.errors import DataError
from plainwright.study.ratings.table import Rating, Ratings, check_ratings

__all__ = ["OwnScale", "ZeroVarianceRater", "own_scales", "standardised", "zero_variance_raters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroVarianceRater:
    """Names a rater whose scores of an aspect show no differences: all are alike, or there is only one."""

    rater: str
    aspect: str
    ratings: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScale:
    """Holds what a rater's z-scores of an aspect are made with; a deviation of 0 makes them all 0."""

    rater: str
    aspect: str
    ratings: int
    mean: float
    deviation: float

    def z(self, score: float) -> float:
        """Return a score, perhaps one that the mean was not taken over, on the rater's own scale."""
        return (score - self.mean) / self.deviation if self.deviation else 0.0


def own_scales(ratings: Ratings, *, ddof: int = 0) -> tuple[OwnScale, ...]:
    """Return the means and deviations behind `standardised`, in order of appearance."""
    check_ratings(ratings, "own_scales")
    found = []
    for (rater, aspect), group in _groups(ratings).items():
        scores = np.array([row.score for _, row in group])
        same = bool((scores == scores[0]).all())
        mean = float(scores[0]) if same else float(scores.mean())
        deviation = 0.0 if same else float(scores.std(ddof=ddof))
        found.append(OwnScale(rater=rater, aspect=aspect, ratings=len(scores), mean=mean, deviation=deviation))
    return tuple(found)


def standardised(ratings: Ratings, *, ddof: int = 0) -> Ratings:
    """Return the same ratings with `z` filled in, computed within every rater and aspect.

    Where a rater gave only one score or always the same, there is no deviation to divide by, and z is 0: such
    a rater prefers nothing. `zero_variance_raters` tells who they are.
    """
    check_ratings(ratings, "standardised")
    if ddof not in (0, 1):
        msg = f"expected ddof 0 (the deviation divides by n) or 1 (by n - 1), found {ddof!r}"
        raise DataError(msg)
    z: dict[int, float] = {}
    for group in _groups(ratings).values():
        scores = np.array([row.score for _, row in group])
        z.update(zip((place for place, _ in group), _standard_scores(scores, ddof), strict=True))
    return Ratings(tuple(replace(row, z=z[place]) for place, row in enumerate(ratings)))


def zero_variance_raters(ratings: Ratings) -> tuple[ZeroVarianceRater, ...]:
    """Return the raters whose z-scores of an aspect are 0 by rule, because they gave one score or always the same."""
    check_ratings(ratings, "zero_variance_raters")
    return tuple(
        ZeroVarianceRater(rater=rater, aspect=aspect, ratings=len(group), score=group[0][1].score)
        for (rater, aspect), group in _groups(ratings).items()
        if len({row.score for _, row in group}) == 1
    )


def _groups(ratings: Ratings) -> Mapping[tuple[str, str], Sequence[tuple[int, Rating]]]:
    groups: dict[tuple[str, str], list[tuple[int, Rating]]] = {}
    for place, row in enumerate(ratings):
        groups.setdefault((row.rater, row.aspect), []).append((place, row))
    return groups


def _standard_scores(scores: np.ndarray, ddof: int) -> list[float]:
    # Equal scores are compared as such: their mean may differ from them in the last digit.
    if (scores == scores[0]).all():
        return [0.0] * len(scores)
    # Near 1, so that no square leaves the range of numbers; a power of two changes no digit.
    scores = np.ldexp(scores, -int(np.frexp(np.abs(scores).max())[1]))
    return [float(z) for z in (scores - scores.mean()) / scores.std(ddof=ddof)]
