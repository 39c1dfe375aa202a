"""EPUB books: the pages of the book, each read as XHTML; all else stays byte for byte.

The table of contents and the metadata are left alone.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from itertools import islice
from urllib.parse import unquote

from plainwright.documents import html
from plainwright.documents.archive import Archive
from plainwright.documents.markup import local_name, parsed
from plainwright.documents.types import Block, Change, check_changes

__all__ = ["Book", "read"]

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html")


def read(data: bytes, name: str) -> Book:
    """Read an EPUB book; `name` is for messages."""
    return Book(Archive(data, name, kind="an EPUB book"))


class Book:
    """A book: its archive, and its pages in reading order."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        members = _pages(archive)
        protected = _encrypted(archive)
        if not protected.isdisjoint(members):
            archive.refuse("one that is encrypted (DRM); only its seller's programs can open it")
        self._pages = {own: html.read(archive.read(own), f"{archive.name}: {own}", xml=True) for own in members}

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read."""
        return [block for page in self._pages.values() for block in page.blocks]

    def changed(self, changes: Sequence[Sequence[Change]]) -> bytes:
        """Return the book with the changes of each block; without any, the bytes that came in."""
        check_changes(self.blocks, changes)
        rest = iter(changes)
        contents = {}
        for member, page in self._pages.items():
            own = list(islice(rest, len(page.blocks)))
            if any(own):
                contents[member] = page.changed(own)
        return self._archive.replaced(contents) if contents else self._archive.data


def _pages(archive: Archive) -> list[str]:
    """Return the members that are pages of the book, in reading order."""
    if _CONTAINER not in archive:
        archive.refuse("an archive without one")
    roots = (own.get("full-path", "") for own in parsed(archive, _CONTAINER).iter() if local_name(own) == "rootfile")
    package = next(roots, "")
    items, order = {}, []
    for own in parsed(archive, package, doctype=True).iter():
        if local_name(own) == "item":
            items[own.get("id")] = own
        elif local_name(own) == "itemref":
            order.append(own.get("idref"))
    found = []
    for own in (items[name] for name in dict.fromkeys(order) if name in items):
        path = posixpath.normpath(posixpath.join(posixpath.dirname(package), unquote(own.get("href", ""))))
        is_contents = "nav" in own.get("properties", "").split()
        if own.get("media-type") in _PAGES and not is_contents and path in archive:
            found.append(path)
    return list(dict.fromkeys(found))


def _encrypted(archive: Archive) -> set[str]:
    """Return the members that are encrypted; fonts often are, and do not matter."""
    if _ENCRYPTION not in archive:
        return set()
    tree = parsed(archive, _ENCRYPTION)
    return {unquote(own.get("URI", "")) for own in tree.iter() if local_name(own) == "CipherReference"}
