"""Texts that were looked at already: sources and references come again with every output that is scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plainwright.encoders import Encoder
from plainwright.encoders.cache import TextCache, text_digest
from plainwright.encoders.threads import for_each
from plainwright.lens.features import Passage, readable

__all__ = ["PassageStore"]

_MAX_BYTES = 512 << 20
_BYTES_A_WORD = 850  # of a passage, beside its vectors: sets, counts and strings, as measured on ASSET valid


class PassageStore:
    """Keeps the passages of texts, made when they are first asked for. Safe to share between threads."""

    def __init__(self, encoder: Encoder, *, max_bytes: int = _MAX_BYTES) -> None:
        self._encoder = encoder
        self._kept = TextCache(self._made, size=_size, max_bytes=max_bytes)
        self._truncated: set[bytes] = set()  # known also when their passages are dropped

    def get(self, texts: Iterable[str], *, threads: int = 1) -> dict[str, Passage]:
        """Every text's passage, whatever the limit is; those that are not kept are made."""
        return self._kept.get(texts, threads=threads)

    def was_truncated(self, text: str) -> bool:
        """Return whether the encoder could not read a text, asked for before, to its end."""
        return text_digest(text) in self._truncated

    def _made(self, texts: Sequence[str], threads: int) -> list[Passage]:
        # The encoder too must not see case and spacing.
        shown = [readable(text) for text in texts]
        encoded = dict(zip(texts, self._encoder.encode(shown, threads=threads), strict=True))
        self._truncated.update(text_digest(text) for text in texts if encoded[text].truncated)
        return for_each(texts, lambda text: _without_tokens(Passage.of(text, encoded[text])), size=len, threads=threads)


def _size(passage: Passage) -> int:
    return passage.pieces.nbytes + _BYTES_A_WORD * (1 + len(passage.words))


def _without_tokens(passage: Passage) -> Passage:
    """The pieces are the same vectors at length 1; both would take twice the memory."""
    nothing = np.zeros((0, passage.encoded.tokens.shape[1]), dtype=np.float32)
    return replace(passage, encoded=replace(passage.encoded, tokens=nothing))
