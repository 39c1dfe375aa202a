"""Metrics of simplification: one class each, all on the contract of `plainwright.metrics.base`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from plainwright.errors import DataError, UnknownNameError
from plainwright.metrics.base import Metric, Prepared
from plainwright.metrics.bleu import BLEU
from plainwright.metrics.fk import FK
from plainwright.metrics.fkbleu import FKBLEU
from plainwright.metrics.ibleu import IBLEU
from plainwright.metrics.levenshtein import NegativeLevenshtein
from plainwright.metrics.profile import EditProfile
from plainwright.metrics.result import Score
from plainwright.metrics.sari import SARI
from plainwright.metrics.significance import (
    TestResult,
    bootstrap_interval,
    bootstrap_intervals,
    paired_bootstrap,
    randomisation,
)
from plainwright.metrics.tbleu import TBLEU

__all__ = [
    "BLEU",
    "FK",
    "FKBLEU",
    "IBLEU",
    "METRICS",
    "SARI",
    "TBLEU",
    "EditProfile",
    "Metric",
    "NegativeLevenshtein",
    "Prepared",
    "Score",
    "TestResult",
    "bootstrap_interval",
    "bootstrap_intervals",
    "create",
    "paired_bootstrap",
    "randomisation",
]

METRICS: Mapping[str, type[Metric]] = MappingProxyType(
    {metric.name: metric for metric in (SARI, BLEU, FK, FKBLEU, IBLEU, NegativeLevenshtein, TBLEU, EditProfile)}
)


def create(name: str, **options: Any) -> Metric:
    """The metric called `name`, for example `create("sari", variant="easse")`."""
    if name not in METRICS:
        listing = f"choose one of {', '.join(METRICS)}"
        raise UnknownNameError.suggest(kind="metric", name=name, known=METRICS, listing=listing)
    try:
        return METRICS[name](**options)
    except TypeError as error:
        msg = f"{name}: {error}".replace(f"{METRICS[name].__name__}.__init__() ", "")
        raise DataError(msg) from None
