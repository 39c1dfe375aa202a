"""A sentence and all candidates for its words as one sequence of pieces.

Candidates stand behind the sentence, at the positions of the words that they would replace. The pieces of the sentence
read the sentence alone, those of a candidate read the sentence and their own candidate. So the sentence is read once,
and no candidate knows of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from plainwright.encoders.pieces import PieceTokenizer
from plainwright.errors import DataError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["INPUTS", "Candidate", "CandidateTokenizer", "Layout"]

INPUTS = ("ids", "types", "positions", "owners", "first", "last")  # of the graph
_NOTHING = "[MASK]"  # stands for a candidate without words: what it replaces goes

_Numbers = npt.NDArray[np.int64]


class Candidate(NamedTuple):
    """Words for a span of characters of a sentence; none if what stands there is to go."""

    start: int
    end: int
    plain: str


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """One sequence of pieces, and where in it each candidate begins; the sentence's own pieces have the owner 0."""

    ids: _Numbers
    types: _Numbers
    positions: _Numbers
    owners: _Numbers
    first: _Numbers  # for each piece of a candidate, the first piece that it would replace
    last: _Numbers  # and the last one
    begins: _Numbers  # where the candidates begin

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def inputs(self) -> dict[str, _Numbers]:
        """What the graph takes: a sequence by itself."""
        return {name: getattr(self, name)[np.newaxis] for name in INPUTS}


class CandidateTokenizer:
    """Cuts sentences and their candidates into pieces."""

    def __init__(self, tokenizer: Tokenizer, *, max_pieces: int) -> None:
        self.tokenizer = tokenizer
        self.max_pieces = max_pieces
        tokenizer.no_padding()
        tokenizer.no_truncation()
        nothing = tokenizer.token_to_id(_NOTHING)
        if nothing is None:
            msg = f"expected a tokenizer with the piece {_NOTHING}, as BERT and MiniLM have it, found none"
            raise DataError(msg)
        self._nothing: int = nothing

    @classmethod
    def open(cls, path: str | Path, *, max_pieces: int) -> CandidateTokenizer:
        """Read a `tokenizer.json`."""
        return cls(PieceTokenizer.open(path, max_pieces=max_pieces).tokenizer, max_pieces=max_pieces)

    def __call__(self, sentence: str, candidates: Sequence[Candidate]) -> Layout | None:
        """Return the pieces of a sentence with its candidates; None if the sentence is too long to be read."""
        encoding = self.tokenizer.encode(sentence)
        length = len(encoding.ids)
        if length > self.max_pieces:
            return None
        rows = [(piece, 0, place, 0, 0, 0) for place, piece in enumerate(encoding.ids)]
        begins = []
        for owner, candidate in enumerate(candidates, start=1):
            first, last = _replaced(encoding.offsets, candidate)
            begins.append(len(rows))
            own = self.tokenizer.encode(candidate.plain, add_special_tokens=False).ids or [self._nothing]
            rows += [
                (piece, 1, min(first + place, self.max_pieces - 1), owner, first, last)
                for place, piece in enumerate(own)
            ]
        columns = dict(zip(INPUTS, np.array(rows, dtype=np.int64).T, strict=True))
        return Layout(**columns, begins=np.array(begins, dtype=np.int64))


def _replaced(offsets: Sequence[tuple[int, int]], candidate: Candidate) -> tuple[int, int]:
    """Return the first and the last piece of the characters of a candidate."""
    start, end, plain = candidate
    touched = [place for place, (left, right) in enumerate(offsets) if left < end and right > start and right > left]
    if not touched:
        msg = f"expected a candidate for words of the sentence, found {plain!r:.60} for characters {start} to {end}"
        raise DataError(msg)
    return touched[0], touched[-1]
