"""How much outputs split their sources, described as in Table 1 of Sulem et al. (2018)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from plainwright.metrics.base import Array, Metric, References, Texts
from plainwright.text import readability_counts_lines

__all__ = ["Splits"]


class Splits(Metric):
    """Describes how much outputs split their sources; no references are needed.

    - `splits`: sentences of an output, the mean over all segments.
    - `split_share`: segments whose output has more sentences than their source, in %.
    """

    name: ClassVar[str] = "splits"
    stat_names = ("sentences", "split", "segments")
    heading = "sentences"
    title = "Sentences per input"
    meaning = "how many sentences an input became, and how many inputs were split; a description, no judgement"
    shown_parts = ("split_share",)
    part_headings: ClassVar[Mapping[str, str]] = {"split_share": "split, %"}
    higher_is_better: ClassVar[bool | None] = None
    needs_references = False

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return {"unit": "sentences"}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        segments = stats[..., 2]
        return {"splits": stats[..., 0] / segments, "split_share": 100 * stats[..., 1] / segments}

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        before = readability_counts_lines(sources, threads=threads)[:, 0]
        after = readability_counts_lines(outputs, threads=threads)[:, 0]
        return np.stack([after, after > before, np.ones(len(outputs))], axis=-1).astype(np.float64)
