"""What is said of a noun beside the main clause: appositions, and participles without a verb of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.relatives import end_of, is_open, opens_with
from plainwright.rewrite.propose.syntax.subjects import ANYBODY, named_again, subject_again
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = [
    "NO_LONGER",
    "appositions",
    "deeds_before",
    "deeds_done",
    "front_participles",
    "inserted_participles",
    "participle_be",
    "places_at_the_end",
]

_APPOSITION = SyntaxReason("apposition", "what somebody or something is, said in a sentence of its own")
_PARTICIPLE = SyntaxReason("described", "what is said of the subject beside the main verb made a sentence of its own")
_DEED = SyntaxReason("before", "what was done first made a sentence of its own")
_PRESENT = ("VBZ", "VBP")
_PAST_YEAR = re.compile(r"\b1[0-8]\d\d\b|\b19[0-3]\d\b")
_LIVES = frozenset("died born lived reigned ruled fought".split())  # noqa: SIM905
NO_LONGER = frozenset("former then now ancient late old one-time".split())  # noqa: SIM905
# What was done to somebody or something once, and how it is: each as a participle.
_EVENTS = frozenset(
    "born founded established built constructed opened published released written directed produced designed created "  # noqa: SIM905
    "formed completed introduced launched invented discovered developed raised educated elected appointed commissioned "
    "recorded filmed painted named renamed adopted signed erected inspired drafted first".split()
)
_STATES = frozenset(
    "located situated known called based used owned operated fixed defined described regarded considered intended "  # noqa: SIM905
    "surrounded bounded drained classified characterised characterized accompanied funded financed encased "
    "equipped".split()
)
_LONG_AGO = frozenset(("last", "ago", "yesterday", "since"))
_YEAR = re.compile(r"(?:1\d|20)\d\d")
_ONCE = frozenset("formerly previously originally initially once".split())  # noqa: SIM905
_LONGEST_SUBJECT = 6  # words


def appositions(tree: Tree) -> Iterator[Change]:
    """Yield a change for "Ana Ruiz, the head of the school, says …": only where it is sure when that holds."""
    for word in tree.words:
        first, noun = tree.first(word.index), tree[word.head]
        if word.relation != "appos" or word.tag != "NN" or noun.tag not in NOUNS or tree[first - 1].text != ",":
            continue
        verb, last = _verb(tree, word, noun), end_of(tree, word.index)
        if verb is None or tree[first].lower not in ("the", "a", "an"):
            continue
        if tree[last + 1].text != "," or not is_open(tree, noun) or not opens_with(tree, noun, last + 2):
            continue
        if noun.index != first - 2 or any(one.text == "," for one in tree.words[first:last]):
            continue
        name = subject_again(tree, noun.index, range(first), is_topic=True)
        if name is not None and tree.child(noun.index, "conj") is None:
            is_word = Splice((tree[first - 2].end, tree[first].start), f" {verb} ")
            yield Change(_APPOSITION, (is_word, boundary(tree, last, last + 2, name)))


def _verb(tree: Tree, word: Word, noun: Word) -> str | None:
    """Return "is" or "was" for an apposition; None where the sentence does not show which."""
    finite = tree.finite(tree.root)
    if finite is None or any(child.lower in NO_LONGER for child in tree.subtree(word.index)):
        return None
    lasting = finite.lower not in ("has", "have") or not lexicon.may_be_person(word.lower)
    if word.lower in lexicon.PLACES or (finite.tag in _PRESENT and lasting and noun.tag in ("NN", "NNP")):
        return "is"
    long_ago = tree[tree.root].lower in _LIVES or _PAST_YEAR.search(tree.text)
    is_person = lexicon.is_person_noun(word.lower) and not lexicon.is_thing(noun.lower)
    return "was" if finite.tag == "VBD" and long_ago and is_person else None


def places_at_the_end(tree: Tree) -> Iterator[Change]:
    """Yield "… in Bergen. Bergen is a city in Norway." for "… in Bergen, a city in Norway."."""
    for word in tree.words:
        first, noun = tree.first(word.index), tree[word.head]
        finite = tree.finite(tree.root)
        holds = word.lower in lexicon.PLACES or (finite is not None and finite.tag in _PRESENT and word.tag == "NN")
        if word.relation != "appos" or not holds or tree[first].lower not in ("a", "an"):
            continue
        if lexicon.may_be_person(word.lower):
            continue  # who may be long dead
        if noun.tag != "NNP" or noun.index != first - 2 or tree[first - 1].text != "," or noun.index < tree.root:
            continue
        if end_of(tree, word.index) != len(tree) - 2 or not is_open(tree, noun) or scope.is_reported(tree, 0, first):
            continue
        name = named_again(tree, noun.index)
        if name is not None and not any(one.lower in NO_LONGER for one in tree.children(word.index)):
            yield Change(_APPOSITION, (boundary(tree, first - 2, first, f"{name} is"),))


def inserted_participles(tree: Tree) -> Iterator[Change]:
    """Yield "Elm Hall was built in 1720. It is …" for "Elm Hall, built in 1720, is …"."""
    for word in tree.words:
        noun, first, last = tree[word.head], tree.first(word.index), end_of(tree, word.index)
        if word.relation != "acl" or word.tag != "VBN" or tree[first - 1].text != "," or noun.tag not in NOUNS:
            continue
        if tree[last + 1].text != "," or not is_open(tree, noun) or not opens_with(tree, noun, last + 2):
            continue
        verb = participle_be(tree, word, noun)
        name = subject_again(tree, noun.index, range(first), is_topic=True)
        if verb is not None and name is not None and not any(one.text == "," for one in tree.words[first:last]):
            is_word = Splice((tree[first - 2].end, tree[first].start), f" {verb} ")
            yield Change(_PARTICIPLE, (is_word, boundary(tree, last, last + 2, name)))


def deeds_before(tree: Tree) -> Iterator[Change]:
    """Yield "The jury talked for an hour. It found …" for "The jury, having talked for an hour, found …"."""
    for having in tree.words[:-3]:
        word = tree[having.head]
        noun, last, finite = tree.subject(tree.root), end_of(tree, word.index), tree.finite(tree.root)
        if having.lower != "having" or having.relation != "aux" or word.tag not in ("VBN", "VBD") or noun is None:
            continue
        base = None if scope.is_negated(tree, tree.root) else base_of(word.lower, "VBN")
        if tree.first(word.index) != having.index or tree[last + 1].text != "," or base is None:
            continue
        if (
            finite is None
            or finite.tag != "VBD"
            or tree[having.index + 1] != word
            or word.head not in (tree.root, noun.index)
        ):
            continue
        past = inflections(base, "verb")["VBD"][0]
        name = subject_again(tree, noun.index, range(having.index), is_topic=True)
        own = tree.slice(tree.first(noun.index), noun.index)
        if name is None or tree[having.index - 1].text not in (",", tree[-1].text):
            continue
        if having.index == 0 and tree.first(noun.index) == last + 2 and tree.last(noun.index) == noun.index:
            opening = Splice((having.start, word.end), f"{own[:1].upper()}{own[1:]} {past}")
            name = subject_again(tree, noun.index, range(noun.index + 1), is_topic=True) or name
            yield Change(_DEED, (opening, boundary(tree, last, noun.index + 1, name)))
        elif noun.index == having.index - 2 and opens_with(tree, noun, last + 2):
            without = Splice((tree[noun.index].end, word.end), f" {past}")
            yield Change(_DEED, (without, boundary(tree, last, last + 2, name)))


def deeds_done(tree: Tree) -> Iterator[Change]:
    """Yield "We have read the letter. We agree …" for "Having read the letter, we agree …"."""
    having, noun, finite = tree[0], tree.subject(tree.root), tree.finite(tree.root)
    word = tree[having.head]
    if having.lower != "having" or having.relation != "aux" or noun is None or finite is None:
        return
    if noun.lower in ANYBODY:
        return  # what anybody or nobody did is no fact of its own
    last, first, been = end_of(tree, word.index), tree.first(noun.index), tree[1].lower == "been"
    if word.head != tree.root or tree[last + 1].text != "," or first != last + 2 or scope.is_negated(tree, tree.root):
        return
    if finite.tag not in _PRESENT and not (been and finite.tag == "VBD"):
        return
    if tree.last(noun.index) != noun.index or any(one.lower == "there" for one in tree.words[:last]):
        return  # "having been paid, and there being no reason to wait, she left"
    plural = noun.tag in PLURALS or noun.lower in ("we", "you", "they", "i")
    own, name = tree.slice(first, noun.index), subject_again(tree, noun.index, range(noun.index + 1), is_topic=True)
    if name is None or any(one.lower in _LONG_AGO or _YEAR.fullmatch(one.text) for one in tree.words[:last]):
        return
    is_past = finite.tag == "VBD"
    if is_past and noun.tag == "NNPS":
        return  # a firm may have a plural for a name
    present = "has" if finite.tag == "VBZ" else "have"
    verb = ("were" if plural and noun.lower != "i" else "was") if is_past else present
    end = tree[1].end if is_past else having.end
    opening = Splice((having.start, end), f"{own[:1].upper()}{own[1:]} {verb}")
    yield Change(_DEED, (opening, boundary(tree, last, noun.index + 1, name)))


def front_participles(tree: Tree) -> Iterator[Change]:
    """Yield "The mill was built in 1720. It is …" for "Built in 1720, the mill is …"."""
    adverbs = 1 if tree[0].tag == "RB" and tree[0].head == 1 else 0
    word, subject = tree[adverbs], tree.subject(tree.root)
    if word.tag != "VBN" or word.relation != "advcl" or word.head != tree.root or subject is None:
        return
    last, first, end = end_of(tree, word.index), tree.first(subject.index), tree.last(subject.index)
    if tree[last + 1].text != "," or first != last + 2 or end - first >= _LONGEST_SUBJECT or _odd(tree, first, end):
        return
    verb, finite = participle_be(tree, word, subject), tree.finite(tree.root)
    name = subject_again(tree, subject.index, range(end + 1), is_topic=True)
    if verb is None or name is None or tree.is_enclosed(tree[last].end) or tree[first].tag == "PRP$":
        return  # "Founded in 1990, its shops are …": it was founded, they were not
    if finite is not None and finite.tag == "VBP" and verb in ("is", "was"):
        return
    own = tree.slice(first, end)
    opened = tree[0]
    opening = Splice((opened.start, opened.end), f"{own[:1].upper()}{own[1:]} {verb} {opened.lower}")
    following = tree[end + 1]
    yield Change(_PARTICIPLE, (opening, boundary(tree, last, following.index, name)))


def _odd(tree: Tree, first: int, last: int) -> bool:
    """Return whether a subject is more than a plain noun phrase."""
    words = tree.words[first : last + 1]
    return any(word.is_mark or word.relation in ("relcl", "acl", "conj", "appos") for word in words)


def participle_be(tree: Tree, word: Word, noun: Word) -> str | None:
    """Return the form of "be" that a participle takes beside the main verb."""
    finite = tree.finite(tree.root)
    if finite is None or finite.tag == "MD":
        return None
    said = {one.lower for one in tree.subtree(word.index)}
    if not said.isdisjoint(("before", "until", "historically", "now", "today")):
        return None
    past = finite.tag == "VBD" or not said.isdisjoint(_ONCE)
    plural = noun.tag in PLURALS or noun.lower in ("they", "we", "you")
    if past and word.lower == "based":
        return None  # it may still be there
    if word.lower in _EVENTS or (word.lower in _STATES and past):
        return "were" if plural else "was"
    if word.lower in _STATES:
        return "are" if plural else "is"
    return None
