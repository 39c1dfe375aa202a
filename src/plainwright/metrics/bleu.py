"""BLEU (Papineni et al., 2002) with sacreBLEU's counting, smoothing and defaults (Post, 2018)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright import _core
from plainwright.errors import DataError
from plainwright.metrics.base import Array, Metric, Prepared, checked_choice

__all__ = ["BLEU", "Smoothing", "bleu_parts"]

Smoothing = Literal["none", "floor", "add-k", "exp"]
_DEFAULT_SMOOTH_VALUE: Mapping[str, float] = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}


class BLEU(Metric):
    """Geometric mean of clipped n-gram precisions times a brevity penalty, from 0 to 100.

    `average` "corpus" sums the counts of all segments before scoring; "sentence" scores every segment and takes
    the mean, which is how Table 5 of Xu et al. (2016) was made. `reference_length` "mean" is the mean length cut
    to a whole number.
    """

    name: ClassVar[str] = "bleu"
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
        self.lowercase = lowercase
        self.smooth_value = _DEFAULT_SMOOTH_VALUE[smoothing] if smooth_value is None else smooth_value
        self.max_order = max_order
        self.effective_order = effective_order

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
            settings["smooth"] = f"{self.smoothing}[{self.smooth_value:g}]"
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
        return bleu_parts(
            stats,
            smoothing=self.smoothing,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )

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
        values = bleu_parts(
            counts,
            smoothing=self.smoothing,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
        )["bleu"]
        return np.stack([values, np.ones_like(values)], axis=-1)


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

    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        """See `Prepared.stats_many`."""
        return self._bleu._stats_from_counts(self._index.stats(candidates, threads=threads))


def bleu_parts(stats: Array, *, smoothing: str, smooth_value: float, effective_order: bool) -> dict[str, Array]:
    """BLEU, its precisions and its brevity penalty from counts of any leading shape."""
    max_order = (stats.shape[-1] - 2) // 2
    output_length, reference_length = stats[..., 0], stats[..., 1]
    correct = stats[..., 2 : 2 + max_order].copy()
    total = stats[..., 2 + max_order :].copy()
    no_match = ~np.any(correct > 0, axis=-1)
    if smoothing == "add-k":
        correct[..., 1:] += smooth_value
        total[..., 1:] += smooth_value

    precisions = np.zeros_like(correct)
    halving = np.ones_like(output_length)
    for n in range(max_order):
        # Orders above an empty one are not looked at: a short output has no longer n-grams.
        seen = np.all(total[..., : n + 1] > 0, axis=-1)
        missed = seen & (correct[..., n] == 0)
        safe_total = np.where(total[..., n] > 0, total[..., n], 1.0)
        value = 100.0 * correct[..., n] / safe_total
        if smoothing == "exp":
            halving = np.where(missed, halving * 2, halving)
            value = np.where(missed, 100.0 / (halving * safe_total), value)
        elif smoothing == "floor":
            value = np.where(missed, 100.0 * smooth_value / safe_total, value)
        precisions[..., n] = np.where(seen, value, 0.0)

    orders = np.sum(np.logical_and.accumulate(total > 0, axis=-1), axis=-1) if effective_order else max_order
    # sacreBLEU's logarithm of zero: small enough that any product with it is zero.
    logs = np.where(precisions > 0, np.log(np.where(precisions > 0, precisions, 1.0)), -9999999999.0)
    counted = np.arange(max_order) < np.expand_dims(np.asarray(orders), -1)
    mean_log = np.sum(np.where(counted, logs, 0.0), axis=-1) / np.maximum(orders, 1)

    short = output_length < reference_length
    safe_length = np.where(output_length > 0, output_length, 1.0)
    penalty = np.where(short, np.exp(1 - reference_length / safe_length), 1.0)
    penalty = np.where(short & (output_length == 0), 0.0, penalty)
    bleu = np.where(no_match, 0.0, penalty * np.exp(mean_log))
    precisions = np.where(no_match[..., None], 0.0, precisions)
    parts: dict[str, Array] = {"bleu": bleu}
    parts.update({f"precision_{n + 1}": precisions[..., n] for n in range(max_order)})
    parts["brevity_penalty"] = penalty
    return parts
