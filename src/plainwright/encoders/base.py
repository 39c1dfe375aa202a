"""What every encoder gives, whatever runs it.

The vectors of a text depend on that text alone: not on its neighbours in a call, nor on the number of threads. So they
can be kept, and a score never moves because something else was scored beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["Encoded", "Encoder", "Vectors"]

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Encoded:
    """One text as an encoder sees it."""

    vector: Vectors  # of the whole text: shape (width,)
    tokens: Vectors  # of each piece, special ones too: shape (pieces, width)
    ids: npt.NDArray[np.int64]  # of the pieces
    special: npt.NDArray[np.bool_]  # which pieces the encoder added around the text
    truncated: bool  # whether the text was longer than the encoder can read


class Encoder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """For signatures and messages."""

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the vectors: the weights, the vocabulary and the layers that are read."""

    @property
    def width(self) -> int:
        """Length of the vectors."""

    @property
    def max_pieces(self) -> int:
        """How many pieces of a text are read, special ones counted."""

    @property
    def layer(self) -> int:
        """Whose vectors the tokens have; 0 are the embeddings."""

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> list[Encoded]:
        """Return each text by itself, in the order given."""
