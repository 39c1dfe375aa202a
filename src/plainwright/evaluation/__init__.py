"""Score systems on a set, with intervals and significance: the library behind `plainwright evaluate`."""

from __future__ import annotations

from plainwright.evaluation.outputs import Outputs, check_outputs, read_outputs
from plainwright.evaluation.pseudo import pseudo_references
from plainwright.evaluation.result import Comparison, Evaluation, SystemResult, metric_and_variant
from plainwright.evaluation.run import DEFAULT_METRICS, EvaluationSettings, evaluate, metrics_for
from plainwright.evaluation.running import read_texts
from plainwright.evaluation.sets import EvaluationSet, load_set, read_set_files
from plainwright.evaluation.textkind import TextKind, detect
from plainwright.evaluation.texts import evaluate_texts

__all__ = [
    "DEFAULT_METRICS",
    "Comparison",
    "Evaluation",
    "EvaluationSet",
    "EvaluationSettings",
    "Outputs",
    "SystemResult",
    "TextKind",
    "check_outputs",
    "detect",
    "evaluate",
    "evaluate_texts",
    "load_set",
    "metric_and_variant",
    "metrics_for",
    "pseudo_references",
    "read_outputs",
    "read_set_files",
    "read_texts",
]
