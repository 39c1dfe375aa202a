"""Batches over folders of documents."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.in_process import run

from plainwright.batch.finding import tables_in
from plainwright.errors import DataError

GUIDE = "# Guide\n\nWe will *commence* the work.\n\n```\ncommence()\n```\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "guide.md").write_text(GUIDE)
    (tmp_path / "in" / "deep" / "page.html").write_text("<p>He utilised <b>it</b>.</p>")
    (tmp_path / "in" / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "in" / "program.py").write_text("# We will commence.")
    (tmp_path / "in" / ".hidden.md").write_text("We will commence.")
    return tmp_path / "in"


@pytest.mark.parametrize("processes", [1, 2])
def test_documents_come_back_under_their_names(folder: Path, tmp_path: Path, processes: int) -> None:
    out = tmp_path / "out"
    done = run("batch", "simplify", folder, "-o", out, "--level", "light", "--processes", processes)
    assert (done.returncode, done.stderr) == (0, f"{out}: 2 documents, 1 rejected\n")
    assert (out / "guide.md").read_text() == GUIDE.replace("*commence*", "*start*")
    assert (out / "deep" / "page.html").read_text() == "<p>He used <b>it</b>.</p>"
    [reject] = map(json.loads, (out / "rejects.jsonl").read_text().splitlines())
    assert reject["file"] == "broken.docx"
    assert reject["reason"].startswith("broken.docx: expected a Word document")
    assert not (out / "program.py").exists()
    manifest = json.loads((out / "manifest.json").read_text())
    assert sorted(manifest["files"]) == ["deep/page.html", "guide.md"]


def test_checks_of_documents_are_lines_of_one_file(folder: Path, tmp_path: Path) -> None:
    run("batch", "check", folder, "-o", tmp_path / "out", "--ignore", "passive,nested-sentence")
    lines = [json.loads(line) for line in (tmp_path / "out" / "checks.jsonl").read_text().splitlines()]
    assert [(line["file"], line["counts"]) for line in lines] == [
        ("deep/page.html", {"hard-word": 1}),
        ("guide.md", {"hard-word": 1}),
    ]


def test_documents_cannot_be_scored(folder: Path, tmp_path: Path) -> None:
    done = run("batch", "evaluate", folder, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "expected tables with outputs to score, found a folder of documents" in done.stderr


def test_the_result_does_not_go_among_the_documents(folder: Path) -> None:
    done = run("batch", "simplify", folder, "-o", folder / "plain")
    assert done.returncode == 2
    assert "expected a folder outside" in done.stderr


def test_tables_deeper_than_the_documents_are_left_out(folder: Path, tmp_path: Path) -> None:
    """As with a site and its data."""
    (folder / "deep" / "data.csv").write_text("text\nWe will commence.\n")
    out = tmp_path / "out"
    assert run("batch", "check", folder, "-o", out).returncode == 0
    checked = [json.loads(line)["file"] for line in (out / "checks.jsonl").read_text().splitlines()]
    assert checked == ["deep/page.html", "guide.md"]


def test_tables_beside_documents_are_refused(folder: Path, tmp_path: Path) -> None:
    (folder / "data.csv").write_text("text\nWe will commence.\n")
    done = run("batch", "check", folder, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert f"{folder}: expected tables or documents, found both (data.csv and " in done.stderr


def test_a_folder_that_cannot_be_read_is_no_empty_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in" / "sub").mkdir(parents=True)
    (tmp_path / "in" / "a.csv").write_text("text\nWe will commence.\n")
    scan = os.scandir

    def forbid(place: str) -> Any:
        if Path(place).name == "sub":
            raise PermissionError(errno.EACCES, "Permission denied", str(place))
        return scan(place)

    monkeypatch.setattr(os, "scandir", forbid)
    with pytest.raises(DataError, match=r"sub: expected a folder that can be read \(permission denied\); give access"):
        tables_in([tmp_path / "in"])


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    done = run("batch", "simplify", tmp_path / "in", "-o", tmp_path / "out")
    assert (done.returncode, done.stderr) == (
        2,
        f"plainwright: {tmp_path / 'in'}: expected documents or tables, found none\n",
    )


def test_two_results_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.pdf").write_bytes(b"%PDF-1.4")
    (tmp_path / "in" / "a.pdf.md").write_text("It rains.")
    done = run("batch", "simplify", tmp_path / "in", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "found two that would be called 'a.pdf.md'" in done.stderr
