"""The Python face of the decoder, k-best lists and reranking."""

from __future__ import annotations

from plainwright.decode.decoder import Candidate, Decoder, Result, Settings, Step, analyses_of_tags, word_analyses
from plainwright.decode.rerank import best_by_metric, expected_utilities, minimum_bayes_risk, most_dissimilar

__all__ = [
    "Candidate",
    "Decoder",
    "Result",
    "Settings",
    "Step",
    "analyses_of_tags",
    "best_by_metric",
    "expected_utilities",
    "minimum_bayes_risk",
    "most_dissimilar",
    "word_analyses",
]
