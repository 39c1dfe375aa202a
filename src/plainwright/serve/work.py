"""Texts simplified in threads, a few paragraphs at a time.

Between two steps a request may be cancelled or run out of time, and others get their turn, so that a long text never
keeps a short one waiting for long. The result does not depend on where steps end.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from plainwright.documents import Block
from plainwright.rewrite import Protection, Simplifier, load
from plainwright.rewrite.documents import SimplifiedBlock, simplify_blocks
from plainwright.rewrite.grade_gate import GradeGate
from plainwright.rewriter.finding import Level
from plainwright.serve.glossary import open_glossary
from plainwright.serve.settings import ServeSettings
from plainwright.web.replies import Refusal

__all__ = ["Work"]

_STEP = 2_000  # characters that are simplified before others get their turn
_WAITING = 200  # requests under way; more are told to come back
_OPEN = 8  # simplifiers that are kept, about 10 MB each

Result = TypeVar("Result")


class Work:
    """Simplifies for many at once; one for each server."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self._pool = ThreadPoolExecutor(settings.workers, thread_name_prefix="plainwright")
        self._lock = threading.Lock()
        self._simplifiers: dict[tuple[Level, float], Simplifier] = {}  # the one that was used last comes last
        self._under_way = 0
        self.glossary = open_glossary(settings.wordnet, settings.model)

    @property
    def under_way(self) -> int:
        """Requests that are being answered."""
        return self._under_way

    def prepare(self) -> str:
        """Open the model before anybody waits for it; return what is missing that it would have used."""
        simplifier = self._simplifier(self.settings.level, self.settings.strength)
        simplifier.simplify(
            "The committee, which had met before, subsequently approved the plan, and it was published."
        )
        return simplifier.note

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def simplified(
        self,
        blocks: Sequence[Block],
        *,
        level: Level | None = None,
        strength: float | None = None,
        max_grade: float | None = None,
        keep: Sequence[str] = (),
    ) -> AsyncIterator[list[SimplifiedBlock]]:
        """Yield blocks in plainer words, some at a time and in their order."""
        bold = self.settings.strength if strength is None else strength
        open_one = functools.partial(self._simplifier, level or self.settings.level, bold, max_grade)
        protection = Protection(keep=tuple(keep))

        def simplify(batch: Sequence[Block]) -> list[SimplifiedBlock]:
            return list(simplify_blocks(open_one(), batch, protection=protection))

        async for done in self._steps(simplify, _batches(blocks)):
            yield done

    async def done(self, function: Callable[[], Result]) -> Result:
        """Return what a function does that takes a while."""
        async for result in self._steps(lambda _: function(), [()]):
            return result
        raise AssertionError  # there is one step

    async def _steps(
        self, function: Callable[[Sequence[Block]], Result], batches: Iterable[Sequence[Block]]
    ) -> AsyncIterator[Result]:
        if self._under_way >= _WAITING:
            raise Refusal(503, "busy", "too many requests are under way; try again later", headers={"retry-after": "5"})
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self.settings.seconds
        self._under_way += 1
        try:
            for batch in batches:
                if loop.time() > deadline:
                    limit = f"{self.settings.seconds:g} seconds"
                    raise Refusal(503, "slow", f"the text took more than {limit}, the limit here; send less at once")
                yield await loop.run_in_executor(self._pool, function, batch)
        finally:
            self._under_way -= 1

    def _simplifier(self, level: Level, strength: float, max_grade: float | None = None) -> Simplifier:
        with self._lock:
            simplifier = self._simplifiers.pop((level, strength), None)
            if simplifier is None:
                settings = self.settings
                simplifier = load(settings.model, level=level, strength=strength, words=settings.words)
                for oldest in list(self._simplifiers)[: 1 - _OPEN]:
                    del self._simplifiers[oldest]
            self._simplifiers[level, strength] = simplifier
        return simplifier if max_grade is None else Simplifier(GradeGate(simplifier.pipeline, max_grade))


def _batches(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    batch: list[Block] = []
    size = 0
    for block in blocks:
        batch.append(block)
        size += len(block.text)
        if size >= _STEP:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
