"""Ratings made of random numbers, for tests."""

from __future__ import annotations

import numpy as np

from plainwright.study.ratings import Rating, Ratings, Scale


def from_array(
    scores: np.ndarray, aspect: str = "simplicity", scale: Scale | None = None, first_item: int = 0
) -> Ratings:
    """One rating for every finite number of an array of items, systems and raters."""
    return Ratings(
        tuple(
            Rating(
                item=str(first_item + i),
                system=f"system {s}",
                rater=f"rater {r}",
                aspect=aspect,
                score=float(scores[i, s, r]),
                scale=scale,
            )
            for i, s, r in np.argwhere(np.isfinite(scores))
        )
    )


def joined(*parts: Ratings) -> Ratings:
    return Ratings(tuple(row for part in parts for row in part))
