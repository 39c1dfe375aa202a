"""Benchmarks and tools are run by hand; what they import must still be there, and what they count is processor time."""

from __future__ import annotations

import runpy
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# In one process, because most of them import the same; what one of them adds to the path, the others do not see.
IMPORT_EACH = """
import runpy, sys, traceback
failed = []
for script in sys.argv[2:]:
    path, sys.path = sys.path, [sys.argv[1], *sys.path]
    try:
        runpy.run_path(script, run_name="imported")
    except BaseException:
        traceback.print_exc()
        failed.append(script)
    sys.path = path
sys.exit(", ".join(failed) or None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["benchmarks", "tools"])
def test_scripts_can_be_imported(folder: str) -> None:
    scripts = sorted(map(str, (ROOT / folder).glob("*.py")))
    assert scripts
    command = [sys.executable, "-c", IMPORT_EACH, str(ROOT), *scripts]
    done = subprocess.run(command, cwd=ROOT / folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_benchmarks_count_what_processors_do_and_not_how_long_it_takes() -> None:
    fastest = runpy.run_path(str(ROOT / "benchmarks" / "timing.py"))["fastest"]
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    assert fastest(lambda: time.sleep(0.3), runs=1) < 0.1
    assert fastest(lambda: subprocess.run([sys.executable, "-c", busy], check=True), runs=1) >= 0.3


# What threads gain can only be seen on the wall; bench_pivot shows both.
BY_THE_WALL = {"bench_decoder.py", "bench_metrics.py", "bench_pivot.py"}


def test_no_other_clock_is_read() -> None:
    found = {
        path.name for path in (ROOT / "benchmarks").glob("bench_*.py") if "perf_counter" in path.read_text("utf-8")
    }
    assert found <= BY_THE_WALL
