"""How we time: the fastest of several runs, and a description of the machine."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path


def fastest(job: Callable[[], object], *, runs: int = 5, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of `runs` runs, the least disturbed one: of wall time, unless `clock` is another."""
    times = []
    for _ in range(runs):
        start = clock()
        job()
        times.append(clock() - start)
    return min(times)


def fastest_each(*jobs: Callable[[], object], runs: int = 5) -> list[float]:
    """`fastest` of every job, taking turns: what else the machine does then disturbs all of them alike."""
    times: list[list[float]] = [[] for _ in jobs]
    for _ in range(runs):
        for job, taken in zip(jobs, times, strict=True):
            taken.append(fastest(job, runs=1))
    return list(map(min, times))


def machine(*packages: str) -> str:
    """One line for the head of a results table."""
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    return f"{_processor()}; Python {platform.python_version()}; {versions}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
