"""Choosers by name: the model's first choice, or another proposal for a reason of its own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from plainwright.arguments import check_choice, check_text
from plainwright.errors import DataError
from plainwright.rewrite.types import Chooser, Shortlist, tokenised

if TYPE_CHECKING:
    from plainwright.metrics.base import Metric

__all__ = ["CHOOSERS", "BestByMetric", "Dissimilar", "MinimumBayesRisk", "chooser"]

_FEW_REFERENCES = 8  # for metrics that take long


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissimilar:
    """Takes what differs most from the source, as PBMT-R does (Wubben et al., 2012)."""

    name = "dissimilar"
    wants: int = 10

    def choose(self, batch: Sequence[Shortlist]) -> list[int]:
        """Choose the proposal of each list that has most words changed."""
        from plainwright.rewrite.choose.utility import most_dissimilar

        chosen = []
        for shortlist in batch:
            texts = _texts(shortlist, raw=False)
            chosen.append(most_dissimilar(_source(shortlist, raw=False), texts, best=len(texts)))
        return chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimumBayesRisk:
    """Takes what has the highest expected utility beside the other proposals (Kumar and Byrne, 2004)."""

    name = "mbr"
    utility: Metric
    pseudo_references: int | None = None
    sharpness: float = 1.0
    threads: int = 1
    wants: int = 100

    def choose(self, batch: Sequence[Shortlist]) -> list[int]:
        """Choose the proposal of each list that the others agree with most."""
        from plainwright.rewrite.choose.utility import minimum_bayes_risk

        raw = self.utility.reads_raw_text
        return [
            minimum_bayes_risk(
                _source(shortlist, raw=raw),
                _texts(shortlist, raw=raw),
                [proposal.score for proposal in shortlist.proposals],
                utility=self.utility,
                sharpness=self.sharpness,
                pseudo_references=self.pseudo_references,
                threads=self.threads,
            )
            for shortlist in batch
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestByMetric:
    """Takes what a metric likes best, beside the other proposals or beside outputs of other systems."""

    name = "metric"
    utility: Metric
    pseudo_references: int | None = None
    threads: int = 1
    wants: int = 100

    def choose(self, batch: Sequence[Shortlist]) -> list[int]:
        """Choose the proposal of each list with the highest value."""
        return [rank for _, passage in itertools.groupby(batch, lambda s: s.passage) for rank in self._passage(passage)]

    def _passage(self, passage: Iterator[Shortlist]) -> list[int]:
        shortlists = list(passage)
        raw = self.utility.reads_raw_text
        texts = [_texts(shortlist, raw=raw) for shortlist in shortlists]
        sources = [_source(shortlist, raw=raw) for shortlist in shortlists]
        references = shortlists[0].references
        if references is None:
            return [
                self._best(source, own, shortlist)
                for source, own, shortlist in zip(sources, texts, shortlists, strict=True)
            ]
        usable = [text if raw else tokenised(text) for text in references if text.strip()]
        if not usable:
            return [0] * len(shortlists)
        # Other systems divide a text in other places, so a sentence is judged inside its text.
        current = [own[0] for own in texts]
        chosen = []
        for number, shortlist in enumerate(shortlists):
            whole = [" ".join((*current[:number], text, *current[number + 1 :])) for text in texts[number]]
            chosen.append(self._best(" ".join(sources), whole, shortlist, usable))
            current[number] = texts[number][chosen[-1]]
        return chosen

    def _best(
        self, source: str, texts: Sequence[str], shortlist: Shortlist, references: Sequence[str] | None = None
    ) -> int:
        from plainwright.rewrite.choose.utility import best_by_metric

        return best_by_metric(
            source,
            texts,
            [proposal.score for proposal in shortlist.proposals],
            metric=self.utility,
            references=references,
            pseudo_references=self.pseudo_references,
            threads=self.threads,
        )


CHOOSERS = ("dissimilar", "judge", "mbr", "mbr-lens", "metric")


def chooser(
    name: str,
    *,
    utility: str | Metric | None = None,
    pseudo_references: int | Literal["all"] | None = None,
    sharpness: float | None = None,
    wants: int | None = None,
    threads: int = 1,
) -> Chooser:
    """The chooser of that name; `mbr` and `metric` ask a metric, the `utility`; `judge` is `metric` with the judge.

    Without a `utility` they ask SARI. Without a number of `pseudo_references`, all proposals serve, but only 8 for a
    metric that takes long. `sharpness` is 1 unless given. `mbr-lens` is equation 5 of Maddela et al. (2023): `mbr` with
    LENS, all proposals and a sharpness of 0; its `utility` may be a LENS with another model. `wants` is how many
    proposals are looked at: 10 for `dissimilar`, else 100.
    """
    check_text(name, "chooser", "name")
    if sharpness is not None and not 0 <= sharpness < math.inf:
        msg = f"sharpness must be a number from 0, got {sharpness!r}"
        raise DataError(msg)
    check_choice(name, CHOOSERS, "chooser", listing="choose among")
    if name == "mbr-lens":
        return _equation_5(utility, pseudo_references, sharpness, wants=wants, threads=threads)
    if utility is not None and name not in ("mbr", "metric"):
        msg = f"utility: expected mbr or metric with it, found {name}"
        raise DataError(msg)
    if name == "dissimilar":
        return Dissimilar(wants=wants or Dissimilar().wants)
    if name == "judge":
        name, utility = "metric", "judge"
    metric = _metric("sari" if utility is None else utility, alone=name == "metric")
    if metric.compares_alone and pseudo_references is not None:
        msg = f"pseudo_references: expected a metric that looks at references, found {metric.name}"
        raise DataError(msg)
    number = None if pseudo_references == "all" else pseudo_references
    if pseudo_references is None and metric.costly and not metric.compares_alone:
        number = _FEW_REFERENCES
    if name == "metric":
        return BestByMetric(utility=metric, pseudo_references=number, threads=threads, wants=wants or 100)
    return MinimumBayesRisk(
        utility=metric,
        pseudo_references=number,
        sharpness=1.0 if sharpness is None else sharpness,
        threads=threads,
        wants=wants or 100,
    )


def _equation_5(
    utility: str | Metric | None, pseudo_references: object, sharpness: object, *, wants: int | None, threads: int
) -> Chooser:
    fixed = {"pseudo_references": pseudo_references, "sharpness": sharpness}
    for option, value in fixed.items():
        if value is not None:
            msg = f"{option}: expected mbr with it, found mbr-lens, which fixes it; leave it out"
            raise DataError(msg)
    if utility is not None and (isinstance(utility, str) or utility.name != "lens"):
        msg = f"utility: expected none with mbr-lens, or a LENS, found {utility!r}; choose mbr for other metrics"
        raise DataError(msg)
    return chooser(
        "mbr", utility=utility or "lens", pseudo_references="all", sharpness=0.0, wants=wants, threads=threads
    )


def _metric(utility: str | Metric, *, alone: bool) -> Metric:
    from plainwright.metrics import create, metric_class, metric_names

    metric = create(utility) if isinstance(utility, str) else utility
    if not metric.needs_references and not (alone and metric.compares_alone):
        usable = ", ".join(sorted(name for name in metric_names() if metric_class(name).needs_references))
        msg = f"{metric.name} looks at no references, so it cannot compare candidates; choose one of {usable}"
        raise DataError(msg)
    metric.signature()  # opens the model of a learned one: if it is missing, that is said before the work
    return metric


def _texts(shortlist: Shortlist, *, raw: bool) -> list[str]:
    return [proposal.text if raw else proposal.tokenised for proposal in shortlist.proposals]


def _source(shortlist: Shortlist, *, raw: bool) -> str:
    return shortlist.sentence.text if raw else " ".join(shortlist.sentence.words)
