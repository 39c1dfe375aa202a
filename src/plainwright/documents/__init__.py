"""Documents in and out: blocks of prose with a way back into the file that they came from.

`read_document` gives the blocks; `Document.changed` puts changes into the source, of which all else stays as it is.
One module reads one format.
"""

from __future__ import annotations

from plainwright.documents.reading import FORMATS, Format, format_named, format_of, parse_document, read_document
from plainwright.documents.tracking import TrackedDocument, Tracking, default_date
from plainwright.documents.types import Block, Change, Document, Limits, apply_changes, check_changes
from plainwright.documents.writing import changed_document

__all__ = [
    "FORMATS",
    "Block",
    "Change",
    "Document",
    "Format",
    "Limits",
    "TrackedDocument",
    "Tracking",
    "apply_changes",
    "changed_document",
    "check_changes",
    "default_date",
    "format_named",
    "format_of",
    "parse_document",
    "read_document",
]
