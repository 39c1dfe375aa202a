"""Reports of two things, each a sentence that says whose report it is: "… that A and that B"."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.subjects import subject_again
from plainwright.rewrite.propose.syntax.tree import FINITE, Tree, Word

__all__ = ["second_reports"]

_REPORT = SyntaxReason("report", "the second thing that is said made a sentence of its own")
_CONJUNCTIONS = frozenset(("that", "whether"))
_LONGEST_VERB = 7  # words from the subject up to "that": "has repeatedly told the council"
_SHORTEST = 4  # words of what is said
_PAIRING = frozenset(("both", "either", "neither", "not", "only", "so", "such"))


def second_reports(tree: Tree) -> Iterator[Change]:
    """Yield "X finds that A. X also finds that B." for "X finds that A and that B."."""
    subject, verb = tree.subject(tree.root), tree[tree.root]
    pair = None if scope.is_negated(tree, verb.index) else _pair(tree, verb)
    if pair is None:
        return
    said, second = pair
    opening = _command(tree, verb, said) if subject is None else _statement(tree, subject, said, second)
    if opening is not None:
        yield Change(_REPORT, (boundary(tree, tree.before(second - 1), second, opening),))


def _pair(tree: Tree, verb: Word) -> tuple[int, int] | None:
    """Return the "that" of each of two things that are said; the second thing runs up to the end."""
    places = [word.index for word in tree.words if word.lower in _CONJUNCTIONS and word.tag in ("IN", "WDT", "DT")]
    joints = [place for place in places if tree[place - 1].lower == "and"]
    if len(joints) != 1 or len(places) < 2 or places[0] < verb.index:
        return None
    said, second = places[0], joints[0]
    if places[1] != second or tree[said].lower != tree[second].lower or tree[second + 1].tag in FINITE:
        return None
    if tree.is_enclosed(tree[second].start) or not _is_said(tree, verb, said):
        return None
    parts = (tree.words[said + 1 : second - 1], tree.words[second + 1 : -1])
    clauses = all(len(part) >= _SHORTEST and any(word.tag in FINITE for word in part) for part in parts)
    return (said, second) if clauses else None


def _is_said(tree: Tree, verb: Word, said: int) -> bool:
    """Return whether a "that" opens what a verb says, or what somebody is made aware of or writes to say."""
    clause = tree[tree[said].head]
    above = tree[clause.head]
    through = above.relation in ("xcomp", "acomp", "oprd") and above.head == verb.index
    mark = tree[said].relation == "mark" and clause.relation == "ccomp" and (above == verb or through)
    return mark or said == verb.index + 1


def _statement(tree: Tree, subject: Word, said: int, second: int) -> str | None:
    """Return who says it and the verb again, with "also"."""
    first = tree.last(subject.index) + 1
    if subject.index > tree.root or first > tree.root or not scope.opens_plainly(tree, subject.index):
        return None
    words = tree.words[first:said]
    if tree.finite(tree.root) is None or len(words) > _LONGEST_VERB or any(map(_is_odd, words)):
        return None
    name = "It" if subject.lower == "it" else subject_again(tree, subject.index, range(second), is_topic=True)
    return None if name is None else f"{name} {_also(tree, first, said)}"


def _command(tree: Tree, verb: Word, said: int) -> str | None:
    """Return "Please also note" for "Please note", where that opens the sentence."""
    polite = [word.lower for word in tree.words[: verb.index]] == ["please"]
    if verb.tag != "VB" or not (polite or verb.index == 0) or said != verb.index + 1:
        return None
    return f"Please also {verb.lower}" if polite else f"Also {verb.lower}"


def _is_odd(word: Word) -> bool:
    """Return whether a mark or a conjunction stands between subject and "that"."""
    return word.is_mark or word.tag == "CC" or word.lower in _PAIRING


def _also(tree: Tree, first: int, said: int) -> str:
    """Return the words between subject and "that", with "also" behind the first auxiliary or before the only verb."""
    opens = tree[first]
    helps = opens.relation in ("aux", "auxpass") or opens.lower in ("is", "are", "was", "were")
    return f"{opens.text} also {tree.slice(first + 1, said - 1)}" if helps else f"also {tree.slice(first, said - 1)}"
