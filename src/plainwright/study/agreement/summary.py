"""All that is said about the agreement on one aspect: alpha, kappa, correlations, every rater, and what it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from plainwright.study.agreement.alpha import Level, krippendorff_alpha
from plainwright.study.agreement.kappa import RepeatedKappa, Rounding, cohen_kappa, repeated_kappa
from plainwright.study.agreement.pairs import RaterCorrelations, pairwise_correlations
from plainwright.study.estimate import Estimate
from plainwright.study.raters import Limits, RaterReport, rater_reports
from plainwright.study.ratings import Cube, Ratings, Scale
from plainwright.study.ratings.table import Values, check_ratings

__all__ = ["RELIABLE", "TENTATIVE", "AspectAgreement", "aspect_agreement"]

# Krippendorff (2004), Content Analysis, chapter 11: what alpha allows.
RELIABLE = 0.800
TENTATIVE = 0.667


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectAgreement:
    """Says how far raters agree on one aspect; kappa is that of scores as given, whatever `values` are."""

    aspect: str
    items: int
    systems: int
    outputs: int
    ratings: int
    scale: Scale | None  # None: not stated, or not the same for all
    values: Values
    level: Level
    alpha: Estimate
    kappa: Estimate | RepeatedKappa  # with two raters in all, plain Cohen's kappa
    correlations: RaterCorrelations
    raters: tuple[RaterReport, ...]
    resamples: int
    seed: int

    @property
    def kappa_estimate(self) -> Estimate:
        """Kappa as one value: the median, where raters were drawn."""
        return self.kappa.median if isinstance(self.kappa, RepeatedKappa) else self.kappa

    @property
    def statement(self) -> str:
        """What alpha means, in plain sentences."""
        if self.alpha.value is None:
            return f"There is no alpha: {self.alpha.problem}."
        shown = (
            f"The raters disagree {100 * (1 - self.alpha.value):.0f} % as much as ratings dealt out at random would. "
        )
        return shown + _verdict(self.alpha)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; what is absent is left out."""
        return {
            "aspect": self.aspect,
            "items": self.items,
            "systems": self.systems,
            "outputs": self.outputs,
            "ratings": self.ratings,
            **({} if self.scale is None else {"scale": str(self.scale)}),
            "values": self.values,
            "level": self.level,
            "alpha": self.alpha.to_dict(),
            "kappa": self.kappa.to_dict(),
            "correlations": self.correlations.to_dict(),
            "raters": [report.to_dict() for report in self.raters],
            "statement": self.statement,
            "resamples": self.resamples,
            "seed": self.seed,
        }


def aspect_agreement(
    ratings: Ratings,
    aspect: str,
    *,
    values: Values = "raw",
    level: Level = "interval",
    rounding: Rounding = "away",
    draws: int = 1000,
    limits: Limits | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> AspectAgreement:
    """Return alpha and correlations of the `values`, kappa of the scores as given, and a report on each rater."""
    check_ratings(ratings, "aspect_agreement")
    cube = ratings.cube(aspect, values)
    scales = {row.scale for row in ratings if row.aspect == aspect}
    scale = scales.pop() if len(scales) == 1 else None
    return AspectAgreement(
        aspect=aspect,
        items=len(cube.items),
        systems=len(cube.systems),
        outputs=int(np.isfinite(cube.means).sum()),
        ratings=int(np.isfinite(cube.scores).sum()),
        scale=scale,
        values=values,
        level=level,
        alpha=krippendorff_alpha(cube.scores, level, resamples=resamples, seed=seed),
        kappa=_kappa(ratings.cube(aspect), scale, rounding, draws, resamples, seed),
        correlations=pairwise_correlations(cube, resamples=resamples, seed=seed),
        raters=rater_reports(ratings, aspect, values=values, limits=limits, resamples=resamples, seed=seed),
        resamples=resamples,
        seed=seed,
    )


def _kappa(
    cube: Cube, scale: Scale | None, rounding: Rounding, draws: int, resamples: int, seed: int
) -> Estimate | RepeatedKappa:
    if scale is None:
        problem = "kappa needs one scale with steps for all ratings, as in '1..5 by 1', and none is stated"
        return Estimate(value=None, n=0, problem=problem)
    if len(cube.raters) == 2 and scale.step is not None:
        first, second = cube.scores[..., 0], cube.scores[..., 1]
        return cohen_kappa(first, second, weights="quadratic", resamples=resamples, seed=seed)
    return repeated_kappa(cube.scores, scale, rounding=rounding, repetitions=draws, resamples=resamples, seed=seed)


def _verdict(alpha: Estimate) -> str:
    low, high = (alpha.interval.low, alpha.interval.high) if alpha.interval else (alpha.value, alpha.value)
    assert low is not None
    assert high is not None
    if low <= 0:
        return "That cannot be told from chance."
    if low >= RELIABLE:
        return f"That is reliable: all of the interval lies above {RELIABLE:.3f} (Krippendorff, 2004)."
    if low >= TENTATIVE:
        return f"That allows tentative conclusions, above {TENTATIVE:.3f}, and not firm ones, from {RELIABLE:.3f} on."
    if high < TENTATIVE:
        return (
            f"That is better than chance, but below {TENTATIVE:.3f}, the least for tentative conclusions from single "
            "ratings (Krippendorff, 2004); means over raters and sentences are steadier."
        )
    return f"More items would have to show whether it is above {TENTATIVE:.3f}, the least for tentative conclusions."
