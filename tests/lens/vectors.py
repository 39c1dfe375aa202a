"""Vectors for texts without a model: every word has its own, by a hash of its letters."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import numpy as np

from plainwright.encoders import Encoded
from plainwright.lens.features import Passage
from plainwright.lens.features.words import words_of

_WIDTH = 16


def encoded(text: str) -> Encoded:
    """Equal words have equal vectors, other words others; the text's vector is their mean."""
    words = words_of(text)
    rows = [np.ones(_WIDTH), *map(_vector, words), -np.ones(_WIDTH)]
    special = np.zeros(len(rows), dtype=bool)
    special[[0, -1]] = True
    return Encoded(
        vector=np.mean(rows, axis=0, dtype=np.float32),
        tokens=np.array(rows, dtype=np.float32),
        ids=np.array([-1, *(zlib.crc32(word.encode()) for word in words), -2]),
        special=special,
        truncated=False,
    )


def passage(text: str) -> Passage:
    return Passage.of(text, encoded(text))


def passages(texts: Iterable[str]) -> list[Passage]:
    return [passage(text) for text in texts]


def _vector(word: str) -> np.ndarray:
    return np.random.default_rng(zlib.crc32(word.encode())).normal(size=_WIDTH)
