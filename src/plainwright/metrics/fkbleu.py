"""FKBLEU (Xu et al., 2016): iBLEU and the gain in readability, as one number.

The printed Eq. 3 is a plain product, and its FKdiff would reward harder text; the sentence before it says
geometric mean, and Table 5 agrees with sqrt(iBLEU x sigmoid(FK(source) - FK(output))), mean over segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright.metrics.base import (
    Array,
    Metric,
    OptionReaders,
    Prepared,
    References,
    Texts,
    as_data_error,
    checked_choice,
)
from plainwright.metrics.fk import FK_VARIANTS, grade_levels, syllables_version
from plainwright.metrics.ibleu import IBLEU

__all__ = ["FKBLEU"]


class FKBLEU(Metric):
    """Geometric mean of iBLEU and the readability gain, from 0 to 100; a negative iBLEU counts as 0."""

    name: ClassVar[str] = "fkbleu"
    stat_names = ("fkbleu", "ibleu", "readability_gain", "segments")
    heading = "FKBLEU"
    meaning = "iBLEU combined with the gain in readability (Xu et al., 2016)"
    variant_option = "fk_variant"
    text_options = frozenset({"tokenizer", "lowercase"})
    further_options: ClassVar[OptionReaders] = {"alpha": float}
    raw_options: ClassVar[Mapping[str, str]] = {"fk_variant": "plain"}

    def __init__(
        self,
        *,
        alpha: float = 0.9,
        fk_variant: Literal["paper", "released", "plain"] = "released",
        tokenizer: str = "13a",
        lowercase: bool = False,
        reference_length: Literal["closest", "shortest", "mean"] = "mean",
    ) -> None:
        self.fk_variant = checked_choice("fkbleu", "fk_variant", fk_variant, FK_VARIANTS)
        self.ibleu = IBLEU(alpha=alpha, tokenizer=tokenizer, lowercase=lowercase, reference_length=reference_length)

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return {"fk": self.fk_variant, "syllables": syllables_version(self.fk_variant), **self.ibleu.config()}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        means = stats[..., :3] / stats[..., 3:4]
        return {"fkbleu": means[..., 0], "ibleu": means[..., 1], "readability_gain": means[..., 2]}

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`."""
        ibleu = self.ibleu.prepare(source, references)
        assert source is not None
        return _PreparedFkbleu(self, source, ibleu)

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        ibleu = self.ibleu.sentence_scores(sources, outputs, references, threads=threads)
        before = grade_levels(sources, variant=self.fk_variant, threads=threads)
        after = grade_levels(outputs, variant=self.fk_variant, threads=threads)
        return _combined(ibleu, before - after)


class _PreparedFkbleu(Prepared):
    def __init__(self, metric: FKBLEU, source: str, ibleu: Prepared) -> None:
        super().__init__(metric)
        self._variant = metric.fk_variant
        self._ibleu = ibleu
        [self._before] = grade_levels([source], variant=metric.fk_variant)

    @as_data_error
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        after = grade_levels(candidates, variant=self._variant, threads=threads)
        return _combined(self._ibleu.score_many(candidates, threads=threads), self._before - after)


def _combined(ibleu: Array, grades_gained: Array) -> Array:
    gain = 100.0 / (1.0 + np.exp(-grades_gained))
    value = np.sqrt(np.maximum(ibleu, 0.0) * gain)
    return np.stack([value, ibleu, gain, np.ones_like(value)], axis=-1)
