"""What a study page shows: the results that were computed, and the reasons for those that were not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plainwright.study.agreement import AspectAgreement
from plainwright.study.correlation import CorrelationStudy
from plainwright.study.plan_result import Plan
from plainwright.study.ratings import Ratings
from plainwright.study.resample_result import Resampling
from plainwright.study.tradeoff import Tradeoff

__all__ = ["StudyReport"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyReport:
    """Results for one page; what could not be computed says so: `problems` has the reasons by section.

    The keys are those of the page's sections: ratings, agreement, correlation, tradeoffs, resampling, plan.
    """

    title: str = "Study"
    ratings: Ratings | None = None
    agreement: tuple[AspectAgreement, ...] = ()
    correlation: tuple[CorrelationStudy, ...] = ()  # one a level
    tradeoffs: tuple[Tradeoff, ...] = ()
    resampling: tuple[Resampling, ...] = ()  # one an aspect
    plan: Plan | None = None
    problems: Mapping[str, str] = field(default_factory=dict)
