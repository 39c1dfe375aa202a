"""`plainwright check` on the command line: table, JSON, SARIF, HTML, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.in_process import run

LETTER = "We will commence the work.\n\nIt should be noted that 😀 prior to May, Ms. Keller makes a decision.\n"
FAST = ("--ignore", "passive,nested-sentence")  # which load the parser


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    path = tmp_path / "letter.txt"
    path.write_text(LETTER, encoding="utf-8")
    return path


def test_the_table_has_line_and_column_and_what_to_do(letter: Path) -> None:
    done = run("check", letter, *FAST)
    assert (done.returncode, done.stderr) == (0, "")
    first, second, *rows, last = done.stdout.splitlines()
    assert first.startswith(f"{letter}: grade ")
    assert first.endswith("18 words, 2 sentences")
    assert second.startswith("Flesch ")
    assert [row.split()[:2] for row in rows] == [
        ["1:9", "hard-word"],
        ["3:1", "filler"],
        ["3:27", "hard-word"],
        ["3:52", "hidden-verb"],
    ]
    assert rows[0].endswith("commence → start: plainer")
    assert last == "4 findings: 2 hard-word, 1 filler, 1 hidden-verb"


def test_standard_input_is_read_and_nothing_is_found_in_plain_text() -> None:
    done = run("check", *FAST, text="We came home.\n")
    assert done.stdout.splitlines()[0].startswith("standard input: grade ")
    assert done.stdout.splitlines()[-1] == "nothing found"


def test_json_has_all_files_with_places_in_their_source(letter: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("", encoding="utf-8")
    first, second = json.loads(run("check", letter, other, *FAST, "--json").stdout)["files"]
    assert {LETTER[slice(*own["span"])] for own in first["findings"]} == {own["text"] for own in first["findings"]}
    assert first["findings"][2]["column"] == 27
    assert (second["grade"], second["level"], second["findings"]) == (None, None, [])


def test_sarif_and_html_are_written_whole(letter: Path, tmp_path: Path) -> None:
    assert json.loads(run("check", letter, *FAST, "--sarif").stdout)["version"] == "2.1.0"
    page = tmp_path / "letter.html"
    assert run("check", letter, *FAST, "--html", "-o", page).stdout == ""
    assert "commence</a>" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 0),
        (("--max-grade", "30"), 0),
        (("--max-grade", "-3"), 1),
        (("--fail-on", "abbreviation"), 0),
        (("--fail-on", "abbreviation,filler"), 1),
        (("--fail-on", "all"), 1),
    ],
)
def test_it_fails_only_on_what_one_asks_for(letter: Path, options: tuple[str, ...], status: int) -> None:
    done = run("check", letter, *FAST, *options)
    assert done.returncode == status
    assert bool(done.stderr) == bool(status)


def test_why_it_fails_is_said(letter: Path) -> None:
    done = run("check", letter, *FAST, "--fail-on", "filler", "--max-grade", "-3")
    grade, rules = done.stderr.splitlines()
    assert grade.startswith(f"plainwright: {letter}: grade ")
    assert grade.endswith("is above --max-grade -3")
    assert rules == f"plainwright: {letter}: --fail-on found 1 filler"


def test_rules_are_selected_by_name(letter: Path) -> None:
    done = run("check", letter, "--select", "filler", "--select", "hidden-verb")
    assert "2 findings: 1 filler, 1 hidden-verb" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--select", "fillers"), "unknown check 'fillers'; did you mean filler"),
        (("--fail-on", "grade"), "unknown check 'grade'; "),
        (("--json", "--html"), "choose one of --json, --sarif and --html"),
        (("--as", "word"), "unknown format 'word'"),
        (("-o", "letter.txt"), "letter.txt: the result would replace one of the inputs"),
        (("--words", "absent.tsv"), "absent.tsv: "),
    ],
)
def test_mistakes_are_one_sentence(letter: Path, arguments: tuple[str, ...], message: str) -> None:
    done = run("check", "letter.txt", *arguments, cwd=letter.parent)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert line.startswith(f"plainwright: {message}")


def test_words_to_keep_may_be_in_a_file(letter: Path, tmp_path: Path) -> None:
    (tmp_path / "keep.txt").write_text("commence\n\nprior to\nit should be noted that\n", encoding="utf-8")
    done = run("check", letter, "--select", "hard-word", "--keep-file", tmp_path / "keep.txt")
    assert done.stdout.splitlines()[-1] == "nothing found"
