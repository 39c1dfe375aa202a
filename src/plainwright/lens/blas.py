"""Small products of matrices without threads of their own.

numpy's BLAS starts as many threads as the machine has processors for every product of some size, and they wait for each
other by spinning. For the many small products of a metric that is slower, on a busy machine by far, and it takes
processors from the threads that a user asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["one_blas_thread"]

_lock = threading.Lock()
_inside = 0
_limit: Any = None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Within the block, products run in the thread that asks for them; blocks may overlap in several threads.

    Without threadpoolctl, which comes with the extra `lens`, nothing changes but the time.
    """
    global _inside, _limit
    with _lock:
        _inside += 1
        if _inside == 1 and (controller := _controller()) is not None:
            _limit = controller.limit(limits=1, user_api="blas")
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0 and _limit is not None:
                _limit.restore_original_limits()
                _limit = None


@cache
def _controller() -> Any:
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()
