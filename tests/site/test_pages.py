"""How pages of the repository become pages of the site."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("latex2mathml", reason="needs plainwright[docs]: make check installs it")

from tools.site.build import problems
from tools.site.notebooks import as_markdown
from tools.site.pages import gather, place, with_formulas
from tools.site.reference import PACKAGES, public_names

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository; `write` adds to it."""
    for name, text in {
        "README.md": "# Toy\n\nSee [the docs](docs/README.md).\n",
        "docs/README.md": "# Docs\n\n[More](../notes/more.md#b), [files](../data), `[code](x.md)`\n",
        "notes/more.md": "# More\n\n## B\n\n[Licence](../LICENSE)\n",
        "data/a.txt": "a\n",
        "LICENSE": "free\n",
        "src/.keep": "",
    }.items():
        write(tmp_path / name, text)
    for package in PACKAGES:
        write(tmp_path.joinpath("src", *package.split("."), "__init__.py"), "__all__ = ['f']\n")
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_what_pages_link_to_comes_along(repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    gather(repository, output)
    assert (output / "project" / "notes" / "more.md").is_file()
    assert (output / "project" / "LICENSE").read_text("utf-8") == "free\n"
    assert "[a.txt](a.txt)" in (output / "project" / "data" / "README.md").read_text("utf-8")
    assert (output / "project" / "data" / "a.txt").is_file()


def test_links_lead_to_the_new_places_and_code_stays(repository: Path, tmp_path: Path) -> None:
    output = tmp_path / "site"
    gather(repository, output)
    text = (output / "README.md").read_text("utf-8")
    assert "[More](project/notes/more.md#b)" in text
    assert "[files](project/data/README.md)" in text
    assert "`[code](x.md)`" in text
    assert "[the docs](../README.md)" in (output / "project" / "README.md").read_text("utf-8")


def test_notes_for_tests_are_not_shown(repository: Path, tmp_path: Path) -> None:
    write(repository / "docs" / "a.md", "```console exit=1\n$ false\n```\n")
    gather(repository, tmp_path / "site")
    assert (tmp_path / "site" / "a.md").read_text("utf-8") == "```console\n$ false\n```\n"


def test_a_formula_becomes_mathml_and_prices_and_variables_do_not() -> None:
    assert with_formulas("with $p_n$ as").startswith("with <math")
    assert 'display="block"' in with_formulas(r"$$\mathrm{FK} = 2$$")
    for text in ("from $5 to $6", "`$HOME` and `$x$`", "$PLAINWRIGHT_MODEL is a variable"):
        assert with_formulas(text) == text


def test_a_notebook_becomes_text_code_and_output(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Text."]},
        {"cell_type": "code", "source": ["%%bash\n", "ls"], "outputs": [{"name": "stdout", "text": ["a\n", "b\n"]}]},
        {"cell_type": "code", "source": ["1 + 1"], "outputs": [{"data": {"text/plain": ["2"]}}]},
    ]
    path = tmp_path / "toy.ipynb"
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    page = as_markdown(path)
    assert page.startswith("# Title\n\n[Download this page as a notebook](toy.ipynb)")
    assert "```bash\nls\n```\n\n```text\na\nb\n```\n\n```python\n1 + 1\n```\n\n```text\n2\n```" in page


def test_a_notebook_stands_as_a_page() -> None:
    assert place(ROOT / "docs" / "tutorials" / "train-lens.ipynb", ROOT) == Path("tutorials/train-lens.md")


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_of_the_reference_lists_its_names(package: str) -> None:
    assert public_names(ROOT / "src", package)


@pytest.mark.parametrize(
    ("page", "problem"),
    [
        ('<a href="b.html">', "a.html: b.html leads nowhere"),
        ('<a href="#b">', "a.html: #b is not on that page"),
        ('<img src="https://example.org/x.png">', "a.html: loads https://example.org/x.png"),
        ('<a href="https://example.org/">', None),
        ('<a href="#b"></a><h2 id="b">', None),
    ],
)
def test_links_that_lead_nowhere_are_found(page: str, problem: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    assert list(problems(tmp_path)) == ([] if problem is None else [problem])
