"""-LD (Sulem et al., 2018): the negated Levenshtein distance to the source, a baseline for conservatism."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright.metrics.base import Array, Metric, References, Texts, checked_choice, mean_stats
from plainwright.text import tokenize_lines

__all__ = ["NegativeLevenshtein"]


class NegativeLevenshtein(Metric):
    """Averages minus the edit distance between output and source over segments; 0 for an exact copy.

    `unit` "characters" or "tokens"; `normalise` divides by the longer of the two.
    """

    name: ClassVar[str] = "ld"
    stat_names = ("ld", "segments")
    heading = "-LD"
    title = "−LD"
    variant_option = "unit"
    text_options = frozenset({"tokenizer", "lowercase"})
    raw_options: ClassVar[Mapping[str, str]] = {"tokenizer": "13a"}
    needs_references = False

    def __init__(
        self,
        *,
        unit: Literal["characters", "tokens"] = "characters",
        tokenizer: str = "none",
        lowercase: bool = False,
        normalise: bool = False,
    ) -> None:
        self.unit = checked_choice("ld", "unit", unit, ("characters", "tokens"))
        self.tokenizer = checked_choice("ld", "tokenizer", tokenizer, ("none", "13a", "intl"))
        self.lowercase = lowercase
        self.normalise = normalise

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        settings: dict[str, str | int | float] = {
            "unit": self.unit,
            "case": "lc" if self.lowercase else "mixed",
            "norm": "yes" if self.normalise else "no",
        }
        if self.unit == "tokens":
            settings["tok"] = self.tokenizer
        return settings

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        return {"ld": stats[..., 0] / stats[..., 1]}

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        from rapidfuzz.distance import Levenshtein

        distance = Levenshtein.normalized_distance if self.normalise else Levenshtein.distance
        pairs = zip(self._units(sources), self._units(outputs), strict=True)
        values = -np.array([distance(source, output) for source, output in pairs], dtype=np.float64)
        return mean_stats(values)

    def _units(self, lines: Sequence[str]) -> list[str] | list[list[str]]:
        if self.unit == "tokens":
            return [
                line.split(" ") if line else []
                for line in tokenize_lines(lines, self.tokenizer, lowercase=self.lowercase)
            ]
        for index, line in enumerate(lines):
            if not isinstance(line, str):  # RapidFuzz would compare bytes and lists, too
                msg = f"line {index} must be a string, got {line!r:.40}"
                raise TypeError(msg)
        return [line.lower() for line in lines] if self.lowercase else list(lines)
