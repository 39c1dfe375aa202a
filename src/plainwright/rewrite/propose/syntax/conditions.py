"""What a condition covers, said in two sentences: "If A, B. In that case, C.", and "A. This is subject to B."."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.coordination import lacks_auxiliary
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = ["depending", "in_that_case", "subject_to"]

_CASE = SyntaxReason("case", "the second thing that happens then made a sentence that opens with “In that case”")
_SUBJECT_TO = SyntaxReason("subject-to", "what it is subject to made a sentence of its own")
_DEPENDING = frozenset(("contingent", "conditional", "dependent", "depending"))
_SHORTEST = 6  # words of a rule
_SHORTEST_EFFECT = 5  # words of what happens then
_SHORTEST_LIMIT = 3  # words behind "subject to"
_ONWARD = frozenset(("so", "then", "thus", "therefore", "this", "these", "it", "that"))


def in_that_case(tree: Tree) -> Iterator[Change]:
    """Yield "If A, B. In that case, C." for "If A, B, and C."."""
    if tree[0].lower != "if" or sum(word.lower in lexicon.CONDITIONS for word in tree.words) > 1:
        return
    clause, verbs = tree[tree[0].head], scope.chain_of(tree)
    if clause.relation != "advcl" or clause.head != tree.root or len(verbs) != 2 or scope.is_paired(tree):
        return
    main, second = verbs
    if tree.last(clause.index) > tree.first_of_subject(main.index) or not _says_both(tree, main, second):
        return
    first = tree.opening(second.index).index
    joint = tree[first - 1]
    if joint.lower != "and" or tree.is_enclosed(joint.start):
        return
    if tree[first].lower in _ONWARD or scope.is_reported(tree, 0, first) or tree.end(second.index) != len(tree) - 2:
        return
    if tree.count(first, len(tree) - 1) >= _SHORTEST_EFFECT:
        yield Change(_CASE, (boundary(tree, tree.before(joint.index), first, "In that case,"),))


def _says_both(tree: Tree, main: Word, second: Word) -> bool:
    """Return whether both clauses have a subject of their own, the second one in front."""
    if not (scope.stands_alone(tree, main.index) and scope.stands_alone(tree, second.index)):
        return False
    if lacks_auxiliary(tree, main, second):
        return False
    return tree.first_of_subject(second.index) == tree.opening(second.index).index


def subject_to(tree: Tree) -> Iterator[Change]:
    """Yield "A. This is subject to B." for "A, subject to B."."""
    finite = tree.finite(tree.root)
    if finite is None or finite.tag == "VBD" or not scope.stands_alone(tree, tree.root):
        return
    for word in tree.words[tree.root + 1 : -3]:
        comma = word.index - 1
        if word.lower != "subject" or tree[comma].text != "," or tree[word.index + 1].lower != "to":
            continue
        rest = tree.words[word.index + 2 : -1]
        if any(one.text in ",;:" for one in rest) or tree.is_enclosed(word.start) or scope.is_reported(tree, 0, comma):
            continue
        long_enough = tree.count(0, comma) >= _SHORTEST and len(rest) >= _SHORTEST_LIMIT
        if long_enough and rest[0].tag not in ("VB", "VBG") and tree[0].lower not in ("this", "that"):
            yield Change(_SUBJECT_TO, (boundary(tree, comma - 1, word.index, "This is"),))


def depending(tree: Tree) -> Iterator[Change]:
    """Yield "A. This depends on B." for "A, depending on B." and "A, contingent upon B."."""
    finite = tree.finite(tree.root)
    if finite is None or finite.tag == "VBD" or not scope.stands_alone(tree, tree.root):
        return
    for word in tree.words[tree.root + 1 : -3]:
        comma, on = word.index - 1, tree[word.index + 1]
        if word.lower not in _DEPENDING or tree[comma].text != "," or on.lower not in ("on", "upon"):
            continue
        rest = tree.words[on.index + 1 : -1]
        if any(one.text in ",;:" for one in rest) or tree.is_enclosed(word.start) or scope.is_reported(tree, 0, comma):
            continue
        if tree.count(0, comma) >= _SHORTEST and len(rest) >= _SHORTEST_LIMIT and not scope.is_negated(tree, tree.root):
            yield Change(_SUBJECT_TO, (boundary(tree, comma - 1, on.index + 1, "This depends on"),))
