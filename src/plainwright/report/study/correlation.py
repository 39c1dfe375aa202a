"""How far metrics agree with people: a forest of correlations, who differs from whom, and the points behind them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.report import names
from plainwright.report.figures import Chart, HeatCell, HeatMap, Panel, Part, Section, Square, Table
from plainwright.report.panels import row_panel
from plainwright.report.plots import Point, cloud, scatter
from plainwright.report.study import words
from plainwright.report.study.results import StudyReport
from plainwright.study.correlation import Correlation, CorrelationStudy, MetricDifference
from plainwright.study.correlation_result import named_group

__all__ = ["section"]

_LEVELS = {
    "system": "Systems: the metric's value of a whole system against the mean of its ratings",
    "sentence": "Outputs: the metric's value of each output against its mean rating, all outputs together",
    "item": "Outputs of the same sentence: the mean of one coefficient a sentence",
    "pairs": "Pairs of outputs: does the metric prefer what people prefer?",
}
_SHORT_LEVELS = {"system": "systems", "sentence": "outputs", "item": "outputs of a sentence", "pairs": "pairs"}
_RESAMPLED = {"inputs": "sentences", "systems": "systems", "both": "sentences and systems"}
_SHADES = ((3, "p < 0.001"), (2, "p < 0.01"), (1, "p < 0.05"), (0, "may be chance"))
_MANY_PANELS = 9  # drawings of points that stay open; further aspects are folded


def section(results: StudyReport) -> Section | None:
    """Show one block for each level at which metrics were compared with people."""
    found = results.correlation
    if not found:
        return None
    parts: list[Part] = []
    for study in found:
        drawn = sum(len(part.panels) for part in parts if isinstance(part, Chart))
        parts += [_forest(study), *_heat_map(study), *_scatters(study, drawn)]
    return Section(
        parts=tuple(parts),
        notes=tuple(dict.fromkeys(note for study in found for note in _notes(study))),
    )


def _forest(study: CorrelationStudy) -> Chart:
    panels, lines = [], []
    for operation in study.operations:
        for aspect in study.aspects:
            title = named_group(aspect, operation)
            found = [study.correlation(metric, aspect, operation) for metric in study.metrics]
            rows = [words.row(_metric(one.metric), place, one.estimate) for place, one in enumerate(found)]
            panels.append(
                Panel(
                    words.capital(title),
                    row_panel(rows, f"Correlation with {title}", domain=(-1, 1), reference=("", 0)),
                )
            )
            lines += [(_metric(one.metric), title, *_numbers(one)) for one in found]
    protocol = study.protocol
    reading = (
        f"{_LEVELS[protocol.level]}. The mark is {_coefficient(study)}, its line the {100 * protocol.confidence:g} % "
        f"interval over {_RESAMPLED[protocol.resampled]}. Where the line crosses 0, the metric cannot be said to "
        "agree with people, nor to go against them."
    )
    header = ("Metric", "Aspect", "Value", "Interval", study.unit.capitalize(), "p")
    table = Table(f"{_coefficient(study)} of {_SHORT_LEVELS[protocol.level]}", header, tuple(lines))
    return Chart(
        f"forest-{protocol.level}",
        f"Correlation over {_SHORT_LEVELS[protocol.level]}",
        reading,
        tuple(panels),
        table,
        findings=tuple(words.capital(f"{_named(study, sentence)}.") for sentence in study.conclusions),
    )


def _heat_map(study: CorrelationStudy) -> Iterator[HeatMap]:
    if len(study.metrics) < 2 or not study.differences:
        return
    named = tuple(map(_metric, study.metrics))
    squares = tuple(
        Square(
            named_group(aspect, operation),
            named,
            tuple(
                tuple(_difference(study.difference(one, other, aspect, operation)) for other in study.metrics)
                for one in study.metrics
            ),
        )
        for operation in study.operations
        for aspect in study.aspects
    )
    correction = study.protocol.correction
    corrected = "not corrected" if correction == "none" else f"with {correction.title()}'s correction"
    reading = (
        f"Each cell: {_coefficient(study)} of the metric at the left minus that of the metric above, and the p-value "
        f"of a permutation test in which the two exchange {_RESAMPLED[study.protocol.exchange]}, {corrected} for many "
        "comparisons. A star and a shaded ground: the difference is more than chance."
    )
    level = _SHORT_LEVELS[study.protocol.level]
    yield HeatMap(f"Differences between metrics over {level}", reading, squares, _SHADES)


def _difference(test: MetricDifference | None) -> HeatCell:
    if test is None:
        return HeatCell("–")
    if test.difference is None or test.adjusted is None:
        return HeatCell("none", note=test.problem)
    shade = sum(test.adjusted < level for level in (0.05, 0.01, 0.001))
    sign = "+" if test.difference > 0 else ""
    star = "*" if test.significant else ""
    return HeatCell(f"{sign}{names.show(test.difference)}{star}", shade, detail=f"p {names.p_relation(test.adjusted)}")


def _scatters(study: CorrelationStudy, drawn: int) -> Iterator[Chart]:
    """The points of each aspect; `drawn` panels stand above them, and what would be too many is folded."""
    for aspect in study.aspects:
        found = [study.correlation(metric, aspect) for metric in study.metrics]
        panels = [panel for one in found if (panel := _scatter(study, one)) is not None]
        if not panels:
            continue
        secondary = drawn > 0 and drawn + len(panels) > _MANY_PANELS
        drawn += len(panels)
        level = study.protocol.level
        yield Chart(
            f"points-{level}-{study.aspects.index(aspect) + 1}",
            f"{words.capital(aspect)} against each metric, by {'system' if level == 'system' else 'output'}",
            "Each mark is a system: the metric across, people up. With few systems one of them can make a correlation."
            if level == "system"
            else "Each dot is an output, larger where several fall together: the metric across, people up.",
            tuple(panels),
            _points(study, aspect, found),
            secondary=secondary,
            legend=words.legend(enumerate(found[0].points.labels)) if level == "system" else (),
        )


def _scatter(study: CorrelationStudy, correlation: Correlation) -> Panel | None:
    points = correlation.points
    if not points.labels:
        return None
    metric, aspect = _metric(correlation.metric), correlation.aspect
    title = f"{metric}: {words.value_with_interval(correlation.estimate)}"
    if study.protocol.level != "system":
        pairs = list(zip(points.metric, points.human, strict=True))
        return Panel(title, cloud(pairs, f"{aspect} against {metric}", across=metric, up=aspect))
    named = [
        Point(label, mark, x, y)
        for mark, (label, x, y) in enumerate(zip(points.labels, points.metric, points.human, strict=True))
    ]
    return Panel(title, scatter(named, f"{aspect} against {metric}", across=metric, up=aspect))


def _points(study: CorrelationStudy, aspect: str, found: list[Correlation]) -> Table:
    columns = [dict(zip(one.points.labels, one.points.metric, strict=True)) for one in found]
    people = {label: y for one in found for label, y in zip(one.points.labels, one.points.human, strict=True)}
    rows = tuple(
        (label, names.show(mean), *(names.show(column.get(label)) for column in columns))
        for label, mean in list(people.items())[: words.MOST_ROWS]
    )
    caption = f"{aspect} and metrics by {'system' if study.protocol.level == 'system' else 'output'}"
    if len(people) > len(rows):
        caption += f" (the first {len(rows):,} of {len(people):,})"
    return Table(caption, ("Point", aspect, *(_metric(one.metric) for one in found)), rows)


def _numbers(correlation: Correlation) -> tuple[str, ...]:
    return *words.cells(correlation.estimate), words.p_value(correlation.estimate.p_value)


def _metric(name: str) -> str:
    """The name in headings; a metric that was turned round, because lower is better, has a minus before it."""
    return f"−{names.metric_name(name[1:])}" if name.startswith("-") else names.metric_name(name)


def _named(study: CorrelationStudy, sentence: str) -> str:
    """The sentence with metrics called as in the drawings."""
    known = "|".join(sorted(map(re.escape, study.metrics), key=len, reverse=True))
    return re.sub(rf"(?<![\w-])(?:{known})(?![\w-])", lambda found: _metric(found[0]), sentence)


def _coefficient(study: CorrelationStudy) -> str:
    name = study.protocol.coefficient_name
    return {
        "pearson": "Pearson's r",
        "spearman": "Spearman's rho",
        "kendall": "Kendall's tau",
        "tau-like": "the tau-like coefficient",
    }.get(name, name)


def _notes(study: CorrelationStudy) -> Iterator[str]:
    protocol = study.protocol
    scores = "scores as given" if protocol.values == "raw" else "z-scores by rater"
    yield (
        f"Means of {scores}; {protocol.resamples:,} resamples of {_RESAMPLED[protocol.resampled]} (bootstrap and "
        f"permutations of Deutsch et al., 2021), seed {protocol.seed}."
    )
    for metric, signature in study.signatures.items():
        yield f"{_metric(metric)}: {signature or 'values given by the user'}"
    yield from study.notes
