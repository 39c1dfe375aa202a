"""What was rated: how much of it, by whom, on which scales, and where the scores lie."""

from __future__ import annotations

import numpy as np

from plainwright.report import names
from plainwright.report.figures import Chart, Panel, Section, Table
from plainwright.report.panels import box_panel
from plainwright.report.study.results import StudyReport
from plainwright.study.ratings import Ratings

__all__ = ["facts", "section"]

_READING = (
    "Each panel is one question that raters answered. A box holds the middle half of a system's scores, its bar is "
    "the median, its line holds nine in ten. Boxes say how scores spread, not whether a difference is more than chance."
)


def facts(results: StudyReport) -> list[tuple[str, str]]:
    """The counts at the top of the page."""
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
    """The table of ratings in numbers."""
    if results.ratings is None or not len(results.ratings):
        return None
    aspects = tuple(_aspect(results.ratings, aspect) for aspect in results.ratings.aspects)
    header = ("Aspect", "Scale", "Ratings", "Sentences", "Systems", "Raters", "Per output", "Not rated")
    counts = Table("What was rated, by aspect", header, aspects)
    return Section(key="ratings", title="Ratings", parts=(counts, _spread(results.ratings)))


def _aspect(ratings: Ratings, aspect: str) -> tuple[str, ...]:
    part = ratings.where(aspect=aspect)
    per_output = np.isfinite(ratings.cube(aspect).scores).sum(axis=2)
    rated = per_output[per_output > 0]
    few, most = int(rated.min()), int(rated.max())
    scales = dict.fromkeys(str(row.scale) if row.scale else "not stated" for row in part)
    return (
        aspect,
        ", ".join(scales),
        f"{len(part):,}",
        f"{len(part.items):,}",
        f"{len(part.systems):,}",
        f"{len(part.raters):,}",
        str(few) if few == most else f"{few} to {most}",
        f"{int((per_output == 0).sum()):,} of {per_output.size:,} outputs",
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
        panels.append(Panel(aspect, box_panel(series, f"Scores for {aspect}")))
    header = ("System", "Aspect", "Ratings", "Mean", "Lower quartile", "Median", "Upper quartile")
    table = Table("Scores by system and aspect", header, tuple(lines))
    return Chart("scores", "Scores by system", _READING, tuple(panels), table)
