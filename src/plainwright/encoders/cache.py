"""What was made of texts before: sources and references come again with every output that is scored."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from plainwright.errors import DataError

__all__ = ["TextCache", "text_digest"]

_Value = TypeVar("_Value")


class TextCache(Generic[_Value]):
    """Keeps values by the SHA-256 digest of their text; the longest unused go first. Threads may share it.

    `make` takes texts and a number of threads, and gives a value for each; `size` is the bytes that a value takes.
    """

    def __init__(
        self,
        make: Callable[[Sequence[str], int], Sequence[_Value]],
        *,
        size: Callable[[_Value], int],
        max_bytes: int = 256 << 20,
    ) -> None:
        self._make = make
        self._size = size
        self._max_bytes = max_bytes
        self._kept: OrderedDict[bytes, _Value] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def kept_bytes(self) -> int:
        """Of all that is kept now."""
        return self._bytes

    def get(self, texts: Iterable[str], *, threads: int = 1) -> dict[str, _Value]:
        """The value of every text, whatever the limit is; those that are not kept are made."""
        found: dict[str, _Value] = {}
        missing = []
        with self._lock:
            for text in dict.fromkeys(texts):
                key = text_digest(text)
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[text] = self._kept[key]
                else:
                    missing.append(text)
        for text, value in zip(missing, self._make(missing, threads) if missing else [], strict=True):
            found[text] = value
            self._keep(text_digest(text), value)
        return found

    def _keep(self, key: bytes, value: _Value) -> None:
        with self._lock:
            if key in self._kept:  # another thread was faster
                return
            self._kept[key] = value
            self._bytes += self._size(value)
            while self._bytes > self._max_bytes:
                _, oldest = self._kept.popitem(last=False)
                self._bytes -= self._size(oldest)


def text_digest(text: str) -> bytes:
    """Return the SHA-256 digest of a text, also of one with lone surrogates."""
    if not isinstance(text, str):
        msg = f"expected text, got {text!r:.40}"
        raise DataError(msg)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
