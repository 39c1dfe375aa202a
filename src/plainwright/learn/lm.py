"""Language models from text: interpolated modified Kneser-Ney (Chen and Goodman 1998), as KenLM's lmplz estimates it.

Discounts come from the counts of counts of each order. Where these give none (an order without n-grams of count 1, 2
or 3, or a discount out of range: too little text, or text full of duplicates) the order falls back on fixed ones,
and the report says so. The result depends on the text alone: not on threads, hashes or the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plainwright import _core
from plainwright.errors import DataError
from plainwright.files import iter_lines
from plainwright.lm import write_model

__all__ = ["DEFAULT_FALLBACK", "MAX_ORDER", "EstimatedModel", "OrderReport", "estimate", "estimate_files"]

MAX_ORDER = 5
DEFAULT_FALLBACK = (0.5, 1.0, 1.5)  # lmplz's

Progress = Callable[[str, int, int], None]  # what is being done, bytes done, bytes in all

_LINES_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderReport:
    """Says what became of the n-grams of one order."""

    order: int
    counted: int
    kept: int
    discounts: tuple[float, float, float]
    fallback: bool  # the discounts are not from the text


@dataclass(frozen=True, slots=True, kw_only=True)
class EstimatedModel:
    """Holds a model in memory, with how it came about."""

    ngrams: _core.NgramModel
    sentences: int
    tokens: int
    types: int  # words with <unk>, <s> and </s>
    orders: tuple[OrderReport, ...]

    def save(self, path: str | Path) -> None:
        """Write ARPA text if the name ends in .arpa or .arpa.gz, otherwise a packed model."""
        write_model(self.ngrams, path)


def estimate(
    lines: Iterable[str],
    *,
    order: int = 5,
    prune: Sequence[int] = (0,),
    fallback: tuple[float, float, float] = DEFAULT_FALLBACK,
) -> EstimatedModel:
    """Estimate a model from tokenised sentences.

    `prune[i]` leaves out n-grams of order i + 1 that occur at most so often; the last one holds for higher orders.
    """
    _check(order, prune, fallback)
    estimator = _core.KneserNeyEstimator()
    _add(estimator, lines, name="lines")
    return _finish(estimator, order, prune, fallback)


def estimate_files(
    paths: Iterable[str | Path],
    *,
    order: int = 5,
    prune: Sequence[int] = (0,),
    fallback: tuple[float, float, float] = DEFAULT_FALLBACK,
    progress: Progress | None = None,
) -> EstimatedModel:
    """Estimate a model from files with one tokenised sentence a line, gzip undone for names ending in .gz."""
    _check(order, prune, fallback)
    estimator = _core.KneserNeyEstimator()
    for path in paths:
        _add(estimator, iter_lines(path, progress=_counting(path, progress)), name=str(path))
    if progress is not None:
        progress("estimating", 0, 0)
    return _finish(estimator, order, prune, fallback)


def _check(order: int, prune: Sequence[int], fallback: tuple[float, float, float]) -> None:
    if not 1 <= order <= MAX_ORDER:
        msg = f"order must be from 1 to {MAX_ORDER}, got {order}"
        raise DataError(msg)
    if not prune or prune[0] != 0 or list(prune) != sorted(prune) or len(prune) > order:
        msg = f"prune needs 1 to {order} thresholds that start with 0 and never fall, got {list(prune)}"
        raise DataError(msg)
    if len(fallback) != 3 or not all(0 < value <= limit for value, limit in zip(fallback, (1, 2, 3), strict=True)):
        msg = f"fallback needs three discounts above 0 and at most 1, 2 and 3, got {list(fallback)}"
        raise DataError(msg)


def _counting(path: str | Path, progress: Progress | None) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(f"counting {path}", done, total)


def _add(estimator: _core.KneserNeyEstimator, lines: Iterable[str], *, name: str) -> None:
    if isinstance(lines, str):
        msg = "expected a list of sentences, got one string; put it into a list"
        raise DataError(msg)
    rest = iter(lines)
    done = 0
    while some := list(islice(rest, _LINES_AT_ONCE)):
        if (problem := estimator.add(some)) is not None:
            msg = f"{name}:{done + problem[0] + 1}: {problem[1]}"
            raise DataError(msg)
        done += len(some)


def _finish(
    estimator: _core.KneserNeyEstimator, order: int, prune: Sequence[int], fallback: tuple[float, float, float]
) -> EstimatedModel:
    if estimator.tokens == 0:
        msg = "a language model needs text, got none but white space"
        raise DataError(msg)
    model, reports = estimator.estimate(order=order, prune=list(prune), fallback=fallback)
    orders = tuple(
        OrderReport(order=n, counted=counted, kept=kept, discounts=(d[0], d[1], d[2]), fallback=fell_back)
        for n, (counted, kept, d, fell_back) in enumerate(reports, start=1)
    )
    return EstimatedModel(
        ngrams=model,
        sentences=estimator.sentences,
        tokens=estimator.tokens,
        types=estimator.types,
        orders=orders,
    )
