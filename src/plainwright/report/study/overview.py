"""What was rated: how much of it, by whom, on which scales, and where the scores lie."""

from __future__ import annotations

import numpy as np

from plainwright.report import names
from plainwright.report.figures import Chart, Panel, Section, Table
from plainwright.report.panels import box_panel
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.ratings import AspectSummary, Ratings, summarise

__all__ = ["facts", "section"]

_READING = (
    "Each panel is one question that raters answered. A box holds the middle half of a system's scores, its bar is "
    "the median, its line holds nine in ten. Boxes say how scores spread, not whether a difference is more than chance."
)


def facts(results: StudyReport) -> list[tuple[str, str]]:
    """Return the counts at the top of the page."""
    ratings = results.ratings
    if ratings is None:
        return []
    return [
        ("Ratings", f"{len(ratings):,}"),
        ("Sentences", f"{len(ratings.items):,}"),
        ("Systems", f"{len(ratings.systems):,}"),
        ("Raters", f"{len(ratings.raters):,}"),
        ("Aspects", f"{len(ratings.aspects):,}"),
    ]


def section(results: StudyReport) -> Section | None:
    """Show the table of ratings in numbers."""
    if results.ratings is None or not len(results.ratings):
        return None
    summary = summarise(results.ratings)
    header = ("Aspect", "Scale", "Ratings", "Sentences", "Systems", "Raters", "Per output", "Not rated")
    counts = Table("What was rated, by aspect", header, tuple(map(_aspect, summary.aspects)))
    parts = (counts, _spread(results.ratings))
    return Section(warnings=summary.notes, parts=parts)


def _aspect(aspect: AspectSummary) -> tuple[str, ...]:
    return (
        aspect.aspect,
        aspect.scale or "not stated",
        f"{aspect.ratings:,}",
        f"{aspect.items:,}",
        f"{aspect.systems:,}",
        f"{aspect.raters:,}",
        str(aspect.most) if aspect.fewest == aspect.most else f"{aspect.fewest} to {aspect.most}",
        f"{aspect.unrated:,} of {aspect.outputs + aspect.unrated:,} outputs",
    )


def _spread(ratings: Ratings) -> Chart:
    panels, lines = [], []
    marks = {system: place for place, system in enumerate(ratings.systems)}
    for aspect in ratings.aspects:
        cube = ratings.cube(aspect)
        series = []
        for place, system in enumerate(cube.systems):
            scores = cube.scores[:, place]
            found = scores[np.isfinite(scores)]
            series.append((system, marks[system], found))
            cuts = [names.show(float(cut)) for cut in np.percentile(found, [25, 50, 75])]
            lines.append((system, aspect, f"{found.size:,}", names.show(float(found.mean())), *cuts))
        panels.append(Panel(words.capital(aspect), box_panel(series, f"Scores for {aspect}")))
    header = ("System", "Aspect", "Ratings", "Mean", "Lower quartile", "Median", "Upper quartile")
    table = Table("Scores by system and aspect", header, tuple(lines))
    return Chart("scores", "Scores by system", _READING, tuple(panels), table)
