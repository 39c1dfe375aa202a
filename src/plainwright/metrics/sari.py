"""SARI (Xu et al., 2016): are the right n-grams added, kept and deleted?

The published implementations disagree by several points, so each is a named variant:

- `xu2016`: the authors' released scorer, which made the tables of the paper. Segment scores are averaged; F1 for
  add and keep, precision for delete; whitespace tokens; 0/0 is 0.
- `equations`: Eq. 4-7 as printed: precision and recall are averaged over the orders before F1 is taken.
- `easse`: counts pooled over the corpus, F1 for delete, 13a tokens.
- `huggingface`: as `evaluate` has it: 0/0 is 1, so an unchanged input scores about 59.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright import _core
from plainwright.errors import DataError
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

__all__ = ["SARI", "SARI_VARIANTS"]

SARI_VARIANTS = ("xu2016", "equations", "easse", "huggingface")
_DEFAULT_TOKENIZER = {"xu2016": "none", "equations": "none", "easse": "13a", "huggingface": "13a"}
_ORDER = 4  # k in the paper
_EQUAL = (1.0, 1.0, 1.0)


def _weights_from_text(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(","))


class SARI(Metric):
    """Averages the add, keep and delete scores, from 0 to 100; lower-cased by default.

    `weights` are those of add, keep and delete in the average (d1, d2 and d3 in the paper) and are divided by their
    sum; `max_order` is the length of the longest n-grams (k).

    >>> from plainwright.metrics import SARI
    >>> score = SARI().sentence_score(
    ...     "About 95 species are currently accepted .",
    ...     "About 95 species are now agreed .",
    ...     [
    ...         "About 95 species are currently known .",
    ...         "About 95 species are now accepted .",
    ...         "95 species are now accepted .",
    ...     ],
    ... )
    >>> round(score.value, 2)
    58.9
    """

    name: ClassVar[str] = "sari"
    heading = "SARI"
    meaning = "how well words are added, kept and deleted, given source and references (Xu et al., 2016)"
    shown_parts = ("add", "keep", "delete")
    variant_option = "variant"
    text_options = frozenset({"tokenizer"})
    raw_options: ClassVar[Mapping[str, str]] = {"tokenizer": "13a"}
    further_options: ClassVar[OptionReaders] = {"weights": _weights_from_text, "max_order": int}

    def __init__(
        self,
        *,
        variant: Literal["xu2016", "equations", "easse", "huggingface"] = "xu2016",
        tokenizer: str | None = None,
        lowercase: bool = True,
        weights: Sequence[float] = _EQUAL,
        max_order: int = _ORDER,
    ) -> None:
        self.variant = checked_choice("sari", "variant", variant, SARI_VARIANTS)
        chosen = tokenizer or _DEFAULT_TOKENIZER[self.variant]
        self.tokenizer = checked_choice("sari", "tokenizer", chosen, ("none", "13a", "intl"))
        self.lowercase = lowercase
        self.weights = _checked_weights(weights)
        if not 1 <= max_order <= 16:
            msg = f"sari: max_order must be from 1 to 16, got {max_order!r}"
            raise DataError(msg)
        self.max_order = max_order

    @property
    def stat_names(self) -> tuple[str, ...]:
        """See `Metric.stat_names`."""
        if self.variant != "easse":
            return ("add", "keep", "delete", "segments")
        return tuple(
            f"{operation}_{count}_{order}"
            for order in range(1, self.max_order + 1)
            for operation in ("add", "keep", "delete")
            for count in ("correct", "output", "references")
        )

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        settings: dict[str, str | int | float] = {
            "variant": self.variant,
            "case": "lc" if self.lowercase else "mixed",
            "tok": self.tokenizer,
        }
        if self.max_order != _ORDER:
            settings["order"] = self.max_order
        if not self._weighs_alike:
            settings["weights"] = ",".join(repr(weight).removesuffix(".0") for weight in self.weights)
        return settings

    @property
    def _weighs_alike(self) -> bool:
        return len(set(self.weights)) == 1

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        if self.variant == "easse":
            counts = stats.reshape(*stats.shape[:-1], self.max_order, 3, 3)
            operations = 100.0 * _f1(counts).mean(axis=-2)
        else:
            operations = 100.0 * stats[..., :3] / stats[..., 3:4]
        if self._weighs_alike:
            value = operations.mean(axis=-1)
        else:
            # Added one by one, in one order everywhere: a matrix product may add in another on another machine.
            value = sum(weight * operations[..., at] for at, weight in enumerate(self.weights)) / sum(self.weights)
        return {
            "sari": value,
            "add": operations[..., 0],
            "keep": operations[..., 1],
            "delete": operations[..., 2],
        }

    @as_data_error
    def prepare(self, source: str | None, references: Sequence[str] | None) -> Prepared:
        """See `Metric.prepare`."""
        [checked_source], [checked_references] = self._check(
            None if source is None else [source], [""], None if references is None else [references]
        )
        return _PreparedSari(self, checked_source, checked_references)

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        return _core.sari_stats(
            sources,
            outputs,
            references,
            variant=self.variant,
            tokenizer=self.tokenizer,
            lowercase=self.lowercase,
            max_order=self.max_order,
            threads=threads,
        )


class _PreparedSari(Prepared):
    def __init__(self, metric: SARI, source: str, references: Sequence[str]) -> None:
        super().__init__(metric)
        self._index = _core.PreparedSari(
            source,
            references,
            variant=metric.variant,
            tokenizer=metric.tokenizer,
            lowercase=metric.lowercase,
            max_order=metric.max_order,
        )

    @as_data_error
    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        return self._index.stats(candidates, threads=threads)


def _checked_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """Return the weights of add, keep and delete as numbers from 0, of which one is above."""
    try:
        found = tuple(map(float, weights))
    except (TypeError, ValueError):
        found = ()
    if len(found) != 3 or not all(math.isfinite(weight) and weight >= 0 for weight in found) or not sum(found):
        msg = f"sari: weights must be three numbers from 0, of add, keep and delete, not all of them 0; got {weights!r}"
        raise DataError(msg)
    return found


def _f1(counts: Array) -> Array:
    """F1 from (…, [correct, output, references]); 0/0 is 0."""
    # 2PR / (P + R) with P = c/o and R = c/r is 2c / (o + r), unless there is nothing correct.
    total = counts[..., 1] + counts[..., 2]
    return np.where(counts[..., 0] > 0, 2 * counts[..., 0] / np.where(total > 0, total, 1.0), 0.0)
