"""Coroutines run from tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_async(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What `asyncio.run` does, in a thread of its own: a browser, once started, keeps a loop running in this one."""
    with ThreadPoolExecutor(max_workers=1) as own:
        return own.submit(asyncio.run, coroutine).result()
