"""A change of a sentence as exact edits of its text, and the sentences that come out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from plainwright.rewrite.propose.syntax.tree import Tree
from plainwright.rewrite.types import Edit, Span
from plainwright.text.edits import EditKind

__all__ = ["ORIGIN", "Change", "Piece", "Splice", "SyntaxReason", "boundary", "capitalised", "edits_of", "pieces_of"]

ORIGIN = "syntax"


@dataclass(frozen=True, slots=True)
class SyntaxReason:
    """Evidence: the operation on the structure of the sentence, and what it did in a few words."""

    operation: str
    reason: str

    def __str__(self) -> str:
        return self.reason

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {"kind": "syntax", "operation": self.operation, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Splice:
    """What stands at `span` of the sentence becomes `text`; a `stop` is where the sentence before ends in it."""

    span: Span
    text: str
    stop: int | None = None

    def kind(self) -> EditKind:
        """Return what the edit does to the words."""
        if self.stop is not None:
            return "split"
        if not self.text.strip():
            return "delete"
        return "insert" if self.span[0] == self.span[1] else "replace"


@dataclass(frozen=True, slots=True)
class Change:
    """One operation: splices that only make sense together, in order, and the words whose place they depend on."""

    reason: SyntaxReason
    splices: tuple[Splice, ...]

    @property
    def splits(self) -> int:
        """How many sentences it adds."""
        return sum(splice.stop is not None for splice in self.splices)

    def meets(self, other: Change) -> bool:
        """Return whether two changes touch the same part of the text."""
        return any(
            mine.span[0] <= theirs.span[1] and theirs.span[0] <= mine.span[1]
            for mine in self.splices
            for theirs in other.splices
        )


class Piece(NamedTuple):
    """A sentence that comes out, and for each of its characters where it stood before."""

    text: str
    places: list[int | None]


def capitalised(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def boundary(tree: Tree, last: int, first: int, opening: str = "") -> Splice:
    """End a sentence after the word `last` and begin the next with the word `first`, or with `opening` before it.

    The stop and the space before it are those of the sentence's own end.
    """
    own = tree.text[tree.words[-2].end : tree.words[-1].end]
    stop = "" if tree[last].text.endswith(".") else own
    word = tree[first]
    gap = tree.text[tree[first - 1].end : word.start] or " "
    if opening:
        if opening.endswith(","):
            opening = f"{opening[:-1]}{own[: -len(tree.words[-1].text)]},"  # spaced as the stop is
        return Splice((tree[last].end, word.start), f"{stop}{gap}{opening} ", stop=len(stop))
    return Splice((tree[last].end, word.end), f"{stop}{gap}{capitalised(word.text)}", stop=len(stop))


def edits_of(text: str, changes: Sequence[Change]) -> list[Edit]:
    """Return the edits of changes that do not meet; each change is one group."""
    edits = []
    shift = 0
    for splice, group in _in_order(changes):
        start, end = splice.span
        edits.append(
            Edit(
                kind=splice.kind(),
                source_span=splice.span,
                target_span=(start + shift, start + shift + len(splice.text)),
                source_text=text[start:end],
                target_text=splice.text,
                group=group,
                origin=ORIGIN,
                evidence=(changes[group].reason,),
            )
        )
        shift += len(splice.text) - (end - start)
    return edits


def pieces_of(text: str, changes: Sequence[Change]) -> list[Piece]:
    """Return the sentences that changes make of a text."""
    written: list[str] = []
    places: list[int | None] = []
    stops = [0]
    done = 0
    for splice, _ in _in_order(changes):
        start, end = splice.span
        places.extend(range(done, start))
        if splice.stop is not None:
            stops.append(len(places) + splice.stop)
        shared = _shared_ending(text[start:end], splice.text)
        places.extend([None] * (len(splice.text) - shared) + list(range(end - shared, end)))
        written += [text[done:start], splice.text]
        done = end
    places.extend(range(done, len(text)))
    result = "".join([*written, text[done:]])
    stops.append(len(result))
    return [Piece(result[first:last], places[first:last]) for first, last in pairwise(stops)]


def _in_order(changes: Sequence[Change]) -> list[tuple[Splice, int]]:
    """Return all splices with the number of their change, from left to right."""
    own = [(splice, number) for number, change in enumerate(changes) for splice in change.splices]
    return sorted(own, key=lambda item: item[0].span)


def _shared_ending(left: str, right: str) -> int:
    """Return how many characters at their ends two texts share, whatever their case."""
    size = 0
    while size < min(len(left), len(right)) and left[-1 - size].lower() == right[-1 - size].lower():
        size += 1
    return size
