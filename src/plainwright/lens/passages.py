"""Texts that were looked at already: sources and references come again with every output that is scored."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plainwright.lens.encoders import Encoder
from plainwright.lens.encoders.threads import for_each
from plainwright.lens.features import Passage, readable

__all__ = ["PassageStore"]

_MAX_BYTES = 512 << 20
_BYTES_A_WORD = 850  # of a passage, beside its vectors: sets, counts and strings, as measured on ASSET valid


class PassageStore:
    """Passages by the SHA-256 digest of their text; the longest unused go first. Safe to share between threads."""

    def __init__(self, encoder: Encoder, *, max_bytes: int = _MAX_BYTES) -> None:
        self._encoder = encoder
        self._max_bytes = max_bytes
        self._kept: OrderedDict[bytes, Passage] = OrderedDict()
        self._bytes = 0
        self._truncated: set[bytes] = set()
        self._lock = threading.Lock()

    def get(self, texts: Iterable[str], *, threads: int = 1) -> dict[str, Passage]:
        """Every text's passage, whatever the limit is; those that are not kept are made."""
        found: dict[str, Passage] = {}
        missing = []
        with self._lock:
            for text in dict.fromkeys(texts):
                key = _digest(text)
                passage = self._kept.get(key)
                if passage is None:
                    missing.append(text)
                    continue
                self._kept.move_to_end(key)
                found[text] = passage
        for passage in self._made(missing, threads):
            found[passage.text] = passage
            self._keep(passage)
        return found

    def was_truncated(self, text: str) -> bool:
        """Whether the encoder could not read a text, asked for before, to its end."""
        return _digest(text) in self._truncated

    def _made(self, texts: Sequence[str], threads: int) -> list[Passage]:
        # The encoder too must not see case and spacing.
        shown = [readable(text) for text in texts]
        encoded = dict(zip(texts, self._encoder.encode(shown, threads=threads), strict=True))
        return for_each(texts, lambda text: _without_tokens(Passage.of(text, encoded[text])), threads=threads)

    def _keep(self, passage: Passage) -> None:
        key = _digest(passage.text)
        with self._lock:
            if passage.encoded.truncated:
                self._truncated.add(key)
            if key in self._kept:
                return
            self._kept[key] = passage
            self._bytes += _size(passage)
            while self._bytes > self._max_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= _size(oldest)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _size(passage: Passage) -> int:
    return passage.pieces.nbytes + _BYTES_A_WORD * (1 + len(passage.words))


def _without_tokens(passage: Passage) -> Passage:
    """The pieces are the same vectors at length 1; both would take twice the memory."""
    nothing = np.zeros((0, passage.encoded.tokens.shape[1]), dtype=np.float32)
    return replace(passage, encoded=replace(passage.encoded, tokens=nothing))
