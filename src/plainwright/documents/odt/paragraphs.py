"""The prose of an OpenDocument text: one flow of text for each paragraph and heading.

Fields and text inserted by tracked changes are fixed; deleted text is kept elsewhere and is no text. Marks without
width, such as notes, bookmarks and comments, are joints. White space is read as the format has it: several characters
are one space, and further spaces are elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from plainwright.documents.flow import Flow
from plainwright.documents.markup import number_of
from plainwright.documents.odt.names import DRAW, OFFICE, STYLE, TABLE, TEXT, WALKED, XML, Slot, slots
from plainwright.documents.odt.styles import Styles
from plainwright.documents.tables import prose_cells
from plainwright.documents.types import OBJECT

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["Paragraph", "paragraphs"]

_MOST_SPACES = 1000
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_SPACES = re.compile(r"[ \t\r\n]+")
_LEFT_ALONE = {f"{TEXT}tracked-changes", f"{OFFICE}annotation", f"{TEXT}ruby-text", f"{OFFICE}forms"}
_LEFT_ALONE |= {f"{TEXT}{own}" for own in ("table-of-content", "alphabetical-index", "bibliography", "user-index")}
_LEFT_ALONE |= {f"{TEXT}{own}" for own in ("illustration-index", "table-index", "object-index")}
# What has no width. Other elements of the namespace that are not known here are fields.
_MARKS: tuple[str, ...] = (
    "bookmark",
    "bookmark-start",
    "bookmark-end",
    "reference-mark",
    "reference-mark-start",
    "reference-mark-end",
)
_MARKS += ("change", "change-start", "change-end", "note", "script", "hidden-text", "hidden-paragraph")
_MARKS += ("toc-mark", "toc-mark-start", "toc-mark-end", "user-index-mark", "user-index-mark-start")
_MARKS += ("user-index-mark-end", "alphabetical-index-mark", "alphabetical-index-mark-start")
_MARKS += ("alphabetical-index-mark-end",)
_NO_JOINT = {f"{TEXT}span", f"{TEXT}soft-page-break"}
_NO_WIDTH = frozenset(f"{TEXT}{name}" for name in _MARKS)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph: its element, its text, its kind, and what a reader reads in each of its places of text."""

    element: Element
    flow: Flow[Slot]
    kind: str
    read: tuple[tuple[Slot, str], ...]


def paragraphs(body: Element, styles: Styles) -> Iterator[Paragraph]:
    """Yield the paragraphs that have something to read."""
    figures = {cell for table in body.iter(f"{TABLE}table") for cell in _figures(table)}
    reader = _Reader(styles, _inserted(body), figures)
    for element in body.iter(f"{TEXT}p", f"{TEXT}h"):
        paragraph = reader.paragraph(element)
        if paragraph is not None and any(map(str.isalpha, paragraph.flow.text)):
            yield paragraph


def _inserted(body: Element) -> set[Slot]:
    """Return the places of text that tracked changes inserted, which may go on over many paragraphs."""
    from lxml import etree

    regions = body.iterfind(f"{TEXT}tracked-changes/{TEXT}changed-region")
    insertions = [region for region in regions if region.find(f"{TEXT}insertion") is not None]
    names = {own.get(name) for own in insertions for name in (f"{TEXT}id", f"{XML}id")}
    found: set[Slot] = set()
    begun: set[str] = set()
    for event, element in etree.iterwalk(body, events=("start", "end")) if names else ():
        if event == "end" and element.tag in (f"{TEXT}change-start", f"{TEXT}change-end"):
            begun -= {element.get(f"{TEXT}change-id")}
            begun |= {element.get(f"{TEXT}change-id")} & names if element.tag.endswith("start") else set()
        if begun:
            found.add(Slot(element, behind=event == "end"))
    return found


def _figures(table: Element) -> Iterator[Element]:
    """Yield the cells of a table that are no prose."""
    rows = [row for row in table.iter(f"{TABLE}table-row") if next(row.iterancestors(f"{TABLE}table")) is table]
    cells = [[*row.iterchildren(*_CELLS)] for row in rows]
    are_prose = prose_cells([["".join(cell.itertext()) for cell in row] for row in cells])
    return (cell for cell, is_prose in zip(chain(*cells), chain(*are_prose), strict=True) if not is_prose)


class _Reader:
    """Reads paragraphs; `inserted` are places of text that others inserted, and `figures` cells that are no prose."""

    def __init__(self, styles: Styles, inserted: set[Slot], figures: set[Element]) -> None:
        self._styles = styles
        self._inserted = inserted
        self._figures = figures

    def paragraph(self, element: Element) -> Paragraph | None:
        """Read one paragraph; None if it is no prose."""
        around = {own.tag for own in element.iterancestors()}
        if around & _LEFT_ALONE or not self._figures.isdisjoint(element.iterancestors(*_CELLS)):
            return None
        flow: Flow[Slot] = Flow()
        read: list[tuple[Slot, str]] = []
        after_space = True
        for before, slot in slots(element):
            if slot.behind:
                after_space = self._element(before, flow, after_space=after_space)
            if before.tag not in _NO_JOINT and before is not element:
                flow.joint()
            text = _SPACES.sub(" ", slot.text)
            text = text[1:] if after_space and text.startswith(" ") else text
            read.append((slot, text))
            self._add(text, slot, element, flow)
            after_space = text.endswith(" ") if text else after_space
        name = element.get(f"{TEXT}style-name", "")
        if self._styles.is_code("paragraph", name) or self._is_protected(element):
            return None
        return Paragraph(element, flow, self._kind(element, name, around), tuple(read))

    def _add(self, text: str, slot: Slot, paragraph: Element, flow: Flow[Slot]) -> None:
        holder = slot.element.getparent() if slot.behind else slot.element
        formatting, fixed = [], slot in self._inserted
        while holder is not None and holder is not paragraph:
            if holder.tag == f"{TEXT}span":
                name = holder.get(f"{TEXT}style-name", "")
                formatting.append(self._styles.formatting(name))
                fixed = fixed or self._styles.is_code("text", name)
            fixed = fixed or holder.tag == f"{TEXT}meta"
            holder = holder.getparent()
        if fixed:
            flow.add_fixed(text)
        else:
            flow.add(text, slot, "\n".join(filter(None, formatting)).encode())

    def _element(self, element: Element, flow: Flow[Slot], *, after_space: bool) -> bool:
        """Read an element that ends here; return whether white space behind it is left out."""
        tag = element.tag
        if tag in WALKED or not isinstance(tag, str) or tag == f"{TEXT}soft-page-break":
            return after_space
        if tag in _NO_WIDTH or tag.startswith(OFFICE):
            return after_space and tag != f"{TEXT}note"
        flow.add_fixed(_shown(element))
        return False

    def _kind(self, element: Element, style: str, around: set[str]) -> str:
        if f"{TABLE}table-cell" in around:
            return "cell"
        if f"{TEXT}note-body" in around:
            return "note"
        if element.tag == f"{TEXT}h":
            return "heading"
        kind = self._styles.kind(style)
        return "item" if kind == "paragraph" and f"{TEXT}list-item" in around else kind

    def _is_protected(self, element: Element) -> bool:
        protected = (f"{TEXT}protected", f"{STYLE}protect", f"{TABLE}protected")
        return any(own.get(name) == "true" for own in element.iterancestors() for name in protected)


def _shown(element: Element) -> str:
    """Return the text that stands for an element within a line."""
    if element.tag == f"{TEXT}s":
        count = number_of(element.get(f"{TEXT}c"))
        return " " * (1 if count is None else min(count, _MOST_SPACES))
    if element.tag == f"{TEXT}tab":
        return "\t"
    if element.tag == f"{TEXT}line-break":
        return "\n"
    if element.tag == f"{TEXT}ruby":
        return "".join("".join(own.itertext()) for own in element.iter(f"{TEXT}ruby-base"))
    if element.tag.startswith(TEXT):
        holds_paragraphs = next(element.iter(f"{TEXT}p", f"{TEXT}h"), None) is not None
        return "" if holds_paragraphs else "".join(element.itertext())
    anchored = element.tag.startswith(DRAW) and element.get(f"{TEXT}anchor-type", "as-char") == "as-char"
    return OBJECT if anchored else ""
