"""Relative clauses that open with a preposition: "…, for whom B" as "… For these patients, B"."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.relatives import end_of, is_open
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = ["prepositional_clauses"]

_REASON = SyntaxReason("relative", "relative clause made a sentence of its own")
# What can be meant by nothing but the noun before: a time, a rule, a course of things, an occasion, a body.
_TIMES = "day evening hour meeting month period phase season stage stay summer trial week weekend winter year"
_OCCASIONS = "appointment ceremony conference event hearing interview meeting session"
_NOUNS = {
    preposition: frozenset(nouns.split())
    for preposition, nouns in {
        "during": _TIMES,
        "after": f"{_TIMES} {_OCCASIONS}",
        "before": f"{_TIMES} {_OCCASIONS}",
        "at": _OCCASIONS,
        "for": f"course examination inspection service test visit {_OCCASIONS}",
        "in": "account battle ceremony experiment film game letter meeting method model novel poem procedure process "
        "report speech story study system test tradition trial",
        "under": "act agreement arrangement bill clause contract deal law plan policy programme provision rule scheme "
        "section treaty",
        "to": "account address authority department office party",
    }.items()
}
_BEHIND = frozenset(("to",))


def prepositional_clauses(tree: Tree) -> Iterator[Change]:
    """Yield a change for each clause with "in which", "for whom" and the like behind the last comma."""
    for verb in tree.words:
        first = tree.first(verb.index)
        if verb.relation != "relcl" or first < 2 or tree[first - 1].text != "," or first + 2 >= len(tree):
            continue
        if tree[first + 1].lower not in ("which", "whom") or end_of(tree, verb.index) != len(tree) - 2:
            continue
        noun = tree[verb.head]
        if _may_be_said_again(tree, noun, first) and _stands_by_itself(tree, verb, first, noun):
            yield from _change(tree, verb, first, noun)


def _may_be_said_again(tree: Tree, noun: Word, first: int) -> bool:
    """Return whether a noun stands right before the clause and can be nothing else than what it means."""
    known = _NOUNS.get(tree[first].lower, frozenset())
    return (
        noun.index == first - 2
        and noun.tag in ("NN", "NNS")
        and bool({noun.lower, noun.lower.removesuffix("s")} & known)
    )


def _stands_by_itself(tree: Tree, verb: Word, first: int, noun: Word) -> bool:
    """Return whether the clause has its own subject right behind the pronoun, and depends on nothing else."""
    subject = tree.subject(verb.index)
    if subject is None or tree.first(subject.index) != first + 2 or tree.finite(verb.index) is None:
        return False
    if tree.is_enclosed(tree[first].start) or scope.is_reported(tree, 0, first - 1) or not is_open(tree, noun, verb):
        return False
    return tree.child(verb.index, "conj") is None and tree.last(noun.index) == tree.last(verb.index)


def _change(tree: Tree, verb: Word, first: int, noun: Word) -> Iterator[Change]:
    preposition = tree[first].lower
    again = f"{preposition} {'these' if noun.tag == 'NNS' else 'this'} {noun.lower}"
    if preposition not in _BEHIND:
        opening = f"{again[:1].upper()}{again[1:]},"
        yield Change(_REASON, (boundary(tree, first - 2, first + 2, opening),))
    elif verb.index == len(tree) - 2:
        end = tree[verb.index].end
        yield Change(_REASON, (boundary(tree, first - 2, first + 2), Splice((end, end), f" {again}")))
