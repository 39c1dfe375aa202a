"""Pairs of texts as the pieces that a judge reads, and windows for those that are longer than it reads.

A long pair is cut along the words that both texts share, after a sentence where there is one, so that each window has
a part of the source and what became of it.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plainwright.encoders.pieces import PieceTokenizer
from plainwright.errors import DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["PairPieces", "PairTokenizer"]

_SENTENCE_ENDS = frozenset((".", "!", "?"))
_ADDED = 3  # pieces around the two texts


@dataclass(frozen=True, slots=True, eq=False)
class PairPieces:
    """A source and an output as one sequence of pieces; `types` says which text each belongs to."""

    ids: npt.NDArray[np.int64]
    types: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def inputs(self) -> dict[str, npt.NDArray[np.int64]]:
        """What the graph of a judge takes."""
        return {"ids": self.ids[np.newaxis], "types": self.types[np.newaxis]}


class PairTokenizer:
    """Cuts pairs of texts into pieces."""

    def __init__(self, tokenizer: Tokenizer, *, max_pieces: int) -> None:
        self.tokenizer = tokenizer
        self.max_pieces = max_pieces
        tokenizer.no_padding()
        tokenizer.no_truncation()

    @classmethod
    def open(cls, path: str | Path, *, max_pieces: int) -> PairTokenizer:
        """Read a `tokenizer.json`."""
        return cls(PieceTokenizer.open(path, max_pieces=max_pieces).tokenizer, max_pieces=max_pieces)

    def __call__(self, source: str, output: str) -> PairPieces:
        """Return the pieces of a pair, however many they are."""
        encoding = self._encoded(source, output)
        return PairPieces(np.array(encoding.ids, dtype=np.int64), np.array(encoding.type_ids, dtype=np.int64))

    def is_long(self, text: str) -> bool:
        """Return whether a text takes more than half of what is read at once."""
        # Every piece has at least one character.
        return len(text) > self._room // 2 and len(self._encoded(text).ids) > self._room // 2

    def windows(self, source: str, output: str) -> list[PairPieces]:
        """Return the pair itself, or its windows if it is too long."""
        whole = self(source, output)
        if len(whole) <= self.max_pieces:
            return [whole]
        cuts = [(0, 0), *self._cuts(source, output), (len(source), len(output))]
        return [
            self(source[cuts[n][0] : cuts[n + 1][0]], output[cuts[n][1] : cuts[n + 1][1]]) for n in range(len(cuts) - 1)
        ]

    @property
    def _room(self) -> int:
        return self.max_pieces - _ADDED

    def _cuts(self, source: str, output: str) -> Iterator[tuple[int, int]]:
        """Yield the characters of both texts at which a window ends and the next begins."""
        first, second = (self._encoded(text, special=False) for text in (source, output))
        path = _path(first.ids, second.ids)
        read = [i + j for i, j in path]
        last_read = [second.tokens[j - 1] if j else first.tokens[i - 1] if i else "" for i, j in path]
        # A piece that is cut off from the word before it may become two.
        room = self._room * 3 // 4
        at = 0
        while read[-1] - read[at] > room:
            furthest = max(at + 1, bisect.bisect_right(read, read[at] + room) - 1)
            latest_first = range(furthest, at + (furthest - at) // 2, -1)
            at = next((place for place in latest_first if last_read[place] in _SENTENCE_ENDS), furthest)
            i, j = path[at]
            yield _start(first, i, source), _start(second, j, output)

    def _encoded(self, text: str, pair: str | None = None, *, special: bool = True) -> Any:
        try:
            return self.tokenizer.encode(text, pair, add_special_tokens=special)
        except TypeError:
            what = "a lone surrogate" if all(isinstance(one, str) for one in (text, pair or "")) else "something else"
            msg = f"expected text to judge, found {what}"
            raise DataError(msg) from None


def _path(source: list[int], output: list[int]) -> list[tuple[int, int]]:
    """Both texts read at once: pieces that they share together, the others one after another."""
    from rapidfuzz.distance import Indel

    path = [(0, 0)]
    for operation in Indel.opcodes(source, output):
        i, j = path[-1]
        if operation.tag == "equal":
            path += [(i + n, j + n) for n in range(1, operation.src_end - operation.src_start + 1)]
            continue
        path += [(n, j) for n in range(i + 1, operation.src_end + 1)]
        path += [(operation.src_end, n) for n in range(j + 1, operation.dest_end + 1)]
    return path


def _start(encoding: Any, piece: int, text: str) -> int:
    return int(encoding.offsets[piece][0]) if piece < len(encoding.offsets) else len(text)
