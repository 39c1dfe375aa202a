"""Results of studies for the tests of their page: made-up ratings, and what the library finds in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plainwright.report.study import StudyReport, gather
from plainwright.study.ratings import Rating, Ratings, Scale, standardised

SYSTEMS = ("copy", "words", "splits", "short")
ASPECTS = ("simplicity", "meaning")
RATERS = ("ann", "ben", "cat")
FEW = 50  # resamples: the page shows whatever comes out


def ratings(
    *,
    systems: Sequence[str] = SYSTEMS,
    aspects: Sequence[str] = ASPECTS,
    raters: Sequence[str] = RATERS,
    items: Sequence[str] = tuple("abcdefghij"),
    seed: int = 3,
) -> Ratings:
    """Every rater on every output, on a scale of 1 to 5; later systems are simpler and keep less."""
    numbers = np.random.default_rng(seed)
    rows = []
    for item in items:
        ease = numbers.normal()
        for place, system in enumerate(systems):
            own = numbers.normal()
            for rater in raters:
                for side, aspect in zip((1, -1), aspects, strict=False):
                    score = (
                        3 + side * (place - len(systems) / 2) * 0.7 + 0.4 * ease + 0.5 * own + numbers.normal() * 0.6
                    )
                    rows.append(
                        Rating(
                            item=item,
                            system=system,
                            rater=rater,
                            aspect=aspect,
                            score=float(np.clip(round(score), 1, 5)),
                            scale=Scale(1, 5, 1),
                            source=f"The source of {item} was considered difficult .",
                            output=f"The source of {item} was hard for {system} .",
                            order=len(rows) + 1,
                        )
                    )
    return standardised(Ratings(tuple(rows)))


def full(rated: Ratings | None = None, **changes: Any) -> StudyReport:
    """Everything that can be computed from ratings."""
    return replace(gather(rated or ratings(), title="Study of made-up ratings", resamples=FEW), **changes)
