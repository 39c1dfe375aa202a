"""What is not installed is named, alone, with the one command that brings it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import plainwright
from plainwright.errors import MissingExtraError
from plainwright.extras import check_extra, extra_for, missing_extra

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PACKAGE = Path(plainwright.__file__).parent
ROOT = PACKAGE.parents[1]


def test_the_hint_is_quoted_and_names_the_package_not_the_module() -> None:
    assert str(missing_extra("tuning", "learn", "sklearn")) == (
        "tuning needs scikit-learn; install it with `pip install 'plainwright[learn]'`"
    )
    assert str(missing_extra("training", "train", "torch", "sklearn", "onnx", otherwise="or wait")) == (
        "training needs torch, scikit-learn and onnx; install them with `pip install 'plainwright[train]'`, or wait"
    )


def test_only_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    check_extra("this", "study", "json", "csv")
    monkeypatch.setitem(sys.modules, "csv", None)
    with pytest.raises(MissingExtraError, match=r"^this needs csv; install it with `"):
        check_extra("this", "study", "json", "csv")
    with (
        pytest.raises(MissingExtraError, match=r"^that needs csv; install it with"),
        extra_for("that", "study"),
    ):
        import csv  # noqa: F401


def test_a_fault_of_our_own_is_no_missing_extra() -> None:
    with pytest.raises(ModuleNotFoundError) as found, extra_for("this", "study"):
        import plainwright.no_such_module  # noqa: F401
    assert not isinstance(found.value, MissingExtraError)


def calls() -> Iterator[tuple[Path, str, ast.Call]]:
    """Calls of the functions of `plainwright.extras` in the package."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            if name in ("check_extra", "extra_for", "missing_extra", "install_command"):
                yield path, name, node


def test_every_extra_that_a_hint_names_exists() -> None:
    project = ROOT / "pyproject.toml"
    if not project.exists():
        pytest.skip("installed without the source")
    extras = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = [
        node.args[0 if name == "install_command" else 1] for path, name, node in calls() if path.name != "extras.py"
    ]
    assert len(named) > 15
    assert {argument.value for argument in named if isinstance(argument, ast.Constant)} <= set(extras)
    assert all(isinstance(argument, ast.Constant) for argument in named)


def test_no_other_place_writes_a_hint() -> None:
    writing = [path.name for path in PACKAGE.rglob("*.py") if "plainwright[" in path.read_text(encoding="utf-8")]
    assert writing == ["extras.py"]


def test_the_documentation_installs_extras_as_the_hints_do() -> None:
    kinds = ("*.md", "docs/**/*.md", "src/**/*.md", "recipes/*.toml")
    for page in (path for kind in kinds for path in ROOT.glob(kind)):
        text = page.read_text(encoding="utf-8")
        for found in re.finditer(r"pip install\s+('[^'\n]*\[[^'\n]*'|\S*\[[^\]]+\]\S?)", text):
            wanted = r"'(?:plainwright|\.)\[[a-z,]+\](?: @ git\+https://[^']+)?'"
            assert re.fullmatch(wanted, found[1]), f"{page.name}: {found[0]}"
