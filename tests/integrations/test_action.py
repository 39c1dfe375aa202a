"""The action for GitHub: its last step, run by a shell as a runner does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def last_step() -> str:
    """The command of the last step; there is no reader of YAML among our tools."""
    *_, line = (line for line in (ROOT / "action.yml").read_text().splitlines() if line.strip())
    return line.strip().removeprefix("run: ")


@pytest.mark.parametrize(("grade", "rules", "status"), [("30", "", 0), ("0", "", 1), ("30", "hard-word", 1)])
def test_the_check_passes_or_fails_and_leaves_its_findings(tmp_path: Path, grade: str, rules: str, status: int) -> None:
    (tmp_path / "a.md").write_text("We will commence the work.\n")
    (tmp_path / "b.md").write_text("It rains.\n")
    named = {"FILES": "*.md", "GRADE": grade, "RULES": rules, "SARIF": "found.sarif"}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-e", "-c", last_step()], cwd=tmp_path, env={**os.environ, **named, "PATH": path}, check=False
    )
    assert done.returncode == status
    [run] = json.loads((tmp_path / "found.sarif").read_text())["runs"]
    assert "hard-word" in [found["ruleId"] for found in run["results"]]
