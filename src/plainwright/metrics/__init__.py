"""Metrics of simplification: one class each, all on the contract of `plainwright.metrics.base`.

Those that were learnt from ratings lie in `plainwright.lens` and `plainwright.judge`, and are imported when they are
first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any

from plainwright.arguments import check_instance, check_text
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
from plainwright.metrics.selfbleu import SelfBLEU
from plainwright.metrics.significance import (
    TestResult,
    bootstrap_interval,
    bootstrap_intervals,
    paired_bootstrap,
    randomisation,
)
from plainwright.metrics.splits import Splits
from plainwright.metrics.tbleu import TBLEU
from plainwright.registry import Registry

__all__ = [
    "BLEU",
    "FK",
    "FKBLEU",
    "IBLEU",
    "LEARNED",
    "METRICS",
    "SARI",
    "TBLEU",
    "EditProfile",
    "Metric",
    "NegativeLevenshtein",
    "Prepared",
    "Score",
    "SelfBLEU",
    "Splits",
    "TestResult",
    "bootstrap_interval",
    "bootstrap_intervals",
    "create",
    "metric_class",
    "metric_names",
    "paired_bootstrap",
    "randomisation",
    "register",
]

# Where the learnt ones are, module and class.
LEARNED: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "lens": ("plainwright.lens.metric", "LENS"),
        "bertscore": ("plainwright.lens.bertscore", "BERTScore"),
        "judge": ("plainwright.judge.metric", "JudgeMetric"),
    }
)

_REGISTRY: Registry[type[Metric]] = Registry(
    "metric",
    "plainwright.metrics",
    {
        metric.name: metric
        for metric in (SARI, BLEU, FK, FKBLEU, IBLEU, NegativeLevenshtein, TBLEU, SelfBLEU, Splits, EditProfile)
    },
    reserved=LEARNED,
)
METRICS: Mapping[str, type[Metric]] = MappingProxyType(_REGISTRY.parts)  # those that are loaded


def metric_class(name: str) -> type[Metric]:
    """Return the class of the metric called `name`."""
    check_text(name, "metric_class", "name")
    if name in LEARNED:
        _REGISTRY.warn_if_ignored(name)
        module, attribute = LEARNED[name]
        kind: type[Metric] = getattr(import_module(module), attribute)
        return kind
    if name not in _REGISTRY:
        known = metric_names()
        raise UnknownNameError.suggest(
            kind="metric", name=name, known=known, listing=f"choose one of {', '.join(known)}"
        )
    return _checked(_REGISTRY[name], name)


def metric_names() -> tuple[str, ...]:
    """Return all that can be asked for by name, those of installed packages among them."""
    return tuple(_REGISTRY.names())


def register(metric: type[Metric]) -> type[Metric]:
    """Make a metric known by its name to `evaluate`, `report`, `tune` and `study`; also a decorator of its class.

    An installed package can do without: an entry point in the group `plainwright.metrics` is found by itself.
    """
    check_instance(metric, type, "register", "metric", "a class on plainwright.metrics.Metric")
    name = getattr(metric, "name", None)
    if not isinstance(name, str):
        msg = f"a metric needs a name, got {name!r}; set the attribute `name` of {metric.__name__}"
        raise DataError(msg)
    return _REGISTRY.register(name, _checked(metric, name))


def _checked(metric: type[Metric], name: str) -> type[Metric]:
    if not (isinstance(metric, type) and issubclass(metric, Metric)) or metric.name != name:
        msg = f"metric {name!r}: expected a class on plainwright.metrics.Metric of that name, found {metric!r:.60}"
        raise DataError(msg)
    return metric


def create(name: str, **options: Any) -> Metric:
    """Make the metric called `name`, for example `create("sari", variant="easse")`."""
    check_text(name, "create", "name")
    kind = metric_class(name)
    try:
        return kind(**options)
    except TypeError as error:
        msg = f"{name}: {error}".replace(f"{kind.__name__}.__init__() ", "")
        raise DataError(msg) from None
