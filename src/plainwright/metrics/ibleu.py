"""iBLEU (Sun and Zhou, 2012): reward for agreeing with the references, less a penalty for copying the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright.errors import DataError
from plainwright.metrics.base import Array, Metric, OptionReaders, Prepared, References, Texts, as_data_error
from plainwright.metrics.bleu import BLEU

__all__ = ["IBLEU"]


class IBLEU(Metric):
    """Computes alpha x BLEU(output, references) - (1 - alpha) x BLEU(output, source), mean over segments.

    The defaults are the formula that fits Table 5 of Xu et al. (2016) best: sentence BLEU on 13a tokens with
    exponential smoothing, brevity penalty against the mean reference length cut to a whole number.
    """

    name: ClassVar[str] = "ibleu"
    stat_names = ("references", "source", "segments")
    heading = "iBLEU"
    meaning = "BLEU against the references minus a share of BLEU against the source (Sun and Zhou, 2012)"
    text_options = frozenset({"tokenizer", "lowercase"})
    further_options: ClassVar[OptionReaders] = {"alpha": float}

    def __init__(
        self,
        *,
        alpha: float = 0.9,
        tokenizer: str = "13a",
        lowercase: bool = False,
        reference_length: Literal["closest", "shortest", "mean"] = "mean",
        effective_order: bool = False,
    ) -> None:
        if not 0 <= alpha <= 1:
            msg = f"ibleu: alpha must be from 0 to 1, got {alpha!r}"
            raise DataError(msg)
        self.alpha = alpha
        self.bleu = BLEU(
            tokenizer=tokenizer,
            lowercase=lowercase,
            reference_length=reference_length,
            effective_order=effective_order,
            average="sentence",
        )

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return {"alpha": self.alpha, **self.bleu.config()}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        segments = stats[..., 2]
        references, source = stats[..., 0] / segments, stats[..., 1] / segments
        return {
            "ibleu": self.alpha * references - (1 - self.alpha) * source,
            "bleu_references": references,
            "bleu_source": source,
        }

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`."""
        self._check(None if source is None else [source], [""], None if references is None else [references])
        assert source is not None
        return _PreparedIbleu(self, self.bleu.prepare(None, references), self.bleu.prepare(None, [source]))

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        to_references = self.bleu.corpus_stats(None, outputs, references, threads=threads)
        to_source = self.bleu.corpus_stats(None, outputs, [[source] for source in sources], threads=threads)
        return _joined(to_references, to_source)


class _PreparedIbleu(Prepared):
    def __init__(self, metric: IBLEU, references: Prepared, source: Prepared) -> None:
        super().__init__(metric)
        self._references = references
        self._source = source

    @as_data_error
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        return _joined(
            self._references.stats_many(candidates, threads=threads),
            self._source.stats_many(candidates, threads=threads),
        )


def _joined(to_references: Array, to_source: Array) -> Array:
    return np.stack([to_references[:, 0], to_source[:, 0], to_references[:, 1]], axis=-1)
