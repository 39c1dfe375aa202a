"""What each step of a training reads: pairs packed into rows, what is read and what is written side by side.

A pass depends on the seed and its number alone, as in the batches of a decoder.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plainwright.rewriter.controls import Controls, PromptTokens
from plainwright.rewriter.training.batches import asked_controls, in_parts
from plainwright.rewriter.training.pairs import Pair
from plainwright.rewriter.training.recipe import Training

__all__ = [
    "PackedArrays",
    "PackedBatch",
    "PackedPair",
    "as_packed_arrays",
    "held_out_packed",
    "most_written",
    "packed_pair",
    "pass_packed",
]

_OPEN_ROWS = 24  # rows that are filled at a time
_HELD_OUT_BATCHES = 24


@dataclass(frozen=True, slots=True)
class PackedPair:
    """What is read, what is asked for, and what is to be written; all but the second with their ends."""

    source: tuple[int, ...]
    asked: tuple[int, ...]  # first of all the token that begins
    target: tuple[int, ...]

    @property
    def written(self) -> tuple[int, ...]:
        """What the decoder reads."""
        return (*self.asked, *self.target[:-1])


@dataclass(frozen=True, slots=True)
class PackedBatch:
    """Rows of pairs that one process reads in one step; rows may be empty."""

    width: int  # of what is read; what is written takes `most_written` of it
    rows: tuple[tuple[PackedPair, ...], ...]

    @property
    def tokens(self) -> int:
        """Tokens that are read or written, without padding."""
        return sum(len(pair.source) + len(pair.target) for row in self.rows for pair in row)


@dataclass(frozen=True, slots=True)
class PackedArrays:
    """A batch as numbers; `learnt` says where a token follows that is to be written."""

    sources: npt.NDArray[np.int64]
    source_positions: npt.NDArray[np.int64]
    written: npt.NDArray[np.int64]
    written_positions: npt.NDArray[np.int64]
    reads: npt.NDArray[np.bool_]
    writes: npt.NDArray[np.bool_]
    crosses: npt.NDArray[np.bool_]
    learnt: npt.NDArray[np.bool_]
    targets: npt.NDArray[np.int64]


def most_written(width: int) -> int:
    """Return how many tokens of rewrites go beside so many that are read, which are a sentence in two languages."""
    return width * 9 // 16


def pass_packed(
    pairs: Iterable[Pair], tokens: PromptTokens, training: Training, number: int
) -> list[list[PackedBatch]]:
    """Return the steps of a pass, each with a batch of the same shape for every process."""
    chance = random.Random(f"{training.seed} pass {number}")
    wanted = [packed_pair(pair, tokens, asked_controls(pair, chance)) for pair in pairs if not pair.held_out]
    batches = _batches([one for one in wanted if _fits(one, training.width)], training, chance)
    batches += [PackedBatch(training.width, ((),) * training.rows)] * (-len(batches) % training.processes)
    steps = [list(step) for step in in_parts(batches, training.processes)]
    chance.shuffle(steps)
    return steps


def held_out_packed(pairs: Iterable[Pair], tokens: PromptTokens, training: Training) -> list[PackedBatch]:
    """Return some batches of what is held out, each pair asked for by its level alone."""
    wanted = [packed_pair(pair, tokens, Controls(level=pair.level)) for pair in pairs if pair.held_out]
    fitting = [one for one in wanted if _fits(one, training.width)]
    return _batches(fitting, training, random.Random(5))[:_HELD_OUT_BATCHES]


def packed_pair(pair: Pair, tokens: PromptTokens, controls: Controls) -> PackedPair:
    """Put a pair and what it is asked for by into tokens."""
    return PackedPair((*pair.source, tokens.end), tokens.prompt((), controls), (*pair.target, tokens.end))


def as_packed_arrays(batch: PackedBatch) -> PackedArrays:
    """Lay out the rows of a batch; each pair sees only itself."""
    rows, width, most = len(batch.rows), batch.width, most_written(batch.width)
    sources, places_read = np.zeros((rows, width), dtype=np.int64), np.zeros((rows, width), dtype=np.int64)
    written, places_written, targets = (np.zeros((rows, most), dtype=np.int64) for _ in range(3))
    readers, writers = np.full((rows, width), -1), np.full((rows, most), -2)
    learnt = np.zeros((rows, most), dtype=bool)
    for number, row in enumerate(batch.rows):
        read = wrote = 0
        for owner, pair in enumerate(row):
            end = read + len(pair.source)
            sources[number, read:end] = pair.source
            places_read[number, read:end] = range(len(pair.source))
            readers[number, read:end] = owner
            read = end
            end = wrote + len(pair.written)
            first = end - len(pair.target)
            written[number, wrote:end] = pair.written
            targets[number, first:end] = pair.target
            learnt[number, first:end] = True
            places_written[number, wrote:end] = range(len(pair.written))
            writers[number, wrote:end] = owner
            wrote = end
    reads = readers[:, :, None] == readers[:, None, :]  # what is empty sees what is empty
    writes = (writers[:, :, None] == writers[:, None, :]) & np.tri(most, dtype=bool)
    crosses = writers[:, :, None] == readers[:, None, :]
    crosses[:, :, 0] |= ~crosses.any(2)  # nothing is learnt from a row that sees another's token
    return PackedArrays(sources, places_read, written, places_written, reads, writes, crosses, learnt, targets[learnt])


def _fits(pair: PackedPair, width: int) -> bool:
    return len(pair.source) <= width and len(pair.written) <= most_written(width)


def _batches(pairs: Sequence[PackedPair], training: Training, chance: random.Random) -> list[PackedBatch]:
    rows = _rows(pairs, training.width, chance)
    rows += [()] * (-len(rows) % training.rows)
    return [PackedBatch(training.width, tuple(some)) for some in in_parts(rows, training.rows)]


def _rows(pairs: Sequence[PackedPair], width: int, chance: random.Random) -> list[tuple[PackedPair, ...]]:
    """Fill rows in an order of chance, each with the first that fits among a few that are open."""
    shuffled, most = list(pairs), most_written(width)
    chance.shuffle(shuffled)
    full: list[tuple[PackedPair, ...]] = []
    open_rows: list[tuple[list[PackedPair], int, int]] = []
    for pair in shuffled:
        for place, (row, read, wrote) in enumerate(open_rows):
            if read + len(pair.source) <= width and wrote + len(pair.written) <= most:
                row.append(pair)
                open_rows[place] = (row, read + len(pair.source), wrote + len(pair.written))
                break
        else:
            open_rows.append(([pair], len(pair.source), len(pair.written)))
            if len(open_rows) > _OPEN_ROWS:
                fullest = max(range(len(open_rows)), key=lambda one: open_rows[one][1:])
                full.append(tuple(open_rows.pop(fullest)[0]))
    full += [tuple(row) for row, _, _ in open_rows]
    chance.shuffle(full)
    return full
