"""Benchmarks and tools are run by hand; what they import must still be there."""

from __future__ import annotations

import subprocess
import sys
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
