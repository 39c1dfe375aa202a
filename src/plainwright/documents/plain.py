"""Plain text: every paragraph is a block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.documents.splicing import BlockBuilder, SourceBlock, SourceDocument
from plainwright.files import text_of

__all__ = ["read"]

_PARAGRAPH_END = re.compile(r"(?:\r?\n[^\S\n]*){2,}|\u2029+")


def read(data: bytes, name: str) -> SourceDocument:
    """Read plain text; `name` is for messages."""
    return SourceDocument(data, text_of(data, name), lambda source: list(_blocks(source)))


def _blocks(source: str) -> Iterator[SourceBlock]:
    start = 0
    for end in [*_PARAGRAPH_END.finditer(source), None]:
        builder = BlockBuilder(source)
        builder.add(start, len(source) if end is None else end.start())
        yield from builder.blocks("paragraph")
        start = len(source) if end is None else end.end()
