"""Other readers of the same formats, which say whether anything but the marked words changed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from plainwright.documents import Block, Change, Document, format_named, parse_document
from plainwright.errors import DataError

MARK = "zqx"  # in no word
_NOTE_MARK = re.compile(r"\[\^[^\]\s]+\]")  # which markdown-it-py takes for text
_WORD = re.compile(r"(?<!\S)[a-z]{4,}(?!\S)")


def marked(document: Document, seed: int, share: float = 0.3) -> list[list[Change]]:
    """Put the mark in the place of some words that may change."""
    draw = random.Random(seed)
    return [[Change(*word, MARK) for word in _free_words(block) if draw.random() < share] for block in document.blocks]


def _free_words(block: Block) -> Iterator[tuple[int, int]]:
    for found in _WORD.finditer(block.text):
        start, end = found.span()
        inside = any(start < last and first < end for first, last in block.fixed)
        if not inside and not any(start < joint < end for joint in block.joints):
            yield start, end


def same_words(before: str, after: str) -> bool:
    """Whether both have the same words, but for marks."""
    old, new = (_NOTE_MARK.sub("", text).split() for text in (before, after))
    return len(old) == len(new) and all(a == b or b == MARK for a, b in zip(old, new, strict=True))


def markdown_events(source: str) -> list[tuple[object, ...]]:
    """What markdown-it-py reads: kinds, tags, attributes, contents, in order; text as such."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    events: list[tuple[object, ...]] = []
    for token in parser.parse(source):
        if token.type != "inline":
            events.append((token.type, token.tag, str(token.attrs), token.content, token.info, token.map))
        for child in token.children or ():
            if child.type in ("text", "softbreak", "text_special"):
                text = child.content if child.type != "softbreak" else "\n"
                if events and events[-1][0] == "text":
                    events[-1] = ("text", f"{events[-1][1]}{text}")
                else:
                    events.append(("text", text))
            else:
                events.append((child.type, child.tag, str(child.attrs), child.content))
    return events


def html_events(source: str) -> list[tuple[object, ...]]:
    """What justhtml reads: tags, attributes, comments and texts, in order; text that is prose as such."""
    from justhtml import JustHTML

    events: list[tuple[object, ...]] = []
    waiting: list[tuple[object, bool]] = [(JustHTML(source, sanitize=False).root, True)]
    while waiting:
        node, prose = waiting.pop()
        name = getattr(node, "name", "")
        if name == "#text":
            events.append(("text" if prose else "raw", node.data))
            continue
        data = getattr(node, "data", None)
        events.append((name, str(getattr(node, "attrs", None)), data if isinstance(data, str) else None))
        prose = prose and name not in ("script", "style", "code", "pre", "textarea", "title", "template", "svg", "math")
        waiting += [(child, prose) for child in reversed(getattr(node, "children", None) or [])]
    return events


def difference(before: list[tuple[object, ...]], after: list[tuple[object, ...]]) -> str | None:
    """The first event that differs by more than marked words."""
    if len(before) != len(after):
        return f"{len(before)} events became {len(after)}"
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        if old[0] != new[0] or old[0] != "text" or not same_words(str(old[1]), str(new[1])):
            return f"{old!r:.300} became {new!r:.300}"
    return None


def assert_read_or_refused(data: bytes, name: str) -> None:
    """Whatever comes: it is read and comes back, also after changes, or is refused in one sentence."""
    try:
        document = parse_document(data, format_named(name), "file")
    except DataError as error:
        message = str(error)
        assert message.startswith("file")
        assert "\n" not in message
        return
    assert document.changed([()] * len(document.blocks)) == data
    again = parse_document(document.changed(marked(document, 1)), format_named(name), "file")
    assert [block.kind for block in again.blocks] == [block.kind for block in document.blocks]
