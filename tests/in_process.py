"""The command run in this process: each process of its own would spend half a second on imports alone."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from plainwright.cli.main import main


def run_bytes(
    *arguments: object, cwd: Path | None = None, data: bytes = b"", env: Mapping[str, str | None] | None = None
) -> CompletedProcess[bytes]:
    """What `python -m plainwright …` does with pipes at its three streams; a variable that is None is taken away."""
    command = ["plainwright", *map(str, arguments)]
    streams = {name: io.BytesIO(data if name == "stdin" else b"") for name in ("stdin", "stdout", "stderr")}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", command)
        for name, stream in streams.items():
            patch.setattr(sys, name, io.TextIOWrapper(stream, encoding="utf-8", write_through=True))
        for variable, value in (env or {}).items():
            if value is None:
                patch.delenv(variable, raising=False)
            else:
                patch.setenv(variable, value)
        if cwd is not None:
            patch.chdir(cwd)
        status = _status()
        printed = [streams[name].getvalue() for name in ("stdout", "stderr")]
    return CompletedProcess(command, status, *printed)


def run(
    *arguments: object, cwd: Path | None = None, text: str = "", env: Mapping[str, str | None] | None = None
) -> CompletedProcess[str]:
    """The same for text."""
    done = run_bytes(*arguments, cwd=cwd, data=text.encode(), env=env)
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def _status() -> int:
    try:
        main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0
