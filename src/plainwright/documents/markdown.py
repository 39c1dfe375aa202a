"""Markdown: tree-sitter says where every piece of prose stands, also inside of lists, quotations and tables.

Left alone: front matter, code, HTML, addresses of links and images, alternative texts, labels of references, footnote
marks, formulas, templates, tables of figures, and headings that the page links to, since links go by their words.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, chain

from tree_sitter import Language, Node, Parser
from tree_sitter_markdown import inline_language, language

from plainwright.documents.markdown_prose import Prose
from plainwright.documents.splicing import SourceBlock, SourceDocument
from plainwright.documents.tables import prose_cells
from plainwright.files import text_of

__all__ = ["read"]

_HEADINGS = frozenset(("atx_heading", "setext_heading"))
_LINK_INSIDE = re.compile(r"""(?:\]\(|\]:[ \t]*|href=["'])<?#([^)\s>"']+)""")
_NO_ANCHOR = re.compile(r"[^\w\s-]")
_NOTE = re.compile(r"\[\^[^\]\s]+\]:[ \t]*")
_CALLOUT = re.compile(r"\[![A-Za-z]+\]")
# A line that opens with a tag is HTML up to the next empty one, unless the tag may stand in a paragraph.
_HTML = re.compile(
    rb"</?(?!(?:a|abbr|b|br|cite|code|del|em|i|img|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)\b)[a-z][\w-]*[\s/>]",
    re.IGNORECASE,
)
_SPECIAL = re.compile(r"[\\`*\[\]<|~$]|&(?=[\w#]+;)|(?<!\w)_|_(?!\w)")
_LONGEST = 50_000  # bytes of prose in one piece; the grammar takes the square of many marks that open nothing
_MOST_MARKS = 400


def read(data: bytes, name: str) -> SourceDocument:
    """Read Markdown; `name` is for messages."""
    return SourceDocument(data, text_of(data, name), lambda source: list(_Reader(source).blocks()), _written)


def _written(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


class _Reader:
    """One document: its source, as text and as the bytes that the grammar reads."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._data = source.encode("utf-8", "surrogatepass")
        starts = (byte & 0xC0 != 0x80 for byte in self._data)
        self._places = None if source.isascii() else array("Q", accumulate(starts, initial=0))
        self._root = Parser(Language(language())).parse(self._data).root_node
        self._inline = Parser(Language(inline_language()))
        self._anchors = {found[1].lower() for found in _LINK_INSIDE.finditer(source)}
        self._labels = {self._text(node).casefold() for node in _nodes(self._root, "link_label")}

    def blocks(self) -> Iterator[SourceBlock]:
        yield from self._walk(self._root, "paragraph")

    def _walk(self, root: Node, kind: str) -> Iterator[SourceBlock]:
        # Documents may be nested deeper than Python calls itself.
        waiting: list[tuple[Node, str]] = [(root, kind)]
        while waiting:
            node, kind = waiting.pop()
            if node.type == "inline":
                yield from self._prose(node, kind)
            elif node.type == "pipe_table":
                yield from self._table(node)
            else:
                if node.type in _HEADINGS:
                    kind = "heading"
                elif node.type == "block_quote":
                    kind = "paragraph" if self._is_callout(node) else "quotation"
                elif node.type == "list_item" and kind != "quotation":
                    kind = "item"
                waiting += [(child, kind) for child in reversed(node.children)]

    def _is_callout(self, node: Node) -> bool:
        first = next(iter(_nodes(node, "inline")), None)
        return first is not None and _CALLOUT.match(self._text(first)) is not None

    def _table(self, node: Node) -> Iterator[SourceBlock]:
        rows = [row for row in node.children if row.type in ("pipe_table_header", "pipe_table_row")]
        cells = [[cell for cell in row.children if cell.type == "pipe_table_cell"] for row in rows]
        are_prose = prose_cells([[self._text(cell) for cell in row] for row in cells])
        aligned = len({row.end_byte - row.start_byte for row in rows}) == 1
        for cell, is_prose in zip(chain(*cells), chain(*are_prose), strict=True):
            for own in self._prose(cell, "cell") if is_prose else ():
                yield self._padded(own, self._place(cell.end_byte)) if aligned else own

    def _padded(self, cell: SourceBlock, end: int) -> SourceBlock:
        """Return a cell with the blanks behind it, up to the line that ends it."""
        last = cell.source_span(0, len(cell.block.text))[1]
        start = last + len(self._source[last:end].rstrip(" "))
        return replace(cell, padding=(start, end)) if start < end else cell

    def _prose(self, node: Node, kind: str) -> Iterator[SourceBlock]:
        data = self._data[node.start_byte : node.end_byte]
        if _HTML.match(data) or len(data) > _LONGEST or sum(map(data.count, (b"*", b"_", b"~"))) > _MOST_MARKS:
            return
        breaks = {child.start_byte: child.end_byte for child in node.children if child.type == "block_continuation"}
        hidden = bytearray(data)
        for start, end in breaks.items():
            hidden[start - node.start_byte : end - node.start_byte] = b" " * (end - start)
        places = {self._place(start): self._place(end) for start, end in breaks.items()}
        start, end = self._place(node.start_byte), self._place(node.end_byte)
        if kind == "paragraph" and (note := _NOTE.match(self._source, start, end)):
            start, kind = note.end(), "note"
        prose = Prose(self._source, (start, end), breaks=places, labels=self._labels)
        prose.add(self._inline.parse(bytes(hidden)).root_node, lambda byte: self._place(node.start_byte + byte))
        for own in prose.builder.blocks(kind):
            if kind != "heading" or _anchor(own.block.text) not in self._anchors:
                yield own

    def _place(self, byte: int) -> int:
        return byte if self._places is None else self._places[byte]

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _anchor(heading: str) -> str:
    """What links inside of a page call a heading."""
    return re.sub(r"\s", "-", _NO_ANCHOR.sub("", heading.lower()).strip())


def _nodes(root: Node, kind: str) -> Iterator[Node]:
    """All nodes of a kind, in their order."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == kind:
            yield node
        waiting += reversed(node.children)
