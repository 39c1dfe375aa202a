"""Small documents made by hand, so that tests say every byte of what is read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime, timezone

from plainwright.documents.tracking import Tracking
from plainwright.documents.types import Change, Document

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
CONTENT = "application/vnd.openxmlformats-officedocument.wordprocessingml"
TRACKING = Tracking(author="Ann Editor", date=datetime(2026, 3, 4, 5, 6, 7, tzinfo=timezone.utc))


def packed(members: Mapping[str, str | bytes]) -> bytes:
    """Return a zip archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            method = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6)), content, method)
    return buffer.getvalue()


def members(data: bytes) -> dict[str, bytes]:
    """Return the contents of a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def word_members(body: str, *, styles: str = "", footnotes: str = "") -> dict[str, str | bytes]:
    """Return the members of a Word document with these paragraphs, as XML with the prefix `w`."""
    parts = {"styles": f"<w:styles xmlns:w='{WORD}'>{styles}</w:styles>" if styles else ""}
    parts["footnotes"] = f"<w:footnotes xmlns:w='{WORD}'>{footnotes}</w:footnotes>" if footnotes else ""
    parts = {name: content for name, content in parts.items() if content}
    types = "".join(f'<Override PartName="/word/{name}.xml" ContentType="{CONTENT}.{name}+xml"/>' for name in parts)
    related = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/relationships/{name}" Target="{name}.xml"/>'
        for number, name in enumerate(parts, 1)
    )
    maths = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    return {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        f'"application/xml"/><Override PartName="/word/document.xml" ContentType="{CONTENT}.document.main+xml"/>'
        f"{types}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OFFICE}/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'<w:document xmlns:w="{WORD}" xmlns:m="{maths}"><w:body>{body}</w:body></w:document>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{related}</Relationships>',
        **{f"word/{name}.xml": content for name, content in parts.items()},
        "word/media/image1.png": b"\x89PNG not really",
    }


def word(body: str, *, styles: str = "", footnotes: str = "") -> bytes:
    """Return a Word document."""
    return packed(word_members(body, styles=styles, footnotes=footnotes))


def run(text: str, properties: str = "") -> str:
    """Return a run of a Word document."""
    inside = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inside}<w:t xml:space="preserve">{text}</w:t></w:r>'


def replacing(document: Document, *pairs: tuple[str, str], reason: str = "") -> list[list[Change]]:
    """Return the changes that put words in the place of others, wherever these stand first in a block."""
    changes = []
    for block in document.blocks:
        found = [(block.text.index(old), old, new) for old, new in pairs if old in block.text]
        changes.append([Change(at, at + len(old), new, reason) for at, old, new in sorted(found)])
    return changes


ODF = "urn:oasis:names:tc:opendocument:xmlns"
ODF_NAMES = " ".join(
    f'xmlns:{name}="{ODF}:{path}:1.0"'
    for name, path in (
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("table", "table"),
        ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"),
    )
)
ODF_NAMES += ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'


def text_members(body: str, *, styles: str = "") -> dict[str, str | bytes]:
    """Return the members of an OpenDocument text with this content and these automatic styles."""
    return {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": f'<office:document-content {ODF_NAMES} office:version="1.3"><office:automatic-styles>{styles}'
        f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
        "</office:document-content>",
        "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{ODF}:manifest:1.0" manifest:version="1.3">'
        '<manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
        "Pictures/one.png": b"\x89PNG not really",
    }


def opendocument(body: str, *, styles: str = "") -> bytes:
    """Return an OpenDocument text."""
    return packed(text_members(body, styles=styles))
