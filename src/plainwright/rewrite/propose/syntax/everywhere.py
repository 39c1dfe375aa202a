"""Splits that grammar allows and a careful editor would often leave: what HSplit's annotators were asked for.

What is said of a noun in the middle of a sentence goes behind it, in a sentence that names the noun again.
"""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.additions import NO_LONGER, participle_be
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary, capitalised
from plainwright.rewrite.propose.syntax.relatives import end_of, fits, goes_on, is_antecedent, is_open, may_mean_event
from plainwright.rewrite.propose.syntax.subjects import named_again, subject_again
from plainwright.rewrite.propose.syntax.tree import FINITE, NOUNS, PLURALS, Tree, Word
from plainwright.text.inflection import base_of, inflections

__all__ = [
    "afterwards",
    "appositions",
    "births",
    "described_things",
    "doing_things",
    "new_things",
    "participles",
    "places",
    "relatives",
    "relatives_at_the_end",
]

_RELATIVE = SyntaxReason("relative", "relative clause made a sentence of its own")
_APPOSITION = SyntaxReason("apposition", "what somebody or something is, said in a sentence of its own")
_PARTICIPLE = SyntaxReason("described", "what is said of a noun made a sentence of its own")
_DOING = SyntaxReason("doing", "what something does made a sentence of its own")
_AFTER = SyntaxReason("then", "what comes next made a sentence of its own")
_BIRTH = SyntaxReason("born", "the birth in brackets made a sentence of its own")
_NO_VERBS = frozenset("including following concerning regarding being having using beginning".split())  # noqa: SIM905
_ARTICLES = frozenset(("a", "an", "the"))
# What is still there when all is over.
_WORKS = frozenset(
    "film movie song album novel book play series show game opera magazine newspaper journal poem capital species "  # noqa: SIM905
    "genus language disease genre".split()
)
_WISHES = frozenset("need want require seek demand lack wish like prefer expect imagine propose suggest".split())  # noqa: SIM905
_MORE = frozenset(("VBN", "VBG", "WDT", "WP", "WP$", "WRB", "CC"))  # what would be said of the noun as well
_SHORTEST = 3  # words that are worth a sentence


def relatives(tree: Tree) -> Iterator[Change]:
    """Yield "The mill burnt down. It was built in 1720." for "The mill, which was built in 1720, burnt down."."""
    for verb in tree.words:
        first, last = tree.first(verb.index), end_of(tree, verb.index)
        pronoun, noun = tree[first], tree[verb.head]
        if verb.relation != "relcl" or pronoun.lower not in ("which", "who") or pronoun.head != verb.index:
            continue
        if pronoun.relation not in ("nsubj", "nsubjpass") or tree.finite(verb.index) is None or tree[first + 1].is_mark:
            continue
        if noun.index > first - 2 or goes_on(tree, first, last) or not is_antecedent(tree, noun, verb):
            continue
        yield from _moved(tree, _RELATIVE, noun, first, last, tree.slice(first + 1, last))


def relatives_at_the_end(tree: Tree) -> Iterator[Change]:
    """Yield "… for his play. His play won a prize." for "… for his play, which won a prize."."""
    for verb in tree.words:
        first, noun = tree.first(verb.index), tree[verb.head]
        pronoun = tree[first]
        if verb.relation != "relcl" or pronoun.lower not in ("which", "who") or pronoun.head != verb.index:
            continue
        if pronoun.relation not in ("nsubj", "nsubjpass") or tree.finite(verb.index) is None or tree[first + 1].is_mark:
            continue
        if end_of(tree, verb.index) != len(tree) - 2 or noun.relation == "attr" or not is_open(tree, noun, verb):
            continue
        if noun.tag != "NNP" and may_mean_event(tree, verb):
            continue
        if tree[first - 1].text != "," or noun.index != first - 2 or not fits(tree, noun, verb) or goes_on(tree, first):
            continue
        if any(tree[one.index - 1].text == "," for one in tree.ancestors(noun.index) if one.relation == "prep"):
            continue  # "a school, in West Street, which …"
        name = named_again(tree, noun.index, points=True)
        if name is not None and _is_plain(tree, noun, first):
            yield Change(_RELATIVE, (boundary(tree, first - 2, first + 1, name),))


def appositions(tree: Tree) -> Iterator[Change]:
    """Yield "Ana Ruiz says so. She is the head of the school." for "Ana Ruiz, the head of the school, says so."."""
    for word in tree.words:
        first, last, noun = tree.first(word.index), end_of(tree, word.index), tree[word.head]
        if word.relation != "appos" or word.tag not in ("NN", "NNS") or tree[first].lower not in _ARTICLES:
            continue
        if noun.tag not in NOUNS or noun.index != first - 2 or any(one.text == "," for one in tree.words[first:last]):
            continue
        verb = _be(tree, word, noun)
        if verb is None or (word.tag in PLURALS) != (noun.tag in PLURALS):
            continue
        if noun.relation == "attr":
            continue  # "It is a lake, a wide part of the river": the subject is
        be = {"is": "are", "was": "were"}[verb] if word.tag in PLURALS else verb
        if last == len(tree) - 2:
            yield from _at_the_end(tree, _APPOSITION, noun, first, f"{be} {tree.slice(first, last)}")
        else:
            yield from _moved(tree, _APPOSITION, noun, first, last, f"{be} {tree.slice(first, last)}")


def participles(tree: Tree) -> Iterator[Change]:
    """Yield "It stands in Elm Hall. Elm Hall was built in 1720." for "It stands in Elm Hall, built in 1720."."""
    for word in tree.words:
        noun, first, last = tree[word.head], tree.first(word.index), end_of(tree, word.index)
        if word.relation != "acl" or word.tag != "VBN" or noun.tag not in NOUNS or noun.index > first - 2:
            continue
        verb = participle_be(tree, word, noun)
        if noun.relation == "pobj" and noun.tag != "NNP":
            continue  # "the area under a curve, known as its integral"
        if verb is None or any(one.text == "," for one in tree.words[first:last]):
            continue
        if last == len(tree) - 2:
            yield from _at_the_end(tree, _PARTICIPLE, noun, first, f"{verb} {tree.slice(first, last)}")
        else:
            yield from _moved(tree, _PARTICIPLE, noun, first, last, f"{verb} {tree.slice(first, last)}")


def new_things(tree: Tree) -> Iterator[Change]:
    """Yield "He wrote a book. This book won a prize." for "He wrote a book that won a prize."."""
    for verb in tree.words:
        first, last, noun = tree.first(verb.index), end_of(tree, verb.index), tree[verb.head]
        pronoun, before = tree[first], first - 2 if tree[first - 1].text == "," else first - 1
        if verb.relation != "relcl" or pronoun.lower not in ("which", "that", "who") or before < noun.index:
            continue
        if pronoun.relation not in ("nsubj", "nsubjpass") or pronoun.head != verb.index or last != len(tree) - 2:
            continue
        if tree[first + 1].is_mark or goes_on(tree, first) or tree.finite(verb.index) is None:
            continue
        name = _new_name(tree, noun, first) or _new_place(tree, noun, first)
        if fits(tree, noun, verb) and name is not None:
            yield Change(_RELATIVE, (boundary(tree, before, first + 1, name),))


def described_things(tree: Tree) -> Iterator[Change]:
    """Yield "It is a mill. It was built in 1720." for "It is a mill built in 1720."."""
    for word in tree.words:
        first, last, noun = tree.first(word.index), end_of(tree, word.index), tree[word.head]
        if word.relation != "acl" or word.tag != "VBN" or last != len(tree) - 2 or tree[first].is_mark:
            continue
        before = first - 2 if tree[first - 1].text == "," else first - 1
        if any(one.relation == "relcl" for one in tree.subtree(word.index)):
            continue  # "a lawyer based in Leeds who …"
        verb, name = participle_be(tree, word, noun), _new_name(tree, noun, first)
        if verb is not None and name is not None and before >= noun.index and not goes_on(tree, first):
            yield Change(_PARTICIPLE, (boundary(tree, before, first, f"{name} {verb}"),))


def doing_things(tree: Tree) -> Iterator[Change]:
    """Yield "It is a play. It shows a family." for "It is a play showing a family."."""
    finite = tree.finite(tree.root)
    for word in tree.words:
        first, last, noun = tree.first(word.index), end_of(tree, word.index), tree[word.head]
        if word.relation != "acl" or word.tag != "VBG" or noun.relation != "attr" or last != len(tree) - 2:
            continue
        base, name = base_of(word.lower, "VBG"), _new_name(tree, noun, first)
        if base is None or name is None or finite is None or first != word.index or word.lower in _NO_VERBS:
            continue
        if tree.child(word.index, "dobj", "prep") is None or any(_is_clause(one) for one in tree.subtree(word.index)):
            continue
        before = first - 2 if tree[first - 1].text == "," else first - 1
        forms = inflections(base, "verb")
        plural = name in ("They", "We", "You", "I")
        verb = forms["VBD" if finite.tag == "VBD" else "VBP" if plural else "VBZ"][0]
        if before >= noun.index and not goes_on(tree, first):
            stop = boundary(tree, before, first, f"{name} {verb}")
            yield Change(_DOING, (Splice((stop.span[0], word.end), stop.text.rstrip(), stop.stop),))


def _is_clause(word: Word) -> bool:
    return word.relation in ("relcl", "advcl", "conj") and word.tag.startswith("VB")


def afterwards(tree: Tree) -> Iterator[Change]:
    """Yield "He left school. After that, he joined the army." for "After he left school, he joined the army."."""
    mark, clause = tree[0], tree[tree[0].head]
    finite, own, subject = tree.finite(tree.root), tree.finite(clause.index), tree.subject(tree.root)
    if mark.lower != "after" or mark.relation != "mark" or clause.relation != "advcl" or clause.head != tree.root:
        return
    if finite is None or own is None or subject is None or {finite.tag, own.tag} != {"VBD"}:
        return
    last = tree.end(clause.index)
    if tree[last + 1].text != "," or tree.first(subject.index) != last + 2 or tree.first(tree.root) != 0:
        return
    own_subject = tree.subject(clause.index)
    early = own_subject is not None and own_subject.tag == "PRP" and subject.tag != "PRP"
    if own_subject is None or early or tree.is_enclosed(tree[last].end) or scope.is_reported(tree, 0, last):
        return  # "After he left school, Tom joined …"
    opening = Splice((mark.start, tree[1].end), capitalised(tree[1].text))
    yield Change(_AFTER, (opening, boundary(tree, last, last + 2, "After that,")))


def births(tree: Tree) -> Iterator[Change]:
    """Yield "Ana Ruiz is a singer. She was born in 1958." for "Ana Ruiz (born in 1958) is a singer."."""
    subject, end = tree.subject(tree.root), len(tree) - 2
    if subject is None or subject.tag != "NNP" or tree.first(subject.index) != 0 or tree.finite(tree.root) is None:
        return
    first = subject.index + 1
    last = next((word.index for word in tree.words[first:] if word.text == ")"), 0)
    if (
        tree[first].text != "("
        or tree[first + 1].lower != "born"
        or last < first + 3
        or tree[last + 1].tag not in FINITE
    ):
        return
    inside = tree.words[first + 1 : last]
    if any(word.is_mark and word.text != "," for word in inside) or tree.is_enclosed(tree[end].end):
        return
    name, when = subject_again(tree, subject.index, range(first), is_topic=True), _when(inside[1])
    if name is None or when is None or tree[end].text.endswith("."):
        return
    stop = tree.text[tree[end].end : tree[-1].end]
    said = f"{stop} {name} was born {when}{tree.slice(first + 2, last - 1)}"
    without = Splice((tree[subject.index].end, tree[last].end), "")
    yield Change(_BIRTH, (without, Splice((tree[end].end, tree[end].end), said, stop=len(stop))))


def _when(word: Word) -> str | None:
    """Return the preposition that a date or a year needs behind "born"; None where it is neither."""
    if word.lower in ("in", "on", "near", "at"):
        return ""
    if word.text.isdigit():
        return "in " if len(word.text) > 2 else "on "
    return "on " if word.lower in lexicon.MONTHS else None


def _new_place(tree: Tree, noun: Word, first: int) -> str | None:
    """Return what to call "a village" that somebody was born in, in a sentence that goes on about it."""
    article, finite = tree.child(noun.index, "det"), tree.finite(tree.root)
    if article is None or article.lower not in ("a", "an") or noun.tag != "NN" or noun.relation != "pobj":
        return None
    if finite is None or finite.tag == "MD" or not is_open(tree, noun) or not _is_plain(tree, noun, first):
        return None
    known = tree[noun.head].lower in lexicon.PLACE_PREPOSITIONS | {"by", "from", "to", "with"}
    return named_again(tree, noun.index, points=True) if known and tree[noun.head].head == tree.root else None


def _new_name(tree: Tree, noun: Word, first: int) -> str | None:
    """Return what to call "a book" that somebody wrote or something is, in a sentence that goes on about it."""
    article, subject, finite = tree.child(noun.index, "det"), tree.subject(tree.root), tree.finite(tree.root)
    if article is None or article.lower not in ("a", "an") or noun.tag != "NN" or subject is None or finite is None:
        return None
    if noun.relation not in ("attr", "dobj") or noun.head != tree.root or finite.tag == "MD":
        return None
    if noun.relation == "dobj" and base_of(tree[tree.root].lower, tree[tree.root].tag) in _WISHES:
        return None  # "You need a form that …": there may be none
    if not _is_plain(tree, noun, first) or _is_kind(tree, subject):
        return None
    if tree[subject.index + 1].tag in ("IN", "TO") and subject.index == 0:
        return None  # "Adjacent to the park is a shop …"
    if noun.relation == "attr":
        return subject_again(tree, subject.index, range(noun.index), is_topic=True)
    return named_again(tree, noun.index, points=True)


def _is_kind(tree: Tree, subject: Word) -> bool:
    """Return whether a sentence defines a kind of thing: "A doll is an object that …" would say nothing alone."""
    article = tree.child(subject.index, "det")
    return subject.tag in ("NN", "NNS") and (article is None or article.lower not in ("the", "this", "that"))


def places(tree: Tree) -> Iterator[Change]:
    """Yield "… a large market. There, farmers sell cheese." for "… a large market, where farmers sell cheese."."""
    for verb in tree.words:
        first, noun = tree.first(verb.index), tree[verb.head]
        if verb.relation not in ("relcl", "advcl") or tree[first].lower != "where" or tree[first - 1].text != ",":
            continue
        subject = tree.subject(verb.index)
        if subject is None or tree.first(subject.index) != first + 1 or tree.finite(verb.index) is None:
            continue
        if end_of(tree, verb.index) != len(tree) - 2 or not _is_plain(tree, noun, first) or goes_on(tree, first):
            continue
        if tree.is_enclosed(noun.start) or noun.tag not in NOUNS or tree.child(verb.index, "conj", "cc") is not None:
            continue
        if sum(scope.stands_alone(tree, one.index) for one in tree.subtree(verb.index)) > 1:
            continue  # "…, where he played and she sang": the second may be elsewhere
        if verb.lower not in lexicon.MOTIONS and not lexicon.is_language(noun.lower):
            yield Change(_RELATIVE, (boundary(tree, first - 2, first + 1, "There,"),))


def _be(tree: Tree, word: Word, noun: Word) -> str | None:
    """Return "is" or "was" for an apposition; None where the sentence does not show which."""
    finite = tree.finite(tree.root)
    if finite is None or any(child.lower in NO_LONGER for child in tree.subtree(word.index)):
        return None
    if finite.tag != "VBD" or word.lower in lexicon.PLACES | _WORKS:
        return "is"
    return "was" if lexicon.is_person_noun(word.lower) and not lexicon.is_thing(noun.lower) else None


def _is_plain(tree: Tree, noun: Word, first: int) -> bool:
    """Return whether nobody reports, denies or guesses what is said up to a place, and no condition covers it."""
    if tree.is_enclosed(tree[first].start) or scope.is_reported(tree, 0, first - 1) or scope.is_attributed(tree):
        return False
    return not scope.is_negated(tree, tree.root) and not scope.is_conditional(tree, first)


def _moved(tree: Tree, reason: SyntaxReason, noun: Word, first: int, last: int, said: str) -> Iterator[Change]:
    """Take what stands between two commas out, and say it in a sentence behind."""
    end = len(tree) - 2
    if tree[first - 1].text != "," or last + 1 >= end or tree[last + 1].text != "," or not is_open(tree, noun):
        return
    if not _is_plain(tree, noun, first) or tree.count(first, last) < _SHORTEST or tree.is_enclosed(tree[end].end):
        return
    if noun == tree.subject(tree.root):
        name = subject_again(tree, noun.index, range(end), is_topic=True)
    else:
        name = named_again(tree, noun.index)
    subject = tree.subject(tree.root)
    opens = subject is not None and noun.index < tree.first(subject.index)  # an opening keeps its comma
    following = tree[last + 2].tag
    if name is None or tree[end].text.endswith(".") or not (opens or following in FINITE) or following in _MORE:
        return
    stop = tree.text[tree[end].end : tree[-1].end]
    without = Splice((tree[first - 2].end, tree[last].end if opens else tree[last + 1].end), "")
    yield Change(reason, (without, Splice((tree[end].end, tree[end].end), f"{stop} {name} {said}", stop=len(stop))))


def _at_the_end(tree: Tree, reason: SyntaxReason, noun: Word, first: int, said: str) -> Iterator[Change]:
    """Make a sentence of what is said of the last noun."""
    if tree[first - 1].text != "," or noun.index != first - 2 or not is_open(tree, noun):
        return
    name = named_again(tree, noun.index)
    if name is None or not _is_plain(tree, noun, first) or tree.count(first, len(tree) - 2) < _SHORTEST:
        return
    verb = said.split()[0]
    yield Change(reason, (boundary(tree, first - 2, first, f"{name} {verb}"),))
