"""The styles of a Word document: what kind of text a paragraph or run is by the name of its style.

Identifiers of styles are translated (`berschrift1`), names of built-in ones are not (`heading 1`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainwright.documents.markup import namespace

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["Styles"]

_MOST_PARENTS = 20
_CODE = (
    "code",
    "html preformatted",
    "html sample",
    "html keyboard",
    "html typewriter",
    "html variable",
    "macro text",
    "preformatted text",
    "source text",
    "source code",
    "sourcecode",
    "verbatim char",
    "verbatim",
)


class Styles:
    """Names of styles by their identifier, each followed by those it is based on."""

    def __init__(self, root: Element | None) -> None:
        self._names: dict[str, str] = {}
        self._parents: dict[str, str] = {}
        self._numbered: set[str] = set()
        if root is None:
            return
        w = f"{{{namespace(root)}}}"
        for style in root.iterchildren(f"{w}style"):
            identifier = style.get(f"{w}styleId", "")
            name, parent = style.find(f"{w}name"), style.find(f"{w}basedOn")
            self._names[identifier] = ("" if name is None else name.get(f"{w}val", "")).lower()
            if parent is not None:
                self._parents[identifier] = parent.get(f"{w}val", "")
            if style.find(f"{w}pPr/{w}numPr") is not None:
                self._numbered.add(identifier)

    def is_code(self, identifier: str) -> bool:
        """Return whether text of this style is code."""
        return any(name.startswith(_CODE) or name.endswith(" code") for name in self._chain(identifier))

    def kind(self, identifier: str) -> str:
        """Return what a paragraph of this style is: a heading, a quotation, and so on, or just a paragraph."""
        for name in self._chain(identifier):
            if name.startswith(("heading", "title", "subtitle")):
                return "heading"
            if "quot" in name or name == "block text":
                return "quotation"
            if name == "caption":
                return "caption"
            if name.startswith(("footnote text", "endnote text", "footnote", "endnote")):
                return "note"
            if name.startswith("list") and not name.startswith("list continue"):
                return "item"
        return "item" if identifier in self._numbered else "paragraph"

    def _chain(self, identifier: str) -> list[str]:
        names = []
        for _ in range(_MOST_PARENTS):
            if not identifier:
                break
            names.append(self._names.get(identifier, identifier.lower()))
            identifier = self._parents.get(identifier, "")
        return names
