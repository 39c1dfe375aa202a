"""LaTeX: the prose of the document environment, read with pylatexenc.

What is not known is left alone: unknown commands with their arguments, unknown environments, formulas, citations,
references, tables, listings, and the preamble.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pylatexenc.latex2text import LatexNodes2Text
from pylatexenc.latexwalker import (
    LatexCharsNode,
    LatexCommentNode,
    LatexEnvironmentNode,
    LatexGroupNode,
    LatexMacroNode,
    LatexMathNode,
    LatexNode,
    LatexSpecialsNode,
    LatexWalker,
    LatexWalkerError,
)

from plainwright.documents.splicing import LINE_BREAK, BlockBuilder, SourceBlock, SourceDocument, enclosed
from plainwright.documents.types import OBJECT
from plainwright.errors import DataError
from plainwright.files import text_of

__all__ = ["read"]

_HEADINGS = frozenset("part chapter section subsection subsubsection paragraph subparagraph title".split())  # noqa: SIM905
_MARKUP = frozenset(
    "emph textbf textit textmd textnormal textrm textsc textsf textsl textup underline uline mbox href".split()  # noqa: SIM905
)
_SWITCHES = frozenset(
    "bf bfseries centering em it itshape large Large normalfont normalsize noindent rm rmfamily sc scshape sf sffamily "  # noqa: SIM905
    "small smallskip medskip bigskip footnotesize maketitle tableofcontents label index vspace hspace protect".split()
)
_APART = {"footnote": "note", "footnotetext": "note", "caption": "caption"}
_SYMBOLS = {name: name for name in "&%$#_{}"} | {
    " ": " ",
    ",": "\u2009",
    "ldots": "…",
    "dots": "…",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
}
_ACCENTS = frozenset("'`^\"~=.uvHtcdbrk")
_TEXT = LatexNodes2Text()
_SPECIALS = {"~": "\u00a0", "``": "“", "''": "”", "--": "–", "---": "—"}
_ENVIRONMENTS = {
    **dict.fromkeys(("itemize", "enumerate", "description", "compactitem"), "item"),
    **dict.fromkeys(("quote", "quotation", "verse", "displayquote"), "quotation"),
    **dict.fromkeys(
        "document abstract center flushleft flushright figure figure* table table* minipage theorem lemma proof "  # noqa: SIM905
        "corollary definition remark example proposition frame block acknowledgements".split(),
        "paragraph",
    ),
}
_BREAK = re.compile(r"\n[ \t\r]*\n\s*")
_OPTIONS = re.compile(r"\s*(?:\*\s*)?(?:\[[^\]\[{}]*\]\s*)*(?=\{)|\*?(?:\[[^\]\[{}]*\])+")
_RAW_ENVIRONMENTS = (
    "lstlisting",
    "minted",
    "verbatim",
    "verbatim*",
    "Verbatim",
    "comment",
    "filecontents",
    "filecontents*",
    "alltt",
    "tikzpicture",
)
_RAW_ENDS = {f"\\begin{{{name}}}": f"\\end{{{name}}}" for name in _RAW_ENVIRONMENTS}
_RAW = re.compile("|".join(map(re.escape, _RAW_ENDS)) + r"|\\(?:url|path|nolinkurl|href)\s*\{[^{}\n]*\}")
_SPECIAL = re.compile(r"[\\&%$#_{}~^\u00a0“”–—]")
_ESCAPED = {name: name_written for name_written, name in _SPECIALS.items()} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def read(data: bytes, name: str) -> SourceDocument:
    """Read LaTeX; `name` is for messages."""
    try:
        return SourceDocument(data, text_of(data, name), lambda source: list(_Reader(source).blocks()), _written)
    except (LatexWalkerError, RecursionError, IndexError, AssertionError) as error:
        found = (
            "more nesting than anybody writes" if isinstance(error, RecursionError) else "what cannot be read as that"
        )
        msg = f"{name}: expected LaTeX, found {found}"
        raise DataError(msg) from None


def _written(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPED.get(found[0], f"\\{found[0]}"), text)


class _Reader:
    """One document, walked from left to right."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._builder = BlockBuilder(source)
        self._done = 0  # up to where the source was read

    def blocks(self) -> Iterator[SourceBlock]:
        """Yield the prose of the document; of a file without a document environment, all of it."""
        nodes, _, _ = LatexWalker(_hidden(self._source), tolerant_parsing=True).get_latex_nodes()
        whole = [node for node in nodes if getattr(node, "environmentname", "") == "document"]
        yield from self._walk(whole or nodes, "paragraph")
        yield from self._builder.blocks("paragraph")

    def _walk(self, nodes: Sequence[LatexNode], kind: str) -> Iterator[SourceBlock]:
        for number, node in enumerate(nodes):
            if node is None or node.pos + node.len <= self._done:
                continue
            start, end = max(node.pos, self._done), node.pos + node.len
            if isinstance(node, LatexCharsNode):
                yield from self._chars(start, end, kind)
            elif isinstance(node, LatexMacroNode):
                yield from self._macro(node, (nodes[n] for n in range(number + 1, len(nodes))), kind)
            elif isinstance(node, LatexEnvironmentNode):
                yield from self._environment(node, kind)
            elif isinstance(node, LatexGroupNode):
                self._builder.joint()
                yield from self._walk(node.nodelist, kind)
                self._builder.joint()
            elif isinstance(node, LatexCommentNode):
                self._builder.joint()
                if re.match(r"[ \t]*\r?\n", self._source[end : end + 80]) and self._source[start:end].endswith("\n"):
                    yield from self._flushed(kind)
            elif isinstance(node, LatexMathNode):
                shown = node.displaytype == "inline"
                self._builder.add(start, end, None if shown else OBJECT, fixed=True)
            elif isinstance(node, LatexSpecialsNode):
                text = _SPECIALS.get(node.specials_chars)
                self._builder.add(start, end, text, fixed=text is None)
            self._done = max(self._done, end)

    def _chars(self, start: int, end: int, kind: str) -> Iterator[SourceBlock]:
        for found in _BREAK.finditer(self._source, start, end):
            self._words(start, found.start())
            yield from self._flushed(kind)
            start = found.end()
        self._words(start, end)

    def _words(self, start: int, end: int) -> None:
        for found in LINE_BREAK.finditer(self._source, start, end):
            self._builder.add(start, found.start())
            self._builder.add(found.start(), found.end(), "\n")
            start = found.end()
        self._builder.add(start, end)

    def _macro(self, node: LatexMacroNode, following: Iterable[LatexNode], kind: str) -> Iterator[SourceBlock]:
        name, end = node.macroname, node.pos + node.len
        arguments = [own for own in (node.nodeargd.argnlist if node.nodeargd else ()) or () if own is not None]
        if not arguments and name not in _SYMBOLS and name not in ("\\", "item", "par"):
            arguments, end = self._loose_arguments(end, following)
        last = arguments[-1] if arguments and isinstance(arguments[-1], LatexGroupNode) else None
        if name == "item" or name == "par":
            yield from self._flushed(kind)
        elif name in _HEADINGS and last is not None:
            yield from self._flushed(kind)
            yield from self._apart(last, "heading")
        elif name in _APART and last is not None:
            self._builder.joint()
            yield from self._apart(last, _APART[name])
        elif name == "enquote" and last is not None:
            self._builder.add(last.pos, last.pos, "“", fixed=True)
            yield from self._inside(last, kind)
            self._builder.add(last.pos + last.len, last.pos + last.len, "”", fixed=True)
        elif name in _MARKUP and last is not None:
            self._builder.joint()
            yield from self._inside(last, kind)
            self._builder.joint()
        elif name in _SWITCHES:
            self._builder.joint()
        elif name == "\\":
            self._builder.joint()
            self._builder.add(node.pos, end, "\n", fixed=True)
            self._builder.joint()
        else:
            self._symbol(node, end, bare=not arguments)
        self._done = max(self._done, end)

    def _symbol(self, node: LatexMacroNode, end: int, *, bare: bool) -> None:
        """A command that stands for a character, a word, or something else that is read."""
        name = node.macroname
        if text := _SYMBOLS.get(name) or (name in _ACCENTS and _TEXT.nodelist_to_text([node])):
            self._builder.add(node.pos, end, text)
            return
        text = (_TEXT.nodelist_to_text([node]) if bare else "").strip() or OBJECT
        after = end - len(self._source[node.pos : end]) + len(self._source[node.pos : end].rstrip())
        self._builder.joint()
        self._builder.add(node.pos, after, text, fixed=len(text) > 1 or text == OBJECT)
        self._builder.joint()
        self._words(after, end)

    def _loose_arguments(self, end: int, following: Iterable[LatexNode]) -> tuple[list[LatexNode], int]:
        """The groups after a command that the reader does not know, and where they end."""
        arguments = []
        for node in following:
            if options := _OPTIONS.match(self._source, end):
                end = max(end, options.end())
            if isinstance(node, LatexGroupNode) and node.pos == end:
                arguments.append(node)
                end = node.pos + node.len
            elif node.pos + node.len > end:
                break
        return arguments, end

    def _inside(self, group: LatexGroupNode, kind: str) -> Iterator[SourceBlock]:
        self._done = max(self._done, group.pos + 1)
        yield from self._walk(group.nodelist, kind)

    def _apart(self, group: LatexGroupNode, kind: str) -> Iterator[SourceBlock]:
        """What stands in the source inside of a paragraph, but is read elsewhere."""
        builder, self._builder = self._builder, BlockBuilder(self._source)
        yield from self._inside(group, kind)
        yield from self._builder.blocks(kind)
        self._builder = builder

    def _environment(self, node: LatexEnvironmentNode, kind: str) -> Iterator[SourceBlock]:
        inner = _ENVIRONMENTS.get(node.environmentname)
        if node.environmentname.rstrip("*") in ("equation", "align", "gather", "multline", "displaymath", "math"):
            self._builder.add(node.pos, node.pos + node.len, OBJECT, fixed=True)
            return
        yield from self._flushed(kind)
        if inner is not None:
            kind = "quotation" if kind == "quotation" else inner
            first = node.nodelist[0].pos if node.nodelist else node.pos
            self._done = max(self._done, first)
            yield from self._walk(node.nodelist, kind)
            yield from self._flushed(kind)

    def _flushed(self, kind: str) -> Iterator[SourceBlock]:
        builder, self._builder = self._builder, BlockBuilder(self._source)
        yield from builder.blocks(kind)


def _hidden(source: str) -> str:
    """Put as many letters as there were characters in the place of what is not LaTeX: addresses, listings."""
    pieces, done = [], 0
    for start, end in enclosed(source, _RAW, _RAW_ENDS, (0, len(source))):
        listing = source.startswith("\\begin", start)
        first = source.index("}" if listing else "{", start) + 1
        last = source.rindex("\\end", start, end) if listing else end - 1
        pieces += [source[done:first], re.sub(r"[^\n]", "x", source[first:last])]
        done = last
    return "".join([*pieces, source[done:]])
