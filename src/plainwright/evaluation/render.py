"""An `Evaluation` as text for people, and as JSON or CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from plainwright.escaping import printable, spreadsheet_cell
from plainwright.evaluation.result import Evaluation, SystemResult, metric_and_variant
from plainwright.metrics.result import Score

__all__ = ["to_csv", "to_json", "to_table"]

_SIGNIFICANT = 0.05


def to_json(evaluation: Evaluation, *, per_sentence: bool = False) -> str:
    """Return one JSON object."""
    document = {
        "dataset": evaluation.dataset,
        "segments": _segments(evaluation),
        "confidence": evaluation.confidence,
        "resamples": evaluation.resamples,
        "seed": evaluation.seed,
        "version": evaluation.version,
        "warnings": list(evaluation.warnings),
        "systems": [_system_dict(system, per_sentence=per_sentence) for system in evaluation.systems],
    }
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def to_csv(evaluation: Evaluation, *, per_sentence: bool = False) -> str:
    """Return one row per system, metric and part; with `per_sentence` one row per segment and system."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if per_sentence:
        names = list(evaluation.systems[0].segments)
        writer.writerow(["segment", "system", *names])
        for system in evaluation.systems:
            cell = spreadsheet_cell(system.name)
            for segment in range(len(system.outputs)):
                values = (system.segments[name][segment] for name in names)
                writer.writerow([segment + 1, cell, *("" if math.isnan(v) else repr(float(v)) for v in values)])
    else:
        writer.writerow(["system", "metric", "part", "value", "low", "high", "difference", "p_value", "signature"])
        for system in evaluation.systems:
            writer.writerows(_csv_rows(system))
    return stream.getvalue()


def to_table(evaluation: Evaluation, *, width: int, colour: bool) -> str:
    """Return tables for a terminal of `width` columns; metrics that do not fit stand in a table below."""
    from rich.console import Console

    console = Console(
        file=io.StringIO(),
        width=width,
        force_terminal=colour,
        force_jupyter=False,  # a notebook would show the text at once, and leave the stream empty
        color_system="standard" if colour else None,
        markup=False,  # names of systems are not ours
        emoji=False,
        highlight=False,
    )
    console.print(_title(evaluation), style="bold", soft_wrap=True)
    for metrics in _fitting(evaluation, console):
        console.print(_score_table(evaluation, metrics, width))
        console.print()
    if "profile" in evaluation.systems[0].scores:
        console.print(_profile_table(evaluation, width))
        console.print()
    for line in _footer(evaluation, colour=colour):
        console.print(printable(line), style="dim", soft_wrap=True)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _title(evaluation: Evaluation) -> str:
    title = f"{printable(evaluation.dataset or 'your files')}: {_counted(str(_segments(evaluation)), 'segment')}"
    if evaluation.references:
        title += f", {_counted(_reference_count(evaluation), 'reference')}"
    return title


def _counted(number: str, noun: str) -> str:
    return f"{number} {noun}{'' if number == '1' else 's'}"


def _fitting(evaluation: Evaluation, console: Any) -> Iterator[list[str]]:
    """The metrics in groups, each as large as the width allows without cutting a number."""
    from rich.measure import Measurement

    unlimited = console.options.update(width=10_000)
    group: list[str] = []
    for metric in evaluation.systems[0].scores:
        if metric == "profile":
            continue
        table = _score_table(evaluation, [*group, metric], console.width)
        if group and Measurement.get(console, unlimited, table).maximum > console.width:
            yield group
            group = []
        group.append(metric)
    if group:
        yield group


def _new_table(evaluation: Evaluation, heading: str, width: int) -> Any:
    """A table whose first column holds the names of the systems, folded beyond a quarter of the width."""
    from rich.cells import cell_len
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    names = [printable(system.name) for system in evaluation.systems]
    room = min(width // 4, max(map(cell_len, (heading, *names))))
    table.add_column(heading, overflow="fold", min_width=room, max_width=room)
    return table


def _score_table(evaluation: Evaluation, metrics: Sequence[str], width: int) -> Any:
    table = _new_table(evaluation, "system", width)
    for metric in metrics:
        table.add_column(_heading(metric, evaluation), justify="right", no_wrap=True)
        for part in evaluation.kinds[metric].shown_parts:
            heading = evaluation.kinds[metric].part_headings.get(part, part)
            table.add_column(heading, justify="right", no_wrap=True, style="dim")
    for system in evaluation.systems:
        table.add_row(*_score_cells(system, metrics, evaluation))
    return table


def _profile_table(evaluation: Evaluation, width: int) -> Any:
    from rich.text import Text

    table = _new_table(evaluation, "edit profile", width)
    for part in evaluation.systems[0].scores["profile"].parts:
        heading = evaluation.kinds["profile"].part_headings.get(part, part)
        table.add_column(heading, justify="right", no_wrap=True)
    for system in evaluation.systems:
        table.add_row(Text(printable(system.name)), *map(_number, system.scores["profile"].parts.values()))
    return table


def _score_cells(system: SystemResult, metrics: Sequence[str], evaluation: Evaluation) -> list[Any]:
    from rich.text import Text

    several = len(evaluation.systems) > 1
    cells: list[Any] = [Text(printable(system.name))]
    for metric in metrics:
        score = system.scores[metric]
        comparison = system.comparisons.get(metric)
        best = several and comparison is None and score.interval is not None
        cell = Text(_number(score.value), style="bold" if best else "")
        # One column for the star in all rows, so that the numbers stand below each other.
        cell.append("*" if comparison is not None and comparison.p_value < _SIGNIFICANT else " " if several else "")
        if score.interval is not None:
            low, high = score.interval
            cell.append(f"\n{low:.1f} to {high:.1f}{' ' if several else ''}", style="not bold dim")
        cells.append(cell)
        cells.extend(_number(score.parts[part]) for part in evaluation.kinds[metric].shown_parts)
    return cells


def _number(value: float) -> str:
    return f"{value:.2f}" if math.isfinite(value) else "–"


def _footer(evaluation: Evaluation, *, colour: bool) -> Iterator[str]:
    first = evaluation.systems[0]
    if any(score.interval for metric, score in first.scores.items() if metric != "profile"):
        yield (
            f"Below each value: {evaluation.confidence:.0%} interval, {evaluation.resamples} bootstrap "
            f"resamples of the segments, seed {evaluation.seed}."
        )
    tests = {c.test for system in evaluation.systems for c in system.comparisons.values()}
    for test in tests:
        name = "paired bootstrap" if test == "bootstrap" else "approximate randomisation"
        best = "the best system (bold)" if colour else "the best system"
        yield f"* differs from {best} at p < {_SIGNIFICANT} by {name}."
    for score in first.scores.values():
        yield score.signature


def _heading(metric: str, evaluation: Evaluation) -> str:
    arrow = {True: " ↑", False: " ↓", None: ""}[evaluation.higher_is_better[metric]]
    name, variant = metric_and_variant(metric)
    return f"{evaluation.kinds[metric].heading or name} {variant}".rstrip() + arrow


def _segments(evaluation: Evaluation) -> int:
    return len(evaluation.systems[0].outputs)


def _reference_count(evaluation: Evaluation) -> str:
    sizes = {len(group) for group in evaluation.references}
    return str(min(sizes)) if len(sizes) == 1 else f"{min(sizes)} to {max(sizes)}"


def _system_dict(system: SystemResult, *, per_sentence: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "name": system.name,
        "scores": {name: _score_dict(score) for name, score in system.scores.items()},
        "comparisons": {
            name: {"best": c.best, "difference": c.difference, "p_value": c.p_value, "test": c.test}
            for name, c in system.comparisons.items()
        },
    }
    if per_sentence:
        document["per_sentence"] = {
            name: [_finite(float(value)) for value in values] for name, values in system.segments.items()
        }
    return document


def _score_dict(score: Score) -> dict[str, object]:
    document = score.to_dict()
    document["value"] = _finite(score.value)
    document["parts"] = {name: _finite(value) for name, value in score.parts.items()}
    return document


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _csv_rows(system: SystemResult) -> Iterator[list[object]]:
    for metric, score in system.scores.items():
        low, high = score.interval or ("", "")
        comparison = system.comparisons.get(metric)
        difference = "" if comparison is None else comparison.difference
        p_value = "" if comparison is None else comparison.p_value
        name = spreadsheet_cell(system.name)
        yield [name, metric, "", _finite(score.value), low, high, difference, p_value, score.signature]
        for part, value in score.parts.items():
            yield [name, metric, part, _finite(value), "", "", "", "", score.signature]
