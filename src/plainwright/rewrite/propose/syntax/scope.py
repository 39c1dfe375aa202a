"""What reaches over more than its own clause, so that a clause behind it may not become a sentence of its own."""

from __future__ import annotations

from itertools import pairwise

from plainwright.rewrite.propose.syntax import lexicon
from plainwright.rewrite.propose.syntax.tree import Tree, Word

__all__ = [
    "chain_of",
    "goes_on_with_participle",
    "has_open_condition",
    "is_attributed",
    "is_conditional",
    "is_negated",
    "is_paired",
    "is_reported",
    "opens_freely",
    "opens_plainly",
    "stands_alone",
]

_NEGATIONS = frozenset(("not", "n't", "n’t", "never", "no", "nor", "neither", "hardly", "rarely", "seldom", "barely"))
# What may open a sentence and says nothing that a second sentence would need to hear again.
_OPENERS = frozenset(
    (
        "and", "but", "so", "yet", "then", "later", "also", "however", "moreover", "furthermore", "afterwards",
        "firstly", "secondly", "thirdly", "finally", "unfortunately", "for example", "for instance", "at first",
        "in addition", "as a result", "of course", "in fact", "on the other hand", "eventually", "therefore", "thus",
        "additionally", "similarly", "consequently", "nevertheless", "nonetheless", "instead", "meanwhile", "indeed",
    )
)  # fmt: skip
_TIME_PREPOSITIONS = frozenset(
    ("until", "in", "on", "by", "at", "during", "after", "before", "since", "from", "around")
)
_SETTINGS = _TIME_PREPOSITIONS | {
    "following",
    "upon",
    "despite",
    "as",
    "with",
    "near",
    "throughout",
    "until",
    "alongside",
}
_SETTING_CLAUSES = frozenset(("after", "before", "although", "though", "because", "since"))
_SAYING = frozenset(
    "said says told adds added explained explains wrote writes argues argued thinks thought believes".split()  # noqa: SIM905
)
# What opens with these gives a reason or a contrast, which a second sentence need not hear again. An aim, a basis or an
# exception ("To be eligible", "Pursuant to", "Notwithstanding") holds for all that follows, so it is none of them.
_GROUNDS = frozenset(
    (
        "owing to", "due to", "because of", "in view of", "in light of", "as a result", "in recognition of", "despite",
        "in spite of", "contrary to", "unlike", "in addition to", "besides", "at the request", "on account of",
        "thanks to", "in response to", "in contrast to", "given", "in consequence of", "further to", "following",
    )
)  # fmt: skip
_MOST_IN_GROUNDS = 3  # words
_LONGEST_SPEAKER = 6  # words
_LONGEST_DATE = 6  # words
_PAIRED = frozenset(("respectively", "simultaneously", "alike", "respective"))
_ATTRIBUTIONS = frozenset(
    (
        "according",
        "reportedly",
        "allegedly",
        "apparently",
        "supposedly",
        "perhaps",
        "possibly",
        "rumoured",
        "rumored",
        "purportedly",
    )
)


def chain_of(tree: Tree) -> list[Word]:
    """Return the verb of the sentence and those coordinated with it, one after the other."""
    found = [tree[tree.root]]
    while (following := tree.children(found[-1].index, "conj")) and len(following) == 1:
        found.append(following[0])
    return found


def stands_alone(tree: Tree, verb: int) -> bool:
    """Return whether a clause has a subject and a finite verb of its own."""
    return tree.subject(verb) is not None and tree.finite(verb) is not None


def opens_plainly(tree: Tree, subject: int) -> bool:
    """Return whether only a date or a word such as "however" stands before the subject; more may cover what follows.

    In a story, which goes on from where and when it was, other phrases of place and time cover nothing either.
    """
    before = [word.lower for word in tree.words[: tree.first(subject)] if not word.is_mark]
    if not before or " ".join(before) in _OPENERS:
        return True
    opening = [child for child in tree.children(tree.root) if child.index < subject and not child.is_mark]
    phrases = [child for child in opening if tree.last(child.index) < tree.first(subject)]
    return all(
        _is_date(tree, phrase) or phrase.lower in _OPENERS or _is_setting(tree, phrase) or _is_ground(tree, phrase)
        for phrase in phrases
    )


def opens_freely(tree: Tree, subject: int) -> bool:
    """Return whether no condition and nobody's word for it stands before the subject."""
    return not is_conditional(tree, subject) and not is_attributed(tree)


def _is_setting(tree: Tree, phrase: Word) -> bool:
    """Return whether a phrase or clause before the subject says where, when or after what a story goes on."""
    finite = tree.finite(tree.root)
    if finite is None or finite.tag != "VBD" or finite.lower in ("would", "could", "might"):
        return False
    if any(word.lower in lexicon.CONDITIONS or word.lower in _ATTRIBUTIONS for word in tree.subtree(phrase.index)):
        return False
    if phrase.relation == "advcl":
        mark = tree.child(phrase.index, "mark")
        return mark is None or mark.lower in _SETTING_CLAUSES
    return (phrase.relation == "prep" and phrase.lower in _SETTINGS) or phrase.relation == "npadvmod"


def _is_ground(tree: Tree, phrase: Word) -> bool:
    """Return whether a phrase opens the sentence with the reason of what it says next, or with a contrast."""
    first = tree.first(phrase.index)
    words = [word.lower for word in tree.words[first : first + _MOST_IN_GROUNDS]]
    opens = any(" ".join(words[:size]) in _GROUNDS for size in range(1, len(words) + 1))
    said = tree.subtree(phrase.index)
    return opens and not any(word.lower in lexicon.CONDITIONS or word.lower in _ATTRIBUTIONS for word in said)


def _is_date(tree: Tree, phrase: Word) -> bool:
    """Return whether a phrase says when; in a story, what follows is understood to go on from there."""
    if phrase.relation != "prep" or phrase.lower not in _TIME_PREPOSITIONS:
        return False
    words = [word for word in tree.subtree(phrase.index) if not word.is_mark][1:]
    dated = any(word.text.isdigit() or word.lower in lexicon.TIME_NOUNS for word in words)
    finite = tree.finite(tree.root)
    told = finite is not None and finite.tag == "VBD"
    return dated and len(words) <= _LONGEST_DATE and (told or all(map(_is_part_of_date, words)))


def _is_part_of_date(word: Word) -> bool:
    return word.text[0].isdigit() or word.lower in lexicon.TIME_NOUNS or word.lower in ("the", "of", "early", "late")


def is_negated(tree: Tree, verb: int) -> bool:
    """Return whether a verb, or its subject or an adverb beside it, is negative."""
    return any(
        child.relation == "neg"
        or child.lower in _NEGATIONS
        or _NEGATIONS & {one.lower for one in tree.children(child.index)}
        for child in tree.children(verb)
        if child.relation in ("neg", "advmod", "nsubj", "nsubjpass", "preconj", "cc")
    )


def is_reported(tree: Tree, first: int, last: int) -> bool:
    """Return whether the words from `first` to `last` report what somebody says or thinks, or only guess."""
    words = tree.words[first : last + 1]
    clauses = [word for word in words if word.relation in ("ccomp", "parataxis") and word.tag.startswith("V")]
    nouns = [word for word in words if word.relation == "acl" and tree.child(word.index, "mark")]  # "the claim that …"
    return is_attributed(tree) or bool(clauses or nouns)


def is_attributed(tree: Tree) -> bool:
    """Return whether a sentence says by whom or how surely it is known."""
    return any(word.lower in _ATTRIBUTIONS or _is_aside(tree, word) for word in tree.words)


def _is_aside(tree: Tree, word: Word) -> bool:
    """Return whether a verb says, behind a comma, who said what stands before: "…, she said", "…, said the mayor"."""
    if word.lower not in _SAYING or word.index < 3:
        return False
    start = word.index - 1
    while start > word.index - _LONGEST_SPEAKER and not tree[start].is_mark:
        start -= 1
    following = tree[word.index + 1].lower
    speaker = tree.words[start + 1 : word.index]
    plain = all(one.tag in ("PRP", "NNP", "NN", "DT", "NNS", "JJ", "RB") for one in speaker)
    return tree[start].text == "," and plain and following != "that" and tree.first(word.index) < start


def is_paired(tree: Tree) -> bool:
    """Return whether words such as "both" or "respectively" hold two halves together."""
    words = [word.lower for word in tree.words]
    verbs = {verb.index for verb in chain_of(tree)}
    both = any(word.relation == "preconj" and word.head in verbs for word in tree.words)
    # "It did not rely only on A but also used B", or "but it also".
    also = next((n for n, word in enumerate(words) if word == "but" and "also" in words[n : n + 3]), 0)
    return (
        both
        or not _PAIRED.isdisjoint(words)
        or ("not", "only") in pairwise(words)
        or not _NEGATIONS.isdisjoint(words[:also])
    )


def has_open_condition(tree: Tree, verb: int) -> bool:
    """Return whether a clause has a condition behind it that could cover the clause before it as well.

    Behind a clause with a subject of its own, it could only if a comma sets it off.
    """
    second = tree.finite(verb)
    own = second is not None and second.relation in ("aux", "auxpass")  # "has grown and will be paid once …"
    alone = tree.subject(verb) is not None or own
    for clause in tree.children(verb, "advcl"):
        mark = tree.child(clause.index, "mark", "advmod")
        if clause.index > verb and mark is not None and mark.lower in lexicon.CONDITIONS:
            return not alone or tree[mark.index - 1].text == ","
    return False


def is_conditional(tree: Tree, end: int) -> bool:
    """Return whether a condition or a time that is not yet known stands before a place."""
    words = tree.words[:end]
    return any(word.lower in lexicon.CONDITIONS and word.relation in ("mark", "advmod", "prep") for word in words)


def goes_on_with_participle(tree: Tree, participle: int) -> bool:
    """Return whether a second participle may go on from one: "killing the driver, who was drunk, and injuring two".

    What the parser hangs the second on is no proof. Only one without an object that directly follows another one
    surely belongs to that: "who was eating and drinking".
    """
    return any(_may_go_on(tree, word) for word in tree.words[participle + 1 :] if word.tag == "VBG")


def _may_go_on(tree: Tree, word: Word) -> bool:
    before = word.index - 1
    while tree[before].tag == "RB":
        before -= 1
    if tree[before].tag != "CC":
        return tree[before].text == ","
    partner = tree[before - 1]
    paired = partner.tag == "VBG" and word.head == partner.index
    return not paired or tree.child(word.index, "dobj", "ccomp", "xcomp") is not None
