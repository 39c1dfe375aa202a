"""Choosing from a k-best list by something other than the model score.

- `most_dissimilar`: PBMT-R (Wubben et al., 2012): of the best few, the one that differs most from the input.
- `minimum_bayes_risk`: the candidate with the highest expected utility, any metric of the package being the utility
  and the other candidates the references (Kumar and Byrne, 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics.base import Array, Metric

__all__ = ["expected_utilities", "minimum_bayes_risk", "most_dissimilar"]


def most_dissimilar(source: str, candidates: Sequence[str], *, best: int = 10) -> int:
    """The position of the candidate, among the `best` first, farthest from the source in words.

    Ties go to the one that the model prefers. Text is tokenised: words are what white space separates.
    """
    from rapidfuzz.distance import Levenshtein

    _check(candidates)
    words = source.split()
    distances = [Levenshtein.distance(words, candidate.split()) for candidate in candidates[:best]]
    return int(np.argmax(distances))


def minimum_bayes_risk(
    source: str,
    candidates: Sequence[str],
    scores: Sequence[float],
    *,
    utility: Metric,
    sharpness: float = 1.0,
) -> int:
    """The position of the candidate with the highest expected utility; ties go to the one the model prefers."""
    values = expected_utilities(source, candidates, scores, utility=utility, sharpness=sharpness)
    # Sums in another order must not decide between equal candidates.
    return int(np.argmax(np.round(values, 9)))


def expected_utilities(
    source: str,
    candidates: Sequence[str],
    scores: Sequence[float],
    *,
    utility: Metric,
    sharpness: float = 1.0,
) -> Array:
    """The utility of every candidate against every other as reference, weighted by softmax(sharpness x score)."""
    _check(candidates)
    if len(candidates) != len(scores):
        msg = f"expected one score for each of {len(candidates)} candidates, got {len(scores)}"
        raise LengthMismatchError(msg)
    if not utility.needs_references:
        msg = f"{utility.name} looks at no references, so it cannot compare candidates; choose sari or bleu"
        raise DataError(msg)
    logits = sharpness * np.asarray(scores, dtype=np.float64)
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    sign = 1.0 if utility.higher_is_better else -1.0
    total = np.zeros(len(candidates))
    for reference, chance in zip(candidates, chances, strict=True):
        total += sign * chance * utility.prepare(source, [reference]).score_many(candidates)
    return total


def _check(candidates: Sequence[str]) -> None:
    if not candidates:
        msg = "reranking needs at least one candidate; got none"
        raise DataError(msg)
