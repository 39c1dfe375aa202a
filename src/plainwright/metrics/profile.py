"""The edit profile: what a system did to its input, with no reference needed.

The seven quantities are those that EASSE made common, measured per segment and averaged. They describe, they do
not judge: a compression of 0.8 is neither good nor bad.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

import numpy as np

from plainwright.metrics.base import Array, Metric, References, Texts
from plainwright.text import readability_counts_lines, tokenize_lines
from plainwright.text.frequencies import frequency_list

__all__ = ["EditProfile"]

_PARTS = (
    "compression",
    "sentence_splits",
    "exact_copies",
    "additions",
    "deletions",
    "levenshtein_similarity",
    "lexical_complexity",
)


class EditProfile(Metric):
    """Describes the outputs beside their sources; the headline value is the compression.

    - `compression`: characters of the output for each of the source.
    - `sentence_splits`: sentences of the output for each of the source.
    - `exact_copies`: share of outputs equal to their source.
    - `additions`, `deletions`: words in one but not in the other, for each word of the longer.
    - `levenshtein_similarity`: 1 less the normalised insert-and-delete distance in characters.
    - `lexical_complexity`: third quartile of log(1 + frequency rank) of the output's words (wordfreq's list).
    """

    name: ClassVar[str] = "profile"
    stat_names = (*_PARTS, "segments", "segments_with_words")
    title = "Edit profile"
    meaning = "what was done to the source, without a judgement and without references"
    part_headings: ClassVar[Mapping[str, str]] = {
        "compression": "compr.",
        "sentence_splits": "splits",
        "exact_copies": "copies",
        "additions": "added",
        "deletions": "deleted",
        "levenshtein_similarity": "similar",
        "lexical_complexity": "lexical",
    }
    higher_is_better: ClassVar[bool | None] = None
    needs_references = False

    def config(self) -> Mapping[str, str | int | float]:
        """See `Metric.config`."""
        from importlib.metadata import version

        return {"tok": "13a", "frequencies": f"wordfreq-{version('wordfreq')}-large"}

    def parts_from_stats(self, stats: Array) -> dict[str, Array]:
        """See `Metric.parts_from_stats`."""
        means = stats[..., :6] / stats[..., 7:8]
        # An output without a known kind of word has no lexical complexity: nan for it alone, left out of a mean.
        with np.errstate(invalid="ignore", divide="ignore"):
            lexical = stats[..., 6] / stats[..., 8]
        values: dict[str, Array] = {"profile": means[..., 0]}
        values.update({name: means[..., i] for i, name in enumerate(_PARTS[:6])})
        values["lexical_complexity"] = lexical
        return values

    def _corpus_stats(self, sources: Texts, outputs: Texts, references: References, threads: int) -> Array:
        from rapidfuzz.distance import Indel

        source_words, output_words = _words(sources), _words(outputs)
        source_sentences = readability_counts_lines(sources, threads=threads)[:, 0]
        output_sentences = readability_counts_lines(outputs, threads=threads)[:, 0]
        stats = np.zeros((len(outputs), len(self.stat_names)))
        for row, source, output, before, after in zip(stats, sources, outputs, source_words, output_words, strict=True):
            longer = max(len(before), len(after), 1)
            kept = sum((Counter(before) & Counter(after)).values())
            row[0] = len(output) / max(len(source), 1)
            row[2] = source == output
            row[3] = (len(after) - kept) / longer
            row[4] = (len(before) - kept) / longer
            row[5] = Indel.normalized_similarity(source, output)
            complexity = _lexical_complexity(after)
            if complexity is not None:
                row[6], row[8] = complexity, 1.0
        stats[:, 1] = output_sentences / np.maximum(source_sentences, 1.0)
        stats[:, 7] = 1.0
        return stats


def _words(lines: Sequence[str]) -> list[list[str]]:
    """Lower-cased 13a tokens that hold a letter or a digit."""
    return [
        [token for token in line.split(" ") if any(map(str.isalnum, token))]
        for line in tokenize_lines(lines, "13a", lowercase=True)
    ]


def _lexical_complexity(words: list[str]) -> float | None:
    ranks, unknown = _frequency_ranks()
    values = sorted(ranks.get(word, unknown) for word in words if any(map(str.isalpha, word)))
    if not values:
        return None
    # The third quartile by linear interpolation, NumPy's default, without its cost per call.
    place = 0.75 * (len(values) - 1)
    low = math.floor(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


@cache
def _frequency_ranks() -> tuple[dict[str, float], float]:
    """log(1 + rank) of every listed word, the most frequent first, and the value for all others.

    Words of equal frequency share their mean rank.
    """
    ranks: dict[str, float] = {}
    for bucket in frequency_list():
        ranks.update(dict.fromkeys(bucket, math.log(1 + len(ranks) + (len(bucket) + 1) / 2)))
    return ranks, math.log(2 + len(ranks))
