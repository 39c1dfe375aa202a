"""The inside of a paragraph of Markdown: text, markup, and what stands there for other readers than people."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Set

from tree_sitter import Node

from plainwright.documents.splicing import LINE_BREAK, BlockBuilder, enclosed
from plainwright.documents.types import OBJECT, Span

__all__ = ["Prose"]

_MARKUP = frozenset(("emphasis", "strong_emphasis", "strikethrough"))
_AUTOLINKS = frozenset(("uri_autolink", "email_autolink"))
_CODE_TAGS = frozenset(("a", "code", "kbd", "samp", "var", "tt", "pre", "script", "style", "sub", "sup"))
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)")
_BLANKS = re.compile(r"[ \t]*")
# Templates, attributes, wiki links, directives and short codes.
_FOREIGN = re.compile(
    r"\{\{|\{%|\{[#.:][^{}\n]*\}|\[\[[^\[\]\n]*\]\]|^[ \t>]*:{3,}.*$|:[a-z0-9_+-]+:(?!\S)", re.MULTILINE
)
_FOREIGN_END = {"{{": "}}", "{%": "%}"}


class Prose:
    """Collects the block of one paragraph, heading or cell."""

    def __init__(self, source: str, span: Span, *, breaks: Mapping[int, int], labels: Set[str]) -> None:
        self.builder = BlockBuilder(source, list(enclosed(source, _FOREIGN, _FOREIGN_END, span)))
        self._source = source
        self._done, self._end = span
        self._breaks = breaks  # where what opens a line within the paragraph begins and ends
        self._labels = labels  # of references
        self._tags: list[str] = []  # of code, that are open
        self._known: dict[str, Callable[[Node, Span], None]] = {
            "emphasis_delimiter": self._mark,
            "inline_link": self._link,
            "full_reference_link": self._link,
            "shortcut_link": self._label,
            "collapsed_reference_link": self._label,
            "image": self._image,
            "code_span": self._code,
            "latex_block": self._formula,
            "html_tag": self._tag,
            "backslash_escape": self._escape,
            "entity_reference": self._entity,
            "numeric_character_reference": self._entity,
            "hard_line_break": self._hard_break,
            **dict.fromkeys(_MARKUP, self._mark),
            **dict.fromkeys(_AUTOLINKS, self._autolink),
        }

    def add(self, node: Node, place: Callable[[int], int]) -> None:
        """Add all that the grammar found; `place` says where a byte stands in the source."""
        self._place = place
        self._inside(node, self._end)

    def _inside(self, node: Node, end: int) -> None:
        for child in node.children:
            span = self._place(child.start_byte), self._place(child.end_byte)
            handle = self._known.get(child.type)
            if handle is None or span[0] < self._done:
                continue
            self._text(span[0])
            if child.type in _MARKUP:
                self._inside(child, span[1])
            else:
                handle(child, span)
                self._done = span[1]
        self._text(end)

    def _text(self, end: int, *, fixed: bool = False) -> None:
        """Add what was not yet added, up to `end`, as it is written; line breaks with what opens the next line."""
        for found in LINE_BREAK.finditer(self._source, self._done, end):
            if found.start() < self._done:
                continue
            self._words(found.start(), fixed=fixed)
            self._line_break(found.start(), found.end(), fixed=fixed)
        self._words(end, fixed=fixed)

    def _line_break(self, start: int, end: int, *, fixed: bool) -> None:
        opening = self._breaks.get(self._source.find("\n", start) + 1, 0)
        if opening > end:
            end = _BLANKS.match(self._source, opening, self._end).end()  # type: ignore[union-attr]
        self.builder.add(start, end, "\n", fixed=fixed)
        self._done = end

    def _words(self, end: int, *, fixed: bool) -> None:
        if self._done < end:
            self.builder.add(self._done, end, fixed=fixed or bool(self._tags))
            self._done = end

    def _mark(self, node: Node, span: Span) -> None:
        self.builder.joint()

    def _link(self, node: Node, span: Span) -> None:
        self.builder.joint()
        for child in node.children:
            if child.type == "link_text":
                self._done = self._place(child.start_byte)
                self._inside(child, self._place(child.end_byte))
        self.builder.joint()

    def _label(self, node: Node, span: Span) -> None:
        self.builder.joint()
        start, end = span
        if not self._source.startswith("[^", start):
            label = self._source[start:end].removesuffix("[]")
            if label.casefold() in self._labels:
                self._done, end = start + 1, start + len(label) - 1
            self._text(end, fixed=True)
        self.builder.joint()

    def _image(self, node: Node, span: Span) -> None:
        self.builder.joint()
        self.builder.add(*span, OBJECT, fixed=True)
        self.builder.joint()

    def _code(self, node: Node, span: Span) -> None:
        self.builder.joint()
        self._done = self._place(node.children[0].end_byte)
        self._text(self._place(node.children[-1].start_byte), fixed=True)
        self.builder.joint()

    def _formula(self, node: Node, span: Span) -> None:
        self._text(span[1], fixed=True)

    def _autolink(self, node: Node, span: Span) -> None:
        self._done = span[0] + 1
        self._text(span[1] - 1, fixed=True)

    def _tag(self, node: Node, span: Span) -> None:
        self.builder.joint()
        found = _TAG.match(self._source, span[0])
        name = found[2].lower() if found else ""
        if name == "br":
            self.builder.add(*span, "\n", fixed=True)
        if name == "img":
            self.builder.add(*span, OBJECT, fixed=True)
        if found and found[1] and name in self._tags:
            del self._tags[self._tags.index(name) :]
        elif found and not found[1] and name in _CODE_TAGS and not self._source.endswith("/>", *span):
            self._tags.append(name)

    def _escape(self, node: Node, span: Span) -> None:
        self.builder.add(*span, self._source[span[0] + 1 : span[1]], fixed=bool(self._tags))

    def _entity(self, node: Node, span: Span) -> None:
        self.builder.add(*span, html.unescape(self._source[slice(*span)]), fixed=bool(self._tags))

    def _hard_break(self, node: Node, span: Span) -> None:
        self.builder.joint()
        self._line_break(*span, fixed=True)
        self.builder.joint()
