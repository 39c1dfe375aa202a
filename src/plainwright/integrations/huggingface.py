"""Metrics as Hugging Face's `evaluate` calls them: `compute(sources=, predictions=, references=)` gives a dictionary.

The library itself is not needed. Whoever scores with `evaluate.load("sari")` changes one line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plainwright import metrics
from plainwright.arguments import as_texts, refuse
from plainwright.errors import DataError

__all__ = ["ComputedMetric", "combine", "load"]

References = Sequence[str | Sequence[str]]


class ComputedMetric:
    """One metric, or several; texts come in one call of `compute`, or before it by `add` and `add_batch`."""

    def __init__(self, chosen: Mapping[str, metrics.Metric], *, parts: bool = False) -> None:
        self._metrics = dict(chosen)
        self._parts = parts
        self._rows: list[tuple[str | None, str, Sequence[str] | None]] = []

    @property
    def name(self) -> str:
        """The names of the metrics."""
        return "+".join(self._metrics)

    def add(self, *, prediction: str, source: str | None = None, references: str | Sequence[str] | None = None) -> None:
        """Remember one output, for `compute`."""
        given = None if references is None else [references]
        self.add_batch(predictions=[prediction], sources=None if source is None else [source], references=given)

    def add_batch(
        self,
        *,
        predictions: Sequence[str],
        sources: Sequence[str] | None = None,
        references: References | None = None,
    ) -> None:
        """Remember several outputs, for `compute`."""
        outputs = as_texts(predictions, "add_batch", "predictions")
        for name, column in (("sources", sources), ("references", references)):
            if column is not None and len(column) != len(outputs):
                msg = f"add_batch: expected as many {name} as predictions, {len(outputs)}, found {len(column)}"
                raise DataError(msg)
        if sources is not None:
            sources = as_texts(sources, "add_batch", "sources")
        groups = None if references is None else _groups(references)
        for row, output in enumerate(outputs):
            self._rows.append(
                (None if sources is None else sources[row], output, None if groups is None else groups[row])
            )

    def compute(
        self,
        *,
        predictions: Sequence[str] | None = None,
        sources: Sequence[str] | None = None,
        references: References | None = None,
    ) -> dict[str, Any]:
        """Score these outputs and all that were added before, and forget them."""
        if predictions is not None:
            self.add_batch(predictions=predictions, sources=sources, references=references)
        rows, self._rows = self._rows, []
        if not rows:
            msg = "compute: expected predictions, found none; give predictions=, or add them before"
            raise DataError(msg)
        given = _column([row[0] for row in rows], "sources"), [row[1] for row in rows]
        groups = _column([row[2] for row in rows], "references")
        found: dict[str, Any] = {}
        for name, metric in self._metrics.items():
            score = metric.corpus_score(*given, groups)
            found[name] = score.value
            if self._parts:
                found |= {f"{name}_{part}": value for part, value in score.parts.items()}
        return found


def _groups(references: References) -> list[list[str]]:
    if isinstance(references, str):
        refuse(references, "add_batch", "references", "a list with a text, or a list of them, for each prediction")
    return [[own] if isinstance(own, str) else list(as_texts(own, "add_batch", "references")) for own in references]


def _column(values: list[Any], name: str) -> list[Any] | None:
    """Return what all rows have; None if none of them has it."""
    lacking = sum(value is None for value in values)
    if lacking == len(values):
        return None
    if lacking:
        msg = f"compute: expected {name} for all {len(values)} predictions or for none, found {lacking} without"
        raise DataError(msg)
    return values


def load(name: str, *, parts: bool = False, **options: Any) -> ComputedMetric:
    """Return a metric by its name, such as "sari"; `options` are those of its class.

    Texts are taken as raw text, as `plainwright evaluate` does. With `parts`, the result also has what the value is
    made of, such as `sari_add`.
    """
    return ComputedMetric({name: _made(name, options)}, parts=parts)


def combine(names: Sequence[str], *, parts: bool = False) -> ComputedMetric:
    """Return several metrics as one."""
    return ComputedMetric({name: _made(name, {}) for name in as_texts(names, "combine", "names")}, parts=parts)


def _made(name: str, options: Mapping[str, Any]) -> metrics.Metric:
    return metrics.create(name, **{**metrics.metric_class(name).options_for(raw=True), **options})
