"""The summary table: systems against metrics, with the best marked and every difference tested."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plainwright.evaluation.result import Comparison, Evaluation, SystemResult
from plainwright.metrics.result import Score
from plainwright.report import names
from plainwright.report.charts import headline_metrics
from plainwright.report.figures import Table

__all__ = ["Cell", "Column", "ScoreTable", "profile_tables", "signatures", "summary_table", "tests_table"]


@dataclass(frozen=True, slots=True)
class Column:
    """Shows a metric, or one part of it."""

    metric: str
    part: str | None
    name: str
    arrow: str
    hint: str
    has_parts: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One score as it is printed; `note` says aloud what bold type and the star mean."""

    value: float | None
    text: str
    interval: str = ""
    best: bool = False
    star: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class ScoreTable:
    """Holds columns and, for each system, one cell per column."""

    title: str
    note: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


def summary_table(evaluation: Evaluation) -> ScoreTable:
    """Every headline metric, each followed by its parts."""
    columns: list[Column] = []
    for metric in headline_metrics(evaluation):
        better = evaluation.higher_is_better.get(metric)
        parts = _parts(evaluation, metric)
        hint = "; ".join(filter(None, (names.meaning(metric), names.direction(better))))
        columns.append(Column(metric, None, names.metric_name(metric), names.arrow(better), hint, bool(parts)))
        columns += [Column(metric, part, names.part_name(part), "", "") for part in parts]
    rows = tuple(
        tuple(_cell(evaluation, index, column) for column in columns) for index in range(len(evaluation.systems))
    )
    return ScoreTable("Summary", "", "Scores of each system on the whole set", tuple(columns), rows)


def profile_tables(evaluation: Evaluation) -> tuple[ScoreTable, ...]:
    """Return one table for each neutral metric that consists of parts, such as the edit profile."""
    shown = set(headline_metrics(evaluation))
    metrics = dict.fromkeys(metric for system in evaluation.systems for metric in system.scores if metric not in shown)
    tables = []
    for metric in metrics:
        columns = tuple(Column(metric, part, names.part_name(part), "", "") for part in _parts(evaluation, metric))
        rows = tuple(
            tuple(_cell(evaluation, index, column) for column in columns) for index in range(len(evaluation.systems))
        )
        title = names.metric_name(metric)
        note = (names.meaning(metric) or names.direction(None)).capitalize() + "."
        tables.append(ScoreTable(title, note, f"{title} of each system", columns, rows))
    return tuple(tables)


def tests_table(evaluation: Evaluation) -> Table:
    """Systems against metrics: the difference from the best and its p value; the caption names the test."""
    metrics = list(dict.fromkeys(metric for system in evaluation.systems for metric in system.comparisons))
    tests = dict.fromkeys(test.test for system in evaluation.systems for test in system.comparisons.values())
    rows = [(system.name, *(_tested(system, metric) for metric in metrics)) for system in evaluation.systems if metrics]
    header = ("System", *(names.metric_name(metric) for metric in metrics))
    return Table(" and ".join(f"paired {test}" for test in tests), header, tuple(rows))


def signatures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Return metric, systems it holds for, and signature; one line where all systems share it."""
    found: dict[tuple[str, str], list[str]] = {}
    for system in evaluation.systems:
        for metric, score in system.scores.items():
            found.setdefault((metric, score.signature), []).append(system.name)
    everyone = len(evaluation.systems)
    return [
        (
            names.metric_name(metric),
            "all systems" if len(systems) == everyone else ", ".join(systems),
            signature,
        )
        for (metric, signature), systems in found.items()
    ]


def _parts(evaluation: Evaluation, metric: str) -> list[str]:
    scores = (system.scores[metric] for system in evaluation.systems if metric in system.scores)
    return list(dict.fromkeys(part for score in scores for part in score.parts))


def _cell(evaluation: Evaluation, index: int, column: Column) -> Cell:
    system = evaluation.systems[index]
    score = system.scores.get(column.metric)
    if score is None:
        return Cell(None, "–", note="not scored")
    if column.part is not None:
        value = score.parts.get(column.part, math.nan)
        return Cell(value if math.isfinite(value) else None, names.show(value))
    if not math.isfinite(score.value):
        return Cell(None, "–", note="no value")
    best = _is_best(evaluation, column.metric, score)
    comparison = system.comparisons.get(column.metric)
    star = comparison is not None and comparison.p_value < 1 - evaluation.confidence
    interval = f"[{names.show(score.interval[0])}, {names.show(score.interval[1])}]" if score.interval else ""
    return Cell(score.value, names.show(score.value), interval, best, star, _note(comparison, best=best))


def _is_best(evaluation: Evaluation, metric: str, score: Score) -> bool:
    better = evaluation.higher_is_better.get(metric)
    values = [system.scores[metric].value for system in evaluation.systems if metric in system.scores]
    values = [value for value in values if math.isfinite(value)]
    if better is None or len(values) < 2:
        return False
    return score.value == (max(values) if better else min(values))


def _note(comparison: Comparison | None, *, best: bool) -> str:
    if best:
        return "best"
    if comparison is None:
        return ""
    return f"{_signed(comparison.difference)} against {comparison.best}, p {names.p_relation(comparison.p_value)}"


def _tested(system: SystemResult, metric: str) -> str:
    comparison = system.comparisons.get(metric)
    if comparison is None:
        return "best" if metric in system.scores else "–"
    return f"{_signed(comparison.difference)}, p {names.p_relation(comparison.p_value)}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{names.show(value)}"
