"""What hangs on a main clause at its end, behind a comma, and can be said in a sentence of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary, capitalised
from plainwright.rewrite.propose.syntax.relatives import goes_on
from plainwright.rewrite.propose.syntax.subjects import subject_again
from plainwright.rewrite.propose.syntax.tree import PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = ["nouns_for_all", "parts_of_which", "same_subject_participles", "then_clauses"]

_THEN = SyntaxReason("then", "what comes next made a sentence of its own")
_PARTS = SyntaxReason("parts", "what holds for a part of them made a sentence of its own")
_ALL = SyntaxReason("noun", "what is said of it made a sentence of its own")
_DOING = SyntaxReason("doing", "second action made a sentence of its own, with its subject named again")
# Words behind a comma that lead on from all that was said, and what opens a sentence instead.
_LEADS = {
    ("in", "which", "case"): "In that case,",
    ("in", "which", "event"): "In that case,",
    ("after", "which", "time"): "After that time,",
    ("after", "which"): "After that,",
    ("following", "which"): "After that,",
    ("at", "which", "point"): "At that point,",
    ("at", "which", "time"): "At that time,",
    ("by", "which", "time"): "By that time,",
    ("during", "which", "time"): "During that time,",
    ("as", "a", "result", "of", "which"): "As a result,",
    ("as", "a", "consequence", "of", "which"): "As a result,",
    ("failing", "which"): "If not,",
    ("in", "default", "of", "which"): "If not,",
    ("whereupon",): "Then",
}
_PARTS_OF = frozenset(
    "each some many most all both one none few several majority rest half two three four five six seven eight "  # noqa: SIM905
    "nine ten".split()
)
# Participles that say how, or that are nearly prepositions; their clause would not be a second action.
_NO_ACTIONS = frozenset(
    "using including excluding following according depending regarding concerning being having starting beginning "  # noqa: SIM905
    "ending ranging considering assuming involving containing consisting counting dating comprising totalling totaling "
    "averaging measuring weighing costing numbering pending barring saving owing relating referring compared thereby "
    "trying hoping wishing wanting fearing believing thinking knowing feeling seeming looking sounding "
    "providing ensuring adding representing marking setting threatening corresponding varying differing going doing "
    "getting failing lacking rising falling growing dropping".split()
)

# What tells of somebody, who then does what the participle says: "The film follows a nurse, working …".
_TELLING = frozenset(
    "involve follow feature show depict portray see present star describe concern picture watch find catch".split()  # noqa: SIM905
)
_OWN_DEEDS = frozenset("take leave bring keep come end raise".split())  # noqa: SIM905
_PAST = re.compile(r"(?:1\d|20)\d\d(?:['’]?s)?")  # a year or a decade
_DUTIES = frozenset(("must", "should", "shall", "will"))
_LONGEST_PART = 5  # words up to "which": "at least ten of which"
_SPEECH = frozenset("say state claim argue explain complain insist note remark declare deny warn announce vow".split())  # noqa: SIM905


def then_clauses(tree: Tree) -> Iterator[Change]:
    """Yield "A. After that, B." for "A, after which B."."""
    words = [word.lower for word in tree.words]
    for comma in (word.index for word in tree.words if word.text == ","):
        lead = next((lead for lead in _LEADS if tuple(words[comma + 1 : comma + 1 + len(lead)]) == lead), None)
        if lead is None or comma == 0 or tree.is_enclosed(tree[comma].start):
            continue
        first = comma + 1 + len(lead)
        if lead[-1] == "which" and tree[first].lower in lexicon.TIME_NOUNS:
            continue  # "after which date"
        in_case = _LEADS[lead] == "In that case,"
        if _is_report(tree, comma) or not (in_case or _is_unconditional(tree)) or tree[first].is_mark:
            continue
        yield Change(_THEN, (boundary(tree, comma - 1, first, _LEADS[lead]),))


def _is_report(tree: Tree, comma: int) -> bool:
    """Return whether what stands before a comma reports something; the parser may hang all of it on what follows."""
    clauses = [word for word in tree.words[:comma] if word.relation in ("ccomp", "parataxis") and word.head < comma]
    inverted = [word for word in clauses if tree[tree.first(word.index)].lower in ("should", "were", "had")]
    named = any(word.relation == "acl" and tree.child(word.index, "mark") for word in tree.words[:comma])
    return scope.is_attributed(tree) or named or len(clauses) > len(inverted)


def _is_unconditional(tree: Tree) -> bool:
    """Return whether nothing stands before the subject that would have to cover a second sentence as well."""
    subject = tree.subject(tree.root)
    return subject is not None and scope.opens_plainly(tree, subject.index)


def parts_of_which(tree: Tree) -> Iterator[Change]:
    """Yield "… Some of them do Y." for "…, some of whom do Y."."""
    for word in tree.words[3:-2]:
        part = tree[word.index - 2]
        before = tree[max(tree.first(part.index), word.index - _LONGEST_PART) - 1]
        if word.lower not in ("which", "whom") or tree[word.index - 1].lower != "of" or before.text != ",":
            continue
        is_part = (part.lower in _PARTS_OF or part.text.isdigit()) and part.relation in ("nsubj", "nsubjpass")
        verb = tree[part.head]
        if not is_part or tree.finite(verb.index) is None or tree.is_enclosed(word.start):
            continue
        if _end(tree, verb.index) != len(tree) - 2 or scope.is_negated(tree, tree.root):
            continue
        if scope.is_reported(tree, 0, before.index) or not _is_unconditional(tree) or goes_on(tree, word.index):
            continue
        if any(one.lower in lexicon.NOT_ONE_OWNER for one in tree.words[tree.root : before.index]):
            continue  # "either holder, both of whom …"
        them = "them" if word.lower == "whom" else "these"
        opening = f"{capitalised(tree.slice(before.index + 1, part.index))} of {them}"
        yield Change(_PARTS, (boundary(tree, before.index - 1, word.index + 1, opening),))


def nouns_for_all(tree: Tree) -> Iterator[Change]:
    """Yield "A. This step saved the firm." for "A, a step that saved the firm."."""
    for pronoun in tree.words[4:-2]:
        noun, verb = tree[pronoun.index - 1], tree[pronoun.head]
        if pronoun.lower not in ("which", "that") or pronoun.relation not in ("nsubj", "nsubjpass") or noun.tag != "NN":
            continue
        first = tree.first(noun.index)
        if verb.relation != "relcl" or tree[first].lower not in ("a", "an") or tree[first - 1].text != ",":
            continue
        if _end(tree, verb.index) != len(tree) - 2 or lexicon.may_be_person(noun.lower) or not _is_unconditional(tree):
            continue
        if goes_on(tree, pronoun.index):
            continue
        if noun.relation in ("conj", "dobj") or tree.is_enclosed(noun.start) or scope.is_reported(tree, 0, first):
            continue
        compounds = [tree.first(child.index) for child in tree.children(noun.index, "compound")]
        kept = tree.slice(min([noun.index, *compounds]), noun.index)
        described = tree.child(noun.index, "amod") is not None
        if not described and not scope.is_negated(tree, tree.root):
            yield Change(_ALL, (boundary(tree, first - 2, pronoun.index + 1, f"This {kept}"),))


def same_subject_participles(tree: Tree) -> Iterator[Change]:
    """Yield "She left the firm. She took the plans with her." for "She left the firm, taking the plans with her."."""
    subject = tree.subject(tree.root)
    verbs = {verb.index for verb in scope.chain_of(tree)}
    if subject is None or not _is_unconditional(tree) or scope.is_negated(tree, tree.root):
        return
    for word in tree.words:
        if word.tag != "VBG" or word.relation != "advcl" or tree[word.index - 1].text != "," or word.head not in verbs:
            continue
        if _may_be_of_object(tree, word) or scope.goes_on_with_participle(tree, word.index):
            continue
        if any(one.lower == "whose" for one in tree.words[word.index :]):
            continue  # of somebody before the participle
        if not _is_action(tree, word) or tree.is_enclosed(word.start) or scope.is_reported(tree, 0, word.index - 1):
            continue
        if _follows_clause(tree, word):
            continue  # "… when a bank lends money, asking for a pledge"
        if tree.child(word.head, "mark") is not None:
            continue  # the parser took a preposition for a conjunction: "after the fair will remain, …"
        owner = tree.subject(word.head) or subject
        verb = _in_tense(tree, word, owner)
        name = subject_again(tree, owner.index, range(word.index), is_topic=True)
        if verb is None or name is None or (name == "It" and base_of(word.lower, "VBG") in _SPEECH):
            continue
        stop = boundary(tree, word.index - 2, word.index, f"{name} {verb}")
        yield Change(_DOING, (Splice((stop.span[0], word.end), stop.text.rstrip(), stop.stop),))


def _follows_clause(tree: Tree, word: Word) -> bool:
    """Return whether a clause with a subject of its own ends before a participle, which may say what that does."""
    before = word.index - 2
    clauses = (one for one in tree.words[:before] if one.relation in ("advcl", "relcl", "ccomp"))
    return any(tree.end(one.index) == before and tree.subject(one.index) is not None for one in clauses)


def _may_be_of_object(tree: Tree, word: Word) -> bool:
    """Return whether a participle may say what the object does: it is shown, or has a comma behind a description."""
    verb = tree[word.head]
    tells = base_of(verb.lower, verb.tag) in _TELLING
    between = tree.words[verb.index : word.index - 1]
    return tells or any(one.relation == "appos" and tree[one.head].tag == "NN" for one in between)


def _is_action(tree: Tree, word: Word) -> bool:
    """Return whether a participle at the end says what the subject did, and not how, or what the whole led to."""
    base = base_of(word.lower, "VBG")
    if base is None or word.lower in _NO_ACTIONS or tree.subject(word.index):
        return False
    if base in lexicon.EVENT_VERBS and not (base in _OWN_DEEDS and _is_person(tree, tree.subject(word.head))):
        return False
    joined = any(child.tag.startswith("VB") for child in tree.children(word.index, "conj"))
    done = tree.child(word.index, "dobj")
    listed = done is not None and tree.first(done.index) == done.index and tree.child(done.index, "cc") is not None
    return (
        not joined
        and not listed
        and tree.first(word.index) >= word.index - 1
        and _end(tree, word.index) == len(tree) - 2
    )


def _is_person(tree: Tree, subject: Word | None) -> bool:
    """Return whether a subject surely is a person, who does things."""
    if subject is None:
        subject = tree.subject(tree.root)
    return subject is not None and (subject.lower in ("he", "she", "i", "we") or lexicon.is_person_noun(subject.lower))


def _in_tense(tree: Tree, word: Word, subject: Word) -> str | None:
    """Return a participle as a verb in the tense of the verb that it hangs on."""
    base, finite = base_of(word.lower, "VBG"), tree.finite(word.head)
    if base is None or finite is None:
        return None
    if finite.tag == "MD":
        return f"{finite.lower} {base}" if finite.lower in _DUTIES else None
    forms = inflections(base, "verb")
    plural = subject.tag in PLURALS or subject.lower in ("they", "we", "you", "i")
    if finite.tag != "VBD" and any(_PAST.fullmatch(one.text) for one in tree.words):
        return None  # what was so in a year is not so now
    if finite.lower in ("has", "have") and finite.relation == "aux":
        return f"{finite.lower} {forms['VBN'][0]}"
    if finite.tag == "VBD":
        return forms["VBD"][0]
    return forms["VBP" if plural else "VBZ"][0]


def _end(tree: Tree, verb: int) -> int:
    last = tree.last(verb)
    while tree[last].is_mark and tree[last].text not in (")", "]"):
        last -= 1
    return last
