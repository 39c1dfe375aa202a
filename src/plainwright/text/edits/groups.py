"""Which edits are one change in several places, so that they can only be undone together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from plainwright.text.edits.edit import TextEdit
from plainwright.text.edits.units import Region, Units

__all__ = ["group_numbers"]

_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"), ('"', '"'))
_CLAUSE_MARKS = frozenset(",;:()–—")
_SUBJECTS = frozenset(("he", "i", "it", "she", "that", "there", "these", "they", "this", "those", "we", "you"))
_WORD = re.compile(r"\w+")


def group_numbers(
    edits: Sequence[TextEdit], regions: Sequence[Region], source: Units, output: Units, moved: Iterable[tuple[int, int]]
) -> list[int]:
    """Return a number for each edit, counted from 0 in the order of the edits; equal numbers for those of one group."""
    if len(edits) < 2:
        return [0] * len(edits)
    leader = list(range(len(edits)))
    texts = "".join(edit.source_text + edit.target_text for edit in edits)
    pairs = [
        *_moves(regions, moved),
        *(pair for marks in _BRACKETS if any(mark in texts for mark in marks) for pair in _balanced(edits, *marks)),
        *_of_sentences("split", edits, [region.output for region in regions], output),
        *_of_sentences("join", edits, [region.source for region in regions], source),
    ]
    for left, right in pairs:
        low, high = sorted((leader[left], leader[right]))
        leader = [low if number == high else number for number in leader]
    numbers: dict[int, int] = {}
    return [numbers.setdefault(number, len(numbers)) for number in leader]


def _moves(regions: Sequence[Region], moved: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    came_from = {i: number for number, region in enumerate(regions) for i in region.source}
    went_to = {j: number for number, region in enumerate(regions) for j in region.output}
    return {(came_from[i], went_to[j]) for i, j in moved if i in came_from and j in went_to}


def _balanced(edits: Sequence[TextEdit], opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Edits that open a bracket more or less than before, with those up to the one that makes up for it."""
    depth = 0
    before: int | None = None
    for number, edit in enumerate(edits):
        change = _depth(edit.target_text, opening, closing) - _depth(edit.source_text, opening, closing)
        if opening == closing:
            change = (change + depth) % 2 - depth
        if change and before is not None:
            yield before, number
        depth += change
        if change:
            before = number if depth else None


def _depth(text: str, opening: str, closing: str) -> int:
    return text.count(opening) if opening == closing else text.count(opening) - text.count(closing)


def _of_sentences(
    kind: str, edits: Sequence[TextEdit], runs: Sequence[range], text: Units
) -> Iterator[tuple[int, int]]:
    """Boundaries with what else they need: punctuation that closed the clause, and the subject of the new sentence.

    `text` is the one that has more sentences.
    """
    opener = {
        sentence: number
        for number, (edit, run) in enumerate(zip(edits, runs, strict=True))
        if edit.kind == kind
        for sentence in text.opened(run)
    }
    if not opener:
        return
    for number, (edit, run) in enumerate(zip(edits, runs, strict=True)):
        sentence = bisect_right(text.openings, run.start)
        boundary = None
        if edit.kind in ("split", "join"):
            continue
        if _changes_subject(edit):
            boundary = opener.get(sentence)
        elif _changes_clause(edit):
            boundary = opener.get(sentence + 1, opener.get(sentence))
        if boundary is not None:
            yield boundary, number


def _changes_subject(edit: TextEdit) -> bool:
    old, new = (_SUBJECTS.intersection(_WORD.findall(text.lower())) for text in (edit.source_text, edit.target_text))
    return old != new


def _changes_clause(edit: TextEdit) -> bool:
    """Whether a mark between clauses came or went; a phrase that came or went may have brought its own."""
    old, new = (_CLAUSE_MARKS.intersection(text) for text in (edit.source_text, edit.target_text))
    return old != new and (edit.kind == "replace" or not _WORD.search(edit.source_text + edit.target_text))
