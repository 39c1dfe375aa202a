"""A rewriter in plainwright-en: found and used where somebody put it there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.rewriter.tiny import SENTENCE, write_tiny_rewriter
from tests.sites import FROM_SITE, copy_code

from plainwright import models
from plainwright.rewrite.models import MODEL_VARIABLE
from plainwright.rewriter.finding import REWRITER_VARIABLE, SETTINGS
from plainwright.rewriter.model import Rewriter
from plainwright.tables import read_toml

HARD = "A cat sat upon the mat, and a dog ran away."
WITH_RULES = "A cat sat on the mat, and a dog ran away."  # what the rules of the default model make of it


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where the code lies beside a plainwright-en that has the shipped model and a tiny rewriter."""
    folder = copy_code(tmp_path_factory.mktemp("site"))
    package = folder / "plainwright_en"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "default").symlink_to(models.find("default"))
    write_tiny_rewriter(package / "rewriter", says_sentence=True)
    return folder


def simplify(site: Path, *options: str, text: str = HARD) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that finds what is installed at `site`, and no other rewriter."""
    environment = {name: value for name, value in os.environ.items() if name not in (REWRITER_VARIABLE, MODEL_VARIABLE)}
    command = ["plainwright", "simplify", *options]
    code = f"{FROM_SITE}sys.argv = {command!r}\nfrom plainwright.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "PYTHONPATH": str(site)},
        cwd=site,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_finds_and_uses_the_rewriter_of_the_distribution(site: Path) -> None:
    for options in ((), ("--engine", "best"), ("--engine", "rewriter")):
        done = simplify(site, *options)
        assert (done.stdout, done.stderr, done.returncode) == (SENTENCE, "", 0)
    assert simplify(site, "--engine", "rules").stdout == WITH_RULES


@pytest.mark.skipif(not models.is_installed("rewriter"), reason="no weights in the tree")
def test_the_rewriter_in_the_tree_is_small_and_the_one_that_its_card_describes() -> None:
    released = models.find("rewriter")
    assert sum(path.stat().st_size for path in released.iterdir()) < 100_000_000  # GitHub takes no larger file
    digest = Rewriter(released).digest
    assert read_toml(released / SETTINGS)["rewriter"].get("digest") == digest
    assert digest in (released / "CARD.md").read_text(encoding="utf-8")
