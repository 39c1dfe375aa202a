"""The tutorials still run, and print what their pages show."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.ipynb"))


def printed(notebook: Any) -> list[str]:
    """What each cell printed, but for those whose output differs from run to run."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return ["" if "varies" in cell.metadata.get("tags", []) else text_of(cell) for cell in cells]


def text_of(cell: Any) -> str:
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return re.sub(r"\b(cmu|wordfreq)-\d[\d.]*", r"\1-VERSION", "".join(texts))


@pytest.mark.slow
@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_prints_what_it_shows(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs plainwright[docs]: make test-all installs it")
    if path.stem == "train-lens":
        pytest.importorskip("torch")
    from tools.site.tutorials import executed

    stored = nbformat.read(path, as_version=4)
    assert printed(executed(path, ROOT)) == printed(stored), "run `make tutorials` and look at the changes"


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_was_run_before_it_was_stored(path: Path) -> None:
    cells = [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells)
    assert not any(output.get("ename") for cell in cells for output in cell["outputs"])
