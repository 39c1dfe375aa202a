"""What only a terminal shows: colour, and text that is typed."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from tests.in_process import run_bytes
from tests.toy_model import write_model
from tests.toy_set import HASTY, write_set

RULES = "[VB] ||| purchase ||| buy ||| good=3 ||| 0-0\n"


def on_terminal(*arguments: str, command: str = "simplify", typed: bytes = b"", status: int = 0) -> bytes:
    """Everything that a terminal shows when the command runs on it; typing ends with Ctrl-D."""
    master, slave = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "plainwright", command, *arguments],
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
    assert process.wait(timeout=60) == status
    return shown


def test_one_end_of_text_is_enough(tmp_path: Path) -> None:
    shown = on_terminal("-m", str(write_model(tmp_path, RULES)), typed=b"They purchase it.\n")
    assert b"end with Ctrl-D" in shown
    assert shown.endswith(b"They buy it.\r\n")


def test_explanations_are_in_colour(tmp_path: Path) -> None:
    shown = on_terminal("-m", str(write_model(tmp_path, RULES)), "-e", typed=b"They purchase it.\n")
    assert b"\x1b[31m\x1b[1mpurchase\x1b[0m" in shown
    assert b"\x1b[32m\x1b[1mbuy\x1b[0m" in shown


ODD = "a\x1b]0;t\x07\x9b2J"  # sets the title of the window, then clears the screen
SHOWN = "a\ufffd]0;t\ufffd\ufffd2J".encode()


def test_no_file_name_is_obeyed_by_a_terminal(tmp_path: Path) -> None:
    toy = write_set(tmp_path)
    odd = toy / f"{ODD}.txt"
    odd.write_text("\n".join(HASTY) + "\n", encoding="utf-8")
    source, reference = str(toy / "source.txt"), str(toy / "reference.0.txt")
    files = ("--source", source, "--references", reference, "--outputs", str(odd))
    for command, arguments, status in (
        ("evaluate", files, 0),
        ("evaluate", (*files, "--csv"), 0),
        ("report", (*files, "-o", str(tmp_path / f"{ODD}.html")), 0),
        ("evaluate", ("--outputs", str(toy / f"no {ODD}")), 2),
        ("grammar", ("info", str(odd)), 2),
    ):
        shown = on_terminal(*arguments, command=command, status=status)
        assert SHOWN in shown
        assert b"\x07" not in shown
        assert b"\x1b]" not in shown
        assert "\x9b".encode() not in shown


COLOURED = "\x1b[8mhidden\x1b[0m"
SHOWN_COLOURED = "\ufffd[8mhidden\ufffd[0m".encode()


def coloured_system(tmp_path: Path) -> tuple[str, ...]:
    toy = write_set(tmp_path)
    odd = toy / f"{COLOURED}.txt"
    odd.write_text("\n".join(HASTY) + "\n", encoding="utf-8")
    files = ("--references", str(toy / "reference.0.txt"), "--outputs", str(odd))
    return ("--source", str(toy / "source.txt"), *files, "--resamples", "10")


@pytest.mark.parametrize("layout", [(), ("--csv",), ("--per-sentence",), ("--json",)])
def test_a_file_name_has_no_colour_on_a_terminal(tmp_path: Path, layout: tuple[str, ...]) -> None:
    shown = on_terminal(*coloured_system(tmp_path), *layout, command="evaluate")
    assert b"\x1b[8m" not in shown
    assert (b"\\u001b[8mhidden" if layout == ("--json",) else SHOWN_COLOURED) in shown
    assert (b"\x1b[1m" in shown) is (layout == ())  # bold is ours


@pytest.mark.parametrize("layout", ["--csv", "--per-sentence", "--json"])
def test_a_pipe_and_a_file_get_the_same_bytes(tmp_path: Path, layout: str) -> None:
    arguments, saved = coloured_system(tmp_path), tmp_path / "saved"
    piped = run_bytes("evaluate", *arguments, layout)
    assert run_bytes("evaluate", *arguments, layout, "-o", saved).returncode == piped.returncode == 0
    assert piped.stdout == saved.read_bytes()
    assert layout == "--json" or COLOURED.encode() in piped.stdout


@pytest.mark.parametrize("options", [(), ("-e",), ("-n", "2")])
def test_a_text_has_no_colour_of_its_own_on_a_terminal(tmp_path: Path, options: tuple[str, ...]) -> None:
    text = tmp_path / "text.txt"
    text.write_text(f"They purchase {COLOURED} it.\n", encoding="utf-8")
    shown = on_terminal("-q", "-m", str(write_model(tmp_path, RULES)), str(text), *options)
    assert SHOWN_COLOURED in shown
    assert b"\x1b[8m" not in shown
    assert (b"\x1b[1mbuy\x1b[0m" in shown) is (options != ())


def test_text_from_a_file_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("They\x1b[2J purchase\tit.\r\nÀ\xa0la\n", encoding="utf-8")
    shown = on_terminal("-q", "-m", str(write_model(tmp_path, RULES)), str(text))
    assert "They\ufffd[2J buy\tit.\r\r\nÀ\xa0la\r\n".encode() in shown


def test_text_for_a_pipe_is_never_changed(tmp_path: Path) -> None:
    model, text = write_model(tmp_path, RULES), b"They\x1b[2J purchase it.\n"
    command = [sys.executable, "-m", "plainwright", "simplify", "-q", "-m", str(model)]
    assert subprocess.run(command, input=text, capture_output=True, check=True).stdout == b"They\x1b[2J buy it.\n"
