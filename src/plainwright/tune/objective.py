"""What tuning climbs: one metric of the package, or a weighted mix of several."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from plainwright import metrics
from plainwright.errors import DataError
from plainwright.metrics.base import Array, Metric, Prepared

__all__ = ["Objective"]


class _Remembering(Prepared):
    """Scores each text once: most candidates of an iteration are known from those before."""

    def __init__(self, inner: Prepared) -> None:
        super().__init__(inner.metric)
        self._inner = inner
        self._known: dict[bytes, Array] = {}

    def stats_many(self, candidates: Sequence[str], *, threads: int = 1) -> Array:
        keys = [_digest(text) for text in candidates]
        new = {key: text for key, text in zip(keys, candidates, strict=True) if key not in self._known}
        if new:
            rows = self._inner.stats_many(list(new.values()), threads=threads)
            self._known |= zip(new, rows, strict=True)
        return np.array([self._known[key] for key in keys]).reshape(len(keys), len(self.metric.stat_names))


def _digest(text: str) -> bytes:
    """A short name for a text, which may be long and one of millions."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Objective:
    """Sums weighted metrics, each on the scale 0 to 1 with higher meaning better.

    >>> Objective.parse("sari").name
    'sari'
    >>> Objective.parse("0.5*sari + 0.3*sari:easse + 0.2*bleu").name
    '0.5*sari+0.3*sari:easse+0.2*bleu'
    """

    def __init__(self, terms: Sequence[tuple[float, Metric]], *, labels: Sequence[str] | None = None) -> None:
        if not terms:
            msg = "an objective needs at least one metric"
            raise DataError(msg)
        for _, metric in terms:
            if metric.higher_is_better is None:
                msg = f"{metric.name} describes and does not judge, so it cannot be an objective; choose sari or bleu"
                raise DataError(msg)
        self.terms = tuple(terms)
        self._labels = tuple(labels or (metric.name for _, metric in terms))
        self._widths = [len(metric.stat_names) for _, metric in terms]

    @classmethod
    def parse(cls, text: str, options: Callable[[type[Metric]], Mapping[str, object]] | None = None) -> Objective:
        """Read "sari", "sari:easse" (a variant) or "0.7*sari+0.3*fkbleu".

        `options` gives further arguments for the class of a metric.
        """
        terms, labels = [], []
        for item in text.split("+"):
            factor, star, label = (part.strip() for part in item.rpartition("*"))
            try:
                weight = float(factor) if star else 1.0
            except ValueError:
                weight = math.nan
            if not math.isfinite(weight):
                msg = f"objective {text!r}: expected a number before '*', found {factor!r}"
                raise DataError(msg)
            name, colon, variant = label.partition(":")
            kind = metrics.metric_class(name)
            chosen = dict(options(kind)) if options else {}
            if colon:
                chosen[kind.variant_option or "variant"] = variant
            terms.append((weight, metrics.create(name, **chosen)))
            labels.append(label)
        return cls(terms, labels=labels)

    @property
    def name(self) -> str:
        """As `parse` reads it."""
        if len(self.terms) == 1 and self.terms[0][0] == 1:
            return self._labels[0]
        return "+".join(f"{weight:g}*{label}" for (weight, _), label in zip(self.terms, self._labels, strict=True))

    @property
    def width(self) -> int:
        """Length of a candidate's vector of statistics."""
        return sum(self._widths)

    def prepare(self, source: str, references: Sequence[str]) -> list[Prepared]:
        """One segment made ready for scoring candidates."""
        prepared = [metric.prepare(source, references) for _, metric in self.terms]
        return [_Remembering(item) if item.metric.costly else item for item in prepared]

    def stats(self, prepared: Sequence[Prepared], candidates: Sequence[str], *, threads: int = 1) -> Array:
        """Return statistics of every candidate: shape (candidates, width)."""
        return np.concatenate([item.stats_many(candidates, threads=threads) for item in prepared], axis=1)

    def values(self, stats: Array) -> Array:
        """Return the objective from statistics of any leading shape: of one candidate, or summed over a corpus."""
        total = np.zeros(stats.shape[:-1])
        start = 0
        for (weight, metric), width in zip(self.terms, self._widths, strict=True):
            sign = 1.0 if metric.higher_is_better else -1.0
            total += sign * weight / 100.0 * metric.values_from_stats(stats[..., start : start + width])
            start += width
        return total
