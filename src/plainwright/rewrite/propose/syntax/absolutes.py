"""Absolutes, a noun with a participle beside the main clause: "A, the rest being sold" as "A. The rest is sold"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.subjects import ANYBODY
from plainwright.rewrite.propose.syntax.tree import FINITE, NOUNS, PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = ["absolutes", "absolutes_at_the_end", "absolutes_before"]

_ABSOLUTE = SyntaxReason("absolute", "what goes with it made a sentence, with its verb in a tense")
_DEPENDING = frozenset(("contingent", "conditional", "dependent", "depending", "subject"))  # open no noun phrase
_QUESTIONS = frozenset(("WDT", "WP", "WP$", "WRB"))
_OPEN_CONDITIONS = lexicon.CONDITIONS | {"should", "were", "had", "provided", "lest", "subject"}
_PAST = re.compile(r"(?:1\d|20)\d\d(?:['’]?s)?")  # a year or a decade
_PAST_WORDS = frozenset(("last", "ago", "yesterday", "previously"))
_SEVERAL = frozenset("these those some others many several both few".split())  # noqa: SIM905
_EARLIER = frozenset(("first", "already"))  # "having first been weighed" comes before what the sentence says


def absolutes(tree: Tree) -> Iterator[Change]:
    """Yield "A. The rest is sold." for "A, the rest being sold.", also after "with", and for other verbs."""
    for being in tree.words:
        verb = tree[being.head] if being.relation in ("aux", "auxpass") else being
        subject = tree.subject(verb.index) or _described(tree, verb, being)
        if being.tag != "VBG" or subject is None or verb.index == tree.root or subject.index > being.index:
            continue
        first = tree.first(subject.index)
        end = max(one.index for one in tree.subtree(subject.index) if one.index < being.index)
        comma = first - 2 if tree[first - 1].lower == "with" else first - 1
        if (
            comma < tree.root
            or tree[first].lower in _DEPENDING
            or tree[comma].text != ","
            or tree.count(end + 1, being.index - 1) > 1
        ):
            continue
        if _end(tree, verb.index) != len(tree) - 2 or tree.is_enclosed(being.start) or not _is_unconditional(tree):
            continue
        tense = _absolute_tense(tree, being, tree.finite(tree.root), plural=_is_plural(tree, subject))
        if not _may_follow(tree, being, tree.finite(tree.root), tree.words[first : end + 1]):
            continue
        if subject.relation == "expl":
            continue  # "there being no …" gives the reason
        if (subject.tag == "PRP" and subject.lower != "it") or not _is_one_absolute(tree, verb, being):
            continue
        if tense is not None and not scope.is_reported(tree, 0, comma):
            start = being.index - 1 if tree[being.index - 1].tag == "RB" else being.index
            yield Change(_ABSOLUTE, (boundary(tree, comma - 1, first), _behind_adverbs(tree, being, start, tense)))


def _may_follow(tree: Tree, participle: Word, finite: Word | None, subject: Sequence[Word]) -> bool:
    """Return whether an absolute says something of its own: not why it is so, nor what "is to be" done as well."""
    if participle.lower == "having" or finite is None:
        return False
    is_duty = finite.lower in ("is", "are", "was", "were") and tree[finite.index + 1].lower == "to"
    return not is_duty and all(word.lower != "or" for word in subject)


def _is_plural(tree: Tree, subject: Word) -> bool:
    several = subject.lower in _SEVERAL and tree.child(subject.index, "prep") is None  # not "some of the evidence"
    return subject.tag in PLURALS or several or tree.child(subject.index, "conj") is not None


def _is_one_absolute(tree: Tree, verb: Word, participle: Word) -> bool:
    """Return whether a participle has no second one beside it or deed before it, and no condition covers it."""
    joined = any(word.tag == "VBG" for word in tree.children(verb.index, "conj"))
    joined = joined or any(word.lower in _EARLIER for word in tree.children(verb.index, "advmod"))
    above = [word for word in tree.ancestors(verb.index) if word.relation == "advcl"]
    marks = [mark for clause in above for mark in tree.children(clause.index, "mark", "advmod")]
    before = [word for word in tree.words[: participle.index] if word.lower in ("if", "unless")]
    covered = bool(before) or any(mark.lower in lexicon.CONDITIONS for mark in marks)
    return not joined and not covered and tree[participle.index - 1].tag not in ("IN", "CC")


def _finite_instead(tree: Tree, participle: Word, tense: str) -> Splice:
    """Put a verb in a tense for a participle; "not" comes behind it, and "was" for "having been"."""
    before, behind = tree[participle.index - 1], tree[participle.index + 1]
    if before.lower == "not":
        return Splice((before.start, participle.end), f"{tense} not")
    if tense in ("was", "were") and participle.lower == "having":
        return Splice((participle.start, behind.end), tense)
    return Splice((participle.start, participle.end), tense)


def _absolute_tense(tree: Tree, word: Word, finite: Word | None, *, plural: bool) -> str | None:
    """Return the form of "be", "have" or another verb that a participle takes beside the finite verb of a sentence."""
    if finite is None:
        return None
    if word.lower == "being":
        return _be(finite, plural=plural, copula=word.relation not in ("aux", "auxpass"))
    if word.lower != "having":
        return _finite(tree, word, plural=plural)
    verb = tree[word.head]
    if word.relation != "aux" or verb.lower == "been" or finite.tag == "MD":
        return None  # "each having a key"; what must have been done before may not have been
    if finite.tag == "VBD":
        return "had"
    if any(_is_past(one) for one in tree.subtree(verb.index)):
        is_passive = tree[word.index + 1].lower == "been"
        return ("were" if plural else "was") if is_passive else None
    return "have" if plural else "has"


def _is_past(word: Word) -> bool:
    """Return whether a word says when something was: a year, a month, "last", "ago"."""
    month = word.lower in lexicon.MONTHS and word.tag == "NNP"
    return month or word.lower in _PAST_WORDS or _PAST.fullmatch(word.text) is not None


def absolutes_at_the_end(tree: Tree) -> Iterator[Change]:
    """Do as `absolutes` behind the last comma, with "being" and "having", whatever the parser takes them for."""
    for word in tree.words[6:-2]:
        comma = next((place for place in range(word.index - 1, 0, -1) if tree[place].is_mark), 0)
        if word.lower not in ("being", "having") or word.tag != "VBG" or tree[comma].text != ",":
            continue
        end = word.index
        while tree[end - 1].tag == "RB":
            end -= 1
        if not _is_noun_phrase(tree, comma + 1, end) or not _goes_to_the_end(tree, word):
            continue
        main = _main_before(tree, comma)
        if main is None or _is_covered(tree, comma) or tree.is_enclosed(word.start) or scope.is_attributed(tree):
            continue
        if not _may_follow(tree, word, tree.finite(main), tree.words[comma + 1 : end]):
            continue
        plural = _is_plural_phrase(tree, comma + 1, end)
        tense = None if plural is None else _absolute_tense(tree, word, tree.finite(main), plural=plural)
        adverbs = {one.lower for one in tree.words[end : word.index + 2]}
        if tense is not None and not adverbs & _EARLIER:
            yield Change(_ABSOLUTE, (boundary(tree, comma - 1, comma + 1), _behind_adverbs(tree, word, end, tense)))


def _is_noun_phrase(tree: Tree, first: int, end: int) -> bool:
    """Return whether words can be a subject: no verb, no question word and no conjunction opens it or stands in it."""
    words = tree.words[first:end]
    if not words or words[0].tag in ("IN", "TO", "CC", "VBG", "EX", "PRP") or words[0].lower in ("each", "neither"):
        return False
    if words[0].lower in _DEPENDING or words[0].lower == "all":
        return False
    ends = words[-1].tag in (*NOUNS, "CD", "DT") or words[-1].lower in ("former", "latter", "others")
    return ends and not any(word.tag in FINITE or word.tag in _QUESTIONS for word in words)


def _goes_to_the_end(tree: Tree, word: Word) -> bool:
    """Return whether no comma and no second participle of the same kind follows a participle."""
    rest = tree.words[word.index + 1 : -1]
    return len(rest) > 1 and not any(one.text in ",;:" or one.lower in ("being", "having") for one in rest)


def _main_before(tree: Tree, comma: int) -> int | None:
    """Return the verb of the statement before a comma, which the parser may hang on the absolute."""
    if tree.root < comma:
        return tree.root if scope.stands_alone(tree, tree.root) and _has_first_finite(tree, tree.root) else None
    clauses = tree.children(tree.root, "ccomp", "parataxis", "advcl", "dep")
    found = [one for one in clauses if scope.stands_alone(tree, one.index) and tree.end(one.index) < comma]
    marked = any(tree.child(one.index, "mark") for one in found)
    alone = len(found) == 1 and not marked and _has_first_finite(tree, found[0].index)
    return found[0].index if alone else None


def _has_first_finite(tree: Tree, verb: int) -> bool:
    """Return whether no other finite verb stands before that of a statement, but in a clause that depends on a noun."""
    finite = tree.finite(verb)
    if finite is None:
        return False
    others = [word for word in tree.words[: finite.index] if word.tag in FINITE]
    clauses = [tree[word.head] if word.relation in ("aux", "auxpass") else word for word in others]
    return all(clause.relation in ("relcl", "acl", "csubj", "csubjpass", "advcl") for clause in clauses)


def _is_covered(tree: Tree, comma: int) -> bool:
    """Return whether a condition stands before a comma, or a report or a relative clause reaches up to it."""
    opens = tree[0].lower in _OPEN_CONDITIONS
    if opens or any(word.lower in ("if", "unless") for word in tree.words[:comma]):
        return True
    marks = (word for word in tree.words[:comma] if word.relation == "mark" and word.lower in ("that", "whether"))
    return any(tree.end(mark.head) == comma - 1 for mark in marks if mark.head < comma)


def _is_plural_phrase(tree: Tree, first: int, end: int) -> bool | None:
    """Return whether a noun phrase is plural; None where its noun is not clear."""
    tops = [word for word in tree.words[first:end] if not first <= word.head < end and word.tag not in ("RB", "DT")]
    tops = tops or [word for word in tree.words[first:end] if not first <= word.head < end]
    if len(tops) != 1 or tops[0].tag not in (*NOUNS, "DT", "CD", "JJ"):
        return None
    counted = tops[0].tag == "CD" and tops[0].lower not in ("one", "1")
    return counted or _is_plural(tree, tops[0])


def _behind_adverbs(tree: Tree, participle: Word, first: int, tense: str) -> Splice:
    """Put a verb in a tense for a participle, its first word before the adverbs: "the rest ordinarily being sold"."""
    if first == participle.index or tree[participle.index - 1].lower == "not":
        return _finite_instead(tree, participle, tense)
    auxiliary, *others = tense.split()
    text = " ".join((auxiliary, tree.slice(first, participle.index - 1), *others))
    return Splice((tree[first].start, participle.end), text)


def absolutes_before(tree: Tree) -> Iterator[Change]:
    """Yield "A has been paid. B." for "A having been paid, B.", and "A is full. So B." for "A being full, B."."""
    for word in tree.words[1:-4]:
        verb = tree[word.head] if word.relation in ("aux", "auxpass") else word
        last = tree.end(verb.index)
        if word.lower not in ("having", "being") or verb.index == tree.root or tree[last + 1].text != ",":
            continue
        own = tree.subject(verb.index) or (tree[verb.head] if verb.relation == "acl" else None)
        if (
            own is None
            or own.lower in ANYBODY
            or own.tag not in NOUNS
            or not own.index < word.index
            or tree.first(own.index) != 0
        ):
            continue
        if tree.root not in (verb.head, own.head) or not _opens_at(tree, last + 2):
            continue
        if any(one.text in ",;" for one in tree.words[:last]) or scope.is_attributed(tree):
            continue
        if any(one.tag in FINITE or one.tag in _QUESTIONS for one in tree.words[: word.index]):
            continue
        tense = _absolute_tense(tree, word, tree.finite(tree.root), plural=_is_plural(tree, own))
        if tense is not None and _is_one_absolute(tree, verb, word):
            stop = boundary(tree, last, last + 2, "So" if word.lower == "being" else "")
            yield Change(_ABSOLUTE, (_finite_instead(tree, word, tense), stop))


def _opens_at(tree: Tree, first: int) -> bool:
    """Return whether the subject of the sentence begins at a word."""
    return any(tree.first(word.index) == first for word in tree.children(tree.root, "nsubj", "nsubjpass", "csubj"))


def _described(tree: Tree, verb: Word, participle: Word) -> Word | None:
    """Return the noun before a participle that the parser takes for its attribute: "with the rest going to her"."""
    noun, with_it = tree[verb.head], tree[tree[verb.head].head].lower == "with"
    is_clause = participle.lower == "being" or (with_it and tree[verb.head].relation == "pobj")
    return noun if verb.relation == "acl" and is_clause else None


def _be(finite: Word, *, plural: bool, copula: bool) -> str | None:
    """Return the form of "be" in the tense of the main clause."""
    if finite.lower in ("will", "shall") and not copula:
        return f"{finite.lower} be"
    if finite.tag == "MD" and finite.lower not in ("must", "may", "can", "should", "cannot", "will", "shall"):
        return None
    if finite.tag == "VBD":
        return "were" if plural else "was"
    return "are" if plural else "is"


def _finite(tree: Tree, word: Word, *, plural: bool) -> str | None:
    """Return a participle as a verb in the tense of the main clause."""
    base, finite = base_of(word.lower, "VBG"), tree.finite(tree.root)
    if base is None or finite is None or finite.tag == "MD" or tree.auxiliaries(word.index):
        return None
    forms = inflections(base, "verb")
    return forms["VBD"][0] if finite.tag == "VBD" else forms["VBP" if plural else "VBZ"][0]


def _is_unconditional(tree: Tree) -> bool:
    """Return whether nothing stands before the subject that would have to cover a second sentence as well."""
    subject = tree.subject(tree.root)
    return subject is not None and scope.opens_plainly(tree, subject.index)


def _end(tree: Tree, verb: int) -> int:
    last = tree.last(verb)
    while tree[last].is_mark and tree[last].text not in (")", "]"):
        last -= 1
    return last
