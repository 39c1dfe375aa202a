"""Self-BLEU (as in Table 3 of Maddela et al., 2023): BLEU of the output with its source as the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from plainwright.metrics.base import Array, Metric, OptionReaders, Prepared, References, Texts, as_data_error
from plainwright.metrics.bleu import BLEU

__all__ = ["SelfBLEU"]


class SelfBLEU(Metric):
    """Says how much of the source an output repeats, from 0 to 100 for an exact copy; options as for `BLEU`."""

    name: ClassVar[str] = "self-bleu"
    heading = "self-BLEU"
    meaning = "n-gram overlap of the output with its source: how much is copied (Maddela et al., 2023)"
    higher_is_better = None
    needs_references = False
    text_options = frozenset({"tokenizer", "lowercase"})
    further_options: ClassVar[OptionReaders] = {"max_order": int}

    def __init__(
        self,
        *,
        tokenizer: str = "13a",
        lowercase: bool = False,
        max_order: int = 4,
        average: Literal["corpus", "sentence"] = "corpus",
    ) -> None:
        self.bleu = BLEU(tokenizer=tokenizer, lowercase=lowercase, max_order=max_order, average=average)

    @property
    def stat_names(self) -> tuple[str, ...]:
        """See `Metric.stat_names`."""
        return self.bleu.stat_names

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return self.bleu.config()

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        return {self.name: self.bleu.values_from_stats(stats)}

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`; `references` are not looked at."""
        [checked], _ = self._check(None if source is None else [source], [""], None)
        return _PreparedSelfBleu(self, self.bleu.prepare(None, [checked]))

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        return self.bleu.corpus_stats(None, outputs, [[source] for source in sources], threads=threads)


class _PreparedSelfBleu(Prepared):
    def __init__(self, metric: SelfBLEU, source: Prepared) -> None:
        super().__init__(metric)
        self._source = source

    @as_data_error
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        return self._source.stats_many(candidates, threads=threads)
