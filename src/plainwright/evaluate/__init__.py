"""Score systems on a set, with intervals and significance: the library behind `plainwright evaluate`."""

from __future__ import annotations

from plainwright.evaluate.inputs import (
    EvaluationSet,
    Outputs,
    check_outputs,
    load_set,
    read_outputs,
    read_set_files,
)
from plainwright.evaluate.result import Comparison, Evaluation, SystemResult
from plainwright.evaluate.run import DEFAULT_METRICS, Settings, evaluate, metric_for
from plainwright.evaluate.textkind import TextKind, detect

__all__ = [
    "DEFAULT_METRICS",
    "Comparison",
    "Evaluation",
    "EvaluationSet",
    "Outputs",
    "Settings",
    "SystemResult",
    "TextKind",
    "check_outputs",
    "detect",
    "evaluate",
    "load_set",
    "metric_for",
    "read_outputs",
    "read_set_files",
]
