"""Whether the sentences that a change makes, parsed alone, have the structure that they had in the whole.

Where a parser takes a sentence for one thing and its half for another, it is wrong once, and nobody knows where.
"""

from __future__ import annotations

from collections.abc import Sequence

from plainwright.rewrite.propose.syntax.changes import Change, Piece
from plainwright.rewrite.propose.syntax.tree import Tree

__all__ = ["is_sound"]

_SAME_HEADS = 0.9  # of the words whose head stands in the same piece; found by reading outputs
_VERBS = ("VB", "MD")


def is_sound(tree: Tree, change: Change, pieces: Sequence[Piece], parsed: Sequence[Tree | None]) -> bool:
    """Return whether every piece is a whole sentence whose words hang together as they did before."""
    if not change.splits:
        return True
    by_start = {word.start: word.index for word in tree.words}
    return all(
        own is not None and _is_whole(own) and _likeness(tree, by_start, own, piece.places) >= _SAME_HEADS
        for piece, own in zip(pieces, parsed, strict=True)
    )


def _is_whole(tree: Tree) -> bool:
    """Return whether a finite verb with its subject is the root."""
    return (
        tree[tree.root].tag.startswith(_VERBS)
        and tree.subject(tree.root) is not None
        and tree.finite(tree.root) is not None
    )


def _likeness(tree: Tree, by_start: dict[int, int], piece: Tree, places: Sequence[int | None]) -> float:
    """Return the share of words whose head is the same in the sentence and in the piece."""
    whole = [by_start.get(place) if (place := places[word.start]) is not None else None for word in piece.words]
    kept = {own for own in whole if own is not None}
    same = compared = 0
    for word, own in zip(piece.words, whole, strict=True):
        if own is None or word.is_mark or tree[own].head not in kept or tree[own].head == own:
            continue
        compared += 1
        same += whole[word.head] == tree[own].head
    return same / compared if compared else 0.0
