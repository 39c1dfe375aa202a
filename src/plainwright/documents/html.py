"""HTML: the prose between tags, found by a parser that says where every token stands.

Left alone: attributes, scripts, styles, code, preformatted text, forms, formulas, comments, addresses, what is marked
as not to be translated or as another language, and tables of figures.
"""

from __future__ import annotations

import codecs
import html
import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from plainwright.documents.html_tokens import Token, tokens_of
from plainwright.documents.splicing import BlockBuilder, SourceBlock, SourceDocument, enclosed
from plainwright.documents.tables import prose_cells
from plainwright.documents.types import OBJECT
from plainwright.errors import DataError
from plainwright.files import text_of

__all__ = ["read"]

_KINDS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    **dict.fromkeys(("li", "dd", "dt"), "item"),
    **dict.fromkeys(("td", "th"), "cell"),
    **dict.fromkeys(("caption", "figcaption", "legend", "summary"), "caption"),
    "blockquote": "quotation",
    "p": "paragraph",
}
# Whatever else is no inline markup ends a block.
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr q s samp small span "  # noqa: SIM905
    "strike strong sub sup time tt u var wbr".split()
)
_FIXED = frozenset("cite code dfn kbd samp sub sup tt var".split())  # noqa: SIM905
_HIDDEN = frozenset(
    "address applet audio button canvas datalist embed frameset head iframe map math meter noembed noframes noscript "  # noqa: SIM905
    "object option output plaintext pre progress script select style svg template textarea title video xmp".split()
)
_OBJECTS = frozenset(("img", "input"))
_READ_AS = {
    "br": {"open": "\n"},
    "img": {"open": OBJECT},
    "input": {"open": OBJECT},
    "q": {"open": "“", "close": "”"},
}
_VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())  # noqa: SIM905
# What a tag that nobody closed ends with: the next one of the same kind, or the end of what holds it.
_ENDED_BY = {"p": "p", "li": "li", "dd": "dd", "dt": "dd", "td": "td", "th": "td", "tr": "tr", "option": "option"}
_TABLE = frozenset(("table", "thead", "tbody", "tfoot", "tr", "td", "th", "caption"))
_SCOPES = frozenset(("table", "td", "th", "caption"))
_CLOSED_ALONE = frozenset(("address", "math", "noscript", "object", "pre", "svg", "template"))
_LINE_BREAK = re.compile(r"(?:(?<![ \t\f])[ \t\f]+)?\r?\n\s*")
_TEMPLATE = re.compile(r"\{\{|\{%")
_TEMPLATE_END = {"{{": "}}", "{%": "%}"}
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_DEEPEST = 1000  # tags in each other in which one is looked for; browsers give up at 512
_HEAD = 2048  # bytes in which an encoding is declared


def read(data: bytes, name: str, *, xml: bool = False) -> SourceDocument:
    """Read HTML, or XHTML if it is or says that it is `xml`; `name` is for messages."""
    encoding = _encoding(data, name)
    source = text_of(data, name) if encoding in (None, "ascii") else data.decode(encoding)
    return SourceDocument(
        data, source, lambda text: list(_Reader(text, xml=xml).blocks()), _written, encoding or "utf-8"
    )


def _written(text: str) -> str:
    return html.escape(text, quote=False)


def _encoding(data: bytes, name: str) -> str | None:
    """Return the encoding that a page declares, if it is not UTF-8 and reads every byte.

    One without any letters that tell is ASCII, so that it stays right whatever its readers take it for.
    """
    declared = _CHARSET.search(data[:_HEAD])
    if data.isascii() and not (declared and declared[1].lower() in (b"utf-8", b"utf8")):
        return "ascii"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if declared is None:
            return None
        called = declared[1].decode("ascii", "replace").lower()
        try:
            # Browsers read Latin-1 as Windows-1252, which has all of its letters.
            encoding = "cp1252" if called in ("iso-8859-1", "latin1", "us-ascii") else codecs.lookup(called).name
            if data.decode(encoding).encode(encoding) == data and b"\0" not in data:
                return encoding
        except (LookupError, UnicodeError, ValueError):
            pass
        msg = f"{name}: expected text in {called}, as it says of itself, found bytes that are not"
        raise DataError(msg) from None
    return None


class _Open(NamedTuple):
    """A tag that is open, with what those around it say."""

    name: str
    kind: str  # of the blocks inside
    fixed: bool
    hidden: bool  # whether it holds no prose at all


class _Cell(NamedTuple):
    """A cell of a table: its text, and its blocks."""

    texts: list[str]
    blocks: list[SourceBlock]


class _Reader:
    """One page: the tags that are open, and the block that is being read."""

    def __init__(self, source: str, *, xml: bool) -> None:
        self._source = source
        self._xml = xml
        self._templates = list(enclosed(source, _TEMPLATE, _TEMPLATE_END, (0, len(source))))
        self._builder = BlockBuilder(source, self._templates)
        self._open = [_Open("", "paragraph", False, False)]
        self._opened: Counter[str] = Counter()  # how often each tag is open
        self._tables: list[list[list[_Cell]]] = []  # rows of those that are open

    def blocks(self) -> Iterator[SourceBlock]:
        """Yield the prose of the page."""
        for token in tokens_of(self._source, xml=self._xml):
            if token.kind in ("open", "close"):
                yield from self._tag(token)
            elif not self._open[-1].hidden:
                self._text(token)
        yield from self._flushed()
        while self._tables:
            yield from self._table()

    def _tag(self, token: Token) -> Iterator[SourceBlock]:
        stray = self._is_stray(token)
        if stray or token.name in _INLINE or token.name in _OBJECTS:
            self._builder.joint()
        else:
            yield from self._flushed()
        if not self._open[-1].hidden and (text := _READ_AS.get(token.name, {}).get(token.kind)):
            self._builder.add(token.end if token.name == "q" else token.start, token.end, text, fixed=True)
            self._builder.joint()
        if token.kind == "close":
            self._close(token.name)
            if token.name == "table" and self._tables:
                yield from self._table()
        elif token.name not in _VOID and not token.empty and not stray and not self._is_mere_markup(token):
            self._begin(token)

    def _is_mere_markup(self, token: Token) -> bool:
        """Return whether a tag says nothing of the text inside, so that it does not matter where it ends."""
        name = token.name
        return name in _INLINE and name not in _FIXED and not token.fixed and not self._opened[name]

    def _is_stray(self, token: Token) -> bool:
        """Return whether browsers pass a tag over: one that closes nothing, or a cell outside of a table."""
        if token.kind == "open":
            return token.name in ("tr", "td", "th") and not self._tables
        return token.name != "p" and not self._opened[token.name]

    def _begin(self, token: Token) -> None:
        name = token.name
        if ends := _ENDED_BY.get(name):
            self._end_open(ends)
        around = self._open[-1]
        kind = "quotation" if around.kind == "quotation" else _KINDS.get(name, around.kind)
        fixed, hidden = around.fixed or name in _FIXED, around.hidden or name in _HIDDEN or token.fixed
        self._open.append(_Open(name, kind, fixed, hidden))
        self._opened[name] += 1
        if name == "table":
            self._tables.append([[]])
        elif self._tables and name == "tr":
            self._tables[-1].append([])
        elif self._tables and name in ("td", "th"):
            self._tables[-1][-1].append(_Cell([], []))

    def _end_open(self, ends: str) -> None:
        """Close what a new tag closes: paragraphs, items, cells, rows that nobody ended."""
        if not any(self._opened[name] for name, end in _ENDED_BY.items() if end == ends):
            return
        for depth, own in enumerate(islice(reversed(self._open), _DEEPEST), start=1):
            if _ENDED_BY.get(own.name) == ends:
                self._drop(depth)
                return
            if own.name in _HIDDEN or own.name in ("table", "ul", "ol", "dl", "div", "blockquote"):
                return

    def _close(self, name: str) -> None:
        if not self._opened[name]:
            return
        for depth, own in enumerate(islice(reversed(self._open), _DEEPEST), start=1):
            if own.name == name:
                self._take_out(depth) if name in _INLINE else self._drop(depth)
                return
            # What was opened outside of a table is not closed inside, and what is no prose only by its own tag.
            if own.name in _CLOSED_ALONE or (own.name in _SCOPES and name not in _TABLE):
                return

    def _take_out(self, depth: int) -> None:
        """Close one inline tag; those inside of it stay open."""
        inner = self._open[len(self._open) - depth + 1 :]
        self._opened[self._open[-depth].name] -= 1
        del self._open[-depth:]
        for own in inner:
            around = self._open[-1]
            fixed, hidden = around.fixed or own.name in _FIXED, own.hidden
            self._open.append(_Open(own.name, own.kind, fixed, hidden))

    def _drop(self, depth: int) -> None:
        """Close the innermost tags; code that nobody closed goes on behind them."""
        code = [own.name for own in self._open[len(self._open) - depth + 1 :] if own.name in ("code", "tt")]
        self._opened.subtract(own.name for own in self._open[-depth:])
        del self._open[-depth:]
        for name in code[:1]:
            self._open.append(self._open[-1]._replace(name=name, fixed=True))
            self._opened[name] += 1

    def _text(self, token: Token) -> None:
        fixed = self._open[-1].fixed
        if token.kind == "entity":
            text = html.unescape(self._source[token.start : token.end])
            self._builder.add(token.start, token.end, text, fixed=fixed)
            return
        if token.kind != "text":
            self._builder.joint()
            return
        done = token.start
        for found in _LINE_BREAK.finditer(self._source, token.start, token.end):
            self._builder.add(done, found.start(), fixed=fixed)
            self._builder.add(found.start(), found.end(), "\n", fixed=fixed)
            done = found.end()
        self._builder.add(done, token.end, fixed=fixed)

    def _flushed(self) -> Iterator[SourceBlock]:
        """End the block, if there is one; those of tables wait for the end of the table."""
        builder, self._builder = self._builder, BlockBuilder(self._source, self._templates)
        cells = self._tables[-1][-1] if self._tables else []
        blocks = builder.blocks(self._open[-1].kind)
        if cells:
            cells[-1].texts.append(builder.text)
            cells[-1].blocks.extend(blocks)
        else:
            yield from blocks

    def _table(self) -> Iterator[SourceBlock]:
        """End a table; the blocks of its cells that are prose."""
        rows = [row for row in self._tables.pop() if row]
        are_prose = prose_cells([[" ".join(cell.texts) for cell in row] for row in rows])
        cells = zip(chain(*rows), chain(*are_prose), strict=True)
        blocks = [block for cell, is_prose in cells if is_prose for block in cell.blocks]
        outer = self._tables[-1][-1] if self._tables else []
        if outer:
            outer[-1].blocks.extend(blocks)
        else:
            yield from blocks
