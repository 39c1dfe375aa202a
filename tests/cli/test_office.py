"""`plainwright simplify` on office documents, books and PDFs."""

from __future__ import annotations

import io
from pathlib import Path
from subprocess import CompletedProcess

import docx as python_docx
import pytest
from lxml import etree
from tests import in_process
from tests.documents.archives import WORD, members, opendocument, packed, word
from tests.documents.archives import run as word_run
from tests.documents.test_epub import book_members
from tests.documents.test_pdf import page, pdf
from tests.toy_model import write_model

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
[VB] ||| utilize ||| use ||| good=3 ||| 0-0
"""
BODY = f"<w:p>{word_run('They ')}{word_run('purchase', '<w:b/>')}{word_run(' it.')}</w:p>"
W = f"{{{WORD}}}"
EPOCH = "1772601000"  # 2026-03-04T05:10:00Z, by `date -u -d @1772601000`


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), RULES)


@pytest.fixture
def run(model: Path, tmp_path: Path):
    def call(*arguments: object) -> CompletedProcess[str]:
        environment = {"PLAINWRIGHT_MODEL": str(model), "SOURCE_DATE_EPOCH": EPOCH}
        return in_process.run("simplify", *arguments, cwd=tmp_path, env=environment)

    (tmp_path / "letter.docx").write_bytes(word(BODY))
    (tmp_path / "letter.odt").write_bytes(opendocument("<text:p>They purchase it.</text:p>"))
    (tmp_path / "book.epub").write_bytes(packed(book_members()))
    (tmp_path / "paper.pdf").write_bytes(pdf(page("They purchase it * here.")))
    (tmp_path / "notes.md").write_text("They purchase it.\n", "utf-8")
    return call


def revisions(data: bytes) -> list[tuple[str, str | None, str | None]]:
    root = etree.fromstring(members(data)["word/document.xml"])
    found = root.iter(f"{W}ins", f"{W}del")
    return [(etree.QName(own).localname, own.get(f"{W}author"), own.get(f"{W}date")) for own in found]


def test_a_word_document_comes_back_clean(run, tmp_path: Path) -> None:
    assert run("letter.docx", "-o", "plain.docx").returncode == 0
    paragraph = python_docx.Document(str(tmp_path / "plain.docx")).paragraphs[0]
    assert [(own.text, own.bold) for own in paragraph.runs] == [("They ", None), ("buy", True), (" it.", None)]
    assert (tmp_path / "letter.docx").read_bytes() == word(BODY)


def test_a_line_says_how_much_of_a_document_changed(run) -> None:
    assert run("letter.docx", "-o", "plain.docx").stderr == "plain.docx: 1 change in 1 of 1 paragraph\n"
    assert run("plain.docx", "-o", "again.docx").stderr == "again.docx: nothing to change in 1 paragraph\n"
    assert run("letter.docx", "-o", "quiet.docx", "--quiet").stderr == ""
    assert run("notes.md").stderr == ""


def test_changes_can_be_tracked_and_explained(run, tmp_path: Path) -> None:
    assert run("letter.docx", "-o", "plain.docx", "--track-changes", "--comments").returncode == 0
    data = (tmp_path / "plain.docx").read_bytes()
    date = "2026-03-04T05:10:00Z"
    assert revisions(data) == [("del", "plainwright", date), ("ins", "plainwright", date)]
    (comment,) = python_docx.Document(io.BytesIO(data)).comments
    assert "purchase" in comment.text


def test_author_and_date_can_be_set(run, tmp_path: Path) -> None:
    options = ("--track-changes", "--author", "Ann Editor", "--date", "2025-01-02T03:04:05+01:00")
    assert run("letter.docx", "-o", "plain.docx", *options).returncode == 0
    assert {own[1:] for own in revisions((tmp_path / "plain.docx").read_bytes())} == {
        ("Ann Editor", "2025-01-02T02:04:05Z")
    }


def test_the_same_command_gives_the_same_bytes(run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        for suffix in (".docx", ".odt"):
            assert run(f"letter{suffix}", "-o", f"{name}{suffix}", "--track-changes").returncode == 0
    for suffix in (".docx", ".odt"):
        assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_all_formats_at_once_go_into_a_folder_and_a_pdf_becomes_markdown(run, tmp_path: Path) -> None:
    files = ("letter.docx", "letter.odt", "book.epub", "paper.pdf", "notes.md")
    assert run(*files, "-o", "plain/").returncode == 0
    assert sorted(path.name for path in (tmp_path / "plain").iterdir()) == [
        "book.epub",
        "letter.docx",
        "letter.odt",
        "notes.md",
        "paper.md",
    ]
    assert (tmp_path / "plain/paper.md").read_text("utf-8") == "They buy it \\* here.\n"
    assert b"They buy it." in members((tmp_path / "plain/letter.odt").read_bytes())["content.xml"]
    assert b"They use it&#160;too." in members((tmp_path / "plain/book.epub").read_bytes())["OEBPS/text/two b.xhtml"]


def test_a_pdf_becomes_text_on_standard_output_and_by_name(run, tmp_path: Path) -> None:
    assert run("paper.pdf").stdout == "They buy it * here.\n"
    assert run("paper.pdf", "-o", "plain.txt").returncode == 0
    assert (tmp_path / "plain.txt").read_text("utf-8") == "They buy it * here.\n"


def test_documents_can_be_written_in_place(run, tmp_path: Path) -> None:
    assert run("letter.docx", "--in-place", "--track-changes").returncode == 0
    assert len(revisions((tmp_path / "letter.docx").read_bytes())) == 2
    assert (tmp_path / "letter.docx.bak").read_bytes() == word(BODY)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("paper.pdf -o plain.pdf", "plain.pdf: a PDF becomes Markdown or plain text; give --save a name that ends"),
        ("paper.pdf --in-place", "paper.pdf: a PDF becomes Markdown or plain text"),
        ("paper.pdf -o plain.docx", "plain.docx: a PDF becomes Markdown or plain text; give --save a name that ends"),
        ("letter.docx letter.odt -o p.docx", "p.docx: expected a directory for 2 results, such as plain/, found the"),
        ("letter.docx notes.md", "letter.docx: expected nothing beside a Word document on standard output, found 2 in"),
        ("letter.docx -o plain.odt", "plain.odt: expected a name that ends in .docx, as the result is a Word document"),
        (
            "macros.docm -o plain.docx",
            "plain.docx: expected a name that ends in .docm, as the result is a Word document",
        ),
        ("notes.md --track-changes", "--track-changes: expected Word documents (.docx) or OpenDocument texts (.odt), "),
        ("letter.docx --track-changes --explain", "--track-changes: expected nothing but the result with it"),
        ("letter.docx --author Ann -o a.docx", "--author needs --track-changes or --comments"),
        ("letter.docx --track-changes --date soon -o a.docx", "--date: expected a date such as 2026-03-04"),
        ("letter.docx --comments --author= -o a.docx", "--author: expected a name, found none"),
        ("paper.pdf paper.md -o here", "here/paper.md: two of the inputs would both become that"),
        ("empty.docx -o a.docx", "empty.docx: expected a Word document, found an empty file"),
        (
            "old.doc",
            "old.doc: expected plain text, found an old Office document or one with a password; open it in Word",
        ),
        ("wrong.docx -o a.docx", "wrong.docx: expected a Word document, found a PDF; open it in Word or LibreOf"),
        ("damaged.odt -o a.odt", "found a damaged archive; open it in Word or LibreOffice and save it as .odt"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(run, tmp_path: Path, command: str, message: str) -> None:
    (tmp_path / "empty.docx").write_bytes(b"")
    (tmp_path / "old.doc").write_bytes(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600))
    (tmp_path / "damaged.odt").write_bytes(b"PK\x03\x04")
    (tmp_path / "macros.docm").write_bytes(word(BODY))
    (tmp_path / "wrong.docx").write_bytes(pdf(page("Hello.")))
    (tmp_path / "paper.md").write_text("They purchase it.\n", "utf-8")
    (tmp_path / "here").mkdir()
    before = sorted(tmp_path.rglob("*"))
    done = run(*command.split())
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_explanations_of_a_document_are_text(run) -> None:
    assert "purchase" in run("letter.docx", "--explain").stdout
