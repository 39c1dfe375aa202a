"""Messages of programs (gettext, .po): the translations of a file whose language is English.

Files in other languages pass as they are, and so do the `msgid`s of all: programs find their messages by them.
Placeholders, tags and escaped characters stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.documents.splicing import BlockBuilder, SourceBlock, SourceDocument
from plainwright.errors import DataError
from plainwright.files import text_of

__all__ = ["read"]

_STRINGS = r'"(?:[^"\\\n]|\\.)*"[ \t]*(?:\r?\n[ \t]*"(?:[^"\\\n]|\\.)*"[ \t]*)*'
_MESSAGE = re.compile(rf"^msgstr(?:\[\d+\])?[ \t]+({_STRINGS})", re.MULTILINE)
_ANY_MESSAGE = re.compile(r'^msgid[ \t]+"', re.MULTILINE)
_HEADER = re.compile(rf'^msgid[ \t]+""[ \t]*\r?\n(?:"")?msgstr[ \t]+({_STRINGS})', re.MULTILINE)
_LANGUAGE = re.compile(r"Language:[ \t]*([A-Za-z]*)")
# From the end of one string to the beginning of the next one.
_SEAM = re.compile(r'"[ \t]*\r?\n[ \t]*"')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "r": "\r"}
_PLACEHOLDER = re.compile(
    r"%(?:\(\w+\)|\d+\$)?[-+ #0]{0,5}[\d.*]{0,20}(?:hh?|ll?|[Lzjt])?[a-zA-Z%]"
    r"|\{[^{}\n]*\}|\$\{?\w+\}?|</?\w[^<>\n]*>|&\w+;"
)


def read(data: bytes, name: str) -> SourceDocument:
    """Read messages; `name` is for messages."""
    source = text_of(data, name)
    if source.strip() and not _ANY_MESSAGE.search(source):
        msg = f"{name}: expected messages of gettext, found no line that begins with msgid"
        raise DataError(msg)
    return SourceDocument(data, source, lambda text: list(_blocks(text)), _written)


def _written(text: str) -> str:
    escaped = {written: f"\\{letter}" for letter, written in _ESCAPES.items()}
    return "".join(escaped.get(character, character) for character in text)


def _blocks(source: str) -> Iterator[SourceBlock]:
    header = _HEADER.search(source)
    language = _LANGUAGE.search(header[1]) if header is not None else None
    if header is None or language is None or language[1].lower() not in ("en", "english"):
        return
    for message in _MESSAGE.finditer(source, header.end()):
        start, end = message.start(1) + 1, message.start(1) + len(message[1].rstrip()) - 1
        builder = BlockBuilder(source, [found.span() for found in _PLACEHOLDER.finditer(source, start, end)])
        done = start
        for found in re.finditer(f"{_SEAM.pattern}|{_ESCAPE.pattern}", source[start:end]):
            first, last = start + found.start(), start + found.end()
            builder.add(done, first)
            if found[1] is None:
                builder.joint()
            else:
                text = _ESCAPES.get(found[1], found[0])
                builder.add(first, last, text, fixed=text != '"')
            done = last
        builder.add(done, end)
        yield from builder.blocks("message")
