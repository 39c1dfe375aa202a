"""How much processor time the commands take from the shell.

    python benchmarks/bench_commands.py

The outputs are those of SBMT-SARI on turkcorpus/test, which must be on this machine; the disk is warm.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from timing import fastest, machine, run_quietly

RUNS = 7


def main() -> None:
    print(machine("plainwright", "numpy", "typer"))
    print(f"\n| command | fastest of {RUNS} | target |\n|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        page = str(Path(folder) / "report.html")
        _row("python -c pass", [sys.executable, "-c", "pass"], None)
        _row("plainwright --help", _plainwright("--help"), 0.25)
        one = ("turkcorpus/test", "--outputs", "SBMT-SARI")
        _row("plainwright evaluate turkcorpus/test, one system", _plainwright("evaluate", *one), 1.5)
        _row("plainwright report turkcorpus/test, one system", _plainwright("report", *one, "-o", page), 5)
        _row("plainwright evaluate turkcorpus/test, five systems", _plainwright("evaluate", "turkcorpus/test"), None)


def _plainwright(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("plainwright")), *arguments]


def _row(name: str, command: list[str], target: float | None) -> None:
    seconds = fastest(lambda: run_quietly(command), runs=RUNS)
    print(f"| `{name}` | {seconds:.3f} s | {f'{target} s' if target else ''} |", flush=True)


if __name__ == "__main__":
    main()
