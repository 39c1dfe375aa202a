"""Choosing another candidate than the one that the model likes best, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from plainwright.decode import minimum_bayes_risk, most_dissimilar
from plainwright.errors import DataError
from plainwright.metrics.base import Metric

__all__ = ["RERANKERS", "Choose", "Rerank", "reranker"]

Rerank = Literal["dissimilar", "mbr"]
# From the tokenised source, the tokenised candidates and their scores to the position of the best.
Choose = Callable[[str, Sequence[str], Sequence[float]], int]

RERANKERS: dict[Rerank, int] = {"dissimilar": 10, "mbr": 100}  # and how many candidates each looks at


def reranker(name: Rerank, *, utility: str = "sari") -> Choose:
    """`dissimilar` is PBMT-R (Wubben et al., 2012); `mbr` takes the highest expected utility, a metric's value."""
    if name == "dissimilar":
        return lambda source, candidates, scores: most_dissimilar(source, candidates, best=len(candidates))
    metric = _metric(utility)
    return lambda source, candidates, scores: minimum_bayes_risk(source, candidates, scores, utility=metric)


def _metric(name: str) -> Metric:
    from plainwright.metrics import METRICS, create

    metric = create(name)
    if not metric.needs_references:
        usable = ", ".join(sorted(known for known, kind in METRICS.items() if kind.needs_references))
        msg = f"{name} looks at no references, so it cannot compare candidates; choose one of {usable}"
        raise DataError(msg)
    return metric
