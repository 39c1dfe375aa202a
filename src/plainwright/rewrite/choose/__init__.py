"""Who takes one of the proposals for a sentence."""

from __future__ import annotations

from plainwright.rewrite.choose.choosers import (
    CHOOSERS,
    BestByMetric,
    Dissimilar,
    FirstChoice,
    MinimumBayesRisk,
    chooser,
)
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
    "FirstChoice",
    "MinimumBayesRisk",
    "best_by_metric",
    "chooser",
    "expected_utilities",
    "minimum_bayes_risk",
    "most_dissimilar",
]
