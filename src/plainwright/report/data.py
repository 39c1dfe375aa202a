"""The sentences and their scores as JSON for the page's script.

The text inside is whatever the systems wrote, so it must not be able to end the element that holds it.
Numbers keep four significant digits: with many systems they would otherwise outweigh the text.
"""

from __future__ import annotations

import json
import math
import re

import numpy as np
import numpy.typing as npt

from plainwright.evaluate.result import Evaluation
from plainwright.report import names, svg
from plainwright.report.charts import headline_metrics, primary_metric

__all__ = ["payload", "script_safe", "segment_count", "segment_keys"]

_UNSAFE = re.compile("[<>&\u2028\u2029]")


def payload(evaluation: Evaluation) -> str:
    """Everything the script shows, as JSON that is safe inside a script element."""
    keys = segment_keys(evaluation)
    return script_safe(
        {
            "systems": [system.name for system in evaluation.systems],
            "segments": segment_count(evaluation),
            "sources": evaluation.sources,
            "references": evaluation.references,
            "outputs": [system.outputs for system in evaluation.systems],
            "metrics": [_metric(evaluation, key) for key in keys],
            "scores": {key: [_column(system.segments.get(key)) for system in evaluation.systems] for key in keys},
            "primary": primary_metric(evaluation),
            "markers": svg.MARKERS,
            "colours": svg.COLOURS,
        }
    )


def segment_count(evaluation: Evaluation) -> int:
    """How many segments; an evaluation without sources still has outputs."""
    return max([len(evaluation.sources), *(len(system.outputs) for system in evaluation.systems)])


def script_safe(value: object) -> str:
    """JSON in which no character can end a script element, start a comment or break a line of JavaScript."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def segment_keys(evaluation: Evaluation) -> list[str]:
    """Headline metrics first, each followed by its parts, then the rest as it comes."""
    order = {metric: position for position, metric in enumerate(headline_metrics(evaluation))}
    keys = dict.fromkeys(key for system in evaluation.systems for key in system.segments)
    found = [key for key in keys if key in order or "." in key]  # of a profile, only the parts say something
    return sorted(found, key=lambda key: (order.get(key.split(".")[0], len(order)), "." in key))


def _metric(evaluation: Evaluation, key: str) -> dict[str, object]:
    metric, _, part = key.partition(".")
    better = evaluation.higher_is_better.get(metric)
    name = names.metric_name(metric)
    if part:
        name = f"{name} {names.part_name(part)}" if better is not None else names.part_name(part)
    return {"key": key, "name": name, "part": bool(part), "better": {True: 1, False: -1, None: 0}[better]}


def _column(values: npt.NDArray[np.float64] | None) -> list[float | int | None] | None:
    return None if values is None else [_compact(value) for value in values.tolist()]


def _compact(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short
