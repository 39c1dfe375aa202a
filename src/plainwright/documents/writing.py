"""From changes to the bytes of a file, as each format can have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from plainwright.documents.reading import Format
from plainwright.documents.tracking import TrackedDocument, Tracking
from plainwright.documents.types import Change, Document

if TYPE_CHECKING:
    from plainwright.documents.pdf import PdfDocument

__all__ = ["changed_document"]


def changed_document(
    document: Document,
    changes: Sequence[Sequence[Change]],
    known: Format,
    *,
    tracked: Tracking | None = None,
    markdown: bool = False,
) -> bytes:
    """Return a document of a known format with its changes; one that cannot be written as text or `markdown`."""
    if known.tracks:
        return cast(TrackedDocument, document).changed(changes, tracked=tracked)
    if not known.writable:
        return cast("PdfDocument", document).changed(changes, markdown=markdown)
    return document.changed(changes)
