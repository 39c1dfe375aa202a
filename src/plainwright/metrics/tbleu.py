"""T-BLEU (Štajner et al., 2014): sentence BLEU of the highest n-gram order that matches at all.

Where no 4-gram of a short or free rewriting matches, BLEU is zero or smoothed; T-BLEU steps down to trigrams,
bigrams, then words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np

from plainwright.metrics.base import Array, Metric, References, Texts, checked_choice, mean_stats
from plainwright.metrics.bleu import BLEU

__all__ = ["TBLEU"]


class TBLEU(Metric):
    """Mean over segments of unsmoothed BLEU up to the highest matching order, from 0 to 100.

    `against` "source" compares with the source, as the authors did, for want of references.
    """

    name: ClassVar[str] = "tbleu"
    stat_names = ("tbleu", "segments")
    heading = "T-BLEU"
    variant_option = "against"
    text_options = frozenset({"tokenizer", "lowercase"})

    def __init__(
        self,
        *,
        against: Literal["references", "source"] = "references",
        tokenizer: str = "13a",
        lowercase: bool = False,
    ) -> None:
        self.against = checked_choice("tbleu", "against", against, ("references", "source"))
        self.needs_source = against == "source"
        self.needs_references = against == "references"
        self._bleu = BLEU(tokenizer=tokenizer, lowercase=lowercase)

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        settings = self._bleu.config()
        return {"against": self.against, "case": settings["case"], "tok": settings["tok"]}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        return {"tbleu": stats[..., 0] / stats[..., 1]}

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        targets = references if self.against == "references" else [[source] for source in sources]
        counts = self._bleu.corpus_stats(None, outputs, targets, threads=threads)
        values = _highest_matching_order(counts)
        return mean_stats(values)


def _highest_matching_order(counts: Array) -> Array:
    order = (counts.shape[-1] - 2) // 2
    correct, total = counts[:, 2 : 2 + order], counts[:, 2 + order :]
    matched = correct > 0  # a matching n-gram has matching parts, so these are 1 … 1 0 … 0
    used = matched.sum(axis=-1)
    logs = np.where(matched, np.log(np.where(matched, correct, 1.0) / np.where(matched, total, 1.0)), 0.0)
    length = np.where(counts[:, 0] > 0, counts[:, 0], 1.0)
    penalty = np.minimum(1.0, np.exp(1 - counts[:, 1] / length))
    return np.where(used > 0, 100.0 * penalty * np.exp(logs.sum(axis=-1) / np.maximum(used, 1)), 0.0)
