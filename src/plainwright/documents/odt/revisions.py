"""Changes put into the paragraphs of an OpenDocument text: clean or as tracked changes, with comments if wanted.

An insertion stands in its paragraph between two marks; deleted text is kept at the start of the document, and one mark
says where it was. What stands to the left of a change stays in its place, so changes are made from right to left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plainwright.documents.flow import Part
from plainwright.documents.markup import written_text
from plainwright.documents.odt.names import DC, OFFICE, TEXT, XML, Slot, slots
from plainwright.documents.odt.paragraphs import Paragraph
from plainwright.documents.tracking import Tracking
from plainwright.documents.types import Change

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["Reviser"]

_SPACES = re.compile(" +")
_TRANSPARENT = {f"{TEXT}{own}" for own in ("change", "change-start", "change-end", "bookmark-start", "bookmark-end")}
_TRANSPARENT |= {f"{OFFICE}annotation", f"{OFFICE}annotation-end", f"{TEXT}span", f"{TEXT}a", f"{TEXT}bookmark"}


@dataclass(slots=True)
class Reviser:
    """Makes changes in paragraphs; `names` are free names of tracked changes and comments."""

    tracking: Tracking | None
    names: Iterator[str]
    regions: list[Element] = field(default_factory=list)  # what the document has to say of tracked changes

    def revise(self, paragraph: Paragraph, changes: Sequence[Change]) -> None:
        """Make the changes of a paragraph, which are in order; those that find no place are left out."""
        flow = paragraph.flow
        for slot, text in paragraph.read:
            slot.write(text)
        made: list[Element] = []
        for change in reversed(changes):
            parts = flow.parts(change)
            text, old = written_text(change.text), flow.text[change.start : change.end]
            if not parts or old == text:
                continue
            if self.tracking is None:
                _replace(parts, text)
            else:
                made += self._revised(paragraph.element, parts, text, self.tracking.comment(change, old))
        self.regions += reversed(made)
        _protect_spaces(paragraph.element, end=not flow.text.endswith(" "))

    def _revised(self, paragraph: Element, parts: Sequence[Part[Slot]], text: str, comment: str) -> list[Element]:
        assert self.tracking is not None
        first, regions, new = parts[0], [], []
        if first.start < first.end and self.tracking.tracked:
            name = next(self.names)
            regions.append(self._deletion(paragraph, parts, name))
            new.append(paragraph.makeelement(f"{TEXT}change", {f"{TEXT}change-id": name}))
        _replace(parts, "")
        if text and self.tracking.tracked:
            name = next(self.names)
            regions.append(self._region(paragraph, "insertion", name))
            start, end = (
                paragraph.makeelement(f"{TEXT}change-{own}", {f"{TEXT}change-id": name}) for own in ("start", "end")
            )
            start.tail = text
            new += [start, end]
        if comment:
            new = self._commented(paragraph, new, comment, "" if self.tracking.tracked else text)
        if new:
            first.place.split(first.start, new)
        elif text:
            _replace([Part(first.place, first.start, first.start)], text)
        return regions[::-1]

    def _commented(self, paragraph: Element, new: list[Element], comment: str, text: str) -> list[Element]:
        name = next(self.names)
        start = paragraph.makeelement(f"{OFFICE}annotation", {f"{OFFICE}name": name}, nsmap=_prefixes(paragraph))
        self._signed(start)
        said = start.makeelement(f"{TEXT}p")
        said.text = written_text(comment).strip()
        start.append(said)
        start.tail = text
        return [start, *new, paragraph.makeelement(f"{OFFICE}annotation-end", {f"{OFFICE}name": name})]

    def _region(self, paragraph: Element, kind: str, name: str) -> Element:
        names = {f"{XML}id": name, f"{TEXT}id": name}
        region = paragraph.makeelement(f"{TEXT}changed-region", names, nsmap=_prefixes(paragraph))
        change = region.makeelement(f"{TEXT}{kind}")
        information = change.makeelement(f"{OFFICE}change-info")
        self._signed(information)
        change.append(information)
        region.append(change)
        return region

    def _deletion(self, paragraph: Element, parts: Sequence[Part[Slot]], name: str) -> Element:
        region = self._region(paragraph, "deletion", name)
        style = f"{TEXT}style-name"
        kept = region.makeelement(f"{TEXT}p", {style: paragraph.get(style)} if paragraph.get(style) else {})
        for part in parts:
            holder = kept
            for around in _around(part.place, paragraph):
                copy = holder.makeelement(around.tag, dict(around.attrib))
                holder.append(copy)
                holder = copy
            end = Slot(holder[-1], behind=True) if len(holder) else Slot(holder, behind=False)
            end.write(end.text + part.place.text[part.start : part.end])
        _protect_spaces(kept, end=True)
        region[0].append(kept)
        return region

    def _signed(self, element: Element) -> None:
        assert self.tracking is not None
        for name, text in (("creator", self.tracking.author), ("date", self.tracking.timestamp)):
            own = element.makeelement(f"{DC}{name}", nsmap=_prefixes(element))
            own.text = text
            element.append(own)


def _prefixes(element: Element) -> dict[str, str]:
    return {"dc": DC[1:-1]} if DC[1:-1] not in element.nsmap.values() else {}


def _around(slot: Slot, paragraph: Element) -> list[Element]:
    """Return the elements between a paragraph and a place in it, from outside to inside."""
    holder = slot.element.getparent() if slot.behind else slot.element
    found = []
    while holder is not None and holder is not paragraph:
        found.append(holder)
        holder = holder.getparent()
    return found[::-1]


def _replace(parts: Sequence[Part[Slot]], text: str) -> None:
    """Put the text in the place of the first part and take the others out."""
    for part in reversed(parts):
        old = part.place.text
        new = text if part is parts[0] else ""
        part.place.write(old[: part.start] + new + old[part.end :])


def _protect_spaces(paragraph: Element, *, end: bool) -> None:
    """Write as elements the spaces that a reader would take for one with those before them; also one at the end."""
    after_space = True
    for before, slot in list(slots(paragraph)):
        if slot.behind and before.tag not in _TRANSPARENT:
            after_space = False
        after_space = _protect_slot(slot, after_space=after_space)
    last = list(slots(paragraph))[-1][1]
    if end and last.text.endswith(" "):
        last.split(len(last.text), [_space(paragraph, 1)])
        last.write(last.text[:-1])


def _protect_slot(slot: Slot, *, after_space: bool) -> bool:
    """Do the same in one place; return whether white space behind it would be left out."""
    text = slot.text
    if not text:
        return after_space
    ends = text.endswith(" ")
    for run in reversed(list(_SPACES.finditer(text))):
        kept = 0 if run.start() == 0 and after_space else 1
        if (extra := len(run[0]) - kept) > 0:
            slot.split(run.end(), [_space(slot.element, extra)])
            slot.write(text[: run.start() + kept])
            ends = ends and run.end() < len(text)
    return ends


def _space(element: Element, count: int) -> Element:
    return element.makeelement(f"{TEXT}s", {f"{TEXT}c": str(count)} if count > 1 else {})
