"""Public ratings whose outputs have references, for the figures that need both; and drawing their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plainwright import corpora
from plainwright.metrics.base import Array
from plainwright.reproduce.table import Sampling
from plainwright.study.ratings import Ratings, read_ratings
from plainwright.study.scores import RatedOutputs

__all__ = [
    "ASSET",
    "SIMPDA_2022",
    "SIMPEVAL_PAST",
    "SULEM2018",
    "RatedSet",
    "asset",
    "drawn_sources",
    "of_drawn",
    "simpda_2022",
    "simpeval_past",
    "sulem2018",
]

# The registered corpora that each set needs; without one of its outputs Sulem's ratings would have fewer texts.
SULEM2018 = (
    "sulem2018/ratings",
    "turkcorpus/test.eval70",
    "sulem2018/outputs.eval70",
    "sulem2018/outputs",
    "xu2016/outputs",
    "dress2017/outputs",
)
ASSET = ("asset/ratings", "turkcorpus/test.detok")
SIMPDA_2022 = ("simpeval/simpDA_2022",)
SIMPEVAL_PAST = ("simpeval/past", "turkcorpus/test.detok")

_REFERENCE_WRITER = "Human 1 Writing"  # whose text is the reference file released with LENS


@dataclass(frozen=True, kw_only=True)
class RatedSet:
    """Holds ratings, the texts that were rated, and references by item."""

    name: str
    ratings: Ratings
    references: Mapping[str, Sequence[str]]
    tokenised: bool = False
    aspects: Mapping[str, str]  # what the paper calls an aspect -> its name in the ratings

    @property
    def outputs(self) -> RatedOutputs:
        """The texts."""
        return RatedOutputs.of(self.ratings)


def sulem2018(data: Path | None) -> RatedSet:
    """Load the data of Sulem et al. (2018): 70 sentences of TurkCorpus, with its eight references."""
    corpus = corpora.load("turkcorpus/test.eval70", data=data)
    return RatedSet(
        name="Sulem 2018",
        ratings=read_ratings("sulem2018/ratings", data=data),
        references={str(number): group for number, group in enumerate(corpus.references, start=1)},
        tokenised=True,
        aspects={"Grammar": "grammaticality", "Meaning": "meaning", "Simplicity": "simplicity"},
    )


def asset(data: Path | None) -> RatedSet:
    """The outputs rated with ASSET; they are of TurkCorpus's sentences, counted from 0, and get its references."""
    corpus = corpora.load("turkcorpus/test.detok", data=data)
    return RatedSet(
        name="ASSET",
        ratings=read_ratings("asset/ratings", data=data),
        references={str(number): group for number, group in enumerate(corpus.references)},
        aspects={"Grammar": "fluency", "Meaning": "meaning", "Simplicity": "simplicity"},
    )


def simpda_2022(data: Path | None) -> RatedSet:
    """Load SimpDA_2022 against the text of one of the two writers, who is no longer a system."""
    ratings = _with_one_source(read_ratings("simpeval/simpDA_2022", data=data))
    systems = [system for system in ratings.systems if system != _REFERENCE_WRITER]
    return RatedSet(
        name="SimpDA_2022",
        ratings=ratings.where(systems=systems),
        references={row.item: (row.output,) for row in ratings if row.system == _REFERENCE_WRITER and row.output},
        aspects={"Grammar": "fluency", "Meaning": "adequacy", "Simplicity": "simplicity"},
    )


def simpeval_past(data: Path | None) -> RatedSet:
    """Load SimpEval_past: sentences of TurkCorpus, found by their text, with its eight references."""
    corpus = corpora.load("turkcorpus/test.detok", data=data)
    by_source = dict(zip(corpus.sources, corpus.references, strict=True))
    ratings = read_ratings("simpeval/past", data=data)
    return RatedSet(
        name="SimpEval_past",
        ratings=ratings,
        references={row.item: by_source[row.source] for row in ratings if row.source in by_source},
        aspects={"Quality": "overall"},
    )


def _with_one_source(ratings: Ratings) -> Ratings:
    """Every item with the source of its first row; two of SimpDA_2022 are spelt in two ways."""
    sources: dict[str, str | None] = {}
    return Ratings(tuple(replace(row, source=sources.setdefault(row.item, row.source)) for row in ratings))


def drawn_sources(number: int, sampling: Sampling) -> npt.NDArray[np.int64]:
    """Return bootstrap samples of `number` sources: shape (resamples, number)."""
    return np.random.default_rng(sampling.seed).integers(0, number, size=(sampling.resamples, number))


def of_drawn(values: Array, drawn: npt.NDArray[np.int64]) -> Array:
    """Return the values of all outputs of the drawn sources: shape (resamples, outputs)."""
    return values[drawn].reshape(len(drawn), -1)
