"""The metrics of Sulem et al. (2018) on their outputs, as statistics that sum over sentences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import unescape
from typing import Literal

import numpy as np

from plainwright.metrics import BLEU, FK, SARI, NegativeLevenshtein
from plainwright.metrics.base import Array
from plainwright.reproduce.sulem2018.texts import Texts
from plainwright.study.scores import MetricScores, RatedOutputs, given_scores, score_outputs

__all__ = [
    "ALPHA",
    "MULTI_BLEU",
    "NltkVersion",
    "Unit",
    "averaged",
    "bleu",
    "first",
    "nltk_bleu",
    "sentence_measures",
    "system_measures",
]

MULTI_BLEU = BLEU(tokenizer="none", smoothing="none")
ALPHA = 0.9  # of iBLEU
_ORDERS = 4

NltkVersion = Literal["3.2.5", "3.3"]
Unit = Literal["characters", "tokens"]
References = Sequence[Sequence[str]]


def system_measures(texts: Texts, *, unit: Unit = "characters", alpha: float = ALPHA) -> dict[str, MetricScores]:
    """The rows of Table 2; more is better in each."""
    rated = texts.rated()
    one = [[line] for line in texts.simple]
    return {
        "BLEU-1ref": bleu(rated, one),
        "BLEU-8ref": bleu(rated, texts.references),
        "iBLEU-1ref": _ibleu(rated, one, alpha),
        "iBLEU-8ref": _ibleu(rated, texts.references, alpha),
        "-FK": _negative_grade(rated),
        "SARI-8ref": score_outputs(rated, SARI(tokenizer="none"), _by_item(rated, texts.references)),
        "-LD": score_outputs(rated, NegativeLevenshtein(unit=unit)),
    }


def bleu(rated: RatedOutputs, references: References) -> MetricScores:
    """BLEU as multi-bleu computes it."""
    return score_outputs(rated, MULTI_BLEU, _by_item(rated, references))


def first(scores: MetricScores, systems: int) -> MetricScores:
    """Return the same for the first so many systems."""
    return replace(scores, systems=scores.systems[:systems], stats=scores.stats[:, :systems])


def averaged(scores: MetricScores, systems: int) -> MetricScores:
    """The same with one system more, whose value is the mean of those of the last so many.

    A value of a mean is not a mean of values, so each system has as many sets of statistics as are averaged: its own
    again and again, the new one those of the others.
    """
    own = np.repeat(scores.stats[:, :, None], systems, axis=2)
    others = scores.stats[:, None, -systems:]
    return replace(
        scores,
        systems=(*scores.systems, "average"),
        stats=np.concatenate([own, others], axis=1).reshape(len(scores.items), len(scores.systems) + 1, -1),
        values_from_stats=lambda stats: scores.values_from_stats(stats.reshape(*stats.shape[:-1], systems, -1)).mean(
            axis=-1
        ),
    )


def sentence_measures(
    rated: RatedOutputs,
    references: References,
    *,
    nltk: NltkVersion = "3.2.5",
    unit: Unit = "characters",
    lowercase: bool = True,
) -> dict[str, MetricScores]:
    """Return the rows of Table 3: one value for each sentence and system."""
    to_references = nltk_bleu(bleu(rated, references).stats, version=nltk)
    to_source = nltk_bleu(bleu(rated, _sources(rated)).stats, version=nltk)
    sari = SARI(tokenizer="none", lowercase=lowercase)
    return {
        "BLEU": _given("BLEU", rated, to_references),
        "iBLEU": _given("iBLEU", rated, ALPHA * to_references - (1 - ALPHA) * to_source),
        "SARI": score_outputs(rated, sari, _by_item(rated, references)),
        "-LD": score_outputs(rated, NegativeLevenshtein(unit=unit)),
    }


def nltk_bleu(counts: Array, *, version: NltkVersion) -> Array:
    """Return sentence BLEU from 0 to 1 of `MULTI_BLEU`'s statistics, as NLTK computes it without a smoothing function.

    Both releases return 0 where no word matches. Where a longer n-gram is the first without a match, 3.2.5 leaves
    this order and all above out of the sum of logarithms, as if they were perfect; 3.3 takes the smallest positive
    number for their precision, so that the value is next to 0 but lower orders still decide ranks.
    """
    lengths, reference_lengths = counts[..., 0], counts[..., 1]
    correct, total = counts[..., 2 : 2 + _ORDERS], np.maximum(counts[..., 2 + _ORDERS :], 1)
    matched = np.logical_and.accumulate(correct > 0, axis=-1)
    missing = 1.0 if version == "3.2.5" else sys.float_info.min
    precisions = np.where(matched, correct / total, missing)
    brevity = np.exp(np.minimum(0.0, 1 - reference_lengths / np.maximum(lengths, 1)))
    return np.where(matched[..., 0], brevity * np.exp(np.log(precisions).mean(axis=-1)), 0.0)


def _ibleu(rated: RatedOutputs, references: References, alpha: float) -> MetricScores:
    to_references, to_source = bleu(rated, references), bleu(rated, _sources(rated))
    width = to_references.stats.shape[-1]

    def combined(stats: Array) -> Array:
        gain = MULTI_BLEU.values_from_stats(stats[..., :width])
        return alpha * gain - (1 - alpha) * MULTI_BLEU.values_from_stats(stats[..., width:])

    stats = np.concatenate([to_references.stats, to_source.stats], axis=-1)
    return replace(to_references, stats=stats, values_from_stats=combined)


def _negative_grade(rated: RatedOutputs) -> MetricScores:
    words = tuple(tuple(unescape(text or "") for text in row) for row in rated.outputs)
    grades = score_outputs(replace(rated, outputs=words), FK(variant="plain"))
    return replace(grades, values_from_stats=_negated(grades.values_from_stats))


def _negated(values: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda stats: -values(stats)


def _given(name: str, rated: RatedOutputs, values: Array) -> MetricScores:
    places = [(item, system) for item in rated.items for system in rated.systems]
    numbers = dict(zip(places, values.ravel().tolist(), strict=True))
    return given_scores(name, numbers, items=rated.items, systems=rated.systems)


def _sources(rated: RatedOutputs) -> References:
    return [[source or ""] for source in rated.sources]


def _by_item(rated: RatedOutputs, references: References) -> Mapping[str, Sequence[str]]:
    return dict(zip(rated.items, references, strict=True))
