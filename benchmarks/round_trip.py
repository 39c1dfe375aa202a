"""Real documents there and back: what comes back other than it was, apart from the words that were to change.

Run: python benchmarks/round_trip.py [--documents 200] [--seen 20] [--seed 1]
Pages in HTML and Markdown that are on this machine (our own, and those of installed packages) are read as they are.
LibreOffice makes Word, OpenDocument and EPUB files from the same pages. Each document makes these trips:
- without edits: every byte has to be the same;
- with words replaced by themselves, so that their parts are written anew: other readers must see no difference at all;
- with some words replaced by a mark: they must see these words change, and nothing else;
- Word and OpenDocument: the same as tracked changes, all accepted or all refused.
The other readers are python-docx, expat, justhtml and markdown-it-py; of some documents (--seen), LibreOffice as well.
Members of an archive that have no prose are compared byte for byte. What differs is told on standard error.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import io
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import docx as python_docx
from docx.table import Table
from docx.text.hyperlink import Hyperlink
from docx.text.paragraph import Paragraph
from markdown_it import MarkdownIt
from tests.documents import libreoffice
from tests.documents.archives import TRACKING, members
from tests.documents.independent import MARK, difference, html_events, markdown_events, marked
from tests.documents.test_docx import text_of as docx_text
from tests.documents.test_odt import shown as odt_text
from tests.documents.test_round_trip import OWN, on_this_machine

from plainwright.documents import Change, Document, read_document
from plainwright.errors import DataError

Events = list[tuple[object, ...]]
MARKDOWN, HTML = (".md", ".markdown"), (".html", ".htm")
FILTERS = {"docx": "MS Word 2007 XML", "odt": "writer8", "epub": "EPUB"}
PROSE = {"docx": ("word/document.xml",), "odt": ("content.xml",)}  # pages of this machine have no footnotes
COLUMNS = (
    "documents",
    "pictures",
    "refused",
    "words",
    "replaced",
    "bytes",
    "members",
    "anew",
    "edited",
    "tracked",
    "seen",
)
BATCH = 40
PICTURE = re.compile(rb'(?i)(<img\b[^>]*?\bsrc=")([^":]{1,200})(?=")')


def sources(*suffixes: str) -> list[Path]:
    """Pages of this machine without repetitions, ours first."""
    found = [*(path for path in OWN if path.suffix in suffixes), *on_this_machine(*suffixes)]
    return list({hashlib.sha256(path.read_bytes()).digest(): path for path in found}.values())


def made_by_libreoffice(kind: str, pages: Sequence[Path], folder: Path, wanted: int) -> list[Path]:
    """Documents of a kind, made from pages until there are as many as wanted."""
    folder.mkdir()
    command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
    command += ["--infilter=HTML (StarWriter)", "--convert-to", f"{kind}:{FILTERS[kind]}", "--outdir", str(folder)]
    for start in range(0, len(pages), BATCH):
        try:
            files = map(str, pages[start : start + BATCH])
            subprocess.run([*command, *files], check=False, capture_output=True, timeout=300)
        except subprocess.TimeoutExpired:
            print(f"{kind}: LibreOffice did not end with pages {start} to {start + BATCH}", file=sys.stderr)
        if len(made := sorted(folder.glob(f"*.{kind}"))) >= wanted:
            break
    return made[:wanted]


def as_html(paths: Sequence[Path], folder: Path) -> list[Path]:
    """Copies of pages, Markdown as HTML: LibreOffice writes a lock beside what it opens."""
    folder.mkdir()
    made = []
    for number, path in enumerate(paths):
        data = path.read_bytes()
        if path.suffix in MARKDOWN:
            body = MarkdownIt().enable("table").render(data.decode("utf-8", "replace"))
            data = f'<html><head><meta charset="utf-8"></head><body>{body}</body></html>'.encode()
        made.append(folder / f"{number:04}.html")
        made[-1].write_bytes(PICTURE.sub(lambda found, path=path: _with_picture(found, path.parent), data))
    return made


def _with_picture(found: re.Match[bytes], folder: Path) -> bytes:
    """An address of a picture beside a page as the picture itself, so that it becomes a part of the document."""
    path = folder / found[2].decode("utf-8", "replace")
    if not path.is_file() or path.suffix not in (".png", ".gif", ".jpg"):
        return found[0]
    return found[1] + f"data:image/{path.suffix[1:]};base64,".encode() + base64.b64encode(path.read_bytes())


def xml_events(data: bytes) -> Events:
    """What expat reads: elements with their attributes, and the texts between them."""
    events: Events = []
    # As a list, since texts are whole only when all is read.
    for event, own in list(ElementTree.iterparse(io.BytesIO(data), ("start", "end"))):
        events.append((event, own.tag, sorted(own.attrib.items())))
        if text := own.text if event == "start" else own.tail:
            events.append(("text", text))
    return events


def docx_events(data: bytes) -> Events:
    """What python-docx reads: paragraphs with style and layout, tables, and text with its look."""
    document = python_docx.Document(io.BytesIO(data))
    events: Events = [("sections", len(document.sections)), ("pictures", len(document.inline_shapes))]
    events += [("section", own.page_width, own.page_height, own.orientation) for own in document.sections]
    return events + list(_inside(document))


def _inside(container: Any) -> Iterator[tuple[object, ...]]:
    for own in container.iter_inner_content():
        if isinstance(own, Table):
            yield "table", own.style and own.style.name, len(own.rows), len(own.columns)
            for cell in {cell._tc: cell for row in own.rows for cell in row.cells}.values():  # merged ones once
                yield ("cell",)
                yield from _inside(cell)
        else:
            yield from _paragraph(own)


def _paragraph(own: Paragraph) -> Iterator[tuple[object, ...]]:
    properties = own._p.pPr
    yield "paragraph", own.style and own.style.name, "" if properties is None else properties.xml
    look, text = None, ""
    for item in own.iter_inner_content():
        link = item.url if isinstance(item, Hyperlink) else ""
        for run in item.runs if isinstance(item, Hyperlink) else [item]:
            font = run.font
            new = link, run.style and run.style.name, font.bold, font.italic, font.underline, font.strike
            new += font.name, font.size, font.color.rgb, font.superscript, font.subscript  # type: ignore[assignment]
            if new != look:
                yield "text", text
                yield "look", *new
                look, text = new, ""
            text += run.text
    yield "text", text


def events_of(data: bytes, kind: str, encoding: str = "utf-8") -> Events:
    """What the other readers of a kind see."""
    if kind in ("markdown", "html"):
        text = data.decode(encoding).replace("\r\n", "\n")
        return markdown_events(text) if kind == "markdown" else html_events(text)
    found = members(data)
    if kind == "docx":
        return docx_events(data)
    if kind == "odt":
        return xml_events(found["content.xml"])
    pages = [own for name, own in found.items() if name.endswith(".xhtml")]
    return [event for own in pages for event in (*xml_events(own), *html_events(own.decode()))]


def other_members(before: bytes, after: bytes, kind: str) -> list[str]:
    """Members without prose that differ, or all if they have another order."""
    if kind not in FILTERS:
        return []
    old, new = members(before), members(after)
    if list(old) != list(new):
        return ["the list of members"]
    return [name for name in old if old[name] != new[name] and not _has_prose(name, kind)]


def _has_prose(name: str, kind: str) -> bool:
    return name in PROSE[kind] if kind in PROSE else name.endswith(".xhtml") and "toc" not in name


def tracked_differs(document: Document, changes: Sequence[Sequence[Change]], data: bytes, kind: str) -> bool:
    """Whether tracked changes give another text than the clean document or, refused, than the first one."""
    text = docx_text if kind == "docx" else odt_text
    own: Any = document
    clean, tracked = own.changed(changes), own.changed(changes, tracked=TRACKING)
    accepted = text(tracked, accept=True) == text(clean, accept=True)
    return not accepted or text(tracked, accept=False) != text(data, accept=False)


def trip(path: Path, kind: str, seed: int) -> Counter[str]:
    """Take one document there and back in every way, and count what differs."""
    try:
        document: Any = read_document(path)
    except DataError as error:
        print(error, file=sys.stderr)
        return Counter(refused=1)
    data, encoding = path.read_bytes(), getattr(document, "encoding", "utf-8")
    changes = marked(document, seed)
    same = [
        [Change(own.start, own.end, block.text[own.start : own.end]) for own in found]
        for block, found in zip(document.blocks, changes, strict=True)
    ]
    anew, edited = document.changed(same), document.changed(changes)
    before, after = events_of(data, kind, encoding), events_of(edited, kind, encoding)
    readers = 2 if kind == "epub" else 1
    replaced = (_marks(after) - _marks(before)) // readers
    found = Counter(documents=1, words=sum(map(len, changes)), replaced=replaced)
    found["bytes"] += document.changed([()] * len(document.blocks)) != data
    found["members"] += bool(other_members(data, edited, kind) or other_members(data, anew, kind))
    if events_of(anew, kind, encoding) != before:
        print(f"{path}: not the same when written anew", file=sys.stderr)
        found["anew"] += 1
    if problem := difference(before, after):
        print(f"{path}: {problem}", file=sys.stderr)
        found["edited"] += 1
    if kind in FILTERS:
        names = (name for name in members(data) if not name.startswith("Thumbnails/"))
        found["pictures"] += any(name.endswith((".png", ".gif", ".jpg")) for name in names)
    if kind in PROSE and tracked_differs(document, changes, data, kind):
        print(f"{path}: another text with tracked changes", file=sys.stderr)
        found["tracked"] += 1
    return found


def _marks(events: Events) -> int:
    return sum(str(own[1]).count(MARK) for own in events if own[0] == "text")


def seen_differently(paths: Sequence[Path], folder: Path, seed: int) -> Counter[str]:
    """How many documents differ for LibreOffice by more than their marked words."""
    found: Counter[str] = Counter()
    folder.mkdir()
    for path in paths:
        before = _looks(path)
        if before is None:  # LibreOffice ends at comments when it has no window
            print(f"{path}: LibreOffice cannot open what it made", file=sys.stderr)
            continue
        document = read_document(path)
        edited = folder / path.name
        edited.write_bytes(document.changed(marked(document, seed)))
        found["asked"] += 1
        after = _looks(edited)
        if problem := "it cannot be opened" if after is None else difference(before, after):
            print(f"{path}, as LibreOffice sees it: {problem}", file=sys.stderr)
            found["seen"] += 1
    return found


def _looks(path: Path) -> Events | None:
    """What LibreOffice reads: paragraphs with style and number, and text with its look; None if it cannot."""
    try:
        answer: dict[str, Any] = libreoffice.ask([{"path": str(path)}])[0]
    except (AssertionError, subprocess.TimeoutExpired):
        return None
    events: Events = []
    for paragraph in answer["paragraphs"]:
        events.append(("paragraph", paragraph["style"], paragraph["list"]))
        for text, *look in paragraph["portions"]:
            events += [("look", *look), ("text", text)]
    return events


def row(kind: str, found: Counter[str]) -> str:
    """A line of the table; what a format does not have is a dash."""
    cells = [f"{found[column]:,}" for column in COLUMNS]
    if kind not in FILTERS:
        cells[COLUMNS.index("pictures")] = cells[COLUMNS.index("members")] = "–"
    if kind in PROSE:
        cells[-1] += f" of {found['asked']}"
    else:
        cells[-2:] = "–", "–"
    return f"| {kind} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200, help="of each format")
    parser.add_argument("--seen", type=int, default=20, help="of docx and odt, that LibreOffice reads again")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts = {"markdown": sources(*MARKDOWN), "html": sources(*HTML)}
    mixed = [*texts["markdown"], *texts["html"]]
    random.Random(options.seed).shuffle(mixed)
    print(f"| format | {' | '.join(COLUMNS)} |\n|---|{'---:|' * len(COLUMNS)}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = as_html(mixed, folder / "pages")
        with ThreadPoolExecutor(2) as pool:
            jobs = {
                kind: pool.submit(made_by_libreoffice, kind, pages, folder / kind, options.documents)
                for kind in FILTERS
            }
        paths = {kind: job.result() for kind, job in jobs.items()} | texts
        for kind, own in paths.items():
            found: Counter[str] = Counter()
            for path in own:
                if found["documents"] < options.documents:
                    found += trip(path, kind, options.seed)
            if kind in PROSE:
                found += seen_differently(own[: options.seen], folder / f"seen-{kind}", options.seed)
            print(row(kind, found), flush=True)


if __name__ == "__main__":
    main()
