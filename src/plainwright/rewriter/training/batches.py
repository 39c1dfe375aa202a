"""What each step of a training reads: examples packed into rows of one width, drawn anew for every pass.

Half of the examples ask for some of the four controls, the others for their level only. A pass depends on the seed and
its number alone, so every process lays it out by itself, and a training that was stopped finds its place again.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from plainwright.rewriter.controls import Controls, PromptTokens
from plainwright.rewriter.training.pairs import Pair
from plainwright.rewriter.training.recipe import Training

__all__ = ["NO_TARGET", "Batch", "BatchArrays", "Example", "as_arrays", "held_out_batches", "longest", "pass_batches"]

NO_TARGET = -100
_CONTROLLED = 0.5  # share of examples with controls beside the level, and of the controls in these
_OPEN_ROWS = 24  # rows that are filled at a time
_HELD_OUT_BATCHES = 24
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Example:
    """What is read, and what is to be written."""

    prompt: tuple[int, ...]
    target: tuple[int, ...]

    @property
    def length(self) -> int:
        """Tokens of both."""
        return len(self.prompt) + len(self.target)


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of examples that one process reads in one step; rows may be empty."""

    width: int
    rows: tuple[tuple[Example, ...], ...]

    @property
    def tokens(self) -> int:
        """Tokens without padding."""
        return sum(example.length for row in self.rows for example in row)


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """A batch as numbers: tokens, their positions in their example, which tokens see which, and what follows each."""

    ids: npt.NDArray[np.int64]
    positions: npt.NDArray[np.int64]
    seen: npt.NDArray[np.bool_]
    targets: npt.NDArray[np.int64]


def longest(training: Training) -> int:
    """Tokens that an example may have: rows of double width hold what does not fit into the others."""
    return 2 * training.width


def pass_batches(pairs: Iterable[Pair], tokens: PromptTokens, training: Training, number: int) -> list[list[Batch]]:
    """Return the steps of a pass, each with a batch of the same shape for every process."""
    chance = random.Random(f"{training.seed} pass {number}")
    examples = [_example(pair, tokens, chance) for pair in pairs if not pair.held_out]
    short = [one for one in examples if one.length <= training.width]
    long = [one for one in examples if training.width < one.length <= longest(training)]
    steps: list[list[Batch]] = []
    for some, width, rows in (
        (short, training.width, training.rows),
        (long, longest(training), max(1, training.rows // 2)),
    ):
        batches = _batches(some, width, rows, chance)
        batches += [Batch(width, ((),) * rows)] * (-len(batches) % training.processes)
        steps += [list(step) for step in _parts(batches, training.processes)]
    chance.shuffle(steps)
    return steps


def held_out_batches(pairs: Iterable[Pair], tokens: PromptTokens, training: Training) -> list[Batch]:
    """Return some batches of what is held out, each pair asked for by its level alone."""
    examples = [_of(pair, tokens, Controls(level=pair.level)) for pair in pairs if pair.held_out]
    short = [one for one in examples if one.length <= training.width]
    return _batches(short, training.width, training.rows, random.Random(5))[:_HELD_OUT_BATCHES]


def as_arrays(batch: Batch) -> BatchArrays:
    """Lay out the rows of a batch; each example sees only itself."""
    shape = (len(batch.rows), batch.width)
    ids, positions = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    owners, targets = np.full(shape, -1), np.full(shape, NO_TARGET, dtype=np.int64)
    for number, row in enumerate(batch.rows):
        at = 0
        for owner, example in enumerate(row):
            end = at + example.length
            ids[number, at:end] = example.prompt + example.target
            positions[number, at:end] = range(example.length)
            owners[number, at:end] = owner
            # What a token is followed by: the last one of the prompt by the first that is to be written.
            targets[number, at + len(example.prompt) - 1 : end - 1] = example.target
            at = end
    seen = (owners[:, :, None] == owners[:, None, :]) & np.tri(batch.width, dtype=bool)
    seen |= np.eye(batch.width, dtype=bool)
    return BatchArrays(ids, positions, seen, targets)


def _example(pair: Pair, tokens: PromptTokens, chance: random.Random) -> Example:
    ratios: dict[str, float] = {}
    if chance.random() < _CONTROLLED:
        ratios = {name: ratio for name, ratio in pair.ratios.items() if chance.random() < _CONTROLLED}
    return _of(pair, tokens, Controls(level=pair.level, **ratios))


def _of(pair: Pair, tokens: PromptTokens, controls: Controls) -> Example:
    return Example(tokens.prompt(pair.source, controls), (*pair.target, tokens.end))


def _batches(examples: Sequence[Example], width: int, rows: int, chance: random.Random) -> list[Batch]:
    packed = _packed(examples, width, chance)
    packed += [()] * (-len(packed) % rows)
    return [Batch(width, tuple(some)) for some in _parts(packed, rows)]


def _packed(examples: Sequence[Example], width: int, chance: random.Random) -> list[tuple[Example, ...]]:
    """Fill rows in an order of chance, each with the first that fits among a few that are open."""
    shuffled = list(examples)
    chance.shuffle(shuffled)
    full: list[tuple[Example, ...]] = []
    open_rows: list[tuple[list[Example], int]] = []
    for example in shuffled:
        for place, (row, length) in enumerate(open_rows):
            if length + example.length <= width:
                row.append(example)
                open_rows[place] = (row, length + example.length)
                break
        else:
            open_rows.append(([example], example.length))
            if len(open_rows) > _OPEN_ROWS:
                open_rows.sort(key=lambda one: one[1])
                full.append(tuple(open_rows.pop()[0]))
    full += [tuple(row) for row, _ in open_rows]
    chance.shuffle(full)
    return full


def _parts(items: Sequence[Item], size: int) -> list[Sequence[Item]]:
    return [items[first : first + size] for first in range(0, len(items), size)]
