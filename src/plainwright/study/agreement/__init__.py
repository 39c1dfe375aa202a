"""Do raters agree, and more than chance would have them? Krippendorff's alpha, Cohen's kappa, correlations.

Scores come as an array of shape (items, systems, raters) such as `Cube.scores`, or (items, raters); NaN where nobody
rated. What is compared are the ratings of one output (an item by a system). Intervals are percentile bootstraps over
items: all outputs of a source sentence are drawn together, since they share its difficulty. Everything that a
coefficient needs is summed by item first, so a resample is a row of weights and a thousand of them a matrix product.
"""

from plainwright.study.agreement.alpha import Level, krippendorff_alpha
from plainwright.study.agreement.compared import FEWEST_ITEMS
from plainwright.study.agreement.kappa import (
    DrawnFor,
    KappaWeights,
    RepeatedKappa,
    Rounding,
    cohen_kappa,
    repeated_kappa,
)
from plainwright.study.agreement.pairs import PairCorrelation, RaterCorrelations, pairwise_correlations
from plainwright.study.agreement.summary import AspectAgreement, aspect_agreement

__all__ = [
    "FEWEST_ITEMS",
    "AspectAgreement",
    "DrawnFor",
    "KappaWeights",
    "Level",
    "PairCorrelation",
    "RaterCorrelations",
    "RepeatedKappa",
    "Rounding",
    "aspect_agreement",
    "cohen_kappa",
    "krippendorff_alpha",
    "pairwise_correlations",
    "repeated_kappa",
]
