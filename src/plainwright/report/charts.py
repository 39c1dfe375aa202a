"""The charts that need no script: small multiples of inline SVG, each with its numbers as a table.

A chart is left out, never drawn empty, where the evaluation has no numbers for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from plainwright.evaluation.result import Evaluation, metric_and_variant
from plainwright.metrics import create
from plainwright.metrics.fk import FK_VARIANTS
from plainwright.report import names
from plainwright.report.figures import Chart, Panel, Table
from plainwright.report.panels import Row, Values, box_panel, histogram, row_panel
from plainwright.report.svg import Scale

__all__ = ["all_charts", "headline_metrics", "primary_metric"]

_BINS = 25  # about


def all_charts(evaluation: Evaluation) -> tuple[Chart, ...]:
    """Return every chart for which the evaluation has numbers."""
    charts = [
        intervals(evaluation),
        *distributions(evaluation),
        readability(evaluation),
        operations(evaluation),
    ]
    return tuple(chart for chart in charts if chart is not None)


def headline_metrics(evaluation: Evaluation) -> list[str]:
    """Metrics worth one number a system; a neutral profile counts only through its parts."""
    found: dict[str, None] = {}
    for system in evaluation.systems:
        for metric, score in system.scores.items():
            if evaluation.higher_is_better.get(metric) is not None or not score.parts:
                found.setdefault(metric)
    return list(found)


def primary_metric(evaluation: Evaluation) -> str | None:
    """The metric shown first where only one fits: SARI, or the first with a value per segment."""
    candidates = [
        metric
        for metric in headline_metrics(evaluation)
        if any(_finite(system.segments.get(metric)).size for system in evaluation.systems)
    ]
    return next(filter(_is_sari, candidates), next(iter(candidates), None))


def intervals(evaluation: Evaluation) -> Chart | None:
    """Show each headline metric by system, with its interval."""
    panels: list[Panel] = []
    lines: list[tuple[str, ...]] = []
    for metric in headline_metrics(evaluation):
        rows = _rows(evaluation, metric)
        if rows:
            better = evaluation.higher_is_better.get(metric)
            title = f"{names.metric_name(metric)} {names.arrow(better)}".strip()
            panels.append(Panel(title, row_panel(rows, f"{title}, {names.direction(better)}")))
            lines += [(row.name, title, names.show(row.value), *_ends(row.interval)) for row in rows]
    if not panels:
        return None
    reading = (
        f"The mark is the score on the whole set, its line the {evaluation.confidence:.0%} interval. "
        "Where intervals overlap widely, the order of two systems may be chance."
    )
    table = Table("Scores and intervals", ("System", "Metric", "Score", "Low", "High"), tuple(lines))
    return Chart("intervals", "Scores and intervals", reading, tuple(panels), table)


def distributions(evaluation: Evaluation) -> Iterable[Chart]:
    """Yield how the sentence scores of each headline metric spread, the primary metric first."""
    primary = primary_metric(evaluation)
    for metric in sorted(headline_metrics(evaluation), key=lambda metric: metric != primary):
        chart = _distribution(evaluation, metric, secondary=metric != primary)
        if chart is not None:
            yield chart


def readability(evaluation: Evaluation) -> Chart | None:
    """Show grade levels of the outputs beside the source's."""
    panels: list[Panel] = []
    lines: list[tuple[str, ...]] = []
    for metric in headline_metrics(evaluation):
        name, variant = metric_and_variant(metric)
        rows = _rows(evaluation, metric) if name == "fk" else []
        if rows:
            title = f"Grade level ({variant})" if variant else "Grade level"
            own_panels, own_lines = _graded(evaluation, metric, rows, title)
            panels += own_panels
            lines += own_lines
    if not panels:
        return None
    reading = (
        "A grade is the year of school in the United States that suffices to read the text: left is easier. "
        "A box holds the middle half of the sentences, its bar is the median, its line holds nine in ten."
    )
    header = ("System", "Metric", "Grade", "Lower quartile", "Median", "Upper quartile")
    table = Table("Flesch-Kincaid grade levels", header, tuple(lines))
    return Chart("readability", "Readability", reading, tuple(panels), table)


def operations(evaluation: Evaluation) -> Chart | None:
    """Show what the systems do to the source: SARI's three operations and the parts of neutral profiles."""
    panels: list[Panel] = []
    lines: list[tuple[str, ...]] = []
    for metric, part in _operation_parts(evaluation):
        rows = _rows(evaluation, metric, part)
        if rows:
            name = names.part_name(part)
            title = f"{names.metric_name(metric)}: {name}" if _is_sari(metric) else name.capitalize()
            panels.append(Panel(title, row_panel(rows, title, bars=True)))
            lines += [(row.name, title, names.show(row.value)) for row in rows]
    if not panels:
        return None
    reading = (
        "Bars start at zero, and each panel has its own scale: compare the systems within a panel. "
        "SARI's parts judge an operation, the others only measure it."
    )
    table = Table("Operations", ("System", "Operation", "Value"), tuple(lines))
    return Chart("operations", "What the systems do", reading, tuple(panels), table)


def _distribution(evaluation: Evaluation, metric: str, *, secondary: bool) -> Chart | None:
    found = [(index, _finite(system.segments.get(metric))) for index, system in enumerate(evaluation.systems)]
    series = [(index, evaluation.systems[index].name, values) for index, values in found if values.size]
    if not series:
        return None
    edges = _edges(np.concatenate([values for _, _, values in series]))
    low, high = edges[0], edges[-1]
    shares = [np.histogram(np.clip(values, low, high), edges)[0] / values.size for _, _, values in series]
    top = max(float(share.max()) for share in shares)
    title = f"{names.metric_name(metric)} by sentence"
    panels, lines = [], []
    for (index, name, values), share in zip(series, shares, strict=True):
        median = float(np.median(values))
        drawing = histogram(share.tolist(), edges.tolist(), f"{title}, {name}", top=top, median=median, system=index)
        panels.append(Panel(name, drawing, index))
        spread = (names.show(float(values.mean())), names.show(float(values.std())), *_quartiles(values))
        lines.append((name, f"{values.size:,}", *spread))
    reading = (
        f"A bar is the share of sentences with that {names.metric_name(metric)}, the dashed line the median; "
        "all systems share one scale. Two humps: a system serves some sentences well and others badly."
    )
    header = ("System", "Sentences", "Mean", "Deviation", "Lower quartile", "Median", "Upper quartile")
    key = "spread-" + "".join(letter if letter.isalnum() else "-" for letter in metric)
    return Chart(key, title, reading, tuple(panels), Table(title, header, tuple(lines)), secondary)


def _is_sari(metric: str) -> bool:
    return metric_and_variant(metric)[0] == "sari"


def _graded(
    evaluation: Evaluation, metric: str, rows: Sequence[Row], title: str
) -> tuple[list[Panel], list[tuple[str, ...]]]:
    """The panels of one grade level, and the rows of their table."""
    source, source_values = _source_grades(evaluation, evaluation.systems[rows[0].system].scores[metric].signature)
    drawing = row_panel(rows, title, reference=None if source is None else ("source", source))
    panels = [Panel(f"{title} of the whole output", drawing)]
    series: list[tuple[str, int | None, Values]] = [("source", None, source_values)]
    series += [(row.name, row.system, _finite(evaluation.systems[row.system].segments.get(metric))) for row in rows]
    drawn = [entry for entry in series if entry[2].size]
    if drawn:
        panels.append(Panel(f"{title} by sentence", box_panel(drawn, f"{title} by sentence")))
    whole = [source, *(row.value for row in rows)]
    lines = [
        (name, names.metric_name(metric), names.show(grade), *_quartiles(values))
        for (name, _, values), grade in zip(series, whole, strict=True)
        if grade is not None
    ]
    return panels, lines


def _rows(evaluation: Evaluation, metric: str, part: str | None = None) -> list[Row]:
    """The systems that have this score, with intervals for headline values."""
    rows = []
    for index, system in enumerate(evaluation.systems):
        score = system.scores.get(metric)
        if score is not None:
            value = score.value if part is None else score.parts.get(part, math.nan)
            if math.isfinite(value):
                rows.append(Row(system.name, index, value, score.interval if part is None else None))
    return rows


def _operation_parts(evaluation: Evaluation) -> list[tuple[str, str]]:
    found: dict[tuple[str, str], None] = {}
    for system in evaluation.systems:
        for metric, score in system.scores.items():
            if _is_sari(metric) or evaluation.higher_is_better.get(metric) is None:
                found.update(dict.fromkeys((metric, part) for part in score.parts))
    return sorted(found, key=lambda pair: not _is_sari(pair[0]))


def _source_grades(evaluation: Evaluation, signature: str) -> tuple[float | None, Values]:
    """The source's grade, as a whole and by sentence, with the formula that graded the outputs."""
    settings = dict(setting.split(":", 1) for setting in signature.split("|") if ":" in setting)
    if not evaluation.sources or settings.get("variant") not in FK_VARIANTS:
        return None, np.empty(0)
    metric = create("fk", variant=settings["variant"])
    stats = metric.corpus_stats(None, evaluation.sources, None)
    return float(metric.values_from_stats(stats.sum(axis=0))), _finite(metric.values_from_stats(stats))


def _ends(interval: tuple[float, float] | None) -> tuple[str, str]:
    return (names.show(interval[0]), names.show(interval[1])) if interval else ("–", "–")


def _finite(values: Values | None) -> Values:
    return np.empty(0) if values is None else np.asarray(values, dtype=np.float64)[np.isfinite(values)]


def _edges(values: Values) -> Values:
    """Bins over all but the outermost values, which join the last bars lest they flatten the chart."""
    low, high = (float(cut) for cut in np.percentile(values, [0.5, 99.5]))
    if high <= low:
        low, high = low - 0.5, high + 0.5
    step = Scale(low, high, 0, 1).step(_BINS)
    start, end = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return np.arange(start, end + 1, dtype=np.float64) * step


def _quartiles(values: Values) -> list[str]:
    cuts = np.percentile(values, [25, 50, 75]).tolist() if values.size else [math.nan] * 3
    return [names.show(cut) for cut in cuts]
