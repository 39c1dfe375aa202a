"""The sentences and their scores as JSON for the page's script.

The text inside is whatever the systems wrote, so it must not be able to end the element that holds it.
Outputs and references are the edits of their source: the page need not look for differences, and what they share is
there once. Numbers keep four significant digits: with many systems they would otherwise outweigh the text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plainwright.evaluation.result import Evaluation
from plainwright.report import names, svg
from plainwright.report.charts import headline_metrics, primary_metric
from plainwright.text.edits import TextEdit, edits_between

__all__ = ["payload", "script_safe", "segment_count", "segment_keys"]

# Flat edits: how many characters of the source are kept, how many deleted, what is inserted, and so on. Or the text.
StoredText = str | list[int | str]

_MOST_CHARACTERS = 100_000  # of a text that is compared with another
_UNSAFE = re.compile("[<>&\u2028\u2029]")


def payload(evaluation: Evaluation) -> str:
    """Return everything the script shows, as JSON that is safe inside a script element."""
    keys = segment_keys(evaluation)
    return script_safe(
        {
            "systems": [system.name for system in evaluation.systems],
            "segments": segment_count(evaluation),
            "sources": evaluation.sources,
            **_compared_texts(evaluation),
            "metrics": [_metric(evaluation, key) for key in keys],
            "scores": {key: [_column(system.segments.get(key)) for system in evaluation.systems] for key in keys},
            "primary": primary_metric(evaluation),
            "markers": svg.MARKERS,
            "colours": svg.COLOURS,
        }
    )


def _compared_texts(evaluation: Evaluation) -> dict[str, object]:
    """Outputs by system and references by segment, as they are stored, and the segments that a system split."""
    outputs: list[list[StoredText]] = [[] for _ in evaluation.systems]
    splits: list[list[int]] = [[] for _ in evaluation.systems]
    references: list[list[StoredText]] = []
    for segment in range(segment_count(evaluation)):
        source = evaluation.sources[segment] if evaluation.sources else None
        for number, system in enumerate(evaluation.systems):
            edits = _edits(source, system.outputs[segment])
            outputs[number].append(_stored(system.outputs[segment], edits))
            if any(edit.kind == "split" for edit in edits or ()):
                splits[number].append(segment)
        beside = evaluation.references[segment] if evaluation.references else ()
        references.append([_stored(text, _edits(source, text)) for text in beside])
    return {"outputs": outputs, "references": references, "splits": splits}


def _edits(source: str | None, text: str) -> tuple[TextEdit, ...] | None:
    if source is None or (text != source and max(len(source), len(text)) > _MOST_CHARACTERS):
        return None
    return edits_between(source, text)


def _stored(text: str, edits: Sequence[TextEdit] | None) -> StoredText:
    if edits is None:
        return text
    stored: list[int | str] = []
    done = 0
    for edit in edits:
        kept = text[done : edit.target_span[0]]
        stored += [_script_length(kept), _script_length(edit.source_text), edit.target_text]
        done = edit.target_span[1]
    return stored


def _script_length(text: str) -> int:
    """Its length in JavaScript, where characters beyond the basic plane count twice."""
    return len(text) if text.isascii() else sum(1 + (character > "\uffff") for character in text)


def segment_count(evaluation: Evaluation) -> int:
    """Return how many segments; an evaluation without sources still has outputs."""
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
