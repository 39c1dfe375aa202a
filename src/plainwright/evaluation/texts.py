"""Scoring texts at hand in one call: what `plainwright.evaluate` does."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence

from plainwright.arguments import as_texts, refuse
from plainwright.errors import LengthMismatchError, PlainwrightWarning
from plainwright.evaluation.outputs import check_outputs
from plainwright.evaluation.result import Evaluation
from plainwright.evaluation.run import EvaluationSettings, evaluate
from plainwright.evaluation.sets import EvaluationSet
from plainwright.metrics.base import Metric

__all__ = ["evaluate_texts", "score_texts"]

_SYSTEM = "output"  # the name of a system that was given none


def evaluate_texts(
    outputs: Sequence[str] | Mapping[str, Sequence[str]],
    *,
    references: Sequence[str | Sequence[str]] | None = None,
    sources: Sequence[str] | None = None,
    metrics: Iterable[str | Metric] | None = None,
    intervals: bool = True,
    seed: int = 12345,
    threads: int = 1,
) -> Evaluation:
    """See `plainwright.evaluate`."""
    chosen = None if metrics is None else tuple([metrics] if isinstance(metrics, str | Metric) else metrics)
    settings = EvaluationSettings(metrics=chosen, intervals=intervals, seed=seed, threads=threads)
    found = score_texts(outputs, references=references, sources=sources, settings=settings)
    for warning in found.warnings:
        warnings.warn(PlainwrightWarning(warning), stacklevel=3)
    return found


def score_texts(
    outputs: Sequence[str] | Mapping[str, Sequence[str]],
    *,
    references: Sequence[str | Sequence[str]] | None,
    sources: Sequence[str] | None,
    settings: EvaluationSettings,
    label: str = "your texts",
) -> Evaluation:
    """Score texts with these settings; what looks wrong is only in the result. `label` is what messages call them."""
    systems = outputs if isinstance(outputs, Mapping) else {_SYSTEM: as_texts(outputs, "evaluate", "outputs")}
    if not systems:
        msg = "evaluate needs the outputs of at least one system, got none"
        raise LengthMismatchError(msg)
    segments = len(next(iter(systems.values())))
    target = EvaluationSet(
        name=None,
        label=label,
        segments=segments,
        sources=None if sources is None else tuple(as_texts(sources, "evaluate", "sources")),
        references=None if references is None else _groups(references),
    )
    for name, column in (("sources", target.sources), ("references", target.references)):
        if column is not None and len(column) != segments:
            msg = f"evaluate needs one entry per segment; got {segments} outputs and {len(column)} {name}"
            raise LengthMismatchError(msg)
    remarks = check_outputs(systems, target, allow_empty=True, allow_reference=True)
    return evaluate(target, systems, settings, warnings=remarks)


def _groups(references: Sequence[str | Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    if isinstance(references, str) or not isinstance(references, Iterable) or hasattr(references, "columns"):
        refuse(references, "evaluate", "references", "a list with a string, or a list of them, for each segment")
    return tuple(
        (group,) if isinstance(group, str) else tuple(as_texts(group, "evaluate", "references")) for group in references
    )
