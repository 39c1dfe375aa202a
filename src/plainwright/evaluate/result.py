"""The outcome of `plainwright evaluate`: systems, scores, intervals and comparisons, ready to print or plot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright.arguments import check_text
from plainwright.metrics.base import Metric
from plainwright.metrics.result import Score

__all__ = ["Comparison", "Evaluation", "SystemResult", "metric_and_variant"]


def metric_and_variant(column: str) -> tuple[str, str]:
    """What a column of scores holds: "sari=easse" is SARI in the variant easse, "sari" SARI in no named variant.

    Only where several variants of one metric are scored do the names of their columns name them.
    """
    check_text(column, "metric_and_variant", "column")
    metric, _, variant = column.partition("=")
    return metric, variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One system against the best one under one metric."""

    best: str
    difference: float  # this system minus the best
    p_value: float
    test: str  # "bootstrap" or "randomisation"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemResult:
    """One system: its outputs and its scores, for the whole set and for each segment."""

    name: str
    outputs: tuple[str, ...]
    scores: Mapping[str, Score]  # metric -> corpus score; "sari=easse" where several variants of a metric are scored
    # Value per segment: "sari", "bleu", … and parts such as "sari.add"; nan where a segment has no value.
    segments: Mapping[str, npt.NDArray[np.float64]]
    comparisons: Mapping[str, Comparison]  # as in `scores` -> against the best; the best itself is absent


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All systems on one set."""

    dataset: str | None  # registered name, None for plain files
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # references[i] belongs to segment i
    systems: tuple[SystemResult, ...]
    kinds: Mapping[str, type[Metric]]  # as in `scores` -> class of the metric
    warnings: tuple[str, ...]
    confidence: float
    resamples: int
    seed: int
    version: str

    @property
    def higher_is_better(self) -> dict[str, bool | None]:
        """As in `scores` -> direction, None for neutral profiles."""
        return {column: kind.higher_is_better for column, kind in self.kinds.items()}
