"""Deeds said by a noun, said by a verb: "after the submission of the form" as "after the form is submitted"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plainwright.rewrite.propose.syntax import lexicon
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, capitalised
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = ["DEED", "deeds_as_verbs"]

_REASON = SyntaxReason("verb", "a deed said by a verb, not by a noun")
# Nouns whose "of" names what the deed is done to.
_TABLE = """
    acceptance accept, acquisition acquire, adjustment adjust, allocation allocate, amendment amend, analysis analyse,
    appointment appoint, approval approve, assessment assess, calculation calculate, cancellation cancel,
    classification classify, collection collect, completion complete, confirmation confirm, construction construct,
    consumption consume, correction correct, creation create, deletion delete, delivery deliver, detection detect,
    determination determine, disclosure disclose, dismissal dismiss, distribution distribute, elimination eliminate,
    enforcement enforce, establishment establish, estimation estimate, evaluation evaluate, examination examine,
    identification identify, implementation implement, imposition impose, insertion insert, inspection inspect,
    installation install, introduction introduce, investigation investigate, issuance issue, issue issue,
    maintenance maintain, management manage, measurement measure, modification modify, omission omit, payment pay,
    preparation prepare, presentation present, preservation preserve, prevention prevent, processing process,
    promotion promote, protection protect, provision provide, publication publish, receipt receive,
    recruitment recruit, reduction reduce, registration register, reimbursement reimburse, release release,
    removal remove, renewal renew, repair repair, repayment repay, replacement replace, restoration restore,
    retention retain, review review, sampling sample, selection select, settlement settle, storage store,
    submission submit, supervision supervise, suspension suspend, termination terminate, transfer transfer,
    transmission transmit, treatment treat, use use, validation validate, verification verify, withdrawal withdraw
"""
_VERBS = dict(pair.split() for pair in _TABLE.split(","))
DEED = re.compile(rf"\b(?:{'|'.join(_VERBS)})\s+(?:(?:and|or)\s+\w+\s+)?of\b", re.IGNORECASE)
_DONE = frozenset("undertaken performed conducted effected made carried".split())  # noqa: SIM905
_DOES_NOT_MAKE = frozenset(("use", "protection", "provision", "issue"))  # "use of it was made": another thing
_WHEN = {
    "before": "before",
    "after": "after",
    "following": "after",
    "until": "until",
    "pending": "until",
    "upon": "when",
    "on": "when",
}
_ON_DEEDS = frozenset("receipt completion submission payment delivery presentation approval confirmation".split())  # noqa: SIM905
_DEPENDING = frozenset(
    "depend rely base insist focus agree work decide concentrate turn bear count impose levy".split()  # noqa: SIM905
)
_ASKING = (
    "allow",
    "appeal",
    "argu",
    "ask",
    "call",
    "campaign",
    "demand",
    "hop",
    "plea",
    "press",
    "provid",
    "push",
    "vot",
)
_BY_DOING = frozenset(("by", "for", "in", "through", "without"))
_IN_DOING = frozenset("assist help participate engage involve succeed aid use interest specialise specialize".split())  # noqa: SIM905
# Nouns whose "of" may also name who does it: "the approval of the board".
_BY_ANYBODY = frozenset(
    "acceptance analysis approval assessment calculation confirmation determination estimation evaluation "  # noqa: SIM905
    "examination investigation management payment presentation publication review selection submission supervision use "
    "withdrawal".split()
)
_BESIDE = frozenset(
    ("JJ", "NN", "NNP", "PRP$", "DT", "POS", "CC")
)  # before a noun, and not seen as a part of its phrase
_TO_WHOM = frozenset(("by", "from", "to"))  # prepositions that go with the verb
_WITH_THING = frozenset(("for", "of"))
_LONGEST_THING = 9  # words between "of" and the end of what the deed is done to
_FUTURE = frozenset(("must", "will", "shall", "can", "may", "should", "cannot"))


@dataclass(frozen=True, slots=True)
class _Deed:
    """One or two nouns that say what is done, and what it is done to."""

    first: int  # word, an article with it
    nouns: tuple[Word, ...]
    joint: str  # the word between two nouns
    thing: tuple[int, int]  # first and last word
    head: Word  # of the thing
    last: int  # word of the whole phrase, which may go on behind the thing: "… to the office"

    def verbs(self, tag: str) -> str:
        """Return the verbs in a form."""
        forms = [inflections(_VERBS[noun.lower], "verb")[tag][0] for noun in self.nouns]
        return f" {self.joint} ".join(forms)


def deeds_as_verbs(tree: Tree) -> Iterator[Change]:
    """Yield what can be said by a verb: deeds that are done, that something waits for, or that serve a purpose."""
    for word in tree.words:
        deed = _deed(tree, word)
        if deed is None or tree.is_enclosed(word.start):
            continue
        splice = _done(tree, deed) or _awaited(tree, deed) or _serving(tree, deed)
        if splice is not None:
            yield Change(_REASON, (splice,))


def _deed(tree: Tree, noun: Word) -> _Deed | None:
    """Return the deed that a noun says, if nothing but an article stands before it."""
    if noun.lower not in _VERBS or noun.tag != "NN" or noun.relation == "compound":
        return None
    nouns: tuple[Word, ...] = (noun,)
    joint, at = "", noun.index + 1
    if tree[at].lower in ("and", "or") and at + 1 < len(tree) and tree[at + 1].lower in _VERBS:
        nouns, joint, at = (noun, tree[at + 1]), tree[at].lower, at + 2
    of = tree[at] if at < len(tree) else None
    thing = None if of is None or of.lower != "of" else tree.child(of.index, "pobj")
    if of is None or thing is None or of.head not in {one.index for one in nouns}:
        return None
    before = [word for word in tree.subtree(noun.index) if word.index < noun.index]
    if [word.lower for word in before] not in ([], ["the"]) or (not before and tree[noun.index - 1].tag in _BESIDE):
        return None
    if _may_do_it(thing) and not _BY_ANYBODY.isdisjoint(one.lower for one in nouns):
        return None
    span = tree.first(thing.index), tree.last(thing.index)
    if span[0] != of.index + 1 or span[1] - span[0] >= _LONGEST_THING or not _is_plain(tree, thing, span):
        return None
    first = before[0].index if before else noun.index
    if tree[span[1] + 1].tag in (*NOUNS, "JJ", "VBG"):
        return None  # the parser cut a compound in two
    last = max(span[1], *(tree.last(one.index) for one in nouns))
    behind = next((word for word in tree.words[thing.index : span[1]] if word.lower in _TO_WHOM), None)
    end = span[1] if behind is None else behind.index - 1
    return _Deed(first, nouns, joint, (span[0], end), thing, last)


def _may_do_it(thing: Word) -> bool:
    """Return whether a thing may be people, who do the deed."""
    singular = thing.lower.removesuffix("s")
    return thing.tag in ("NNP", "NNPS") or singular in lexicon.GROUPS or lexicon.is_person_noun(singular)


def _is_plain(tree: Tree, thing: Word, span: tuple[int, int]) -> bool:
    """Return whether a thing is a noun phrase without clauses, marks, or deeds of its own."""
    if thing.tag not in (*NOUNS, "PRP"):
        return False
    words = tree.words[span[0] : span[1] + 1]
    return not any(
        word.is_mark
        or word.relation in ("relcl", "acl", "appos")
        or word.lower in ("which", "each", "one")
        or (word.relation == "prep" and word.lower not in _WITH_THING | _TO_WHOM)
        for word in words
    )


def _text(tree: Tree, deed: _Deed) -> str:
    return tree.slice(*deed.thing)


def _rest(tree: Tree, deed: _Deed) -> str | None:
    """Return what follows the thing, if it goes with the verb; None if it may go with something else."""
    if deed.last == deed.thing[1]:
        return ""
    words = tree.words[deed.thing[1] + 1 : deed.last + 1]
    if words[0].lower not in _TO_WHOM or any(word.is_mark or word.relation in ("relcl", "acl") for word in words):
        return None
    return f" {tree.slice(words[0].index, deed.last)}"


def _is_many(tree: Tree, deed: _Deed) -> bool:
    return deed.head.tag in PLURALS or tree.child(deed.head.index, "conj") is not None


def _done(tree: Tree, deed: _Deed) -> Splice | None:
    """Say "the roof will be repaired" for "the repair of the roof will be carried out"."""
    noun = deed.nouns[0]
    verb = tree[noun.head]
    if noun.relation != "nsubjpass" or verb.lower not in _DONE or verb.tag != "VBN" or deed.last != deed.thing[1]:
        return None
    particle = tree.child(verb.index, "prt")
    if (verb.lower == "carried") != (particle is not None and particle.lower == "out"):
        return None
    if verb.lower == "made" and _DOES_NOT_MAKE.intersection(one.lower for one in deed.nouns):
        return None
    auxiliaries = tree.auxiliaries(verb.index)
    if not auxiliaries or auxiliaries[0].index != deed.last + 1 or tree.child(verb.index, "neg", "conj", "agent"):
        return None
    end = verb.index if particle is None else particle.index
    if end != verb.index + (particle is not None) or auxiliaries[-1].index != verb.index - 1:
        return None
    helping = _agreeing([word.lower for word in auxiliaries], many=_is_many(tree, deed))
    if helping is None:
        return None
    text = f"{_text(tree, deed)} {helping} {deed.verbs('VBN')}"
    return Splice((tree[deed.first].start, tree[end].end), capitalised(text) if deed.first == 0 else text)


def _agreeing(auxiliaries: list[str], *, many: bool) -> str | None:
    """Return the auxiliaries for a subject of another number."""
    first, rest = auxiliaries[0], auxiliaries[1:]
    pairs = {"is": "are", "was": "were", "has": "have"}
    backwards = {other: one for one, other in pairs.items()}
    if first in pairs or first in backwards:
        first = pairs.get(first, first) if many else backwards.get(first, first)
    elif first not in _FUTURE:
        return None
    return " ".join((first, *rest))


def _awaited(tree: Tree, deed: _Deed) -> Splice | None:
    """Say "before the form is submitted" for "before the submission of the form"."""
    before = tree[deed.first - 1] if deed.first else None
    rest = _rest(tree, deed)
    if before is None or deed.nouns[0].head != before.index or rest is None:
        return None
    start, word = before, _WHEN.get(before.lower)
    if before.lower == "to" and deed.first > 1 and tree[deed.first - 2].lower == "prior":
        start, word = tree[deed.first - 2], "before"
    if word is None or (word == "when" and not _is_moment(tree, start, deed)):
        return None
    if start.tag not in ("IN", "VBG", "RB", "JJ") or (start.lower == "following" and tree[start.index - 1].tag == "DT"):
        return None
    helping = _tense(tree, tree[start.head], many=_is_many(tree, deed), later=word in ("after", "when"))
    if helping is None:
        return None
    text = f"{word} {_text(tree, deed)} {helping} {deed.verbs('VBN')}{rest}"
    return Splice((start.start, tree[deed.last].end), capitalised(text) if start.index == 0 else text)


def _is_moment(tree: Tree, on: Word, deed: _Deed) -> bool:
    """Return whether "on" says when, not what something depends on."""
    head = tree[on.head]
    verb = head.tag.startswith("VB") and base_of(head.lower, head.tag) not in _DEPENDING
    verb = verb and tree[on.index - 1].lower not in ("conditional", "contingent", "dependent")
    return verb and _ON_DEEDS.issuperset(one.lower for one in deed.nouns)


def _tense(tree: Tree, main: Word, *, many: bool, later: bool) -> str | None:
    """Return "is" or "was" as the clause around has it, which may come `later` than the deed."""
    above = (main, *tree.ancestors(main.index))
    finite = next((found for one in above if (found := tree.finite(one.index)) is not None), None)
    if finite is None:
        return ("are" if many else "is") if tree[tree.root].tag == "VB" else None  # a demand
    past = finite.tag == "VBD" or (later and finite.lower in ("has", "have") and finite.relation == "aux")
    if past:
        return "were" if many else "was"
    return ("are" if many else "is") if finite.lower in _FUTURE or finite.tag in ("VBP", "VBZ") else None


def _serving(tree: Tree, deed: _Deed) -> Splice | None:
    """Say "for calculating the tax" for "for the calculation of the tax"."""
    before = tree[deed.first - 1] if deed.first else None
    if before is None or deed.first == deed.nouns[0].index or deed.nouns[0].head != before.index:
        return None
    if before.lower not in _BY_DOING or before.relation == "agent" or _has_doer(tree, deed):
        return None
    if before.lower == "for" and tree[before.head].lower.startswith(_ASKING):
        return None
    if before.lower == "in" and not _is_done_in(tree[before.head]):
        return None
    word = "by" if before.lower == "through" else before.text
    if before.lower == "through" and tree[before.head].tag in NOUNS:
        return None
    text = f"{word} {deed.verbs('VBG')} {_text(tree, deed)}"
    return Splice((before.start, tree[deed.thing[1]].end), capitalised(text) if before.index == 0 else text)


def _has_doer(tree: Tree, deed: _Deed) -> bool:
    """Return whether somebody is named who does it."""
    words = tree.words[deed.first : deed.last + 2]
    return any(word.lower == "by" for word in words)


def _is_done_in(word: Word) -> bool:
    """Return whether "in" says what somebody takes part in, not when or where something is."""
    return any(word.lower.startswith(verb[:-1]) for verb in _IN_DOING)
