"""The same work on many items, on several threads, with results in the order of the items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from plainwright.errors import DataError

__all__ = ["for_each"]

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def for_each(
    items: Sequence[_Item], work: Callable[[_Item], _Result], *, size: Callable[[_Item], int], threads: int
) -> list[_Result]:
    """`work` of every item; large ones are begun first, so that no thread is left with one at the end."""
    if threads < 1:
        msg = f"threads must be at least 1, got {threads!r}"
        raise DataError(msg)
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    largest_first = sorted(range(len(items)), key=lambda i: -size(items[i]))
    with ThreadPoolExecutor(threads) as pool:
        futures = {i: pool.submit(work, items[i]) for i in largest_first}
        return [futures[i].result() for i in range(len(items))]
