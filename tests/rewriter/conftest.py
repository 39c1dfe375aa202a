"""What tests of trainings share."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest


class _Ended:
    """A process of a training that is over."""

    processes = ()

    def join(self, timeout: float) -> bool:
        return True


@pytest.fixture(scope="module")
def training_in_this_process() -> Iterator[None]:
    """Trainings by one process run in this one: another would spend a second on torch before each round."""
    from torch import multiprocessing

    from plainwright.rewriter.training import loop

    def run(work: Callable[..., None], arguments: tuple[Any, ...], *, nprocs: int, **_: object) -> _Ended:
        assert nprocs == 1
        job, *shared = arguments
        work(0, pickle.loads(pickle.dumps(job)), *shared)  # another process could take it, too
        return _Ended()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(multiprocessing, "start_processes", run)
        patch.setattr(loop, "_end_with_parent", lambda: None)
        yield
