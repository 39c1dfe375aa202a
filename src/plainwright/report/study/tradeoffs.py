"""Whether one aspect comes at the price of another: every output as a point, and the line through them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainwright.report import names
from plainwright.report.figures import Chart, Panel, Part, Section, Table
from plainwright.report.plots import Line, Point, cloud, scatter
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.tradeoff import LEVELS, Relation, Tradeoff

__all__ = ["section"]

_READING = (
    "In the first plot each dot is one output at the means of its raters, larger where several fall together; in the "
    "second each mark is one system at its means. The line is the least-squares fit: it falls where one "
    "aspect costs the other."
)


def section(results: StudyReport) -> Section | None:
    """Show each pair of aspects, with its regression at every level."""
    found = results.tradeoffs
    if not found:
        return None
    parts: list[Part] = []
    for number, tradeoff in enumerate(found, start=1):
        parts += [_chart(tradeoff, number), _relations(tradeoff)]
    return Section(reading=_READING, parts=tuple(parts), notes=_notes(found))


def _chart(tradeoff: Tradeoff, number: int) -> Chart:
    first, second = tradeoff.first, tradeoff.second
    everything, systems = tradeoff.relation("all outputs"), tradeoff.relation("between systems")
    means = _system_means(tradeoff)
    pairs = [(point.first, point.second) for point in tradeoff.points]
    description = f"{second} against {first}"
    panels = (
        Panel(
            f"Each output: {_summary(everything)}",
            cloud(pairs, f"{description} by output", across=first, up=second, line=_line(everything)),
        ),
        Panel(
            f"Each system: {_summary(systems)}",
            scatter(means, f"{description} by system", across=first, up=second, line=_line(systems)),
        ),
    )
    return Chart(
        f"tradeoff-{number}",
        words.capital(f"{first} and {second}"),
        "",
        panels,
        _points(tradeoff, means),
        findings=(tradeoff.statement,),
        legend=words.legend((point.system, point.name) for point in means),
    )


def _summary(relation: Relation) -> str:
    shared = relation.r_squared
    if shared.value is None:
        return "no line"
    p = "" if shared.p_value is None else f", p {names.p_relation(shared.p_value)}"
    return f"R² {words.value_with_interval(shared)}{p}"


def _line(relation: Relation) -> Line | None:
    if relation.slope.value is None or relation.intercept is None:
        return None
    return Line(relation.slope.value, relation.intercept)


def _system_means(tradeoff: Tradeoff) -> list[Point]:
    """Each system at the means of its outputs, with its mark by order of appearance."""
    systems = dict.fromkeys(point.system for point in tradeoff.points)
    means = []
    for mark, system in enumerate(systems):
        own = np.array([(point.first, point.second) for point in tradeoff.points if point.system == system])
        means.append(Point(system, mark, float(own[:, 0].mean()), float(own[:, 1].mean())))
    return means


def _points(tradeoff: Tradeoff, means: Sequence[Point]) -> Table:
    first, second = tradeoff.first, tradeoff.second
    rows = [(mean.name, "mean", names.show(mean.x), names.show(mean.y)) for mean in means]
    caption = f"Points: {first} and {second}"
    if len(tradeoff.points) <= words.MOST_ROWS:
        rows += [(p.system, p.item, names.show(p.first), names.show(p.second)) for p in tradeoff.points]
    else:
        caption += (
            f" (the {len(tradeoff.points):,} single outputs are in the JSON of `plainwright study tradeoff --json`)"
        )
    return Table(caption, ("System", "Sentence", first, second), tuple(rows))


def _relations(tradeoff: Tradeoff) -> Table:
    header = ("Among", "r", "R²", "Slope", "p of the slope", "Points")
    rows: list[tuple[str, ...]] = []
    for relation in tradeoff.relations:
        if relation.r.value is None:
            rows.append((LEVELS[relation.level], relation.r.problem, "–", "–", "–", f"{relation.r.n:,}"))
            continue
        shown = [words.value_with_interval(part) for part in (relation.r, relation.r_squared, relation.slope)]
        rows.append((LEVELS[relation.level], *shown, words.p_value(relation.r.p_value), f"{relation.r.n:,}"))
    return Table(
        f"{tradeoff.second} on {tradeoff.first}, by what is compared, with 95 % intervals", header, tuple(rows)
    )


def _notes(found: Sequence[Tradeoff]) -> tuple[str, ...]:
    one = found[0]
    scores = "scores as given" if one.values == "raw" else "z-scores by rater and aspect"
    notes = [
        f"Means over raters of {scores}. Intervals resample the sources ({one.resamples:,} times, seed {one.seed}); "
        "the p-value is that of the t-test of the slope, which takes points as independent.",
    ]
    notes += [
        f"{tradeoff.left_out:,} outputs rated on only one of {tradeoff.first} and {tradeoff.second} are left out."
        for tradeoff in found
        if tradeoff.left_out
    ]
    return tuple(notes)
