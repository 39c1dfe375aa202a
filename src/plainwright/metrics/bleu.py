"""BLEU (Papineni et al., 2002) with sacreBLEU's counting, smoothing and defaults (Post, 2018)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright import _core
from plainwright.errors import DataError
from plainwright.metrics.base import Array, Metric, OptionReaders, Prepared, as_data_error, checked_choice, mean_stats
from plainwright.metrics.result import Score

__all__ = ["BLEU", "Smoothing"]

Smoothing = Literal["none", "floor", "add-k", "exp"]
_DEFAULT_SMOOTH_VALUE: Mapping[str, float] = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}


class BLEU(Metric):
    """Computes the geometric mean of clipped n-gram precisions times a brevity penalty, from 0 to 100.

    `average` "corpus" sums the counts of all segments before scoring; "sentence" scores every segment and takes
    the mean, which is how Table 5 of Xu et al. (2016) was made. `reference_length` "mean" is the mean length cut
    to a whole number.
    """

    name: ClassVar[str] = "bleu"
    heading = "BLEU"
    meaning = "n-gram overlap with the references; an unchanged source scores high (Papineni et al., 2002)"
    text_options = frozenset({"tokenizer", "lowercase"})
    further_options: ClassVar[OptionReaders] = {"max_order": int}
    needs_source = False

    def __init__(
        self,
        *,
        tokenizer: str = "13a",
        lowercase: bool = False,
        smoothing: Smoothing = "exp",
        smooth_value: float | None = None,
        max_order: int = 4,
        effective_order: bool = False,
        reference_length: Literal["closest", "shortest", "mean"] = "closest",
        average: Literal["corpus", "sentence"] = "corpus",
    ) -> None:
        self.tokenizer = checked_choice("bleu", "tokenizer", tokenizer, ("none", "13a", "intl"))
        self.smoothing = checked_choice("bleu", "smoothing", smoothing, tuple(_DEFAULT_SMOOTH_VALUE))
        self.reference_length = checked_choice(
            "bleu", "reference_length", reference_length, ("closest", "shortest", "mean")
        )
        self.average = checked_choice("bleu", "average", average, ("corpus", "sentence"))
        if not 1 <= max_order <= 16:
            msg = f"bleu: max_order must be from 1 to 16, got {max_order!r}"
            raise DataError(msg)
        if smooth_value is not None and not (math.isfinite(smooth_value) and smooth_value >= 0):
            msg = f"bleu: smooth_value must be a number from 0 up, got {smooth_value!r}"
            raise DataError(msg)
        self.lowercase = lowercase
        self.smooth_value = _DEFAULT_SMOOTH_VALUE[smoothing] if smooth_value is None else float(smooth_value)
        self.max_order = max_order
        self.effective_order = effective_order
        orders = range(1, max_order + 1)
        self._part_names = ("bleu", *(f"precision_{n}" for n in orders), "brevity_penalty")

    @property
    def stat_names(self) -> tuple[str, ...]:
        """See `Metric.stat_names`."""
        if self.average == "sentence":
            return ("bleu", "segments")
        orders = range(1, self.max_order + 1)
        return (
            "output_length",
            "reference_length",
            *(f"correct_{n}" for n in orders),
            *(f"total_{n}" for n in orders),
        )

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        settings: dict[str, str | int | float] = {
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenizer,
            "smooth": self.smoothing,
            "eff": "yes" if self.effective_order else "no",
        }
        if self.smoothing in ("floor", "add-k"):
            settings["smooth"] = f"{self.smoothing}[{self.smooth_value!r}]"
        if self.max_order != 4:
            settings["order"] = self.max_order
        if self.reference_length != "closest":
            settings["reflen"] = self.reference_length
        if self.average != "corpus":
            settings["average"] = self.average
        return settings

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        if self.average == "sentence":
            return {"bleu": stats[..., 0] / stats[..., 1]}
        columns = np.moveaxis(self._values(stats), -1, 0)
        return dict(zip(self._part_names, columns, strict=True))

    def _named_values(self, stats: Array) -> dict[str, float]:
        # Sentence by sentence, the general way would take longer than the scoring.
        if self.average == "sentence":
            return super()._named_values(stats)
        return dict(zip(self._part_names, self._values(stats).tolist(), strict=True))

    @as_data_error
    def sentence_score(self, source: str | None, output: str, references: Sequence[str] | None) -> Score:
        """See `Metric.sentence_score`."""
        if self.average == "sentence":
            return super().sentence_score(source, output, references)
        _, groups = self._check(None, [output], None if references is None else [references])
        # One call for statistics and formula: two arrays would take longer than the scoring.
        values = _core.bleu_sentence(
            output,
            groups[0],
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            max_order=self.max_order,
            reference_length=self.reference_length,
            smoothing=self.smoothing,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )
        parts = dict(zip(self._part_names, values, strict=True))
        return Score(metric=self.name, value=parts.pop(self.name), signature=self.signature(groups), parts=parts)

    def values_from_stats(self, stats: Array) -> Array:
        """See `Metric.values_from_stats`."""
        return stats[..., 0] / stats[..., 1] if self.average == "sentence" else self._values(stats)[..., 0]

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """References made ready for scoring many candidates; `source` is not looked at."""
        _, [checked] = self._check(None, [""], None if references is None else [references])
        return _PreparedBleu(self, checked)

    def _corpus_stats(
        self,
        sources: Sequence[str],
        outputs: Sequence[str],
        references: Sequence[Sequence[str]],
        threads: int,
    ) -> Array:
        counts = _core.bleu_stats(
            outputs,
            references,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            max_order=self.max_order,
            reference_length=self.reference_length,
            threads=threads,
        )
        return self._stats_from_counts(counts)

    def _stats_from_counts(self, counts: Array) -> Array:
        if self.average == "corpus":
            return counts
        values = self._values(counts)[:, 0]
        return mean_stats(values)

    def _values(self, counts: Array) -> Array:
        """BLEU, precisions and brevity penalty from counts of any leading shape."""
        rows = np.ascontiguousarray(counts, dtype=np.float64).reshape(-1, counts.shape[-1])
        values = _core.bleu_values(
            rows,
            smoothing=self.smoothing,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )
        return values.reshape(*counts.shape[:-1], values.shape[-1])


class _PreparedBleu(Prepared):
    """See `Prepared`."""

    def __init__(self, metric: BLEU, references: Sequence[str]) -> None:
        super().__init__(metric)
        self._bleu = metric
        self._index = _core.PreparedBleu(
            references,
            tokenizer=metric.tokenizer,
            lowercase=metric.lowercase,
            max_order=metric.max_order,
            reference_length=metric.reference_length,
        )

    @as_data_error
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        """See `Prepared.stats_many`."""
        return self._bleu._stats_from_counts(self._index.stats(candidates, threads=threads))
