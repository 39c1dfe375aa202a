"""What an output changed: words left out, words put otherwise, sentences split (Maddela et al., 2023, section 6.1).

The links of `text.edits` cut both texts into gaps. A gap with words on one side only is a deletion or an addition; one
with words on both sides is a phrase put otherwise, unless so much is gone that most of it must have been left out.
Words that only moved, capitals and punctuation are no edits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plainwright.rate.comparison import Change, Comparison
from plainwright.rate.material import Edit, EditKind
from plainwright.text.edits import Word, align_words, words_of

__all__ = ["Piece", "find_edits", "pieces", "word_spans"]


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of a text, or a place in it: all pieces together are the text."""

    text: str  # empty for a deletion and a split
    kind: EditKind | None = None
    source: str = ""  # the words that went, or that a paraphrase stands for
    start: int = 0
    end: int = 0


def find_edits(source: str, output: str) -> tuple[Edit, ...]:
    """The edits from left to right.

    >>> find_edits("He rested, and she went home.", "He slept. She went.")
    (Edit(kind='paraphrase', start=3, end=8, source_start=3, source_end=9), \
Edit(kind='split', start=9, end=9, source_start=11, source_end=14), \
Edit(kind='deletion', start=18, end=18, source_start=24, source_end=28))
    """
    if source == output:
        return ()
    words = words_of(source), words_of(output)
    comparison = Comparison(*words, align_words(*words))
    edits = sorted((_edit(change, *words) for change in comparison.changes()), key=_place)
    return tuple(edit for edit in edits if not _same_letters(edit, source, output))


def pieces(text: str, source: str, edits: Sequence[Edit]) -> tuple[Piece, ...]:
    """`text` cut where its edits begin and end."""
    cut: list[Piece] = []
    done = 0
    for edit in edits:
        if edit.start > done:
            cut.append(Piece(text[done : edit.start], start=done, end=edit.start))
        went = source[edit.source_start : edit.source_end]
        cut.append(Piece(text[edit.start : edit.end], edit.kind, went, edit.start, edit.end))
        done = edit.end
    if done < len(text):
        cut.append(Piece(text[done:], start=done, end=len(text)))
    return tuple(cut)


def word_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where the words and marks of `text` stand: what a rater can correct edits by."""
    return tuple((word.start, word.end) for word in words_of(text))


def _edit(change: Change, source: Sequence[Word], output: Sequence[Word]) -> Edit:
    """The same change in characters."""
    start, end = _span(change.output, output) if change.output else (_caret(change, output),) * 2
    return Edit(change.kind, start, end, *_span(change.source, source))


def _span(run: range, words: Sequence[Word]) -> tuple[int, int]:
    return (words[run.start].start, words[run.stop - 1].end) if run else (0, 0)


def _caret(change: Change, output: Sequence[Word]) -> int:
    """A place between two words; what was left out after a split stands with the sentence after it."""
    at = change.output.start
    opens_sentence = at < len(output) and (at == 0 or output[at - 1].kind == "stop")
    if opens_sentence and change.kind == "deletion":
        return output[at].start
    return output[at - 1].end if at else 0


def _place(edit: Edit) -> tuple[int, int, str, int]:
    return edit.start, edit.end, edit.kind, edit.source_start


def _same_letters(edit: Edit, source: str, output: str) -> bool:
    """Whether only spaces and punctuation differ, as in "US$8" and "US $ 8"."""
    if edit.kind != "paraphrase":
        return False
    old, new = source[edit.source_start : edit.source_end], output[edit.start : edit.end]
    return [c for c in old.casefold() if c.isalnum()] == [c for c in new.casefold() if c.isalnum()]
