"""The prose of a part of a Word document: one flow of text for each paragraph.

Fields, content controls, equations and text inserted by tracked changes are fixed; deleted text is no text. Marks
without width, such as those of footnotes, bookmarks and comments, are joints.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from plainwright.documents.docx.styles import Styles
from plainwright.documents.flow import Flow
from plainwright.documents.markup import local_name, namespace
from plainwright.documents.tables import prose_cells
from plainwright.documents.types import OBJECT

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from lxml.etree import _ElementTree as Tree

__all__ = ["PRESERVE", "Paragraph", "paragraphs", "shown_text", "significant"]

PRESERVE = "{http://www.w3.org/XML/1998/namespace}space"
_XML_SPACES = " \t\r\n"

_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011", "softHyphen": "\u00ad"}
_CHARACTERS |= {"sym": OBJECT, "pgNum": OBJECT, "dayLong": OBJECT, "monthLong": OBJECT, "yearLong": OBJECT}
_IGNORED = {"proofErr", "lastRenderedPageBreak", "rPr", "pPr", "", "smartTagPr", "customXmlPr"}
_INLINE = {"hyperlink", "smartTag", "customXml", "dir", "bdo"}
_FIXED = {"ins", "moveTo", "fldSimple", "sdt"}
_GENERATED = ("Contents", "Bibliograph", "Index", "Table of")
_MATHS = "/math"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: its element, its text with the `w:t` elements where it stands, and its kind."""

    element: Element
    flow: Flow[Element]
    kind: str


def paragraphs(tree: Tree, styles: Styles) -> Iterator[Paragraph]:
    """Yield the paragraphs that have something to read."""
    root = tree.getroot()
    w = f"{{{namespace(root)}}}"
    reader = _Reader(w, styles, {cell for table in root.iter(f"{w}tbl") for cell in _figures(table, w)})
    for element in root.iter(f"{reader.w}p"):
        found = reader.paragraph(element)
        if found is not None and any(map(str.isalpha, found.flow.text)):
            yield found


def shown_text(element: Element) -> str:
    """Return what Word shows of a `w:t`: white space around it only if it is to be preserved."""
    text = element.text or ""
    text = text if element.get(PRESERVE) == "preserve" else text.strip(_XML_SPACES)
    return text.replace("\n", " ").replace("\t", " ").replace("\r", " ")


def significant(properties: Element | None) -> bytes:
    """Return the formatting of a run in a form that can be compared, without notes for the spelling checker."""
    if properties is None:
        return b""
    from lxml import etree

    copy = deepcopy(properties)
    copy.tail = None
    for child in list(copy):
        if local_name(child) in ("lang", "noProof", ""):
            copy.remove(child)
        else:
            child.tail = None
            for name in [name for name in child.attrib if str(name).endswith("}hint")]:
                del child.attrib[name]
    copy.text = None
    return etree.tostring(copy, method="c14n", exclusive=True) if len(copy) else b""


def _figures(table: Element, w: str) -> Iterator[Element]:
    """Yield the cells of a table that are no prose."""
    rows = [[*row.iterchildren(f"{w}tc")] for row in table.iterchildren(f"{w}tr")]
    are_prose = prose_cells([["".join(cell.itertext(f"{w}t")) for cell in row] for row in rows])
    return (cell for cell, is_prose in zip(chain(*rows), chain(*are_prose), strict=True) if not is_prose)


class _Reader:
    """Walks through the paragraphs of a part, in order, since fields may begin in one and end in another."""

    def __init__(self, w: str, styles: Styles, figures: set[Element]) -> None:
        self.w = w
        self._styles = styles
        self._figures = figures  # cells that are no prose
        self._fields: dict[Element, list[bool]] = {}  # of each story: for each open field whether its result has begun
        self._open: list[bool] = []
        self._flow: Flow[Element] = Flow()

    def paragraph(self, element: Element) -> Paragraph | None:
        """Read one paragraph; None if it is no prose."""
        around = list(element.iterancestors())
        names = [local_name(own) for own in around]
        # A text box is a story of its own.
        boxed = names.index("txbxContent") if "txbxContent" in names else len(names) - 1
        left_alone = (
            "AlternateContent" in names
            or not self._figures.isdisjoint(around)
            or any(name == "sdt" and self._is_generated(own) for name, own in zip(names, around, strict=True))
        )
        self._open = self._fields.setdefault(around[boxed], [])
        self._flow = Flow()
        self._walk(element, fixed=False)
        style = self._value(element, "pPr", "pStyle")
        if left_alone or self._styles.is_code(style):
            return None
        return Paragraph(element, self._flow, "cell" if "tc" in names[:boxed] else self._kind(element, style))

    def _kind(self, element: Element, style: str) -> str:
        kind = self._styles.kind(style)
        numbering = element.find(f"{self.w}pPr/{self.w}numPr")
        return "item" if kind == "paragraph" and numbering is not None else kind

    def _is_generated(self, control: Element) -> bool:
        """Return whether a content control holds what Word makes by itself, or may not be edited."""
        w = self.w
        gallery = control.find(f"{w}sdtPr/{w}docPartObj/{w}docPartGallery")
        if gallery is not None and gallery.get(f"{w}val", "").startswith(_GENERATED):
            return True
        lock = control.find(f"{w}sdtPr/{w}lock")
        locked = lock is not None and lock.get(f"{w}val") in ("contentLocked", "sdtContentLocked")
        return locked or any(control.find(f"{w}sdtPr/{w}{own}") is not None for own in ("bibliography", "citation"))

    def _value(self, element: Element, properties: str, name: str) -> str:
        found = element.find(f"{self.w}{properties}/{self.w}{name}")
        return "" if found is None else found.get(f"{self.w}val", "")

    def _walk(self, parent: Element, *, fixed: bool) -> None:
        for child in parent:
            name = local_name(child)
            if name == "r" and namespace(child) == self.w[1:-1]:
                self._run(child, fixed=fixed)
            elif name in _IGNORED or name == "sdtPr":
                continue
            elif name in _INLINE or name in _FIXED or name == "sdtContent":
                self._flow.joint()
                self._walk(child, fixed=fixed or name in _FIXED)
                self._flow.joint()
            elif namespace(child).endswith(_MATHS):
                self._flow.add_fixed(OBJECT)
            else:
                self._flow.joint()

    def _run(self, run: Element, *, fixed: bool) -> None:
        properties = run.find(f"{self.w}rPr")
        hidden = properties is not None and self._is_on(properties, "vanish")
        fixed = fixed or self._styles.is_code(self._value(run, "rPr", "rStyle"))
        formatting = significant(properties)
        for child in run:
            name = local_name(child)
            if name == "fldChar":
                self._field(child.get(f"{self.w}fldCharType", ""))
            elif name in _IGNORED:
                continue
            elif hidden or not all(self._open):
                self._flow.joint()
            elif name == "t":
                if fixed or self._open:
                    self._flow.add_fixed(shown_text(child))
                else:
                    self._flow.add(shown_text(child), child, formatting)
            elif name in _CHARACTERS:
                self._flow.add_fixed(_CHARACTERS[name])
            elif name in ("drawing", "object", "pict") and child.find(".//{*}inline") is not None:
                self._flow.add_fixed(OBJECT)
            else:
                self._flow.joint()

    def _field(self, kind: str) -> None:
        self._flow.joint()
        if kind == "begin":
            self._open.append(False)
        elif kind == "separate" and self._open:
            self._open[-1] = True
        elif kind == "end" and self._open:
            self._open.pop()

    def _is_on(self, properties: Element, name: str) -> bool:
        found = properties.find(f"{self.w}{name}")
        return found is not None and found.get(f"{self.w}val", "true") not in ("false", "0", "off")
