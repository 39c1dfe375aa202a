"""Exceptions and provisos at the end of a rule, as sentences: "This does not apply if …", "This only applies if …"."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = ["exceptions", "provisos", "regardless"]

_EXCEPTION = SyntaxReason("exception", "the exception made a sentence of its own")
_PROVISO = SyntaxReason("proviso", "the condition made a sentence of its own")
_RULES = frozenset(("must", "will", "shall", "can", "may", "should", "cannot"))  # what a rule says, or the present
_BESIDES = frozenset(("only", "even", "and", "or", "but", "nor"))  # before "unless": one of several conditions
_EXCEPT = {
    ("unless",): "if",
    ("except", "where"): "if",
    ("except", "when"): "when",
    ("except", "if"): "if",
    ("save", "where"): "if",
    ("other", "than", "where"): "if",
}
_PROVIDED = (("provided", "that"), ("on", "condition", "that"), ("on", "the", "condition", "that"))
_BEHIND_COMMA = (("provided",), ("providing",), ("as", "long", "as"), ("so", "long", "as"))  # else they may mean else
# What a rule does not depend on; "even if" and "whether or not" open a clause, the others name a thing.
_REGARDLESS = (
    ("irrespective", "of"),
    ("regardless", "of"),
    ("even", "if"),
    ("even", "where"),
    ("whether", "or", "not"),
)
_NO_RULES = frozenset(("know", "knows", "decide", "decides", "determine", "consider", "question", "doubt"))
_INTENTIONS = frozenset("minded likely unlikely expected intends intend plans plan aims aim threatens hopes".split())  # noqa: SIM905
_OTHERS = frozenset(("alternative", "another", "different", "earlier", "later", "longer", "new", "other", "shorter"))
_TERMS = frozenset(("amount", "date", "day", "deadline", "period", "price", "rate", "sum", "term", "time"))
_FORBIDDEN = frozenset(("admitted", "allowed", "permitted"))  # with "not", a rule and no plain denial
_SHORTEST = 4  # words of a clause that is worth a sentence
_SHORTEST_RULE = 6


def exceptions(tree: Tree) -> Iterator[Change]:
    """Yield "A. This does not apply if B." for "A unless B."."""
    for words, condition in _EXCEPT.items():
        for first in _places(tree, words):
            is_whole = _lifts_whole_rule(tree, first + len(words))
            if is_whole and _is_rule(tree, first) and _ends_with_clause(tree, first + len(words)):
                yield _sentence(tree, _EXCEPTION, first, len(words), f"This does not apply {condition}")


def provisos(tree: Tree) -> Iterator[Change]:
    """Yield "A. This only applies if B." for "A, provided that B."."""
    for words in (*_PROVIDED, *_BEHIND_COMMA):
        for first in _places(tree, words):
            if words in _BEHIND_COMMA and tree[first - 1].text != ",":
                continue
            if _is_rule(tree, first) and _ends_with_clause(tree, first + len(words)):
                yield _sentence(tree, _PROVISO, first, len(words), "This only applies if")


def regardless(tree: Tree) -> Iterator[Change]:
    """Yield "A. This applies even if B." for "A, even if B.", also for "regardless of" and "whether or not"."""
    for words in _REGARDLESS:
        for first in _places(tree, words):
            rest = tree.words[first + len(words) : -1]
            if tree[first - 1].text != "," or not _is_rule(tree, first) or scope.is_negated(tree, tree.root):
                continue
            if len(rest) < _SHORTEST or any(word.text in ",;" for word in rest) or tree[tree.root].lower in _NO_RULES:
                continue
            if words[0] == "even" and not _ends_with_clause(tree, first + len(words)):
                continue
            yield Change(_PROVISO, (boundary(tree, tree.before(first), first, "This applies"),))


def _sentence(tree: Tree, reason: SyntaxReason, first: int, words: int, opening: str) -> Change:
    return Change(reason, (boundary(tree, tree.before(first), first + words, opening),))


def _places(tree: Tree, words: tuple[str, ...]) -> Iterator[int]:
    """Yield where the words stand after the main verb, and after nothing that they would be a part of."""
    lower = [word.lower for word in tree.words]
    for first in range(tree.root + 1, len(tree) - len(words) - 1):
        if tuple(lower[first : first + len(words)]) == words and lower[first - 1] not in _BESIDES:
            yield first


def _is_rule(tree: Tree, first: int) -> bool:
    """Return whether what stands before is one rule, which the exception is of, and long enough."""
    finite, subject = tree.finite(tree.root), tree.subject(tree.root)
    if finite is None or subject is None or not (finite.lower in _RULES or finite.tag in ("VBZ", "VBP")):
        return False
    if finite.lower in ("has", "have") and finite.relation == "aux":
        return False
    last = tree.before(first)
    joined = any(word.index < first for word in tree.children(tree.root, "conj"))
    second = sum(word.lower in {one for words in _EXCEPT for one in words[:1]} for word in tree.words) > 1
    relative = any(word.relation == "relcl" and tree.end(word.index) == last for word in tree.words[:first])
    if tree[tree.root].lower in ("apply", "applies") or relative:
        return False
    if any(word.lower in _INTENTIONS for word in tree.words[:first]):
        return False  # "is minded to dismiss it unless": no rule yet
    if joined or second or tree.is_enclosed(tree[first].start) or scope.is_reported(tree, 0, last):
        return False
    return tree.count(0, last) >= _SHORTEST_RULE and tree[tree.first(subject.index)].lower not in ("this", "that")


def _lifts_whole_rule(tree: Tree, clause: int) -> bool:
    """Return whether an exception puts nothing else in a rule's place, and the rule is more than a plain denial.

    "By 30 September, unless they agree a later date" still asks for delivery; "does not collect data, unless …" does
    collect some.
    """
    finite, is_denied = tree.finite(tree.root), scope.is_negated(tree, tree.root)
    if finite is not None and finite.lower not in _RULES and is_denied and tree[tree.root].lower not in _FORBIDDEN:
        return False
    lower = [word.lower for word in tree.words[clause:]]
    others = (place for place, word in enumerate(lower) if word in _OTHERS)
    return all(_TERMS.isdisjoint(lower[place + 1 : place + 3]) for place in others)


def _ends_with_clause(tree: Tree, first: int) -> bool:
    """Return whether one clause with a subject and a verb of its own runs from here to the end, below the main verb."""
    end = len(tree) - 2
    if tree.count(first, end) < _SHORTEST:
        return False
    for word in tree.words[first : end + 1]:
        own = scope.stands_alone(tree, word.index) and _opens(tree, word, first) and tree.end(word.index) == end
        if own and _is_below_root(tree, word) and not _goes_on(tree, word):
            return True
    return False


def _is_below_root(tree: Tree, clause: Word) -> bool:
    """Return whether the main verb is the first verb above a clause."""
    verbs = (one for one in tree.ancestors(clause.index) if one.tag.startswith("VB") and tree.finite(one.index))
    return next(verbs, tree[0]).index == tree.root


def _goes_on(tree: Tree, clause: Word) -> bool:
    """Return whether a second clause follows that may be no condition, or the first is none: "nothing herein shall"."""
    joined = [word for word in tree.children(clause.index, "conj") if tree.subject(word.index) is not None]
    marks = [tree[tree.before(tree.opening(word.index).index)] for word in joined]
    second = any(mark.tag != "CC" or tree[mark.index - 1].is_mark for mark in marks)
    second = second or any(tree.opening(word.index).lower == "that" for word in joined)  # "provided that A and that B"
    finite, subject = tree.finite(clause.index), tree.subject(clause.index)
    legal = finite is not None and finite.lower == "shall"
    return second or legal or (subject is not None and subject.lower in ("nothing", "nobody"))


def _opens(tree: Tree, verb: Word, first: int) -> bool:
    """Return whether a clause begins at a word, its conjunction left out."""
    subject = tree.subject(verb.index)
    return subject is not None and tree.first(subject.index) == first
