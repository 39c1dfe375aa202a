"""How we time: processor time, the fastest of several runs, and a description of the machine.

Wall time flatters or blames us for what else the machine does. Only what threads gain is measured by it.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path


def processor_time() -> float:
    """Seconds that this process, its threads and the commands that it has run have kept processors busy."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def fastest(job: Callable[[], object], *, runs: int = 5, clock: Callable[[], float] = processor_time) -> float:
    """Seconds of the fastest of `runs` runs, the least disturbed one: of processor time, unless `clock` is another."""
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


def run_quietly(command: Sequence[str]) -> None:
    """Run a command as it runs where it is installed: Python finds its modules compiled, or leaves them so."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, capture_output=True, env=environment)


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
