"""From words that were kept to edits, with exact spans in both texts.

A kept unit is stable if it is the same to the byte and leaves both texts in the same state: inside a sentence, or
before the first word of one. A run of units that are not stable is an edit; a kept word whose case or space changed
ends it. So any two units that meet after some edits were undone also meet in the source or in the output, which is why
undoing can neither double a space nor lose a capital.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from plainwright.arguments import check_text
from plainwright.text.edits.alignment import align_words
from plainwright.text.edits.edit import EditKind, Span, TextEdit
from plainwright.text.edits.groups import group_numbers
from plainwright.text.edits.units import Region, Units
from plainwright.text.edits.words import words_of

__all__ = ["edits_between", "edits_of_alignment"]

Pair = tuple[int, int]


def edits_between(source: str, output: str) -> tuple[TextEdit, ...]:
    """Return the edits that turn `source` into `output`, from left to right.

    >>> for edit in edits_between("However, he rested, and she went home.", "He slept. She went home."):
    ...     print(edit.kind, repr(edit.source_text), repr(edit.target_text))
    delete 'However, he' 'He'
    split 'rested, and she' 'slept. She'
    """
    check_text(source, "edits_between", "source")
    check_text(output, "edits_between", "output")
    if source == output:
        return ()
    words = words_of(source), words_of(output)
    links = align_words(*words)
    units = [
        Units(text, [(word.start, word.end) for word in of]) for text, of in zip((source, output), words, strict=True)
    ]
    kept = [(link.source, link.output) for link in links if link.same and not link.moved]
    return _edits(units[0], units[1], kept, [(link.source, link.output) for link in links if link.moved])


def edits_of_alignment(
    source: str,
    output: str,
    source_tokens: Sequence[Span],
    output_tokens: Sequence[Span],
    pairs: Iterable[Pair],
) -> tuple[TextEdit, ...]:
    """Return the edits between two texts whose tokens are aligned already.

    Tokens are spans in characters, in order and apart. Each pair has the number of a source token and that of the
    output token that it was kept as; pairs out of order are moves.
    """
    check_text(source, "edits_of_alignment", "source")
    check_text(output, "edits_of_alignment", "output")
    before, after = Units(source, source_tokens), Units(output, output_tokens)
    pairs = sorted(pairs, key=lambda pair: (pair[0], -pair[1]))
    before.check("source", [i for i, _ in pairs])
    after.check("output", [j for _, j in pairs])
    kept = _longest_chain(pairs)
    in_order = set(kept)
    return _edits(before, after, kept, [pair for pair in pairs if pair not in in_order])


def _longest_chain(pairs: Sequence[Pair]) -> list[Pair]:
    """As many pairs as stand in the same order in both texts; they come sorted by source, then by output backwards."""
    if all(left[0] < right[0] and left[1] < right[1] for left, right in pairwise(pairs)):
        return list(pairs)
    lasts: list[int] = []  # the smallest output number that a chain of this length can end with
    ends: list[int] = []  # its pair
    before: list[int] = []  # for each pair the one before it in its chain
    for number, (_, j) in enumerate(pairs):
        length = bisect_left(lasts, j)
        before.append(ends[length - 1] if length else -1)
        lasts[length : length + 1] = [j]
        ends[length : length + 1] = [number]
    chain = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


def _edits(source: Units, output: Units, kept: Sequence[Pair], moved: Sequence[Pair]) -> tuple[TextEdit, ...]:
    source.note([i for i, _ in kept], [i for i, _ in moved])
    output.note([j for _, j in kept], [j for _, j in moved])
    regions = [
        region
        for region in _regions(source, output, kept)
        if source.text_of(region.source) != output.text_of(region.output)
    ]
    edits = [_edit(number, region, source, output) for number, region in enumerate(regions)]
    groups = group_numbers(edits, regions, source, output, moved)
    return tuple(
        edit if edit.group == group else replace(edit, group=group) for edit, group in zip(edits, groups, strict=True)
    )


def _regions(source: Units, output: Units, kept: Sequence[Pair]) -> Iterator[Region]:
    """Runs of units that differ, up to a stable pair of units or with the kept word that ends them."""
    i = j = 0
    for k, m in kept:
        stable = source.units[k] == output.units[m] and (
            (k, m) == (i, j) or source.is_word(k) or source.state_after(k) == output.state_after(m)
        )
        if stable or _is_hinge(source, output, k, m):
            if not stable or (k, m) != (i, j):
                yield Region(range(i, k if stable else k + 1), range(j, m if stable else m + 1))
            i, j = k + 1, m + 1
    same_tail = source.units[-1] == output.units[-1]
    yield Region(range(i, len(source.units) - same_tail), range(j, len(output.units) - same_tail))


def _is_hinge(source: Units, output: Units, i: int, j: int) -> bool:
    """Whether two units end with the same word but for case, so that either can precede what follows the other."""
    return source.is_word(i) and source.token(i).casefold() == output.token(j).casefold()


def _edit(number: int, region: Region, source: Units, output: Units) -> TextEdit:
    (start, end), (target_start, target_end) = source.span(region.source), output.span(region.output)
    # Neither the space before what was replaced nor the word after what was left out is a part of the change.
    last = source.token(region.source.stop - 1) if region.source and region.output else ""
    if last and last == output.token(region.output.stop - 1):
        end, target_end = end - len(last), target_end - len(last)
    space = _leading_space(source.text[start:end])
    if space == _leading_space(output.text[target_start:target_end]):
        start, target_start = start + len(space), target_start + len(space)
    return TextEdit(
        kind=_kind(region, source, output),
        source_span=(start, end),
        target_span=(target_start, target_end),
        source_text=source.text[start:end],
        target_text=output.text[target_start:target_end],
        group=number,
    )


def _leading_space(text: str) -> str:
    return text[: len(text) - len(text.lstrip())]


def _kind(region: Region, source: Units, output: Units) -> EditKind:
    before, after = len(source.opened(region.source)), len(output.opened(region.output))
    if before != after:
        return "split" if before < after else "join"
    gone = [i for i in region.source if source.fates[i] != "kept"]
    new = [j for j in region.output if output.fates[j] != "kept"]
    words = [source.fates[i] for i in gone if source.is_word(i)] + [output.fates[j] for j in new if output.is_word(j)]
    if words and all(fate == "moved" for fate in words):
        return "reorder"
    if bool(gone) != bool(new):
        return "delete" if gone else "insert"
    if source.text_of(region.source) and output.text_of(region.output):
        return "replace"
    return "delete" if source.text_of(region.source) else "insert"
