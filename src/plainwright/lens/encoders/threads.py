"""The same work on many texts, on several threads, with results in the order of the texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from plainwright.errors import DataError

__all__ = ["for_each"]

_Result = TypeVar("_Result")


def for_each(texts: Sequence[str], work: Callable[[str], _Result], *, threads: int) -> list[_Result]:
    """`work` of every text; long texts are begun first, so that no thread is left with one at the end."""
    if threads < 1:
        msg = f"threads must be at least 1, got {threads!r}"
        raise DataError(msg)
    if threads == 1 or len(texts) < 2:
        return [work(text) for text in texts]
    longest_first = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
    with ThreadPoolExecutor(threads) as pool:
        futures = {i: pool.submit(work, texts[i]) for i in longest_first}
        return [futures[i].result() for i in range(len(texts))]
