"""Coordinated clauses and verb phrases, each a sentence of its own."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.subjects import subject_again
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = ["coordinated_clauses", "coordinated_verbs", "semicolons"]

_CLAUSES = SyntaxReason("clauses", "coordinated clause made a sentence of its own")
_SEMICOLON = SyntaxReason("semicolon", "clause after a semicolon made a sentence of its own")
_VERBS = SyntaxReason("verbs", "second verb made a sentence of its own, with its subject named again")
_OPENINGS = {"and": "", "but": "But", "so": "So", "yet": "Yet"}
_PURPOSE = frozenset(("can", "could", "may", "might", "will", "would"))  # "so it can …" says what for
_LONG_ENOUGH = 22  # words of a sentence whose verbs are worth parting
_SHARED_AFTER_VERB = 2  # words that the first verb needs for itself, or it may share what the second one has
_AMBIGUOUS = "ed"  # "moved" is a past tense and a participle
_ONLY_PARTICIPLES = frozenset(
    ("known", "taken", "written", "shown", "given", "seen", "chosen", "driven", "broken", "spoken")
)


def coordinated_clauses(tree: Tree) -> Iterator[Change]:
    """Yield a change for each "…, and B does Y" behind a main clause."""
    verbs = scope.chain_of(tree)
    subject = tree.subject(tree.root)
    if subject is None or not scope.opens_plainly(tree, subject.index) or scope.is_paired(tree):
        return
    joints = [_joint(tree, before, after) for before, after in zip(verbs, verbs[1:], strict=False)]
    if None in joints:
        return
    for (before, after), joint in zip(zip(verbs, verbs[1:], strict=False), joints, strict=True):
        assert joint is not None
        last, word, first = joint
        if not scope.stands_alone(tree, before.index) and before.index == tree.root:
            return
        if not scope.stands_alone(tree, after.index) or word not in _OPENINGS:
            continue
        if not _is_independent(tree, last, first, after) or (word == "so" and _is_purpose(tree, after)):
            continue
        yield Change(_CLAUSES, (boundary(tree, last, first, _OPENINGS[word]),))


def coordinated_verbs(tree: Tree) -> Iterator[Change]:
    """Yield a change for each "… and does Y" behind a main clause whose subject can be named again."""
    verbs = scope.chain_of(tree)
    subject = tree.subject(tree.root)
    if tree.count(0, len(tree) - 1) <= _LONG_ENOUGH or subject is None or scope.is_paired(tree):
        return
    if not scope.opens_plainly(tree, subject.index) or scope.is_negated(tree, tree.root) or len(verbs) != 2:
        return
    root, second = verbs
    joint = _joint(tree, root, second)
    if joint is None or tree.finite(root.index) is None or tree.subject(second.index) is not None:
        return
    last, word, first = joint
    if word not in ("and", "but") or not _is_independent(tree, last, first, second) or _shares_words(tree, root, last):
        return
    auxiliary = _auxiliary(tree, root, second)
    name = subject_again(tree, subject.index, range(first))
    if auxiliary is None or name is None or not _agrees(tree, name, auxiliary or second.lower, root):
        return
    opening = f"But {name if name == 'I' else name[:1].lower() + name[1:]}" if word == "but" else name
    if word == "but" and not (tree[subject.index].tag == "PRP" or name.startswith(("The ", "It", "They", "He", "She"))):
        opening = f"But {name}"
    yield Change(_VERBS, (boundary(tree, last, first, f"{opening} {auxiliary}".rstrip()),))


def semicolons(tree: Tree) -> Iterator[Change]:
    """Yield a change for each semicolon; whether both sides are sentences shows when they are parsed again."""
    if any(word.text == ":" for word in tree.words):
        return
    places = [word.index for word in tree.words if word.text == ";" and not tree.is_enclosed(word.start)]
    for place in places[:1] if len(places) == 1 else ():
        first = place + 1
        following = tree[first]
        if 0 < place < len(tree) - 2 and following.tag not in ("CC", "IN", "WDT", "WP", "WRB", "TO"):
            yield Change(_SEMICOLON, (boundary(tree, place - 1, first),))


def _joint(tree: Tree, before: Word, after: Word) -> tuple[int, str, int] | None:
    """Return the last word of the first part, the conjunction, and the first word of the second part."""
    first = next(word.index for word in tree.subtree(after.index) if not word.is_mark)
    place = first - 1
    while place > 0 and tree[place].is_mark:
        place -= 1
    conjunction = tree[place]
    if conjunction.relation not in ("cc", "advmod", "mark") or conjunction.lower not in (*_OPENINGS, "or", "nor"):
        return None
    last = place - 1
    while last > 0 and tree[last].is_mark:
        last -= 1
    between = {word.text for word in tree.words[last + 1 : first] if word.is_mark}
    return (last, conjunction.lower, first) if last > before.index and between <= {",", ";"} else None


def _is_independent(tree: Tree, last: int, first: int, verb: Word) -> bool:
    """Return whether all behind the joint belongs to the second part, and nothing of the first part covers it."""
    rest = {word.index for word in tree.subtree(verb.index)}
    if any(not word.is_mark and word.index not in rest for word in tree.words[first:]):
        return False
    if tree.is_enclosed(tree[last].end) or scope.is_reported(tree, 0, last):
        return False
    return not scope.has_open_condition(tree, verb.index)


def _is_purpose(tree: Tree, verb: Word) -> bool:
    return any(word.lower in _PURPOSE for word in tree.auxiliaries(verb.index)) or tree[verb.index - 1].lower == "that"


def _shares_words(tree: Tree, verb: Word, last: int) -> bool:
    """Return whether the second verb may share an object behind the first, or an adverb before it."""
    adverbs = [child for child in tree.children(verb.index, "advmod", "npadvmod") if child.index < verb.index]
    spreading = any(child.lower not in lexicon.SPREADING_ADVERBS and child.index > 0 for child in adverbs)
    return spreading or tree.count(verb.index + 1, last) < _SHARED_AFTER_VERB


def _auxiliary(tree: Tree, root: Word, second: Word) -> str | None:
    """Return the auxiliaries that the second verb needs again, "" if none, None if that is not sure."""
    if tree.auxiliaries(second.index):
        return "" if tree.finite(second.index) else None
    own = tree.auxiliaries(root.index)
    passive = tree.child(root.index, "auxpass") is not None
    ambiguous = second.lower.endswith(_AMBIGUOUS) or second.lower not in _ONLY_PARTICIPLES
    has_object = tree.child(second.index, "dobj", "attr", "ccomp", "xcomp", "acomp") is not None
    if second.tag in ("VBZ", "VBP"):
        return "" if root.tag in ("VBZ", "VBP", "VBD") or not own or passive else None
    if second.tag == "VBD":
        return "" if not passive or has_object else None
    shared = " ".join(word.text for word in own)
    if second.tag == "VBN" and passive:
        return shared if tree.child(second.index, "agent") or not ambiguous else None
    if second.tag == "VBN" and root.tag == "VBN" and own and own[0].lower in ("has", "have", "had"):
        return shared
    if second.tag == "VB" and root.tag == "VB" and own and own[0].tag == "MD":
        return shared
    return None


def _agrees(tree: Tree, name: str, verb: str, root: Word) -> bool:
    """Return whether the new subject has the number of the old one, as far as the pronoun shows."""
    finite = tree.finite(root.index)
    singular = finite is not None and (finite.tag == "VBZ" or finite.lower == "was")
    return not (name == "They" and singular)
