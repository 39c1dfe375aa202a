"""From a file to a document: which format it has, by its suffix and then by its content."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from plainwright.arguments import check_choice
from plainwright.documents.types import Document
from plainwright.errors import DataError
from plainwright.extras import extra_for
from plainwright.files import MAX_TEXT, read_unpacked

__all__ = [
    "FORMATS",
    "HEAD",
    "LARGEST",
    "Format",
    "format_named",
    "format_of",
    "parse_document",
    "read_document",
    "refuse_binary",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One format of documents; `module.read(data, name)` reads it, here in `documents`."""

    name: str
    title: str  # in sentences: "a Word document"
    suffixes: tuple[str, ...]
    module: str
    magic: re.Pattern[bytes] | None = None  # how the first bytes look, if they tell
    text: bool = False  # whether the file itself is text
    tracks: bool = False  # whether it can keep changes for a reader to accept or refuse
    writable: bool = True  # if not, the result is Markdown or plain text


def _packed(known: bytes) -> re.Pattern[bytes]:
    """Return how a zip archive begins that has something known near its start."""
    return re.compile(rb"^PK\x03\x04.*" + known, re.DOTALL)


_HTML = re.compile(rb"(?i)\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype html|html)\b", re.DOTALL)
FORMATS = (
    Format("text", "plain text", (".txt", ".text"), "plain", text=True),
    Format("html", "HTML", (".html", ".htm", ".xhtml"), "html", _HTML, text=True),
    Format("markdown", "Markdown", (".md", ".markdown", ".mkd", ".mdown", ".qmd", ".rmd"), "markdown", text=True),
    Format("latex", "LaTeX", (".tex", ".ltx"), "latex", text=True),
    Format("subtitles", "subtitles", (".srt", ".vtt", ".ass", ".ssa"), "subtitles", text=True),
    Format("gettext", "messages of gettext", (".po", ".pot"), "gettext", text=True),
    Format("docx", "a Word document", (".docx", ".docm"), "docx", _packed(rb"word/"), tracks=True),
    Format("odt", "an OpenDocument text", (".odt", ".ott"), "odt", _packed(rb"opendocument\.text"), tracks=True),
    Format("epub", "an EPUB book", (".epub",), "epub", _packed(rb"application/epub\+zip")),
    Format("pdf", "a PDF", (".pdf",), "pdf", re.compile(rb"^\s*%PDF-"), writable=False),
)
LARGEST = 1 << 24  # bytes of a text with markup; the largest books have some millions
HEAD = 4096  # bytes by which a format is known
_BINARY = re.compile(rb"%PDF-|PK\x03\x04|\xd0\xcf\x11\xe0|\{\\rtf|\x1f\x8b")
_KINDS = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a zip archive, as Word, OpenDocument and EPUB files are",
    b"\xd0\xcf\x11\xe0": "an old Office document or one with a password; open it in Word or "
    "LibreOffice and save it as .docx without a password",
    b"{\\rtf": "rich text (RTF); open it in Word or LibreOffice and save it as .docx",
    b"\x1f\x8b": "gzip data; give it a name that ends in .gz",
}


def read_document(path: str | Path, *, as_format: str | None = None) -> Document:
    """Read a document; its format is `as_format`, or what its suffix or its content says."""
    data = read_unpacked(path, most=MAX_TEXT)
    name = "standard input" if str(path) == "-" else str(path)
    known = format_of(path, data[:HEAD]) if as_format is None else format_named(as_format)
    return parse_document(data, known, name)


def parse_document(data: bytes, known: Format, name: str) -> Document:
    """Read the bytes of a document in a known format; `name` is for messages."""
    if known.text:
        refuse_binary(data, known, name)
    if known.text and known is not FORMATS[0] and len(data) > LARGEST:
        msg = f"{name}: expected {known.title} of at most {LARGEST:,} bytes, found {len(data):,}; split it into several"
        raise DataError(msg)
    with extra_for(f"reading {known.title}", "documents"):
        module = importlib.import_module(f"plainwright.documents.{known.module}")
    return cast("Callable[[bytes, str], Document]", module.read)(data, name)


def format_of(path: str | Path, head: bytes = b"") -> Format:
    """Return the format that a suffix names, else the one that the first bytes show, else plain text."""
    suffix = Path(str(path).removesuffix(".gz")).suffix.lower()
    by_suffix = (known for known in FORMATS if suffix in known.suffixes)
    by_content = (known for known in FORMATS if known.magic is not None and known.magic.search(head))
    return next(by_suffix, None) or next(by_content, FORMATS[0])


def format_named(name: str) -> Format:
    """Return the format of a name."""
    known = {own.name: own for own in FORMATS}
    check_choice(name, tuple(known), "format", listing="choose among")
    return known[name]


def refuse_binary(data: bytes, known: Format, name: str) -> None:
    """Refuse what begins like no text; `name` is for messages."""
    if found := _BINARY.match(data):
        msg = f"{name}: expected {known.title}, found {_KINDS[found[0]]}"
        raise DataError(msg)
