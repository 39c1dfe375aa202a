"""`plainwright simplify` on documents: each comes back in its own format, and nothing is lost."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from tests import in_process
from tests.toy_model import write_model

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
"""
MARKDOWN = "---\ntitle: purchase\n---\n\nThey *purchase* `purchase` now.\n\n> We purchase it.\n\nHe said “purchase”.\n"
PLAIN_MARKDOWN = MARKDOWN.replace("*purchase*", "*buy*")
HTML = "<!doctype html><p title=purchase>They <b>purchase</b> it.<script>purchase</script>\n"
PLAIN_HTML = HTML.replace("<b>purchase</b>", "<b>buy</b>")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), RULES)


@pytest.fixture
def run(model: Path, tmp_path: Path):
    def call(*arguments: object, text: str = "") -> CompletedProcess[str]:
        environment = {"PLAINWRIGHT_MODEL": str(model)}
        return in_process.run("simplify", *arguments, text=text, cwd=tmp_path, env=environment)

    (tmp_path / "guide.md").write_text(MARKDOWN, "utf-8")
    (tmp_path / "page.html").write_text(HTML, "utf-8")
    (tmp_path / "letter.txt").write_text("They purchase *it*.\n", "utf-8")
    return call


def test_each_file_comes_back_in_its_format(run, tmp_path: Path) -> None:
    assert run("guide.md", "page.html", "letter.txt", "--save", "plain/").returncode == 0
    assert (tmp_path / "plain/guide.md").read_text("utf-8") == PLAIN_MARKDOWN
    assert (tmp_path / "plain/page.html").read_text("utf-8") == PLAIN_HTML
    assert (tmp_path / "plain/letter.txt").read_text("utf-8") == "They buy *it*.\n"
    assert (tmp_path / "guide.md").read_text("utf-8") == MARKDOWN


def test_a_document_may_go_to_standard_output(run) -> None:
    assert run("guide.md").stdout == PLAIN_MARKDOWN


def test_a_format_can_be_named_for_a_file_and_for_standard_input(run) -> None:
    assert run("--as", "html", text=HTML).stdout == PLAIN_HTML
    assert run("--as", "text", "guide.md").stdout.startswith("---\ntitle: buy")
    assert run(text=MARKDOWN).stdout.startswith("---\ntitle: buy")


def test_a_page_without_a_suffix_is_known_by_its_content(run, tmp_path: Path) -> None:
    (tmp_path / "page").write_text(HTML, "utf-8")
    assert run("page").stdout == PLAIN_HTML


def test_a_packed_document_comes_back_unpacked(run, tmp_path: Path) -> None:
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(HTML.encode()))
    assert run("page.html.gz", "-o", "out/").returncode == 0
    assert (tmp_path / "out/page.html").read_text("utf-8") == PLAIN_HTML


def test_quotations_are_changed_on_request(run) -> None:
    plain = run("guide.md", "--quotes").stdout
    assert "> We buy it." in plain
    assert "“buy”" in plain
    assert run("--quotes", text='The term "purchase".').stdout == 'The term "buy".'
    assert run(text='The term "purchase".').stdout == 'The term "purchase".'


def test_edits_are_shown_by_block(run) -> None:
    assert run("guide.md", "--diff").stdout.startswith("They [-purchase-]{+buy+} purchase now.\n\nWe purchase it.\n\n")
    blocks = [json.loads(line) for line in run("page.html", "--json").stdout.splitlines()]
    assert [(block["source"], block["text"]) for block in blocks] == [("They purchase it.", "They buy it.")]
    assert "replace  purchase → buy" in run("page.html", "--explain").stdout


def test_lines_are_lines_whatever_the_name(run) -> None:
    assert run("guide.md", "--lines").stdout.startswith("---\ntitle: buy\n")
    assert "--lines: expected plain text" in run("--lines", "--as", "html", text=HTML).stderr


def test_in_place_keeps_a_backup_and_the_rights_of_the_file(run, tmp_path: Path) -> None:
    (tmp_path / "guide.md").chmod(0o640)
    assert run("--in-place", "guide.md", "letter.txt").returncode == 0
    assert (tmp_path / "guide.md").read_text("utf-8") == PLAIN_MARKDOWN
    assert (tmp_path / "guide.md.bak").read_text("utf-8") == MARKDOWN
    assert (tmp_path / "letter.txt").read_text("utf-8") == "They buy *it*.\n"
    assert (tmp_path / "letter.txt.bak").read_text("utf-8") == "They purchase *it*.\n"
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in ("guide.md", "guide.md.bak")} == {0o640}


def test_a_backup_is_never_lost(run, tmp_path: Path) -> None:
    (tmp_path / "guide.md.bak").write_text("precious", "utf-8")
    done = run("--in-place", "guide.md")
    assert done.returncode == 2
    assert "guide.md.bak: a backup of another version is already there; move or rename it" in done.stderr
    assert (tmp_path / "guide.md").read_text("utf-8") == MARKDOWN
    assert (tmp_path / "guide.md.bak").read_text("utf-8") == "precious"


@pytest.mark.parametrize("name", ["a.md", "a.html", "a.tex", "a.srt", "a.po"])
@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf", b"\r\n\r\n"])
def test_an_empty_document_comes_back_empty(run, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    assert run(name, "-o", "out/").returncode == 0
    assert (tmp_path / "out" / name).read_bytes() == data


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--in-place"], "found standard input"),
        (["--in-place", "guide.md", "--save", "x"], "choose one of --in-place and --save"),
        (["--in-place", "guide.md", "--diff"], "an option that shows changes"),
        (["--in-place", "guide.md", "guide.md"], "found it twice"),
        (["--in-place", "guide.md", "here/../guide.md"], "found it twice"),
        (["guide.md", "--save", "plain.md.gz"], "plain.md.gz: results are not packed; give --save a name without .gz"),
        (["page.html", "--save", "here", "--html", "here/page.html"], "the page would replace another file"),
        (["--as", "markdwon", "guide.md"], "did you mean markdown?"),
        (["guide.md", "--save", "guide.md"], "would replace one of the inputs"),
        (["missing.md"], "no such file"),
        (["My", "guide.md"], "My: no such file"),
        (["My", "letter.md"], 'neither is letter.md; put a name with spaces in quotes: "My letter.md"'),
        (
            ["guide.md", "page.html", "-o", "p.md"],
            "p.md: expected a directory for 2 results, such as plain/, found the",
        ),
        (
            ["guide.md", "-o", "p.docx"],
            "p.docx: expected the name of a text, as the result is Markdown, found that of a",
        ),
        (
            ["letter.txt", "-o", "p.PDF"],
            "p.PDF: expected the name of a text, as the result is plain text, found that of",
        ),
        (["bad.html"], "bad.html:1: expected UTF-8 text, found byte 0xe9"),
        (["good.md", "bad.html", "--in-place", "--quiet"], "bad.html:1: expected UTF-8"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_the_files_alone(run, tmp_path: Path, arguments, message) -> None:
    (tmp_path / "bad.html").write_bytes(b"<p>caf\xe9")
    (tmp_path / "good.md").write_text("Nothing here.\n", "utf-8")
    (tmp_path / "here").mkdir()
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "guide.md").read_text("utf-8") == MARKDOWN
    assert (tmp_path / "bad.html").read_bytes() == b"<p>caf\xe9"
    assert not (tmp_path / "bad.html.bak").exists()
    assert not list(tmp_path.glob(".plainwright*"))
