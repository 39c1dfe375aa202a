"""Choosing another candidate than the one that the model likes best, by name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from plainwright.decode import best_by_metric, minimum_bayes_risk, most_dissimilar
from plainwright.errors import DataError
from plainwright.metrics.base import Metric

__all__ = ["RERANKERS", "Rerank", "Reranker", "Shortlist", "reranker"]

Rerank = Literal["dissimilar", "mbr", "metric"]

RERANKERS: dict[Rerank, int] = {"dissimilar": 10, "mbr": 100, "metric": 100}  # and how many candidates each looks at
_FEW_REFERENCES = 8  # for metrics that take long


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlist:
    """The candidates of one sentence, best first, as the reranker reads them: tokens, or text as readers see it."""

    source: str
    texts: Sequence[str]
    scores: Sequence[float]

    def inside(self, before: Sequence[str], after: Sequence[str], source: str) -> Shortlist:
        """The same between other sentences."""
        return Shortlist(
            source=source, texts=[" ".join((*before, text, *after)) for text in self.texts], scores=self.scores
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranker:
    """Takes one of each shortlist; `utility` is the metric that it asks, if any."""

    name: Rerank
    utility: Metric | None
    pseudo_references: int | None
    sharpness: float
    threads: int

    @property
    def reads_raw_text(self) -> bool:
        """Whether candidates are to be given as readers see them."""
        return self.utility is not None and self.utility.reads_raw_text

    def choose(self, shortlist: Shortlist, references: Sequence[str] | None = None) -> int:
        """The position of the best candidate; `references` are pseudo-references from elsewhere."""
        arguments = (shortlist.source, shortlist.texts, shortlist.scores)
        if self.utility is None:
            return most_dissimilar(shortlist.source, shortlist.texts, best=len(shortlist.texts))
        if self.name == "mbr":
            return minimum_bayes_risk(
                *arguments,
                utility=self.utility,
                sharpness=self.sharpness,
                pseudo_references=self.pseudo_references,
                threads=self.threads,
            )
        return best_by_metric(
            *arguments,
            metric=self.utility,
            references=references,
            pseudo_references=self.pseudo_references,
            threads=self.threads,
        )

    def choose_each(self, shortlists: Sequence[Shortlist], references: Sequence[str] | None) -> list[int]:
        """The best candidate of every sentence of a text; `references` are for the whole text."""
        if references is None:
            return [self.choose(shortlist) for shortlist in shortlists]
        usable = [text for text in references if text.strip()]
        if not usable:
            return [0] * len(shortlists)
        # Other systems part a text in other places, so a sentence is judged inside its text.
        source = " ".join(shortlist.source for shortlist in shortlists)
        current = [shortlist.texts[0] for shortlist in shortlists]
        chosen = []
        for number, shortlist in enumerate(shortlists):
            whole = shortlist.inside(current[:number], current[number + 1 :], source)
            chosen.append(self.choose(whole, usable))
            current[number] = shortlist.texts[chosen[-1]]
        return chosen


def reranker(
    name: Rerank,
    *,
    utility: str | Metric = "sari",
    pseudo_references: int | None = None,
    sharpness: float = 1.0,
    threads: int = 1,
) -> Reranker:
    """`dissimilar` is PBMT-R (Wubben et al., 2012); `mbr` and `metric` ask a metric, the `utility`.

    `mbr` takes the highest expected value with other candidates as references, `metric` the highest value with all
    pseudo-references at once. Without a number of `pseudo_references`, all candidates serve, but only 8 for a metric
    that takes long.
    """
    if not 0 <= sharpness < math.inf:
        msg = f"sharpness must be a number from 0, got {sharpness!r}"
        raise DataError(msg)
    metric = None if name == "dissimilar" else _metric(utility)
    if pseudo_references is None and metric is not None and metric.costly:
        pseudo_references = _FEW_REFERENCES
    return Reranker(
        name=name, utility=metric, pseudo_references=pseudo_references, sharpness=sharpness, threads=threads
    )


def _metric(utility: str | Metric) -> Metric:
    from plainwright.metrics import LEARNED, METRICS, create

    metric = create(utility) if isinstance(utility, str) else utility
    if not metric.needs_references:
        usable = ", ".join(sorted((*LEARNED, *(name for name, kind in METRICS.items() if kind.needs_references))))
        msg = f"{metric.name} looks at no references, so it cannot compare candidates; choose one of {usable}"
        raise DataError(msg)
    metric.signature()  # opens the model of a learned one: if it is missing, that is told before the work
    return metric
