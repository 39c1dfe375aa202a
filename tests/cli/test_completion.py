"""Completion in a real bash, which asks as it does when a person presses the tab key."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(sys.executable).with_name("plainwright")
pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="no bash"),
    pytest.mark.skipif(not SCRIPT.exists(), reason="not installed as a command"),
]

# What bash sets before it calls the function that a completion names, and what it reads afterwards.
ASK = """
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_plainwright_completion plainwright
printf '%s\\n' "${COMPREPLY[@]}"
"""


def bash(script: str, *words: str, home: Path) -> list[str]:
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *words],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        env={**os.environ, "PATH": path, "HOME": str(home)},
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ev",), ["evaluate"]),
        (("study", "re"), ["resample", "report"]),
        (("learn", "import", ""), ["meteor", "wordnet", "ppdb", "simple-ppdb"]),
        (("lens", "score", "--ps"), ["--pseudo"]),
        (("evaluate", "--tokenizer", ""), ["auto", "none", "13a", "intl"]),
        (("evaluate", "--outputs", "a.txt", "b.txt", "--per"), ["--per-sentence"]),
        (("evaluate", "--outputs", "a"), []),  # a file, which bash completes by itself
    ],
)
def test_bash_completes_commands_options_and_values(
    tmp_path: Path, words: tuple[str, ...], expected: list[str]
) -> None:
    show = 'eval "$(plainwright --show-completion)"'
    assert bash(show + ASK, "plainwright", *words, home=tmp_path) == expected


def test_installed_completion_works_in_the_next_shell(tmp_path: Path) -> None:
    bash("plainwright --install-completion; true", home=tmp_path)
    assert bash('source "$HOME/.bashrc"' + ASK, "plainwright", "simp", home=tmp_path) == ["simplify"]
