"""`plainwright check` on the command line: table, JSON, SARIF, HTML, and when it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from tests.in_process import run

from plainwright.cli.main import app

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
    assert rows[0].endswith("commence → start")
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
    assert [(own["line"], LETTER[slice(*own["span"])] == own["text"]) for own in first["sentences"]] == [
        (1, True),
        (3, True),
    ]
    assert (second["grade"], second["level"], second["findings"]) == (None, None, [])


def test_sarif_and_html_are_written_whole(letter: Path, tmp_path: Path) -> None:
    assert json.loads(run("check", letter, *FAST, "--sarif").stdout)["version"] == "2.1.0"
    page = tmp_path / "letter.html"
    done = run("check", letter, *FAST, "--html", page, "--save", tmp_path / "table.txt")
    assert (done.stdout, done.stderr) == ("", "")
    assert "commence</a>" in page.read_text(encoding="utf-8")


MARKDOWN = """---
title: We commence
---
# We commence

Cats &amp; dogs 😀: we *will* **commence** the work. Run `commence --now`. They will [commence](commence.html) it.

| when | what |
|---|---|
| May | they commence it |

```
commence
```
"""


def test_in_markdown_only_prose_is_checked_and_places_are_those_of_the_file(tmp_path: Path) -> None:
    pytest.importorskip("tree_sitter_markdown")
    path = tmp_path / "page.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    [file] = json.loads(run("check", path, "--select", "hard-word", "--json").stdout)["files"]
    lines = MARKDOWN.split("\n")
    places = [(own["line"], own["column"], own["text"]) for own in file["findings"]]
    assert [line for line, *_ in places] == [4, 6, 6, 10]
    assert all(lines[line - 1][column - 1 :].startswith(text) for line, column, text in places)


def test_in_html_entities_and_tags_do_not_move_places(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    source = (
        "<html><body><script>commence()</script><p>Caf&eacute; &amp; bar\n will <b>commence</b> it.</p></body></html>"
    )
    path.write_text(source, encoding="utf-8")
    [file] = json.loads(run("check", path, "--select", "hard-word", "--json").stdout)["files"]
    [finding] = file["findings"]
    assert source[slice(*finding["span"])] == "commence"
    assert (finding["line"], finding["column"]) == (2, 10)


def test_in_a_word_document_places_are_paragraphs(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_heading("Notice")
    document.add_paragraph("We came.")
    document.add_paragraph("We commence.")
    document.save(tmp_path / "notice.docx")
    done = run("check", "notice.docx", "--select", "hard-word", cwd=tmp_path)
    assert "¶ 3  hard-word  commence → start" in done.stdout
    sarif = json.loads(run("check", "notice.docx", "--select", "hard-word", "--sarif", cwd=tmp_path).stdout)
    [location] = sarif["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": "notice.docx"}}
    assert location["logicalLocations"] == [{"name": "paragraph 3"}]


def test_every_option_is_documented() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "check.md").read_text(encoding="utf-8")
    options = typer.main.get_command(app).commands["check"].params  # type: ignore[attr-defined]
    assert [own.opts[0] for own in options if own.param_type_name == "option" and f"`{own.opts[0]}" not in text] == []


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


def test_a_rule_that_could_not_be_checked_does_not_pass(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainwright.check.checking._missing", lambda: "install the parser")
    done = run("check", letter, "--select", "passive", "--fail-on", "passive", "--quiet")
    assert done.returncode == 1
    assert done.stderr == f"plainwright: {letter}: --fail-on could not check passive; install the parser\n"


def test_findings_of_all_rules_are_errors_whatever_else_is_named(letter: Path) -> None:
    done = run("check", letter, *FAST, "--sarif", "--fail-on", "all,filler")
    results = json.loads(done.stdout)["runs"][0]["results"]
    assert len({own["ruleId"] for own in results}) > 1
    assert {own["level"] for own in results} == {"error"}


def test_rules_are_selected_by_name(letter: Path) -> None:
    done = run("check", letter, "--select", "filler", "--select", "hidden-verb")
    assert "2 findings: 1 filler, 1 hidden-verb" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--select", "fillers"), "unknown check 'fillers'; did you mean filler"),
        (("--max-grade", "nan"), "--max-grade: expected a number"),
        (("--fail-on", "grade"), "unknown check 'grade'; "),
        (("--json", "--sarif"), "choose one of --json and --sarif"),
        (("--html", "letter.txt"), "letter.txt: the result would replace one of the inputs"),
        (("--html", "out.html", "-o", "out.html"), "out.html: expected two names for --save and --html, found one"),
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
    (tmp_path / "keep.txt").write_text("commence\n\nprior to\nit should be noted that\nmakes a decision\n", "utf-8")
    done = run("check", letter, "--select", "hard-word", "--keep-file", tmp_path / "keep.txt")
    assert done.stdout.splitlines()[-1] == "nothing found"


def test_a_text_that_is_not_english_gets_a_word_about_it(letter: Path) -> None:
    german = "Der Brief kam gestern. Wir haben ihn gelesen und werden ihn morgen beantworten.\n"
    done = run("check", "-", letter, *FAST, text=german)
    assert done.stderr == "plainwright: standard input: no English, it seems; grades and findings mean little\n"
    assert run("check", *FAST, "--quiet", text=german).stderr == ""
