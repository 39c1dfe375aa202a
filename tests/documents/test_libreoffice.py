"""LibreOffice sees what we say: changes accepted give the simplified text, refused give the original."""

import io
import re
import shutil
import subprocess
from pathlib import Path

import docx as python_docx
import pytest
from markdown_it import MarkdownIt
from tests.documents import libreoffice
from tests.documents.archives import TRACKING, members
from tests.documents.independent import marked, same_words
from tests.documents.test_docx import text_of as docx_text
from tests.documents.test_odt import shown as odt_text

from plainwright.documents import Change, Document, apply_changes, read_document
from plainwright.documents.tracking import Tracking

pytestmark = pytest.mark.slow

FEATURES = Path(__file__).with_name("feature.fodt")
PLAINER = {
    "utilize": "use",
    "numerous ": "",
    "numerous": "many",
    "in order to": "to",
    "facilitate": "ease",
    "commence": "start",
    "purchase": "buy",
    " a ticket": " a ticket and go",
    "again": "once more",
    " twice": "",
}
WORDS = re.compile("|".join(map(re.escape, PLAINER)), re.IGNORECASE)


def changes_of(document: Document) -> list[list[Change]]:
    """Plainer words wherever a block may be changed."""
    found = []
    for block in document.blocks:
        own = []
        for match in WORDS.finditer(block.text):
            start, end = match.span()
            fixed = any(start < stop and first < end for first, stop in block.fixed)
            if not fixed and not any(start < joint < end for joint in block.joints):
                new = PLAINER[match[0].lower()]
                own.append(
                    Change(start, end, new.capitalize() if match[0][0].isupper() else new, f"in place of {match[0]}")
                )
        found.append(own)
    return found


@pytest.fixture(scope="module", autouse=True)
def _needs_libreoffice() -> None:
    if not libreoffice.available():
        pytest.skip("needs libreoffice-writer-nogui and python3-uno")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the same document as LibreOffice writes it in both formats, and one by python-docx."""
    folder = tmp_path_factory.mktemp("office")
    source = folder / "source.fodt"  # LibreOffice writes a lock beside what it opens
    shutil.copy(FEATURES, source)
    filters = {"odt": "writer8", "docx": "MS Word 2007 XML"}
    libreoffice.ask(
        [{"path": str(source), "save": str(folder / f"made.{own}"), "filter": name} for own, name in filters.items()]
    )
    document = python_docx.Document()
    document.add_heading("We utilize numerous tools", 1)
    paragraph = document.add_paragraph("Please ")
    paragraph.add_run("util").bold = True
    paragraph.add_run("ize it, and ")
    paragraph.add_run("commence").italic = True
    paragraph.add_run(" now\tor purchase\nagain.")
    document.add_paragraph("Commence here", style="List Number")
    table = document.add_table(2, 2)
    table.cell(0, 0).text = "Purchase a ticket"
    table.cell(1, 1).text = "7"
    document.sections[0].header.paragraphs[0].text = "We utilize a header"
    document.save(str(folder / "python.docx"))
    return folder


@pytest.mark.parametrize("name", ["made.odt", "made.docx", "python.docx"])
def test_accepted_is_the_simplified_text_and_refused_the_original(made: Path, name: str, tmp_path: Path) -> None:
    document = read_document(made / name)
    changes = changes_of(document)
    assert sum(map(len, changes)) >= 6
    clean, tracked = tmp_path / f"clean-{name}", tmp_path / f"tracked-{name}"
    clean.write_bytes(document.changed(changes))
    tracked.write_bytes(document.changed(changes, tracked=TRACKING))
    jobs = [(made / name, ""), (made / name, "accept"), (made / name, "refuse"), (clean, ""), (clean, "accept")]
    jobs += [(tracked, ""), (tracked, "accept"), (tracked, "refuse")]
    answers = libreoffice.ask([{"path": str(path), "then": then} for path, then in jobs])
    source, _, refused_source, _, accepted_clean, both, accepted, refused = answers
    assert accepted["paragraphs"] == accepted_clean["paragraphs"]
    assert refused["paragraphs"] == refused_source["paragraphs"]
    ours = [own for own in both["changes"] if own[1] == "Ann Editor"]
    assert [own for own in both["changes"] if own not in ours] == source["changes"]
    wanted = sum(bool(own.text) + (own.end > own.start) for block in changes for own in block)
    assert len(ours) == wanted
    assert {own[2] for own in ours} == {"2026-03-04T05:06:07"}
    seen = [_plain("".join(own[0] for own in found["portions"])) for found in accepted["paragraphs"]]
    for block, own in zip(document.blocks, changes, strict=True):
        assert _plain(apply_changes(block.text, own)) in seen


def _plain(text: str) -> str:
    """Text without what the two readers show differently: objects, and what others deleted."""
    return re.sub(r"\s+", " ", text).strip()


@pytest.mark.parametrize("name", ["made.odt", "made.docx", "python.docx"])
def test_members_that_have_no_prose_stay_byte_for_byte(made: Path, name: str) -> None:
    document = read_document(made / name)
    before = members((made / name).read_bytes())
    after = members(document.changed(changes_of(document), tracked=TRACKING))
    assert list(before) == list(after)
    changed = {own for own in before if before[own] != after[own]}
    assert changed <= {"content.xml", "word/document.xml", "word/footnotes.xml"}


@pytest.mark.parametrize("name", ["made.odt", "made.docx", "python.docx"])
@pytest.mark.parametrize("tracked", [True, False])
def test_comments_are_read(made: Path, name: str, tracked: bool, tmp_path: Path) -> None:
    document = read_document(made / name)
    tracking = Tracking(author="Ann Editor", date=TRACKING.date, tracked=tracked, comments=True)
    (tmp_path / name).write_bytes(document.changed(changes_of(document), tracked=tracking))
    # By conversion: without a window, LibreOffice cannot show comments and ends.
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{tmp_path}/profile", "--convert-to", "fodt"]
    subprocess.run([*command, "--outdir", str(tmp_path), str(tmp_path / name)], check=True, capture_output=True)
    converted = (tmp_path / name).with_suffix(".fodt").read_text(encoding="utf-8")
    comments = re.findall(r"<office:annotation .*?</office:annotation>", converted, re.DOTALL)
    assert len(comments) >= 5
    assert all("Ann Editor" in own and "in place of" in own for own in comments)
    if name == "python.docx":
        reader = python_docx.Document(io.BytesIO((tmp_path / name).read_bytes()))
        assert len(list(reader.comments)) == len(comments)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pages of our own documentation, as LibreOffice writes them in both formats."""
    folder = tmp_path_factory.mktemp("pages")
    for path in sorted(Path(__file__).parents[2].glob("docs/*.md"))[::3]:
        html = MarkdownIt().enable("table").render(path.read_text(encoding="utf-8"))
        (folder / f"{path.stem}.html").write_text(f"<html><body>{html}</body></html>", encoding="utf-8")
    command = [
        "soffice",
        f"-env:UserInstallation=file://{folder}/profile",
        "--headless",
        "--infilter=HTML (StarWriter)",
    ]
    for kind in ("odt:writer8", "docx:MS Word 2007 XML"):
        files = map(str, sorted(folder.glob("*.html")))
        subprocess.run(
            [*command, "--convert-to", kind, "--outdir", str(folder), *files], check=True, capture_output=True
        )
    return folder


def test_pages_in_odt_come_back(pages: Path) -> None:
    for path in sorted(pages.glob("*.odt")):
        data, clean, tracked = _round_trip(path)
        assert odt_text(tracked, accept=True) == odt_text(clean, accept=True) != odt_text(data, accept=True)
        assert odt_text(tracked, accept=False) == odt_text(data, accept=False)


def test_pages_in_docx_come_back(pages: Path) -> None:
    for path in sorted(pages.glob("*.docx")):
        data, clean, tracked = _round_trip(path)
        assert docx_text(tracked, accept=True) == docx_text(clean, accept=True) != docx_text(data, accept=True)
        assert docx_text(tracked, accept=False) == docx_text(data, accept=False)
        before, after = (python_docx.Document(io.BytesIO(own)) for own in (data, clean))
        for old, new in zip(before.paragraphs, after.paragraphs, strict=True):
            assert same_words(old.text, new.text)
            assert old.style.name == new.style.name


def _round_trip(path: Path) -> tuple[bytes, bytes, bytes]:
    """A document as it was, with some words replaced, and with the same as tracked changes."""
    data, document = path.read_bytes(), read_document(path)
    assert document.changed([()] * len(document.blocks)) == data
    changes = marked(document, 1)
    return data, document.changed(changes), document.changed(changes, tracked=TRACKING)
