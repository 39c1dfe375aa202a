"""Benchmarks and tools are run by hand; what they import must still be there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = sorted(path for folder in ("benchmarks", "tools") for path in (ROOT / folder).glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_script_can_be_imported(script: Path) -> None:
    code = f"import runpy, sys; sys.path.insert(0, {str(ROOT)!r}); runpy.run_path({str(script)!r}, run_name='imported')"
    done = subprocess.run([sys.executable, "-c", code], cwd=script.parent, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
