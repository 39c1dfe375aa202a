"""The styles of an OpenDocument text: which formatting a span has, and what kind of text a paragraph is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plainwright.documents.odt.names import STYLE

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

__all__ = ["Styles"]

_MOST_PARENTS = 20
# Attributes that a reader does not see: LibreOffice numbers editing sessions, and spelling has a language.
_UNSEEN = ("rsid", "language", "country", "language-asian", "country-asian", "language-complex", "country-complex")
_CODE = ("preformatted", "source", "teletype", "example", "variable", "user_20_entry", "code", "verbatim")


class Styles:
    """The styles of both files: those with a name, and the automatic ones, which stand for direct formatting."""

    def __init__(self, *roots: Element | None) -> None:
        self._formatting: dict[tuple[str, str], str] = {}
        self._parents: dict[tuple[str, str], str] = {}
        self._automatic: set[tuple[str, str]] = set()
        for root in roots:
            if root is not None:
                self._read(root)

    def _read(self, root: Element) -> None:
        for style in root.iter(f"{STYLE}style"):
            key = (style.get(f"{STYLE}family", ""), style.get(f"{STYLE}name", ""))
            self._parents[key] = style.get(f"{STYLE}parent-style-name", "")
            properties = style.find(f"{STYLE}text-properties")
            seen = {} if properties is None else dict(properties.attrib)
            shown = sorted((name, value) for name, value in seen.items() if not name.endswith(_UNSEEN))
            self._formatting[key] = repr(shown) if shown else ""
            parent = style.getparent()
            if parent is not None and parent.tag.endswith("}automatic-styles"):
                self._automatic.add(key)

    def formatting(self, name: str) -> str:
        """Return the formatting of a span in a form that can be compared; "" if a reader sees none."""
        key = ("text", name)
        if key not in self._automatic:
            return name
        return self._formatting[key] + self._parents[key]

    def is_code(self, family: str, name: str) -> bool:
        """Return whether text of this style is code."""
        return any(own.lower().startswith(_CODE) for own in self._chain(family, name))

    def kind(self, name: str) -> str:
        """Return what a paragraph of this style is."""
        for own in (name.lower() for name in self._chain("paragraph", name)):
            if own.startswith(("heading", "title", "subtitle")):
                return "heading"
            if "quotation" in own:
                return "quotation"
            if own in ("caption", "illustration", "table", "drawing", "figure"):
                return "caption"
            if own in ("footnote", "endnote"):
                return "note"
        return "paragraph"

    def _chain(self, family: str, name: str) -> list[str]:
        """Return the named styles that a style is or is based on."""
        names = []
        for _ in range(_MOST_PARENTS):
            if not name:
                break
            if (family, name) not in self._automatic:
                names.append(name)
            name = self._parents.get((family, name), "")
        return names
