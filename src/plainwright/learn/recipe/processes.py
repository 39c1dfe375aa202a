"""One command in a process of its own: started, listened to, and waited for."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from plainwright.corpora.lookup import DATA_VARIABLE

__all__ = ["PROGRESS_MARK", "ProcessWatcher", "StageProcess"]

# Before a line on standard error that tells how far a command has come, as JSON: [done, total, what].
PROGRESS_MARK = "\x1e"

_LINES_KEPT = 200  # of what a command prints
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_QUIET_WORDS = ("note:", "warning:")


class ProcessWatcher:
    """Is told what a process says; this one does not listen."""

    def progress(self, stage: str, done: int, total: int, what: str) -> None:
        """It went on."""

    def printed(self, stage: str, line: str) -> None:
        """It printed a line, or wrote one to standard error."""

    def crashed(self, stage: str, messages: Sequence[str]) -> None:
        """It ended without saying why in a sentence; these are its last lines on standard error."""


class StageProcess:
    """Runs one command in a process of its own, and hears what it says."""

    def __init__(self, stage: str, line: Sequence[str], folder: Path, out: Path, watcher: ProcessWatcher) -> None:
        self.stage = stage
        self.printed: deque[str] = deque(maxlen=_LINES_KEPT)
        self.seconds = 0.0
        self.cpu_seconds: float | None = None
        self.peak_bytes: int | None = None
        self._line = line
        self._folder = folder
        self._hidden = f"{out.relative_to(folder)}{os.sep}"
        self._watcher = watcher
        self._error = ""
        self._messages: deque[str] = deque(maxlen=_LINES_KEPT)

    def start(self, program: Sequence[str], lock: IO[bytes]) -> None:
        """Begin; the process keeps the lock as long as it lives."""
        self._begun = time.monotonic()
        self._process = subprocess.Popen(
            [*program, *self._line],
            cwd=self._folder,
            stdin=subprocess.PIPE,  # never written to: its end tells the process that we are gone
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[lock.fileno()],
            env=_environment(),
            encoding="utf-8",
            errors="replace",
        )

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def finish(self) -> int:
        """Return the exit status, when all is read; negative for a signal."""
        process = self._process
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdin is not None
        messages = threading.Thread(target=self._read_messages, args=(process.stderr,))
        messages.start()
        for line in process.stdout:
            self._print(line.rstrip("\r\n"))
        messages.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
        self.seconds = time.monotonic() - self._begun
        self.cpu_seconds = round(usage.ru_utime + usage.ru_stime, 3)
        self.peak_bytes = usage.ru_maxrss * _RSS_UNIT
        return process.returncode

    def last_words(self, status: int) -> str:
        """Return why the command failed, in its own words."""
        if status < 0:
            name = signal.Signals(-status).name
            return f"it was ended by {name}{', perhaps for want of memory' if name == 'SIGKILL' else ''}"
        if self._error:
            return self._error
        self._watcher.crashed(self.stage, tuple(self._messages))
        last = f" ({self._messages[-1]})" if self._messages else ""
        return f"it ended with status {status}{last}"

    def _read_messages(self, stream: IO[str]) -> None:
        for raw in stream:
            line = raw.rstrip("\r\n")
            if line.startswith(PROGRESS_MARK):
                self._tell_progress(line[1:])
                continue
            message = line.removeprefix("plainwright: ")
            if message != line and not message.startswith(_QUIET_WORDS):
                self._error = self._shown(message)
            else:
                self._messages.append(self._shown(line))
                self._watcher.printed(self.stage, self._shown(line))

    def _tell_progress(self, text: str) -> None:
        try:
            done, total, what = json.loads(text)
        except ValueError:
            return
        self._watcher.progress(self.stage, done, total, self._shown(what))

    def _print(self, line: str) -> None:
        self.printed.append(self._shown(line))
        self._watcher.printed(self.stage, self._shown(line))

    def _shown(self, text: str) -> str:
        """With the final names of files, which the stage does not know."""
        return text.replace(self._hidden, "")


def _environment() -> dict[str, str]:
    """That of this process; relative paths in it are made absolute, for stages run elsewhere."""
    changed = {"PYTHONSAFEPATH": "1", "PYTHONUNBUFFERED": "1"}
    for name in (DATA_VARIABLE, "PYTHONPATH"):
        if value := os.environ.get(name):
            places = value.split(os.pathsep) if name == "PYTHONPATH" else [value]
            changed[name] = os.pathsep.join(str(Path(place).expanduser().absolute()) for place in places)
    return {**os.environ, **changed}
