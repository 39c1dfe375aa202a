"""An `Evaluation` as text for people, and as JSON or CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from plainwright.evaluate.result import Evaluation, SystemResult
from plainwright.metrics.result import Score

__all__ = ["to_csv", "to_json", "to_table"]

_HEADINGS = {
    "sari": "SARI",
    "bleu": "BLEU",
    "ibleu": "iBLEU",
    "fk": "FK",
    "fkbleu": "FKBLEU",
    "tbleu": "T-BLEU",
    "ld": "-LD",
    "add": "add",
    "keep": "keep",
    "delete": "delete",
    "compression": "compr.",
    "sentence_splits": "splits",
    "exact_copies": "copies",
    "additions": "added",
    "deletions": "deleted",
    "levenshtein_similarity": "similar",
    "lexical_complexity": "lexical",
}
_SHOWN_PARTS = {"sari": ("add", "keep", "delete")}
_SIGNIFICANT = 0.05


def to_json(evaluation: Evaluation, *, per_sentence: bool = False) -> str:
    """One JSON object."""
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
    """One row per system, metric and part; with `per_sentence` one row per segment and system."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    if per_sentence:
        names = list(evaluation.systems[0].segments)
        writer.writerow(["segment", "system", *names])
        for system in evaluation.systems:
            for segment in range(len(system.outputs)):
                values = (system.segments[name][segment] for name in names)
                writer.writerow([segment + 1, system.name, *("" if math.isnan(v) else repr(float(v)) for v in values)])
    else:
        writer.writerow(["system", "metric", "part", "value", "low", "high", "difference", "p_value", "signature"])
        for system in evaluation.systems:
            writer.writerows(_csv_rows(system))
    return stream.getvalue()


def to_table(evaluation: Evaluation, *, width: int, colour: bool) -> str:
    """Tables for a terminal of `width` columns."""
    from rich.console import Console
    from rich.table import Table

    console = Console(
        file=io.StringIO(), width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    title = f"{evaluation.dataset or 'your files'}: {_segments(evaluation)} segments"
    if evaluation.references:
        count = _reference_count(evaluation)
        title += f", {count} reference{'' if count == '1' else 's'}"
    console.print(title, style="bold", highlight=False)

    metrics = [name for name in evaluation.systems[0].scores if name != "profile"]
    if metrics:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        table.add_column("system", overflow="fold")
        for metric in metrics:
            table.add_column(_heading(metric, evaluation), justify="right", no_wrap=True)
            for part in _SHOWN_PARTS.get(metric, ()):
                table.add_column(part, justify="right", no_wrap=True, style="dim")
        for system in evaluation.systems:
            table.add_row(*_score_cells(system, metrics, evaluation))
        console.print(table)
    if "profile" in evaluation.systems[0].scores:
        console.print()
        console.print(_profile_table(evaluation))
    console.print()
    for line in _footer(evaluation, colour=colour):
        console.print(line, style="dim", highlight=False, soft_wrap=True)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _profile_table(evaluation: Evaluation) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("edit profile", overflow="fold")
    for part in evaluation.systems[0].scores["profile"].parts:
        table.add_column(_HEADINGS.get(part, part), justify="right", no_wrap=True)
    for system in evaluation.systems:
        values = system.scores["profile"].parts.values()
        table.add_row(Text(system.name), *(f"{value:.2f}" if math.isfinite(value) else "–" for value in values))
    return table


def _score_cells(system: SystemResult, metrics: Sequence[str], evaluation: Evaluation) -> list[Any]:
    from rich.text import Text

    cells: list[Any] = [Text(system.name)]  # names are not markup: "run[2]", ":tada:"
    for metric in metrics:
        score = system.scores[metric]
        value = f"{score.value:.2f}"
        comparison = system.comparisons.get(metric)
        if comparison is not None and comparison.p_value < _SIGNIFICANT:
            value += "*"
        elif len(evaluation.systems) > 1:
            value += " "
        if comparison is None and len(evaluation.systems) > 1 and score.interval is not None:
            value = f"[bold]{value}[/bold]"
        cells.append(value + _interval_line(score, len(evaluation.systems) > 1))
        cells.extend(f"{score.parts[part]:.2f}" for part in _SHOWN_PARTS.get(metric, ()))
    return cells


def _interval_line(score: Score, marked: bool) -> str:
    if score.interval is None:
        return ""
    low, high = score.interval
    return f"\n[dim]{low:.1f} to {high:.1f}{' ' if marked else ''}[/dim]"


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
    return _HEADINGS.get(metric, metric) + arrow


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
        yield [system.name, metric, "", score.value, low, high, difference, p_value, score.signature]
        for part, value in score.parts.items():
            yield [system.name, metric, part, _finite(value), "", "", "", "", score.signature]
