"""From text to the pieces of words that an encoder reads."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import read_bytes

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["PieceTokenizer", "Pieces"]

_MOST_BYTES = 1 << 26  # of a tokenizer.json; those of a quarter of a million pieces have some twenty millions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pieces:
    """One text cut into pieces, those that the encoder adds around it included."""

    ids: npt.NDArray[np.int64]
    special: npt.NDArray[np.bool_]
    truncated: bool


class PieceTokenizer:
    """Reads a `tokenizer.json`, and takes away the padding and the limit that somebody left in it."""

    def __init__(self, tokenizer: Tokenizer, *, max_pieces: int) -> None:
        self.tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_pieces)

    @classmethod
    def open(cls, path: str | Path, *, max_pieces: int) -> PieceTokenizer:
        """Read a `tokenizer.json`."""
        with extra_for("encoding text", "lens"):
            from tokenizers import Tokenizer
        data = read_bytes(path, most=_MOST_BYTES)
        try:
            return cls(Tokenizer.from_buffer(data), max_pieces=max_pieces)
        except Exception as error:  # the library has no class of its own
            msg = f"{path}: expected a tokenizer.json, found something else ({_first_line(error)})"
            raise DataError(msg) from None

    def __call__(self, text: str) -> Pieces:
        """Return the pieces of one text."""
        try:
            # One text a time: `encode_batch` would start threads of its own.
            encoding = self.tokenizer.encode(text)
        except TypeError:
            what = "a lone surrogate" if isinstance(text, str) else type(text).__name__
            msg = f"expected text to encode, found {what}"
            raise DataError(msg) from None
        return Pieces(
            ids=np.array(encoding.ids, dtype=np.int64),
            special=np.array(encoding.special_tokens_mask, dtype=np.bool_),
            truncated=bool(encoding.overflowing),
        )

    def save(self, path: str | Path) -> None:
        """Write the `tokenizer.json`."""
        self.tokenizer.save(os.fspath(path), pretty=False)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].strip()
