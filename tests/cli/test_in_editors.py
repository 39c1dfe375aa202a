"""`simplify` as a filter in real editors, and `check` as a hook, by what the documentation and the repository say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
BEFORE = """\
We utilise this line in any case.
We utilise it prior to lunch – 🙂 “they utilise it”.
Numerous people came.
We utilise this one, too.
"""
AFTER = """\
We utilise this line in any case.
We use it before lunch – 🙂 “they utilise it”.
Many people came.
We utilise this one, too.
"""


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(BEFORE, encoding="utf-8")
    return path


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """A program for which `plainwright` is the one that is tested."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
    return subprocess.run([*map(str, command)], env=environment, capture_output=True, text=True, timeout=60)


def vim() -> str:
    found = shutil.which("vim") or shutil.which("vim.tiny")
    if found is None:
        pytest.skip("needs vim")
    return found


def test_vim_replaces_the_lines_that_are_selected(text: Path) -> None:
    typed = re.search(r"`:'<,'>(!plainwright [^`]*)`", PAGE)
    assert typed is not None
    done = run(vim(), "-u", "NONE", "-es", "-c", f"2,3{typed[1]}", "-c", "wq", text)
    assert (done.returncode, text.read_text(encoding="utf-8")) == (0, AFTER)


def test_the_command_for_vim_takes_lines_or_all(text: Path, tmp_path: Path) -> None:
    (tmp_path / "vimrc").write_text(block("vim"), encoding="utf-8")
    run(vim(), "-u", tmp_path / "vimrc", "--cmd", "set nocompatible", "-es", "-c", "2,3Plain", "-c", "wq", text)
    assert text.read_text(encoding="utf-8") == AFTER
    run(vim(), "-u", tmp_path / "vimrc", "--cmd", "set nocompatible", "-es", "-c", "Plain", "-c", "wq", text)
    assert text.read_text(encoding="utf-8") == AFTER.replace("We utilise", "We use")


def test_emacs_replaces_the_region(text: Path, tmp_path: Path) -> None:
    if shutil.which("emacs") is None:
        pytest.skip("needs Emacs")
    program = tmp_path / "region.el"
    program.write_text(
        block("elisp")
        + f'(find-file "{text}") (forward-line 1)\n'
        + "(let ((start (point))) (forward-line 2) (plainwright-region start (point)))\n(save-buffer)\n",
        encoding="utf-8",
    )
    done = run("emacs", "-Q", "--batch", "-l", program)
    assert (done.returncode, text.read_text(encoding="utf-8")) == (0, AFTER)


def hook() -> dict[str, object]:
    srsly = pytest.importorskip("srsly")  # reads YAML, and comes with spaCy
    (found,) = srsly.yaml_loads((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return found


def test_the_hook_lets_a_commit_fail_for_hard_text_alone(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_markdown")
    shutil.copy(ROOT / "examples" / "notice.md", tmp_path)
    (tmp_path / "hard.md").write_text(
        "The administration subsequently endeavoured to ascertain the applicability of municipal regulations.\n"
    )
    entry, arguments = hook()["entry"], hook()["args"]
    done = run(*shlex.split(entry), *arguments, tmp_path / "notice.md", tmp_path / "hard.md")
    assert done.returncode == 1
    (problem,) = done.stderr.splitlines()
    assert re.search(r"hard\.md: grade .* is above --max-grade 10$", problem)


def test_the_page_about_checks_names_the_hook() -> None:
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    assert f"- id: {hook()['id']}\n" in page
