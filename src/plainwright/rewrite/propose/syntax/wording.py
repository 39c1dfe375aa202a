"""Constructions in plainer ones, without a new sentence: inverted conditions, and passives with an agent."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, capitalised
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = ["inverted_conditions", "passives"]

_CONDITION = SyntaxReason("condition", "condition opened with “if”")
_ACTIVE = SyntaxReason("active", "who does it made the subject")
_INVERTED = frozenset(("should", "were", "had"))
_OPENS_SUBJECT = NOUNS | {"DT", "PDT", "PRP", "PRP$", "EX", "CD", "JJ"}
_PLURAL_PRONOUNS = frozenset(("i", "you", "we", "they", "these", "those", "both", "many", "few", "any", "some"))
_AS_SUBJECT = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "you": "you", "it": "it"}
_AS_OBJECT = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "you": "you", "it": "it"}
_MODALS = frozenset(("must", "will", "can", "may", "should", "shall", "cannot"))
# What may come behind a question that somebody is said to ask.
_ASKING = frozenset(
    "say ask wonder think inquire enquire question demand know debate ponder consider muse add tell write".split()  # noqa: SIM905
)
# Determiners that cover other things, or cover them otherwise, in another place of the sentence.
_COVERING = frozenset("no all every each any some few many most neither either both which".split())  # noqa: SIM905
_LONGEST_AGENT, _LONGEST_SUBJECT = 5, 8  # words


def inverted_conditions(tree: Tree) -> Iterator[Change]:
    """Yield "If you need help, …" for "Should you need help, …", and the same for "were" and "had"."""
    if sum(_may_be_inverted(tree, word) for word in tree.words) > 1:
        return  # "Had he come, and had he paid, …": one "if" would not do for both
    for word in tree.words:
        if word.lower not in _INVERTED:
            continue
        verb = tree[word.head] if word.relation in ("aux", "auxpass") else word
        subject = tree.subject(verb.index)
        before = tree[word.index - 1] if word.index else None
        opens = before is None or before.text == "," or (word.lower == "should" and verb.relation == "advcl")
        if subject is None or not opens or not word.index < tree.first(subject.index):
            continue
        if tree.first(subject.index) != word.index + 1 or verb.relation not in ("advcl", "ccomp", "ROOT"):
            continue
        if verb.relation == "ROOT" and (word.index or not any(one.text == "," for one in tree.words)):
            continue
        if _is_question(tree, verb):
            continue
        splices = _condition(tree, word, verb, subject)
        if splices:
            yield Change(_CONDITION, splices)


def _may_be_inverted(tree: Tree, word: Word) -> bool:
    """Return whether a word may open a clause whose subject follows it."""
    before = tree[word.index - 1] if word.index else None
    opens = before is None or before.is_mark or before.tag == "CC"
    return word.lower in _INVERTED and opens and tree[word.index + 1].tag in _OPENS_SUBJECT


def _is_question(tree: Tree, verb: Word) -> bool:
    """Return whether a clause is what somebody asks, says or thinks: "Should we begin, he asked".

    The parser often takes such a question for an adverbial clause. A demand ("please ask us") reports nothing, and
    neither does an adverbial clause before a modal ("we would have asked").
    """
    below = tree.children(verb.index, "ccomp", "conj", "dep", "parataxis")
    around = below if verb.relation == "ROOT" else [tree[verb.head]]
    for main in around:
        asked = {base_of(one.lower, one.tag) for one in (main, *tree.children(main.index, "xcomp"))}
        finite = tree.finite(main.index)
        if finite is None or asked.isdisjoint(_ASKING):
            continue
        if finite.tag != "MD" or verb.relation == "ccomp":
            return True
    return False


def _condition(tree: Tree, word: Word, verb: Word, subject: Word) -> tuple[Splice, ...]:
    opening = Splice((word.start, word.end), "If" if word.text[0].isupper() else "if")
    end = tree.last(subject.index)
    if any(tree[index].is_mark for index in range(word.index, end + 1)):
        return ()
    if word.lower in ("were", "had"):
        infinitive = next((one.index for one in tree.words[word.index : end + 1] if one.tag == "TO"), end + 1)
        end = infinitive - 1 if word.lower == "were" else end
        return (opening, Splice((tree[end].end, tree[end].end), f" {word.lower}"))
    following = next((one for one in tree.words[end + 1 :] if one.relation != "advmod"), None)
    if following is None or following.tag != "VB" or tree.child(verb.index, "neg"):
        return ()
    if any(one.tag == "VB" for one in tree.children(verb.index, "conj")):
        return ()  # "should it last or grow": two verbs
    plural = subject.tag in PLURALS or tree.child(subject.index, "conj") is not None
    third_person = not plural and subject.lower not in _PLURAL_PRONOUNS
    if subject.lower == "i" and following.lower == "be":
        return ()
    present = _present(following.lower, third_person=third_person)
    changed = () if present == following.text else (Splice((following.start, following.end), present),)
    return (opening, *changed)


def passives(tree: Tree) -> Iterator[Change]:
    """Yield "The applicant must sign the form." for "The form must be signed by the applicant."."""
    for agent in tree.words:
        verb, person = tree[agent.head], tree.child(agent.index, "pobj")
        if agent.relation != "agent" or agent.lower != "by" or person is None or agent.index != verb.index + 1:
            continue
        subject = tree.child(verb.index, "nsubjpass")
        if verb.index != tree.root or subject is None or tree.child(verb.index, "conj", "cc", "neg"):
            continue
        behind = tree.last(person.index) + 1  # nothing, where the parser hangs the stop on the person
        if any(word.tag == "CC" for word in tree.words[behind : behind + 1]) or _has_dependent_clause(tree, verb):
            continue
        tense = _tense(tree, verb, person)
        if tense is None or not _is_agent(tree, person) or not _may_be_object(tree, subject, verb):
            continue
        start, end = tree[tree.first(subject.index)].start, tree[tree.last(person.index)].end
        adverbs = tree.children(verb.index, "advmod")
        if any(tree.last(subject.index) < one.index < verb.index for one in adverbs):
            continue
        doer, done_to = _as_subject(tree, person), _as_object(tree, subject)
        text = f"{doer} {tense} {done_to}"
        opens = tree.first(subject.index) == 0
        yield Change(_ACTIVE, (Splice((start, end), capitalised(text) if opens else text),))


def _has_dependent_clause(tree: Tree, verb: Word) -> bool:
    """Return whether a clause without a subject of its own takes that of the passive: "before being put back"."""
    clauses = (word for word in tree.subtree(verb.index) if word.relation in ("advcl", "pcomp", "xcomp"))
    return any(tree.subject(clause.index) is None for clause in clauses)


def _tense(tree: Tree, verb: Word, person: Word) -> str | None:
    """Return the active verb in the tense of the passive one, if that is the present or has a modal."""
    base = base_of(verb.lower, "VBN")
    auxiliaries = [word.lower for word in tree.auxiliaries(verb.index)]
    if base is None:
        return None
    if len(auxiliaries) == 2 and auxiliaries[0] in _MODALS and auxiliaries[1] == "be":
        return f"{auxiliaries[0]} {base}"
    if auxiliaries in (["is"], ["are"]):
        plural = person.tag in PLURALS or person.lower in ("me", "us", "you", "them", "police", "staff")
        return _present(base, third_person=not plural)
    return None


def _present(base: str, *, third_person: bool) -> str:
    return inflections(base, "verb")["VBZ" if third_person else "VBP"][0]


def _is_agent(tree: Tree, person: Word) -> bool:
    """Return whether a noun phrase is short and means people or a body of people."""
    words = tree.subtree(person.index)
    if len(words) > _LONGEST_AGENT or any(word.is_mark or word.tag == "PRP$" for word in words):
        return False
    if person.lower in _AS_SUBJECT:
        return len(words) == 1
    if tree.child(person.index, "conj", "relcl", "acl", "prep") or tree.child(person.index, "det", "poss") is None:
        return person.tag == "NNS" and len(words) <= 2 and lexicon.is_person_noun(person.lower.removesuffix("s"))
    noun = person.lower.removesuffix("s") if person.tag in PLURALS else person.lower
    return person.lower in lexicon.GROUPS or noun in lexicon.GROUPS or lexicon.is_person_noun(noun)


def _may_be_object(tree: Tree, subject: Word, verb: Word) -> bool:
    """Return whether a subject can follow the verb without a change in what it covers or points to."""
    words = tree.subtree(subject.index)
    if len(words) > _LONGEST_SUBJECT or any(word.is_mark for word in words) or tree.last(subject.index) > verb.index:
        return False
    if any(word.lower in _COVERING or word.tag == "EX" or word.lower.startswith("wh") for word in words):
        return False
    aux = tree.auxiliaries(verb.index)
    return tree.last(subject.index) + 1 == aux[0].index and subject.tag in (*NOUNS, "PRP")


def _as_subject(tree: Tree, person: Word) -> str:
    return _AS_SUBJECT.get(person.lower) or tree.slice(tree.first(person.index), tree.last(person.index))


def _as_object(tree: Tree, subject: Word) -> str:
    if subject.lower in _AS_OBJECT:
        return _AS_OBJECT[subject.lower]
    first = tree[tree.first(subject.index)]
    own = tree.slice(first.index, tree.last(subject.index))
    keeps_capital = first.tag in ("NNP", "NNPS") or first.text == "I" or first.text[1:].lower() != first.text[1:]
    return own if keeps_capital or first.index else own[:1].lower() + own[1:]
