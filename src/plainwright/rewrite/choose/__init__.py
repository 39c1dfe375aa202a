"""Who takes one of the proposals for a sentence."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from plainwright.rewrite.choose.choosers import (
    CHOOSERS,
    BestByMetric,
    Dissimilar,
    MinimumBayesRisk,
    chooser,
)

if TYPE_CHECKING:
    from plainwright.rewrite.choose.utility import (
        best_by_metric,
        expected_utilities,
        minimum_bayes_risk,
        most_dissimilar,
    )

__all__ = [
    "CHOOSERS",
    "BestByMetric",
    "Dissimilar",
    "MinimumBayesRisk",
    "best_by_metric",
    "chooser",
    "expected_utilities",
    "minimum_bayes_risk",
    "most_dissimilar",
]


def __getattr__(name: str) -> Any:
    # Metrics take as long to import as everything that simplifying needs.
    if name in __all__:
        return getattr(import_module("plainwright.rewrite.choose.utility"), name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
