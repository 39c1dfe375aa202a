"""Subtitles: SubRip (.srt), WebVTT (.vtt) and SubStation Alpha (.ass, .ssa); every cue is a block.

Numbers, times, positions, styles and notes stay. A change that would make a line longer than its cue may have is left
out: than its longest line, or than most guidelines allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plainwright.documents.splicing import LINE_BREAK, BlockBuilder, SourceBlock, SourceDocument
from plainwright.documents.types import Block, Change, apply_changes
from plainwright.errors import DataError
from plainwright.files import text_of

__all__ = ["LONGEST_LINE", "read"]

LONGEST_LINE = 42  # characters, as in Netflix's and the BBC's guidelines for English

_TIMING = re.compile(
    r"^[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[ \t]*-->[ \t]*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}[^\n]*(?:\n|\Z)",
    re.MULTILINE,
)
_END = re.compile(r"^[ \t]*\r?$", re.MULTILINE)
_NUMBER = re.compile(r"(?:^|(?<=\n))[ \t]*\d+[ \t]*\r?\n?\Z")
_DIALOGUE = re.compile(r"^Dialogue:[^\n]*$", re.MULTILINE)
_FORMAT = re.compile(r"^\[Events\][^\[]*?^Format:([^\n]*)$", re.MULTILINE | re.IGNORECASE | re.DOTALL)
# Styles, positions, timestamps, names of voices, speakers before the text, sounds, notes of music.
_MARKUP = re.compile(r"<[^<>\n]*>|\{[^{}\n]*\}|\\[Nnh]|&(?:[a-z]+|#\d+);")
_ALONE = re.compile(r"\[[^\]\n]{0,500}\]|\([^)\n]{0,500}\)|^[ \t-]*[A-Z][A-Z .'0-9]+:|♪[^♪\n]*♪?", re.MULTILINE)


def read(data: bytes, name: str) -> SourceDocument:
    """Read subtitles; `name` is for messages."""
    source = text_of(data, name)
    if not (_TIMING.search(source) or _FORMAT.search(source)) and source.strip():
        msg = f"{name}: expected subtitles with times (SubRip, WebVTT or SubStation Alpha), found none"
        raise DataError(msg)
    return SourceDocument(data, source, lambda text: list(_blocks(text)), _written, accepts=_fits)


def _written(text: str) -> str:
    return text.replace("-->", "->")


def _fits(block: Block, changes: Sequence[Change]) -> bool:
    """Return whether no line of a cue becomes longer than it may be."""
    most = max(LONGEST_LINE, *(len(line) for line in block.text.split("\n")))
    return all(len(line) <= most for line in apply_changes(block.text, changes).split("\n"))


def _blocks(source: str) -> Iterator[SourceBlock]:
    for start, end in _dialogues(source) if source.lstrip().startswith("[") else _cues(source):
        builder = BlockBuilder(source, [found.span() for found in _ALONE.finditer(source, start, end)])
        done = start
        for found in re.finditer(f"{_MARKUP.pattern}|{LINE_BREAK.pattern}", source[start:end]):
            first, last = start + found.start(), start + found.end()
            builder.add(done, first)
            if "\n" in found[0]:
                builder.add(first, last, "\n")
            elif found[0] in (r"\N", r"\n"):
                builder.add(first, last, "\n", fixed=True)
            elif found[0].startswith("&"):
                builder.add(first, last, fixed=True)
            else:
                builder.joint()
            done = last
        builder.add(done, end)
        yield from builder.blocks("cue")


def _cues(source: str) -> Iterator[tuple[int, int]]:
    """Where the texts of SubRip and WebVTT stand: from below their times to the next empty line."""
    timings = list(_TIMING.finditer(source))
    for timing, following in zip(timings, [*timings[1:], None], strict=False):
        last = len(source) if following is None else following.start()
        end = _END.search(source, timing.end(), last)
        text = source[timing.end() : last if end is None else end.start()]
        # Where the empty line is missing, the number of the next cue is no text.
        cut_off = following is not None and timing.end() + len(text) == last
        yield timing.end(), timing.end() + len(_NUMBER.sub("", text) if cut_off else text)


def _dialogues(source: str) -> Iterator[tuple[int, int]]:
    """Where the texts of SubStation Alpha stand: behind the last comma of those that part fields."""
    events = _FORMAT.search(source)
    if events is None:
        return
    fields = [field.strip().lower() for field in events[1].split(",")]
    for found in _DIALOGUE.finditer(source, events.end()):
        before = found[0].rstrip("\r").split(",", len(fields) - 1)
        if len(before) == len(fields) and fields[-1] == "text":
            start = found.start() + sum(len(field) + 1 for field in before[:-1])
            yield start, start + len(before[-1])
