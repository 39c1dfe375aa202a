"""The namespaces of OpenDocument, and the names that its reader and its writer share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["DC", "DRAW", "OFFICE", "STYLE", "TABLE", "TEXT", "WALKED", "XML", "Slot", "slots"]

_BASE = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = f"{{{_BASE}:office:1.0}}"
TEXT = f"{{{_BASE}:text:1.0}}"
STYLE = f"{{{_BASE}:style:1.0}}"
TABLE = f"{{{_BASE}:table:1.0}}"
DRAW = f"{{{_BASE}:drawing:1.0}}"
DC = "{http://purl.org/dc/elements/1.1/}"
XML = "{http://www.w3.org/XML/1998/namespace}"

# Elements within a paragraph whose content is text of the paragraph.
WALKED = frozenset({f"{TEXT}span", f"{TEXT}a", f"{TEXT}meta"})


@dataclass(frozen=True, slots=True)
class Slot:
    """A place where text stands in a tree: at the start of an element, or behind it."""

    element: Element
    behind: bool

    @property
    def text(self) -> str:
        """What stands there."""
        return (self.element.tail if self.behind else self.element.text) or ""

    def write(self, text: str) -> None:
        """Put text there."""
        if self.behind:
            self.element.tail = text
        else:
            self.element.text = text

    def split(self, place: int, new: list[Element]) -> None:
        """Put elements between the text before `place` and the rest."""
        left, right = self.text[:place], self.text[place:]
        if self.behind:
            parent = self.element.getparent()
            assert parent is not None
            index = parent.index(self.element) + 1
        else:
            parent, index = self.element, 0
        self.write(left)
        parent[index:index] = new
        new[-1].tail = (new[-1].tail or "") + right


def slots(element: Element) -> Iterator[tuple[Element, Slot]]:
    """Yield the places of text in a paragraph, in order, each with the element that stands before it."""
    yield element, Slot(element, behind=False)
    for child in element:
        if child.tag in WALKED:
            yield from slots(child)
        yield child, Slot(child, behind=True)
