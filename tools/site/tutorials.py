"""Run the notebooks of docs/tutorials, and store what they print."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def executed(path: Path, root: Path) -> nbformat.NotebookNode:
    """Run a notebook in an empty folder that has the examples; an error in a cell is raised."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(root / "examples")
        client = NotebookClient(notebook, timeout=300, coalesce_streams=True, resources={"metadata": {"path": folder}})
        client.execute(env=environment())
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times, which would differ in every run
        if cell.cell_type == "code":  # progress and notes differ from machine to machine
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def environment() -> dict[str, str]:
    """The commands of this installation come first, and nothing of a user's settings counts."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PLAINWRIGHT_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**kept, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1"}


def run_all(root: Path) -> None:
    """Run every notebook, and write it back with its outputs."""
    for path in sorted((root / "docs" / "tutorials").glob("*.ipynb")):
        notebook = executed(path, root)
        nbformat.write(notebook, path)
