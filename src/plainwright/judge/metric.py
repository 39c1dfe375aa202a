"""The judge as a metric: it reads source and output, and needs no references.

The headline value is the mean of `overall`; the parts are the means of the other scores.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from plainwright.judge.model import ASPECTS, JudgeModel, open_judge
from plainwright.metrics.base import Array, Metric, References, Texts
from plainwright.metrics.remarks import places

__all__ = ["JudgeMetric"]

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    ("the", "of", "and", "to", "is", "for", "with", "that", "it", "by", "are", "from", "at", "be", "this", "have")
) | {"has", "not", "you", "he", "she", "they"}
_FEWEST_WORDS = 8  # fewer can well do without any of these


class JudgeMetric(Metric):
    """Would one publish the output instead of the source? 0 to 100, higher is better.

    `model` is a directory, an open judge, or None for `$PLAINWRIGHT_JUDGE` or the installed one.
    """

    name: ClassVar[str] = "judge"
    stat_names = (*ASPECTS, "segments")
    heading = "Judge"
    meaning = "a network's reading of source and output: is the meaning kept, is it good English, is it easier"
    shown_parts: ClassVar[tuple[str, ...]] = ASPECTS[:3]
    part_headings: ClassVar[Mapping[str, str]] = {name: name.capitalize() for name in ASPECTS[:3]}
    needs_references = False
    compares_alone: ClassVar[bool] = True
    costly: ClassVar[bool] = True
    reads_raw_text: ClassVar[bool] = True

    def __init__(self, *, model: str | Path | JudgeModel | None = None) -> None:
        self.model = model

    @cached_property
    def judge(self) -> JudgeModel:
        """The judge at work, shared by all metrics of that judge."""
        return self.model if isinstance(self.model, JudgeModel) else open_judge(self.model)

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return {"model": self.judge.label}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        means = {name: stats[..., at] / stats[..., -1] for at, name in enumerate(ASPECTS)}
        return {"judge": means.pop("overall"), **means}

    def remarks(self, texts: Sequence[str], *, label: str) -> list[str]:
        """See `Metric.remarks`: what is empty, what was read in windows, and what looks like another language."""
        pieces = self.judge.tokenizer.max_pieces
        said = {
            "is empty; it gets 0": lambda text: not text.strip(),
            f"is long: the judge reads {pieces} pieces of words of both texts at once, and longer pairs in windows "
            "whose scores are averaged": self.judge.tokenizer.is_long,
            "looks like another language than English, which the judge was not taught": _is_foreign,
        }
        found = []
        for what, holds in said.items():
            if numbers := [number for number, text in enumerate(texts, start=1) if holds(text)]:
                found.append(f"judge: {places(numbers)} of {label} {what}")
        return found

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        scores = self.judge.scores(sources, outputs, threads=threads)
        return np.concatenate([scores, np.ones((len(scores), 1))], axis=1)


def _is_foreign(text: str) -> bool:
    words = [word.lower() for word in _WORD.findall(text)]
    return len(words) >= _FEWEST_WORDS and not _ENGLISH.intersection(words)
