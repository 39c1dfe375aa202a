"""Word documents (`.docx`): read as blocks of prose, written clean or with tracked changes and comments.

Only the parts whose text changes are written anew: the main part, footnotes and endnotes, and comments where they are
wanted. Everything else, such as pictures, styles, headers and macros, stays byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING

from plainwright.documents.archive import Archive
from plainwright.documents.docx.package import Package, numbers
from plainwright.documents.docx.paragraphs import Paragraph, paragraphs
from plainwright.documents.docx.revisions import Reviser
from plainwright.documents.docx.styles import Styles
from plainwright.documents.markup import parsed, serialised
from plainwright.documents.tracking import Tracking
from plainwright.documents.types import Block, Change, check_changes

if TYPE_CHECKING:
    from lxml.etree import _ElementTree as Tree

__all__ = ["WordDocument", "read"]

_NOTES = ("footnotes", "endnotes")


def read(data: bytes, name: str) -> WordDocument:
    """Read a Word document; `name` is for messages."""
    return WordDocument(Archive(data, name, kind="a Word document"))


class WordDocument:
    """A Word document: its archive, and the prose of its main part, footnotes and endnotes."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._package = Package(archive)
        self._blocks = tuple(
            paragraph.flow.block(paragraph.kind) for _, _, found in self._parts() for paragraph in found
        )

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read; notes come last."""
        return self._blocks

    def changed(self, changes: Sequence[Sequence[Change]], *, tracked: Tracking | None = None) -> bytes:
        """Return the document with the changes of each block, clean or as tracked changes; without any, its bytes."""
        check_changes(self._blocks, changes)
        if not any(changes):
            return self._archive.data
        parts = self._parts()
        revisions = _free(1, {number for _, tree, _ in parts for number in numbers(tree.getroot())})
        comments = _free(0, set(self._package.comment_numbers()))
        rest = iter(changes)
        contents: dict[str, bytes] = {}
        for member, tree, found in parts:
            is_main = member == self._package.main
            reviser = Reviser(tracked, revisions, comments if is_main else None)
            own = list(islice(rest, len(found)))
            for paragraph, wanted in zip(found, own, strict=True):
                reviser.revise(paragraph.flow, wanted)
            if any(own):
                contents[member] = serialised(tree)
            if reviser.comments and tracked is not None:
                contents |= self._package.with_comments(tree, reviser.comments, tracked)
        return self._archive.replaced(contents)

    def _parts(self) -> list[tuple[str, Tree, list[Paragraph]]]:
        """Parse the parts with prose: the member, its tree and its paragraphs."""
        package = self._package
        member = package.part("styles")
        styles = Styles(None if member is None else parsed(self._archive, member).getroot())
        members = [package.main, *filter(None, map(package.part, _NOTES))]
        trees = [(own, package.tree(own)) for own in dict.fromkeys(members)]
        return [(own, tree, list(paragraphs(tree, styles))) for own, tree in trees]


def _free(first: int, taken: set[int]) -> Iterator[int]:
    """Yield numbers that are not taken; Word has a largest one, so they do not simply follow the last."""
    return (number for number in count(first) if number not in taken)
