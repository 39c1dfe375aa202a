"""Results of studies for the tests of their page: made-up ratings, and what the library finds in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plainwright.report.study import StudyReport, gather
from plainwright.study.components import Components
from plainwright.study.plan import plan
from plainwright.study.plan_result import Goal, Plan
from plainwright.study.ratings import Rating, Ratings, Scale, standardised
from plainwright.study.scores import MetricScores, given_scores

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
    contrary: str = "",
    seed: int = 3,
) -> Ratings:
    """Every rater on every output, on a scale of 1 to 5; later systems are simpler and keep less.

    The rater called `contrary` has turned the scale round.
    """
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
                    given = float(np.clip(round(score), 1, 5))
                    rows.append(
                        Rating(
                            item=item,
                            system=system,
                            rater=rater,
                            aspect=aspect,
                            score=6 - given if rater == contrary else given,
                            scale=Scale(1, 5, 1),
                            source=f"The source of {item} was considered difficult .",
                            output=f"The source of {item} was hard for {system} .",
                            order=len(rows) + 1,
                        )
                    )
    return standardised(Ratings(tuple(rows)))


def scores(rated: Ratings) -> list[MetricScores]:
    """Three metrics: one that follows the first aspect, one that says nothing, one that always says the same."""
    numbers = np.random.default_rng(5)
    cube = rated.cube(rated.aspects[0])
    places = [(i, j) for i in range(len(cube.items)) for j in range(len(cube.systems)) if np.isfinite(cube.means[i, j])]
    values = {
        "sari": {place: 10 * float(cube.means[place]) + float(numbers.normal()) for place in places},
        "noise": {place: float(numbers.normal()) for place in places},
        "constant": dict.fromkeys(places, 1.0),
    }
    return [
        given_scores(
            name,
            {(cube.items[i], cube.systems[j]): value for (i, j), value in found.items()},
            items=rated.items,
            systems=rated.systems,
        )
        for name, found in values.items()
    ]


def a_plan() -> Plan:
    """A study that is still to be made."""
    goal = Goal(systems=4, difference=0.3, budget=1200)
    return plan(goal, Components(system_item=0.2, residual=0.6), scale=Scale(1, 5, 1), origin="made up")


def full(rated: Ratings | None = None, **changes: Any) -> StudyReport:
    """Everything that can be computed from ratings, and a plan."""
    rated = rated or ratings()
    report = gather(rated, title="Study of made-up ratings", scores=scores(rated), resamples=FEW)
    return replace(report, **{"plan": a_plan(), **changes})
