"""Where a text quotes: direct speech and quoted terms, which are somebody else's words or the subject itself."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable

from plainwright.arguments import check_text

__all__ = ["merged_spans", "quotation_spans"]

Span = tuple[int, int]

_DOUBLE = re.compile(r"[“”„«»\"]|``|''")
_CLOSING = {"“": "”", "„": "“”", "«": "»", "``": "''", '"': '"'}
_ONLY_CLOSE = ("”", "»", "''")
_SINGLE_OPENS = re.compile(
    r"(?<![\w'’])(?:‘|(?<![^\s(\[{“\"—–/-])')(?!(?:tis|twas|em|til|cause|n)\b|\d0s)(?=[\w(“\"…])", re.IGNORECASE
)
_SINGLE_CLOSES = re.compile(r"(?<=[^\s‘'])['’](?!\w)")
_PLURAL_OWNER = re.compile(r"(?<=s)['’](?=\s[a-z])")  # "the boys’ club", which may stand in a quotation
_LONGEST_SINGLE = 400  # characters; apostrophes that are farther apart are no pair
_PLACES = " \t\n\r([{—–-/\u00a0"


def quotation_spans(text: str) -> list[Span]:
    """Return from where to where a paragraph quotes, the marks with it, from left to right.

    A quotation that is not closed goes on to the end, one that was not opened began before the text.
    """
    check_text(text, "quotation_spans", "text")
    spans = _double(text)
    return merged_spans([*spans, *_single(text, spans)])


def _double(text: str) -> list[Span]:
    spans: list[Span] = []
    closing, start = "", 0
    for found in _DOUBLE.finditer(text):
        mark = found[0]
        if closing:
            if mark in closing and (mark != '"' or not _opens(text, found.start())):
                spans.append((start, found.end()))
                closing, start = "", found.end()
        elif mark == '"' and text[max(0, found.start() - 2) : found.start()].rstrip()[-1:].isdigit():
            continue  # inches
        elif mark in _ONLY_CLOSE or (mark == '"' and not _opens(text, found.start(), alone=True)):
            spans.append((start, found.end()))
            start = found.end()
        else:
            closing, start = _CLOSING[mark], found.start()
    return [*spans, (start, len(text))] if closing else spans


def _opens(text: str, place: int, *, alone: bool = False) -> bool:
    """Whether a straight mark stands before a word and after none, or also `alone`, as in text cut into tokens."""
    return (place == 0 or text[place - 1] in _PLACES) and (alone or bool(text[place + 1 : place + 2].strip()))


def _single(text: str, taken: list[Span]) -> list[Span]:
    spans: list[Span] = []
    place = 0
    while opened := _SINGLE_OPENS.search(text, place):
        start = place = opened.end()
        around = bisect.bisect_left(taken, start, key=lambda span: span[1])
        if around < len(taken) and taken[around][0] < start:
            continue
        following = _SINGLE_OPENS.search(text, start)
        limit = min(start + _LONGEST_SINGLE, len(text) if following is None else following.start())
        ends = [
            found for found in _SINGLE_CLOSES.finditer(text, start, limit) if "\n\n" not in text[start : found.end()]
        ]
        while len(ends) > 1 and _PLURAL_OWNER.match(text, ends[0].start()):
            ends.pop(0)
        if ends:
            place = ends[0].end()
            spans.append((opened.start(), place))
    return spans


def merged_spans(spans: Iterable[Span]) -> list[Span]:
    """Return the same from left to right, those that overlap as one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
