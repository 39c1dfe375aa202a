"""`packages/plainwright-en`: a wheel that carries a rewriter, found and used where it is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.rewriter.tiny import SENTENCE, write_tiny_rewriter

from plainwright.rewrite.models import MODEL_VARIABLE
from plainwright.rewriter.finding import REWRITER_VARIABLE, SETTINGS
from plainwright.rewriter.model import Rewriter
from plainwright.tables import read_toml

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "packages" / "plainwright-en"
RELEASED = PACKAGE / "src" / "plainwright_en" / "rewriter"
HARD = "A cat sat upon the mat, and a dog ran away."
WITH_RULES = "A cat sat on the mat, and a dog ran away."  # what the rules of the default model make of it

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("setuptools") is None, reason="needs setuptools, which builds the wheel"
)


def wheel(folder: Path, *, with_weights: bool) -> Path:
    """Build a wheel of a copy of the package; a tiny rewriter takes the place of its own."""
    copy = folder / "copy"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("rewriter", "build", "*.egg-info"))
    if with_weights:
        write_tiny_rewriter(copy / "src" / "plainwright_en" / "rewriter", says_sentence=True)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, copy], check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function that returns a path where the wheel lies unpacked."""
    made: dict[bool, Path] = {}

    def unpacked(*, with_weights: bool) -> Path:
        if with_weights not in made:
            folder = tmp_path_factory.mktemp("wheel")
            with zipfile.ZipFile(wheel(folder, with_weights=with_weights)) as archive:
                archive.extractall(folder / "site")
            made[with_weights] = folder / "site"
        return made[with_weights]

    return unpacked


def simplify(site: Path, *options: str, text: str = HARD) -> subprocess.CompletedProcess[str]:
    """Run the command in a process that finds what is installed at `site`, and no other rewriter."""
    environment = {name: value for name, value in os.environ.items() if name not in (REWRITER_VARIABLE, MODEL_VARIABLE)}
    command = [sys.executable, "-m", "plainwright", "simplify", *options]
    return subprocess.run(
        command,
        env={**environment, "PYTHONPATH": str(site)},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_carries_the_rewriter_and_its_licence_but_no_corpus(installed: Callable[..., Path]) -> None:
    site = installed(with_weights=True)
    files = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    own = {name for name in files if ".dist-info/" not in name}
    rewriter = {"rewriter.toml", "rewriter.onnx", "rewriter.weights", "tokenizer.json"}
    assert own == {"plainwright_en/__init__.py", *(f"plainwright_en/rewriter/{name}" for name in rewriter)}
    [licence] = [name for name in files if name.endswith("/LICENSE")]
    assert (site / licence).read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_command_finds_and_uses_the_rewriter_of_the_wheel(installed: Callable[..., Path]) -> None:
    for options in ((), ("--engine", "best"), ("--engine", "rewriter")):
        done = simplify(installed(with_weights=True), *options)
        assert (done.stdout, done.stderr, done.returncode) == (SENTENCE, "", 0)
    assert simplify(installed(with_weights=True), "--engine", "rules").stdout == WITH_RULES


def test_a_wheel_without_weights_does_not_pass_for_one(installed: Callable[..., Path]) -> None:
    site = installed(with_weights=False)
    done = simplify(site, "--engine", "rewriter")
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    missing = site / "plainwright_en" / "rewriter" / "rewriter.toml"
    assert f"plainwright-en is installed without its weights ({missing} is missing)" in line
    assert "`plainwright learn rewriter` makes one" in line
    assert "--engine rules" in line


@pytest.mark.skipif(not (RELEASED / SETTINGS).is_file(), reason="no weights in the tree")
def test_the_rewriter_in_the_tree_is_small_and_the_one_that_its_card_describes() -> None:
    assert sum(path.stat().st_size for path in RELEASED.iterdir()) < 100_000_000  # GitHub takes no larger file
    digest = Rewriter(RELEASED).digest
    assert read_toml(RELEASED / SETTINGS)["rewriter"].get("digest") == digest
    assert digest in (RELEASED / "CARD.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("target", ["demo", "test", "set-up-all"])
def test_the_makefile_installs_the_package_for_every_target_if_weights_are_in_the_tree(target: str) -> None:
    def planned(weights: str) -> list[str]:
        command = ["make", "--dry-run", "--always-make", target, f"WEIGHTS={weights}"]
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return [line for line in shown.splitlines() if "pip install" in line]

    both = '--editable ".[documents,rewriter,syntax]" --editable packages/plainwright-en'
    assert sum(line.endswith(both) for line in planned("LICENSE")) == 1
    assert not any("plainwright-en" in line for line in planned(""))


def test_without_weights_the_rules_are_used_and_one_line_says_so(installed: Callable[..., Path]) -> None:
    done = simplify(installed(with_weights=False), text=f"{HARD}\n\n{HARD}\n")
    assert (done.stdout, done.returncode) == (f"{WITH_RULES}\n\n{WITH_RULES}\n", 0)
    [line] = done.stderr.splitlines()
    assert line.startswith("plainwright: left out: plainwright-en is installed without its weights (")
    assert simplify(installed(with_weights=False), "--engine", "rules").stderr == ""
