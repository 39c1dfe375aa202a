"""The models are a distribution of their own: found where it is, named in one sentence where it is not."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.sites import FROM_SITE, copy_code

from plainwright import models
from plainwright.errors import ModelMissingError

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "packages" / "plainwright-en"
EXAMPLES = ROOT / "examples"
MISSING = "comes with plainwright-en, which is not installed; install it with `pip install 'plainwright[en]'`"


@pytest.fixture(scope="module")
def code_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the code as `pip install plainwright` leaves it."""
    return copy_code(tmp_path_factory.mktemp("site"))


def run(site: Path, *arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command on the code at `site`, where nobody finds plainwright-en."""
    command = ["plainwright", *map(str, arguments)]
    code = f"{FROM_SITE}sys.modules['plainwright_en'] = None; sys.argv = {command!r}\n"
    code += "from plainwright.cli.main import main; main()"
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PLAINWRIGHT_")}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**settings, "PYTHONPATH": str(site)},
        cwd=site,
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_checkout_uses_the_models_beside_its_code() -> None:
    assert models.folder() == PACKAGE / "src" / "plainwright_en"
    for name in ("default", "lens", "patterns"):
        assert (models.find(name) / "CARD.md").is_file()  # type: ignore[arg-type]


def test_elsewhere_the_installed_ones_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(models, "_CHECKOUT", tmp_path / "no checkout")
    monkeypatch.setattr(models, "_PACKAGE", "plainwright_xx")
    assert not models.is_installed("lens")
    with pytest.raises(ModelMissingError) as refused:
        models.find("lens", otherwise="or wait")
    assert str(refused.value) == f"the LENS model {MISSING}, or wait"
    (tmp_path / "plainwright_xx" / "lens").mkdir(parents=True)
    (tmp_path / "plainwright_xx" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert models.find("lens") == tmp_path / "plainwright_xx" / "lens"
    assert not models.is_installed("judge")


def test_the_code_alone_scores_and_reports(code_alone: Path, tmp_path: Path) -> None:
    texts = ("--source", EXAMPLES / "source.txt", "--outputs", EXAMPLES / "careful.txt")
    references = ("--references", *sorted(EXAMPLES.glob("reference.?.txt")))
    done = run(code_alone, "evaluate", *texts, *references, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)
    done = run(code_alone, "report", *texts, *references, "-o", tmp_path / "report.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "careful" in (tmp_path / "report.html").read_text(encoding="utf-8")
    done = run(code_alone, "study", "agree", EXAMPLES / "ratings.csv")
    assert (done.returncode, done.stderr) == (0, "")


LENS = ("evaluate", "--metrics", "lens", "--references", EXAMPLES / "reference.0.txt")


@pytest.mark.parametrize(
    "command",
    [("simplify",), ("check",), (*LENS, "--source", EXAMPLES / "source.txt", "--outputs", EXAMPLES / "careful.txt")],
    ids=lambda command: command[0],
)
def test_what_needs_models_says_so_in_one_line(code_alone: Path, command: tuple[str | Path, ...]) -> None:
    done = run(code_alone, *command, text="They commenced the work.")
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith("plainwright: the ")
    assert MISSING in line


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("setuptools") is None, reason="needs setuptools, which builds the wheel")
def test_the_wheel_carries_the_models_with_their_cards_and_no_corpus(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "copy", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", tmp_path, tmp_path / "copy"], check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    assert wheel.stat().st_size < 100_000_000  # PyPI takes no larger file
    with zipfile.ZipFile(wheel) as archive:
        files = {name for name in archive.namelist() if ".dist-info/" not in name}
        [licence] = [name for name in archive.namelist() if name.endswith("/LICENSE")]
        assert archive.read(licence) == (ROOT / "LICENSE").read_bytes()
    source = PACKAGE / "src"
    shipped = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    assert files == {name for name in shipped if "__pycache__" not in name and ".egg-info/" not in name}
    folders = {name.split("/")[1] for name in files if name.count("/") > 1}
    assert {f"plainwright_en/{folder}/CARD.md" for folder in folders} <= files


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("target", ["demo", "test", "check", "set-up-all"])
def test_the_makefile_installs_both_distributions_from_the_clone_at_once(target: str) -> None:
    command = ["make", "--dry-run", "--always-make", target]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    ours = [line for line in shown.splitlines() if "pip install" in line and '--editable ".' in line]
    assert ours
    assert all("--editable packages/plainwright-en" in line for line in ours)
