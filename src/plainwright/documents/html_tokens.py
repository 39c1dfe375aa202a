"""The tokens of HTML, each with its place in the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import accumulate, pairwise

__all__ = ["Token", "tokens_of"]

_RAW = frozenset(("script", "style"))
_XML = re.compile(r"\s*<\?xml\b")
# Programs in pages, which may have ">" inside; and what the parser reads otherwise in other versions.
_PROGRAM = re.compile(r"<\?(?!xml\b).*?(?:\?>|\Z)|<%.*?(?:%>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
_TAG = re.compile(r"<[A-Za-z/!?]")
_FILLED = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Token:
    """A tag, a stretch of text, an entity or something else, from `start` to `end` of the source."""

    kind: str  # "open", "close", "text", "entity", "other"
    start: int
    end: int
    name: str = ""
    empty: bool = False  # a tag that closes itself
    fixed: bool = False  # a tag that says that its text is not to be translated, or not English


def tokens_of(source: str, *, xml: bool = False) -> Iterator[Token]:
    """Yield all tokens of a page; together they cover it. In XML, any tag may close itself."""
    parser = _Parser(_hidden(source), xml=xml or _XML.match(source) is not None)
    for token, following in pairwise([*parser.found, Token("other", len(source), len(source))]):
        if following.start > token.start:
            yield replace(token, end=following.start)


def _hidden(source: str) -> str:
    """Put as many blanks as there were characters in the place of programs."""
    if "<?" not in source and "<%" not in source and "<![" not in source:
        return source

    def comment(found: re.Match[str]) -> str:
        text = _FILLED.sub("x", found[0])
        return f"<!--{text[4:-3]}-->" if len(text) >= 7 and "\n" not in text[:4] + text[-3:] else text

    return _PROGRAM.sub(comment, source)


class _Parser(HTMLParser):
    """Notes where each token starts; it ends where the next one starts."""

    def __init__(self, source: str, *, xml: bool) -> None:
        super().__init__(convert_charrefs=False)
        self.found: list[Token] = []
        self._xml = xml
        self._lines = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
        # A tag that begins behind the last ">" has no end; looking for it at every "<" would take the square of them.
        unended = _TAG.search(source, source.rfind(">") + 1)
        end = len(source) if unended is None else unended.start()
        self.feed(source[:end])
        self.close()
        if unended is not None:
            self.found.append(Token("other", end, end))

    def _note(self, kind: str, name: str = "", *, empty: bool = False, fixed: bool = False) -> None:
        line, column = self.getpos()
        start = self._lines[line - 1] + column
        self.found.append(Token(kind, start, start, name, empty, fixed))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`."""
        self._note("open", tag, fixed=_is_fixed(attrs))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """See `HTMLParser`; outside of XML, a slash closes no script."""
        empty = self._xml or tag not in _RAW
        self._note("open", tag, empty=self._xml, fixed=_is_fixed(attrs))
        if not empty:
            self.set_cdata_mode(tag)

    def handle_endtag(self, tag: str) -> None:
        """See `HTMLParser`."""
        self._note("close", tag)

    def handle_data(self, data: str) -> None:
        """See `HTMLParser`."""
        self._note("text")

    def handle_entityref(self, name: str) -> None:
        """See `HTMLParser`."""
        self._note("entity")

    def handle_charref(self, name: str) -> None:
        """See `HTMLParser`."""
        self._note("entity")

    def handle_comment(self, data: str) -> None:
        """See `HTMLParser`."""
        self._note("other")

    def handle_pi(self, data: str) -> None:
        """See `HTMLParser`."""
        self._note("other")

    def parse_comment(self, i: int, report: bool = True) -> int:
        """See `HTMLParser`; as in browsers, one that nobody closed is all of the rest."""
        return self._to_the_end(super().parse_comment(i, report))

    def parse_pi(self, i: int) -> int:
        """See `HTMLParser`."""
        return self._to_the_end(super().parse_pi(i))

    def parse_html_declaration(self, i: int) -> int:
        """See `HTMLParser`; as in browsers, any declaration ends at the next ">"."""
        if self.rawdata.startswith("<!--", i):
            return self.parse_comment(i)
        return self._to_the_end(self.parse_bogus_comment(i))

    def _to_the_end(self, end: int) -> int:
        if end < 0:
            self._note("other")
        return len(self.rawdata) if end < 0 else end


def _is_fixed(attributes: Iterable[tuple[str, str | None]]) -> bool:
    own = {name: (value or "").strip().lower() for name, value in attributes}
    language = own.get("lang") or own.get("xml:lang") or "en"
    return (
        own.get("translate") == "no" or "notranslate" in own.get("class", "").split() or not language.startswith("en")
    )
