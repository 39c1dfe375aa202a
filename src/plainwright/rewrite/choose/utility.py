"""Choosing from a k-best list by something other than the model score.

- `most_dissimilar`: PBMT-R (Wubben et al., 2012): of the best few, the one that differs most from the input.
- `minimum_bayes_risk`: the candidate with the highest expected utility, any metric of the package being the utility
  and candidates the references (Kumar and Byrne, 2004).
- `best_by_metric`: the candidate that a metric likes best, with outputs of other systems, or the best of the other
  candidates, in the place of references that people would write.
"""

from __future__ import annotations

from collections.abc import Sequence, Sized

import numpy as np
import numpy.typing as npt

from plainwright.arguments import as_texts, check_instance, check_text, refuse
from plainwright.errors import DataError, LengthMismatchError
from plainwright.metrics.base import Array, Metric

__all__ = ["best_by_metric", "expected_utilities", "minimum_bayes_risk", "most_dissimilar"]

_A_METRIC = 'a Metric, such as create("sari")'


def most_dissimilar(source: str, candidates: Sequence[str], *, best: int = 10) -> int:
    """Return the position of the candidate, among the `best` first, farthest from the source in words.

    Ties go to the one that the model prefers. Text is tokenised: words are what white space separates.
    """
    from rapidfuzz.distance import Levenshtein

    candidates = _checked(source, candidates, "most_dissimilar")
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
    pseudo_references: int | None = None,
    threads: int = 1,
) -> int:
    """The position of the candidate with the highest expected utility; ties go to the one the model prefers."""
    values = expected_utilities(
        source,
        candidates,
        scores,
        utility=utility,
        sharpness=sharpness,
        pseudo_references=pseudo_references,
        threads=threads,
    )
    return _first_highest(values)


def expected_utilities(
    source: str,
    candidates: Sequence[str],
    scores: Sequence[float],
    *,
    utility: Metric,
    sharpness: float = 1.0,
    pseudo_references: int | None = None,
    threads: int = 1,
) -> Array:
    """Return the mean utility of every candidate beside all candidates, weighted by softmax(sharpness x score).

    With a sharpness of 0 all weigh the same, as in equation 5 of Maddela et al. (2023). `pseudo_references` takes only
    the so many with the highest scores as references; the cost is in proportion.
    """
    candidates = _checked(source, candidates, "expected_utilities")
    values = _checked_scores(candidates, scores)
    _check_utility(utility)
    ranked = _ranked(values, pseudo_references)
    logits = sharpness * values[ranked]
    chances = np.exp(logits - logits.max())
    chances /= chances.sum()
    pairs = utility.pairwise(source, candidates, [candidates[rank] for rank in ranked], threads=threads)
    # Added one by one, in one order everywhere: a matrix product may add in another on another machine.
    total: Array = sum(chance * column for chance, column in zip(chances, pairs.T, strict=True))
    return _sign(utility) * total


def best_by_metric(
    source: str,
    candidates: Sequence[str],
    scores: Sequence[float],
    *,
    metric: Metric,
    references: Sequence[str] | None = None,
    pseudo_references: int | None = None,
    threads: int = 1,
) -> int:
    """The position of the candidate that the metric likes best; ties go to the one the model prefers.

    `references` are outputs of other systems, say. Without them, those of a candidate are the others with the highest
    scores, as many as `pseudo_references` says (all, if it says nothing). The metric sees all references at once, as it
    does when it evaluates; `minimum_bayes_risk` compares with one after the other.
    """
    candidates = _checked(source, candidates, "best_by_metric")
    values = _checked_scores(candidates, scores)
    check_instance(metric, Metric, "reranking", "the metric", _A_METRIC)
    if metric.compares_alone:
        for name, value in (("references", references), ("pseudo_references", pseudo_references)):
            if value is not None:
                msg = f"{name}: expected a metric that looks at references, found {metric.name}; leave them out"
                raise DataError(msg)
        return _first_highest(_sign(metric) * metric.prepare(source, None).score_many(candidates, threads=threads))
    _check_utility(metric)
    if references is not None:
        return _first_highest(
            _sign(metric) * metric.prepare(source, references).score_many(candidates, threads=threads)
        )
    if len(candidates) == 1:
        return 0
    return _first_highest(
        _sign(metric) * _with_the_others(source, candidates, _ranked(values, None), metric, pseudo_references, threads)
    )


def _with_the_others(
    source: str,
    candidates: Sequence[str],
    ranked: npt.NDArray[np.intp],
    metric: Metric,
    count: int | None,
    threads: int,
) -> Array:
    """The score of every candidate with the `count` best of the others as references."""
    number = len(ranked) - 1 if count is None else min(_at_least_one(count), len(ranked) - 1)
    top, rest = ranked[: number + 1], ranked[number + 1 :]
    result = np.zeros(len(candidates))
    for own in top:
        references = [candidates[other] for other in top if other != own]
        result[own] = metric.prepare(source, references).score_many([candidates[own]], threads=threads)[0]
    if len(rest):
        prepared = metric.prepare(source, [candidates[rank] for rank in top[:number]])
        result[rest] = prepared.score_many([candidates[rank] for rank in rest], threads=threads)
    return result


def _first_highest(values: Array) -> int:
    # Sums in another order must not decide between equal candidates.
    return int(np.argmax(np.round(values, 9)))


def _ranked(scores: Array, count: int | None) -> npt.NDArray[np.intp]:
    """The positions of the highest scores, best first."""
    ranked = np.argsort(-scores, kind="stable")
    return ranked if count is None else ranked[: _at_least_one(count)]


def _at_least_one(count: int) -> int:
    if count < 1:
        msg = f"pseudo_references must be at least 1, got {count!r}"
        raise DataError(msg)
    return count


def _sign(metric: Metric) -> float:
    return 1.0 if metric.higher_is_better else -1.0


def _checked(source: str, candidates: Sequence[str], function: str) -> list[str]:
    check_text(source, function, "source")
    texts = as_texts(candidates, function, "candidates")
    if not texts:
        msg = "reranking needs at least one candidate; got none"
        raise DataError(msg)
    return texts


def _checked_scores(candidates: Sequence[str], scores: Sequence[float]) -> Array:
    if isinstance(scores, str) or not isinstance(scores, Sized):
        refuse(scores, "reranking", "scores", "a list of numbers, one for each candidate")
    if len(candidates) != len(scores):
        msg = f"expected one score for each of {len(candidates)} candidates, got {len(scores)}"
        raise LengthMismatchError(msg)
    return np.asarray(scores, dtype=np.float64)


def _check_utility(metric: Metric) -> None:
    check_instance(metric, Metric, "reranking", "the metric", _A_METRIC)
    if not metric.needs_references:
        msg = f"{metric.name} looks at no references, so it cannot compare candidates; choose sari or bleu"
        raise DataError(msg)
