"""What only a terminal shows: colour, and text that is typed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from tests.toy_model import write_model

RULES = "[VB] ||| purchase ||| buy ||| good=3 ||| 0-0\n"


def on_terminal(*arguments: str, typed: bytes) -> bytes:
    """Everything that a terminal shows when the command runs on it; typing ends with Ctrl-D."""
    master, slave = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "plainwright", "simplify", *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environment, "TERM": "xterm"},
    )
    os.close(slave)
    os.write(master, typed + b"\x04")
    shown = b""
    try:
        while data := os.read(master, 4096):
            shown += data
    except OSError:  # the other side is closed
        pass
    os.close(master)
    assert process.wait(timeout=60) == 0
    return shown


def test_one_end_of_text_is_enough(tmp_path: Path) -> None:
    shown = on_terminal("-m", str(write_model(tmp_path, RULES)), typed=b"They purchase it.\n")
    assert b"end with Ctrl-D" in shown
    assert shown.endswith(b"They buy it.\r\n")


def test_explanations_are_in_colour(tmp_path: Path) -> None:
    shown = on_terminal("-m", str(write_model(tmp_path, RULES)), "-e", typed=b"They purchase it.\n")
    assert b"\x1b[31m\x1b[1mpurchase\x1b[0m" in shown
    assert b"\x1b[32m\x1b[1mbuy\x1b[0m" in shown
