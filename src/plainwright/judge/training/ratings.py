"""Rated rewrites, in blocks of one source each, and what is made of them: copies, and pairs of strangers.

A table is separated by tabs and has the columns `system`, `source`, `output`, the four scores (0 to 100) and `cause`;
a second reading (`meaning_again` …) counts as much as the first, and other columns are passed over. What a source is
for is decided by its digest, so tables that grow keep it.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from plainwright.errors import DataError
from plainwright.files import iter_lines
from plainwright.judge.model import ASPECTS
from plainwright.judge.training.recipe import JudgeTraining, RatingTables

__all__ = [
    "DAMAGED_BELOW",
    "EASIER_FROM",
    "SPOILT",
    "Block",
    "Example",
    "Part",
    "Rating",
    "examples_of",
    "is_damaged",
    "read_blocks",
    "read_rows",
]

DAMAGED_BELOW = {"meaning": 60, "grammar": 50}
EASIER_FROM = 75  # of simplicity: clearly easier
SPOILT = "spoilt"  # the system of errors that were made on purpose
Part = Literal["train", "calibrate", "held out"]
_TEXTS = ("system", "source", "output")
_HIGHEST = 100
_COPY = (100.0, 100.0, 50.0, 50.0)  # as the brief of the ratings has it: as hard as the source, no reason to publish it


class Rating(NamedTuple):
    """What readers said of a rewrite."""

    output: str
    scores: tuple[float, ...]  # in the order of `ASPECTS`
    system: str
    cause: str
    weight: float


class Block(NamedTuple):
    """All rated rewrites of one source."""

    source: str
    part: Part
    ratings: tuple[Rating, ...]


class Example(NamedTuple):
    """A pair to learn from; a score that nobody knows is nan."""

    source: str
    output: str
    scores: tuple[float, ...]
    weight: float


def is_damaged(scores: Sequence[float]) -> bool:
    """Return whether a rewrite says something else, or is no English."""
    return any(scores[ASPECTS.index(name)] < least for name, least in DAMAGED_BELOW.items())


def read_blocks(ratings: RatingTables) -> list[Block]:
    """Read all tables; rewrites of one source make a block, wherever they stand."""
    found: defaultdict[str, list[Rating]] = defaultdict(list)
    for path in ratings.tables:
        for row, scores in read_rows(path, ASPECTS, "cause"):
            weight = _weight(row["system"], ratings.weights)
            found[row["source"]].append(Rating(row["output"], scores, row["system"], row["cause"], weight))
    blocks = [Block(source, _part(source, ratings), tuple(own)) for source, own in found.items()]
    for part, key in (("train", "tables"), ("calibrate", "calibration"), ("held out", "held_out")):
        if not any(block.part == part for block in blocks):
            msg = f"{ratings.tables[0]}: expected sources for {part!r}, found none; rate more, or change ratings.{key}"
            raise DataError(msg)
    return blocks


def examples_of(block: Block, others: Sequence[Block], training: JudgeTraining, chance: random.Random) -> list[Example]:
    """Return the rewrites of a block, the source as its own copy, and a rewrite of another source."""
    examples = [Example(block.source, one.output, one.scores, one.weight) for one in block.ratings]
    if training.copies:
        examples.append(Example(block.source, block.source, _COPY, training.copies))
    stranger = chance.choice(others)
    if training.strangers and stranger.source != block.source:
        rating = chance.choice(stranger.ratings)
        # Its grammar is what it was; whether it is easier than a source it does not belong to, nobody knows.
        scores = (0.0, rating.scores[1], math.nan, 0.0)
        examples.append(Example(block.source, rating.output, scores, training.strangers))
    return examples


def _part(source: str, ratings: RatingTables) -> Part:
    place = int(hashlib.sha256(source.encode()).hexdigest(), 16) % 1000 / 1000
    if place < ratings.held_out:
        return "held out"
    return "calibrate" if place < ratings.held_out + ratings.calibration else "train"


def read_rows(
    path: str | Path, aspects: Sequence[str], *others: str
) -> Iterator[tuple[dict[str, str], tuple[float, ...]]]:
    """Yield the cells of each row by column, and its scores in the order of `aspects`; `others` must be there, too."""
    columns = (*_TEXTS, *aspects, *others)
    header: list[str] = []
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if number == 1:
            header = cells
            if missing := [name for name in columns if name not in header]:
                msg = f"{path}:1: expected the columns {', '.join(columns)}, found none called {missing[0]}"
                raise DataError(msg)
            continue
        if len(cells) != len(header):
            msg = f"{path}:{number}: expected {len(header)} cells separated by tabs, found {len(cells)}"
            raise DataError(msg)
        row = dict(zip(header, cells, strict=True))
        if not row["source"].strip() or not row["output"].strip():
            msg = f"{path}:{number}: expected a source and an output, found an empty one"
            raise DataError(msg)
        yield row, tuple(_score(row, name, f"{path}:{number}") for name in aspects)


def _weight(system: str, weights: Mapping[str, float]) -> float:
    """What the longest beginning of a system's name says, in whatever order they stand."""
    longest = max((name for name in weights if system.startswith(name)), key=len, default=None)
    return 1.0 if longest is None else weights[longest]


def _score(row: Mapping[str, str], name: str, place: str) -> float:
    """The mean of both readings, or the only one."""
    values: list[int] = []
    for text in (row[name], row.get(f"{name}_again", "")):
        if not text and values:
            continue
        if not (text.isascii() and text.isdigit()) or int(text) > _HIGHEST:
            msg = f"{place}: expected {name} as a whole number from 0 to {_HIGHEST}, found {text!r:.40}"
            raise DataError(msg)
        values.append(int(text))
    return sum(values) / len(values)
