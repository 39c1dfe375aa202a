"""How much smaller the study could have been: agreement with all ratings, over sentences, raters and a fixed budget."""

from __future__ import annotations

from plainwright.report import plots
from plainwright.report.figures import Chart, Panel, Section, Table
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.resample_result import Curve, CurvePoint, Resampling

__all__ = ["section"]

_READING = (
    "Studies of each size are drawn from all ratings, and their verdicts on every pair of systems are compared with "
    "those of all ratings: Kendall's tau is 1 where they agree. The line is the mean over the samples, the band holds "
    "the middle 95 % of them: what a single study of that size may get."
)
_AXES = {"sentences": "sentences", "raters": "ratings of each output", "budget": "ratings of each output"}


def section(results: StudyReport) -> Section | None:
    """Show the three curves of each aspect."""
    found = results.resampling
    if not found:
        return None
    return Section(
        reading=_READING,
        parts=tuple(_chart(resampling, number) for number, resampling in enumerate(found, start=1)),
        notes=found[0].protocol.choices,
    )


def _chart(resampling: Resampling, number: int) -> Chart:
    curves = (
        ("Over the number of sentences", resampling.sizes),
        ("Over the number of raters", resampling.rater_counts),
        (f"{resampling.budget.budget or 0:,} ratings, spent on sentences or raters", resampling.budget),
    )
    drawn = [(title, curve) for title, curve in curves if curve.points]
    rows = tuple(_row(title, point) for title, curve in drawn for point in curve.points)
    header = ("Curve", "Sentences", "Raters", "Tau", "Same verdict", "Missed", "Invented", "Reversed")
    table = Table(f"Agreement with all ratings: {resampling.aspect}", header, rows)
    panels = tuple(Panel(title, _drawing(curve, f"{resampling.aspect}, {title.lower()}")) for title, curve in drawn)
    return Chart(
        f"resampling-{number}", words.capital(resampling.aspect), "", panels, table, findings=(resampling.statement,)
    )


def _drawing(curve: Curve, description: str) -> str:
    points = [point for point in curve.points if point.tau.value is not None]
    across = [float(point.sentences if curve.over == "sentences" else point.raters) for point in points]
    series = plots.Curve(
        "tau",
        0,
        [(x, point.tau.value or 0.0) for x, point in zip(across, points, strict=True)],
        [words.ends(point.tau.interval) or (point.tau.value or 0.0,) * 2 for point in points],
    )
    marked = curve.best if curve.over == "budget" else curve.levels_off
    return plots.curves(
        [series],
        description,
        across=_AXES[curve.over],
        up="Kendall's tau with all ratings",
        domain=(min([0.0, *(low for low, _ in series.band)]), 1.04),
        chosen=None if marked is None else _chosen(curve, marked),
    )


def _chosen(curve: Curve, point: CurvePoint) -> tuple[str, float, float]:
    if curve.over == "budget":
        return f"best: {point.sentences} sentences × {point.raters}", point.raters, point.tau.value or 0.0
    size = point.sentences if curve.over == "sentences" else point.raters
    return f"levels off at {size}", size, point.tau.value or 0.0


def _row(title: str, point: CurvePoint) -> tuple[str, ...]:
    shares = (f"{100 * share:.0f} %" for share in (point.same, point.missed, point.invented, point.reversed))
    return title, str(point.sentences), str(point.raters), words.value_with_interval(point.tau), *shares
