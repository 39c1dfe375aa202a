"""The command, in this process or in one of its own, and a set of small files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from tests import in_process
from tests.toy_set import write_set

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A directory with source.txt, reference.0.txt, reference.1.txt, careful.txt and hasty.txt."""
    directory = tmp_path / "toy"
    directory.mkdir()
    return write_set(directory)


@pytest.fixture
def plainwright(toy: Path) -> Run:
    """The command in this process, in the directory of the small files."""

    def call(*arguments: object, text: str = "", env: Mapping[str, str] | None = None) -> CompletedProcess[str]:
        return in_process.run(*arguments, cwd=toy, text=text, env={"COLUMNS": "80", **(env or {})})

    return call


@pytest.fixture
def process(toy: Path) -> Run:
    """Run `python -m plainwright …` in the directory of the small files, where streams and interpreter matter."""

    def call(*arguments: object, **options: Any) -> CompletedProcess[str]:
        options = {"cwd": toy, "timeout": 120, "encoding": "utf-8", "capture_output": True, **options}
        environment = {**os.environ, "COLUMNS": "80", **options.pop("env", {})}
        return subprocess.run(
            [sys.executable, "-m", "plainwright", *map(str, arguments)], env=environment, check=False, **options
        )

    return call
