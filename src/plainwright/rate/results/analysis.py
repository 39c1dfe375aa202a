"""All that a study found: agreement, systems, position bias, and how its raters worked.

Agreement is that of `plainwright study agree` on the exported table: the same functions, the same order of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.rate.forms.registry import form_of
from plainwright.rate.identical import Identical
from plainwright.rate.results.bias import PositionBias, position_bias, position_bias_of_pairs
from plainwright.rate.results.quality import RaterQuality, quality_of
from plainwright.rate.results.record import Record
from plainwright.rate.results.rows import Judgement
from plainwright.rate.results.systems import SystemRanking, SystemTest, rank_systems
from plainwright.rate.results.table import comparisons_of, judgements_of, main_rows, ratings_of
from plainwright.study.agreement import AspectAgreement, Level, aspect_agreement
from plainwright.study.comparisons import Correction
from plainwright.study.ratings import Ratings, Summary, Values, standardised, summarise

__all__ = ["Analysis", "AspectAnalysis", "analyse"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectAnalysis:
    """One question."""

    aspect: str
    raw: AspectAgreement
    z: AspectAgreement
    systems: SystemRanking
    position: PositionBias

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "aspect": self.aspect,
            "agreement": {"raw": self.raw.to_dict(), "z": self.z.to_dict()},
            "systems": self.systems.to_dict(),
            "position": self.position.to_dict(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """A whole study."""

    study: str
    form: str
    pages: int  # finished, without training and second times
    ratings: Ratings  # what systems are judged by, with z-scores
    summary: Summary
    aspects: tuple[AspectAnalysis, ...]
    quality: tuple[RaterQuality, ...]
    identical: Identical | None = None  # of pairs, what nobody was asked to compare

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        return {
            "study": self.study,
            "form": self.form,
            "pages": self.pages,
            "summary": self.summary.to_dict(),
            "aspects": [aspect.to_dict() for aspect in self.aspects],
            "raters": [rater.to_dict() for rater in self.quality],
            **({} if self.identical is None else {"identical": self.identical.to_dict()}),
        }


def analyse(
    record: Record,
    *,
    aspects: Sequence[str] = (),
    values: Values = "raw",
    level: Level = "interval",
    test: SystemTest = "permutation",
    correction: Correction = "holm",
    significance: float = 0.05,
    trials: int = 10_000,
    ddof: int = 0,
    resamples: int = 1000,
    seed: int = 12345,
) -> Analysis:
    """Everything at once; `aspects` are all unless some are named, `values` are what systems are compared by."""
    if form_of(record.settings).writes:
        msg = f"study {record.settings.title!r}: raters wrote texts, and there are no ratings to analyse; export them"
        raise DataError(msg)
    rows = judgements_of(record)
    main = main_rows(rows)
    if not main:
        msg = f"study {record.settings.title!r}: no page is finished yet, so there is nothing to analyse"
        raise DataError(msg)
    ratings = standardised(ratings_of(main), ddof=ddof)
    for name in aspects:
        check_choice(name, ratings.aspects, "aspect", listing="this study has")
    return Analysis(
        study=record.settings.title,
        form=record.settings.form,
        pages=sum(not (page.training or page.repeat) for page in record.pages),
        ratings=ratings,
        summary=summarise(ratings),
        aspects=tuple(
            AspectAnalysis(
                aspect=name,
                raw=aspect_agreement(ratings, name, values="raw", level=level, resamples=resamples, seed=seed),
                z=aspect_agreement(ratings, name, values="z", level=level, resamples=resamples, seed=seed),
                systems=rank_systems(
                    ratings,
                    name,
                    values=values,
                    test=test,
                    correction=correction,
                    level=significance,
                    trials=trials,
                    resamples=resamples,
                    seed=seed,
                ),
                position=_position(record, rows, ratings, name, significance),
            )
            for name in aspects or ratings.aspects
        ),
        quality=quality_of(record, rows, resamples=resamples, seed=seed),
        identical=record.identical,
    )


def _position(
    record: Record, rows: Sequence[Judgement], ratings: Ratings, aspect: str, significance: float
) -> PositionBias:
    scale = next(row.scale for row in ratings if row.aspect == aspect)
    assert scale is not None
    if form_of(record.settings).compares:
        return position_bias_of_pairs(comparisons_of(record), aspect, scale, level=significance)
    return position_bias(rows, aspect, scale, level=significance)
