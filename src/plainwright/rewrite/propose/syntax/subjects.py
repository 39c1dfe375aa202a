"""What the new sentence calls its subject: a pronoun where it can have one owner only, else the noun again."""

from __future__ import annotations

from collections.abc import Iterable

from plainwright.rewrite.propose.syntax import lexicon
from plainwright.rewrite.propose.syntax.changes import capitalised
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURALS, Tree, Word

__all__ = ["named_again", "possessive_of", "subject_again"]

_PERSONAL = frozenset(("i", "we", "you", "he", "she", "it", "they"))
_LONGEST_NAME = 6  # words that are said again
_BEFORE_NOUN = frozenset(("det", "amod", "compound", "nmod", "nummod", "poss", "case", "quantmod"))
_POSSESSIVES = {"He": "His", "She": "Her", "It": "Its", "They": "Their"}


def subject_again(tree: Tree, head: int, heard: range) -> str | None:
    """Return how to name the subject `head` again after the words `heard`, None if it cannot be named for sure."""
    word = tree[head]
    if word.tag == "PRP":
        return capitalised("I" if word.lower == "i" else word.lower) if word.lower in _PERSONAL else None
    if word.relation == "expl" or word.tag not in NOUNS:
        return None
    own = {one.index for one in tree.subtree(head)}
    others = [tree[index] for index in heard if index not in own]
    return _pronoun(tree, head, others) or named_again(tree, head)


def possessive_of(tree: Tree, head: int, heard: range) -> str | None:
    """Return "Its", "His", "Her" or "Their" where that can have one owner only."""
    own = {one.index for one in tree.subtree(head)}
    pronoun = _pronoun(tree, head, [tree[index] for index in heard if index not in own])
    return _POSSESSIVES.get(pronoun or "")


def _pronoun(tree: Tree, head: int, others: Iterable[Word]) -> str | None:
    """Return the pronoun for a noun, if none of the other words could be what it stands for."""
    word = tree[head]
    rivals = [other for other in others if other.tag in NOUNS and not _is_time(tree, other)]
    rivals = [other for other in rivals if other.relation not in ("compound", "nmod")]
    if tree.child(head, "conj") or _quantified(tree, head):
        return None
    if word.tag in PLURALS:
        plural = [other for other in rivals if other.tag in PLURALS or tree.child(other.index, "conj")]
        return None if plural or word.lower in lexicon.QUANTITIES else "They"
    gender = _gender(tree, word)
    if gender:
        return None if any(_may_be(tree, other, gender) for other in rivals) else gender
    singular = [other for other in rivals if other.tag not in PLURALS]
    if word.tag == "NN" and lexicon.is_thing(word.lower) and not singular and word.lower not in lexicon.QUANTITIES:
        return "It"
    return None


def named_again(tree: Tree, head: int, *, bare_plural: str = "") -> str | None:
    """Return the short form of a noun phrase, as it opens a sentence; `bare_plural` goes before a plural without article."""
    word = tree[head]
    if tree.child(head, "conj") or word.lower in lexicon.QUANTITIES or word.tag not in NOUNS or _quantified(tree, head):
        return None
    before = [child for child in tree.children(head) if child.index < head]
    if any(child.relation not in _BEFORE_NOUN and not child.is_mark for child in before):
        return None
    first, last = min([head, *(tree.first(child.index) for child in before)]), head
    if word.tag in ("NNP", "NNPS"):
        if _gender(tree, word) and first < head and tree[first].relation == "compound":
            return word.text
        last = _name_end(tree, head)
    if last - first >= _LONGEST_NAME or any(one.is_mark for one in tree.words[first:last]):
        return None
    return _opened(tree, first, last, bare_plural if word.tag == "NNS" else "")


def _name_end(tree: Tree, head: int) -> int:
    """Return where a name ends: "the University of Oslo" is one."""
    following = tree.child(head, "prep")
    if following is not None and following.lower == "of" and following.index == head + 1:
        return tree.last(following.index)
    return head


def _opened(tree: Tree, first: int, last: int, bare_plural: str) -> str | None:
    """Return a noun phrase as it opens a sentence that speaks of it again."""
    word = tree[first]
    if word.relation == "det":
        if word.lower in ("a", "an", "the"):
            return f"The {tree.slice(first + 1, last)}" if last > first else None
        return capitalised(tree.slice(first, last)) if word.lower in ("this", "that", "these", "those") else None
    if word.relation == "nummod" or word.tag == "CD":
        return f"The {tree.slice(first, last)}" if word.text.islower() else None
    own = tree.slice(first, last)
    if bare_plural and word.relation != "poss" and word.tag != "PRP$":
        return f"{bare_plural} {own if word.tag.startswith('NNP') else own[:1].lower() + own[1:]}"
    return capitalised(own)


def _quantified(tree: Tree, head: int) -> bool:
    return any(child.lower in lexicon.NOT_ONE_OWNER for child in tree.children(head, "det", "amod", "predet"))


def _is_time(tree: Tree, word: Word) -> bool:
    return word.lower in lexicon.TIME_NOUNS or any(map(str.isdigit, word.text))


def _gender(tree: Tree, word: Word) -> str | None:
    """Return "He" or "She" for a person whose title or first name says so."""
    if word.tag != "NNP" or lexicon.is_thing(word.lower):
        return None
    opening = tree[tree.first(word.index)]
    compounds = tree.children(word.index, "compound")
    name = (compounds[0] if compounds else word).lower.rstrip(".")
    if compounds and opening.index != compounds[0].index:
        return None
    if name in lexicon.MALE:
        return "He"
    return "She" if name in lexicon.FEMALE else None


def _may_be(tree: Tree, other: Word, pronoun: str) -> bool:
    """Return whether "he" or "she" could stand for another noun."""
    if other.tag in PLURALS:
        return False
    if other.tag == "NNP":
        if tree[other.head].relation == "prep" and tree[other.head].lower in lexicon.PLACE_PREPOSITIONS:
            return False
        return (_gender(tree, other) or pronoun) == pronoun
    return lexicon.is_person_noun(other.lower)
