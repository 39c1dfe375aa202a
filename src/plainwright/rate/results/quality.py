"""How carefully each rater worked: controls, repeats, time, agreement with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from plainwright.rate.forms.registry import form_of
from plainwright.rate.results.controls import (
    Degraded,
    Repeats,
    Standing,
    Total,
    choices_twice,
    degraded_of,
    outputs_twice,
    repeats_of,
    standing_of,
    standings,
    totals,
)
from plainwright.rate.results.findings import Judge, QualityFinding, QualityLimits
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.rows import Judgement
from plainwright.rate.results.table import judgements_of, main_rows, ratings_of
from plainwright.study.raters import RaterReport, rater_reports

__all__ = ["Degraded", "QualityFinding", "QualityLimits", "RaterQuality", "Repeats", "Standing", "quality_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterQuality:
    """What one rater did."""

    rater: str
    pages: int  # finished, without training; second times count
    outputs: int
    seconds: float  # median for a page
    seconds_per_output: float  # median over pages
    seconds_per_word: float | None  # that were to be read, median over pages; None: all of them were imported
    last: float  # when the last page was finished
    contradictions: int  # pairs of outputs whose scores were kept against their order
    contradicting_pages: int
    degraded: Degraded
    standings: tuple[Standing, ...]  # of the source and of the reference, where they are in the study
    repeats: Repeats
    reports: Mapping[str, RaterReport]  # by aspect: spread, agreement with others, drift
    findings: tuple[QualityFinding, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "rater": self.rater,
            "pages": self.pages,
            "outputs": self.outputs,
            "seconds": self.seconds,
            "seconds_per_output": self.seconds_per_output,
            **({} if self.seconds_per_word is None else {"seconds_per_word": self.seconds_per_word}),
            "contradictions": self.contradictions,
            "contradicting_pages": self.contradicting_pages,
            "degraded": {
                "below": self.degraded.below,
                "equal": self.degraded.equal,
                "above": self.degraded.above,
                "share": self.degraded.share.to_dict(),
            },
            "standings": {
                standing.control: {
                    "own": standing.own.to_dict(),
                    **({} if standing.others is None else {"others": standing.others}),
                    "difference": standing.difference.to_dict(),
                }
                for standing in self.standings
            },
            "repeats": {
                "items": self.repeats.items,
                "difference": self.repeats.difference.to_dict(),
                **({} if self.repeats.by_chance is None else {"by_chance": self.repeats.by_chance}),
                "correlation": self.repeats.correlation.to_dict(),
            },
            "aspects": {aspect: report.to_dict() for aspect, report in self.reports.items()},
            "findings": [{"kind": finding.kind, "sentence": finding.sentence} for finding in self.findings],
        }


def quality_of(
    record: Record,
    rows: Sequence[Judgement] | None = None,
    *,
    limits: QualityLimits | None = None,
    resamples: int = 200,
    seed: int = 12345,
) -> tuple[RaterQuality, ...]:
    """A report on each rater who finished a page after training, in order of appearance.

    `rows` are those of the record, if somebody has them already. A thousand pages take about a second.
    """
    rows = judgements_of(record) if rows is None else rows
    pairs = form_of(record.settings).compares
    outputs = totals(rows)
    placed = standings(outputs, pairs=pairs)
    reports = _reports(main_rows(rows), resamples, seed)
    described = [
        replace(
            _described(rater, pages, outputs.get(rater, ()), pairs=pairs),
            standings=tuple(standing_of(rater, control, by_item) for control, by_item in placed.items()),
            reports=reports.get(rater, {}),
        )
        for rater, pages in _by_rater(page for page in record.pages if not page.training).items()
    ]
    judge = Judge(described, limits or QualityLimits())
    return tuple(replace(quality, findings=judge.findings(quality)) for quality in described)


def _described(rater: str, pages: Sequence[RatedPage], outputs: Sequence[Total], *, pairs: bool) -> RaterQuality:
    """What a rater's own pages say, without a look at others."""
    return RaterQuality(
        rater=rater,
        pages=len(pages),
        outputs=sum(len(page.cards) for page in pages),
        seconds=median(page.work.seconds for page in pages),
        seconds_per_output=median(page.work.seconds / max(1, len(page.cards)) for page in pages),
        seconds_per_word=_seconds_per_word(pages),
        last=max(page.finished for page in pages),
        contradictions=sum(len(page.work.contradictions) for page in pages),
        contradicting_pages=sum(bool(page.work.contradictions) for page in pages),
        degraded=degraded_of(outputs, pairs=pairs),
        repeats=repeats_of(choices_twice(pages) if pairs else outputs_twice(outputs)),
        standings=(),
        reports={},
    )


def _seconds_per_word(pages: Sequence[RatedPage]) -> float | None:
    """Words of the outputs, and of the source on the first page of an item: later, the rater knows it."""
    known: set[str] = set()
    rates = []
    for page in pages:
        if page.imported:
            continue
        shown = [card.text for card in page.cards] + ([] if page.item in known else [page.source])
        known.add(page.item)
        rates.append(page.work.seconds / max(1, sum(len(text.split()) for text in shown)))
    return median(rates) if rates else None


def _by_rater(pages: Iterable[RatedPage]) -> dict[str, list[RatedPage]]:
    by_rater: dict[str, list[RatedPage]] = defaultdict(list)
    for page in sorted(pages, key=lambda page: page.number):
        by_rater[page.rater].append(page)
    return by_rater


def _reports(rows: Sequence[Judgement], resamples: int, seed: int) -> dict[str, dict[str, RaterReport]]:
    """By rater and aspect."""
    reports: dict[str, dict[str, RaterReport]] = defaultdict(dict)
    ratings = ratings_of(rows)
    for aspect in ratings.aspects:
        for report in rater_reports(ratings, aspect, resamples=resamples, seed=seed):
            reports[report.rater][aspect] = report
    return reports
