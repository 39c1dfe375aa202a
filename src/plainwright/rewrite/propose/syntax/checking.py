"""Whether the sentences that a change makes, parsed alone, have the structure that they had in the whole.

Where a parser takes a sentence for one thing and its half for another, it is wrong once, and nobody knows where.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plainwright.rewrite.propose.syntax.changes import Change, Piece
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = ["is_sound"]

_OTHER_HEADS = 0.15  # of the words may hang elsewhere, and always one: found by reading outputs
_PAIRED_MARKS = re.compile(r"''|``|[\"“”«»()\[\]{}]")
_CONJUNCTIONS = frozenset(("and", "or", "nor", "but"))
_HALVES = (("either", "or"), ("neither", "nor"))
_VERBS = ("VB", "MD")
_BEFORE_COMMAND = frozenset(("", "in that case ,", "please", "do not", "please do not", "never", "always"))
_SUBORDINATING = frozenset(
    ("after", "although", "because", "before", "if", "since", "unless", "until", "when", "while")
)


def is_sound(tree: Tree, change: Change, pieces: Sequence[Piece], parsed: Sequence[Tree | None]) -> bool:
    """Return whether every piece is a whole sentence whose words hang together as they did before."""
    if not change.splits:
        return True
    if any(_loses_half(tree.text[slice(*splice.span)], splice.text) for splice in change.splices):
        return False
    by_start = {word.start: word.index for word in tree.words}
    return all(
        own is not None and _is_whole(own) and _hangs_alike(tree, by_start, own, piece.places)
        for piece, own in zip(pieces, parsed, strict=True)
    )


def _loses_half(before: str, after: str) -> bool:
    """Return whether half of a pair of marks would go; brackets may go with all that they hold."""
    whole = before.strip().startswith("(") and before.strip().endswith(")") and _marks(before) == ["(", ")"]
    return _marks(before) != _marks(after) and not (whole and not after)


def _marks(text: str) -> list[str]:
    """Return the quotation marks and brackets of a text."""
    return _PAIRED_MARKS.findall(text)


def _is_whole(tree: Tree) -> bool:
    """Return whether the root is a finite verb with a subject that nothing parts from it, and depends on nothing."""
    root, finite = tree[tree.root], tree.finite(tree.root)
    subject = tree.subject(tree.root) or tree.child(tree.root, "csubj", "csubjpass")
    if subject is None and _is_command(tree):
        return not _lacks_half(tree)
    if not root.tag.startswith(_VERBS) or subject is None or finite is None or _lacks_half(tree):
        return False
    opens_clause = tree[0].lower in _SUBORDINATING and not tree.children(0, "pobj", "pcomp")
    if opens_clause and not any(word.text == "," for word in tree.words):
        return False  # a clause whose main clause is missing
    if tree[max(finite.index - 1, 0)].tag in ("WDT", "WP"):
        return False  # "the only town that has …"
    if any(_makes_dependent(tree, word) for word in tree.words[: tree.first(subject.index)]):
        return False
    between = tree.words[min(subject.index, root.index) : max(subject.index, root.index)]
    return sum(word.text == "," and not _is_in_list(tree, word, subject) for word in between) != 1


def _is_command(tree: Tree) -> bool:
    """Return whether a sentence opens with a verb that tells somebody to do something: "Switch it off", "Do not …"."""
    root = tree[tree.root]
    before = [word.lower for word in tree.words[: root.index]]
    if root.tag == "VB" and before and before[-1] == ",":
        opening = [word for word in tree.children(root.index) if word.index < root.index and not word.is_mark]
        return all(word.relation in ("prep", "advcl") for word in opening)  # "In the event of smoke, crouch low"
    return root.tag == "VB" and before in (
        [],
        ["please"],
        ["do", "not"],
        ["please", "do", "not"],
        ["never"],
        ["always"],
    )


def _is_in_list(tree: Tree, comma: Word, subject: Word) -> bool:
    """Return whether a comma stands between parts of the subject that "and" or "or" joins in the end."""
    following = tree[comma.index + 1]
    if following.tag == "CC":
        following = tree[comma.index + 2]
    joined = (following, *tree.ancestors(following.index))
    part = next(
        (word for word in joined if word.relation == "conj" and tree.first(word.index) == following.index), None
    )
    return part is not None and any(
        word.tag == "CC" and comma.index < word.index for word in tree.subtree(subject.index)
    )


def _lacks_half(tree: Tree) -> bool:
    """Return whether a sentence ends with a conjunction, or has "either" without "or"."""
    words = [word.lower for word in tree.words if not word.is_mark and word.tag != "DT"]  # not "either side"
    return words[-1] in _CONJUNCTIONS or any(word in words and other not in words for word, other in _HALVES)


def _makes_dependent(tree: Tree, word: Word) -> bool:
    """Return whether a conjunction or a question word before the subject belongs to the main clause."""
    opens = word.relation == "mark" or word.tag in ("WRB", "WDT", "WP")
    return opens and not any(one.relation in ("advcl", "relcl", "acl", "pcomp") for one in tree.ancestors(word.index))


def _hangs_alike(tree: Tree, by_start: dict[int, int], piece: Tree, places: Sequence[int | None]) -> bool:
    """Return whether nearly all words have the same head in the sentence and in the piece."""
    whole = [by_start.get(place) if (place := places[word.start]) is not None else None for word in piece.words]
    kept = {own for own in whole if own is not None}
    same = compared = 0
    for word, own in zip(piece.words, whole, strict=True):
        if own is None or word.is_mark or tree[own].head not in kept or tree[own].head == own:
            continue
        compared += 1
        same += whole[word.head] == tree[own].head
    return compared - same <= max(1, _OTHER_HEADS * compared)
