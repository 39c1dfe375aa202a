"""What a rewrite is worth to a training: any metric of the package by its name, also of an installed package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainwright import metrics
from plainwright.errors import DataError
from plainwright.metrics.base import Array, Metric

__all__ = ["Reward", "make_reward"]

_SCALE = 100.0  # of metrics; costs are from 0 to 1 (Maddela et al., 2023, equation 3)


@dataclass(frozen=True, slots=True)
class Reward:
    """A metric from 0 to 1, more for the better."""

    metric: Metric

    @property
    def signature(self) -> str:
        """Two rewards with equal signatures give equal values."""
        return self.metric.signature()

    def values(self, source: str, texts: Sequence[str], references: Sequence[str], *, threads: int = 1) -> list[float]:
        """Return what each text is worth beside the references."""
        given = references if self.metric.needs_references else None
        return self._scaled(self.metric.prepare(source, given).score_many(texts, threads=threads))

    def consensus(self, source: str, texts: Sequence[str], *, threads: int = 1) -> list[float]:
        """Return what each text is worth without references: beside all of the texts (equation 5 of the same)."""
        if not self.metric.needs_references:
            return self.values(source, texts, (), threads=threads)
        return self._scaled(self.metric.pairwise(source, texts, texts, threads=threads).mean(axis=1))

    def _scaled(self, values: Array) -> list[float]:
        shares = [float(value) / _SCALE for value in values]
        return shares if self.metric.higher_is_better else [1 - share for share in shares]


def make_reward(name: str) -> Reward:
    """Make the reward of that name; a model that it needs is opened now."""
    kind = metrics.metric_class(name)
    if kind.higher_is_better is None:
        msg = f"{name} describes texts and does not judge them; choose another reward, such as lens or sari"
        raise DataError(msg)
    reward = Reward(metrics.create(name, **kind.options_for(raw=True, tokenizer="13a", lowercase=True)))
    _ = reward.signature
    return reward
