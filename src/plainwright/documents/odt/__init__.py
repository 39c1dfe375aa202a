"""OpenDocument texts (`.odt`): read as blocks of prose, written clean or with tracked changes and comments.

Only `content.xml` is written anew; pictures, styles, headers and scripts stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from plainwright.documents.archive import Archive
from plainwright.documents.markup import parsed, serialised
from plainwright.documents.odt.names import OFFICE, TEXT, XML
from plainwright.documents.odt.paragraphs import Paragraph, paragraphs
from plainwright.documents.odt.revisions import Reviser
from plainwright.documents.odt.styles import Styles
from plainwright.documents.tracking import Tracking
from plainwright.documents.types import Block, Change, check_changes

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from lxml.etree import _ElementTree as Tree

__all__ = ["TextDocument", "read"]

_CONTENT = "content.xml"
_STYLES = "styles.xml"
_MANIFEST = "META-INF/manifest.xml"
_ENCRYPTION = b"encryption-data"


def read(data: bytes, name: str) -> TextDocument:
    """Read an OpenDocument text; `name` is for messages."""
    return TextDocument(Archive(data, name, kind="an OpenDocument text"))


class TextDocument:
    """An OpenDocument text: its archive and the prose of its content."""

    def __init__(self, archive: Archive) -> None:
        if _MANIFEST in archive and _ENCRYPTION in archive.read(_MANIFEST):
            archive.refuse("one with a password; remove the password and try again")
        self._archive = archive
        _, _, found = self._content()
        self._blocks = tuple(paragraph.flow.block(paragraph.kind) for paragraph in found)

    @property
    def blocks(self) -> Sequence[Block]:
        """The prose, in the order in which it is read; a note comes after the paragraph with its mark."""
        return self._blocks

    def changed(self, changes: Sequence[Sequence[Change]], *, tracked: Tracking | None = None) -> bytes:
        """Return the document with the changes of each block, clean or as tracked changes; without any, its bytes."""
        check_changes(self._blocks, changes)
        if not any(changes):
            return self._archive.data
        tree, body, found = self._content()
        reviser = Reviser(tracked, _free_names(tree))
        for paragraph, own in zip(found, changes, strict=True):
            if own:
                reviser.revise(paragraph, own)
        if reviser.regions:
            _tracked_changes(body).extend(reviser.regions)
        return self._archive.replaced({_CONTENT: serialised(tree)})

    def _content(self) -> tuple[Tree, Element, list[Paragraph]]:
        """Parse the content: its tree, the element with all text, and its paragraphs."""
        tree = parsed(self._archive, _CONTENT)
        root = tree.getroot()
        body = root.find(f"{OFFICE}body/{OFFICE}text")
        if body is None:
            self._archive.refuse("an archive without a text; sheets, slides and drawings are not read")
        named = parsed(self._archive, _STYLES).getroot() if _STYLES in self._archive else None
        return tree, body, list(paragraphs(body, Styles(named, root)))


def _free_names(tree: Tree) -> Iterator[str]:
    """Yield names that nothing in the content has yet."""
    keys = (f"{XML}id", f"{TEXT}id", f"{OFFICE}name")
    taken = {element.get(key) for element in tree.getroot().iter() for key in keys}
    return (name for name in (f"plainwright{number}" for number in count(1)) if name not in taken)


def _tracked_changes(body: Element) -> Element:
    """Return the element for tracked changes, made if it is not there."""
    tag = f"{TEXT}tracked-changes"
    found = body.find(tag)
    if found is None:
        # Recording stays off: otherwise all that a reader types would be a change, too.
        found = body.makeelement(tag, {f"{TEXT}track-changes": "false"})
        body.insert(1 if len(body) and body[0].tag == f"{OFFICE}forms" else 0, found)
    return found
