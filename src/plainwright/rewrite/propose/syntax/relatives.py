"""Relative clauses between commas, each a sentence of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.subjects import possessive_of, subject_again
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURAL_VERBS, PLURALS, SINGULAR_VERBS, Tree, Word
from plainwright.text.lemmas import lemmas_by_ending

__all__ = [
    "end_of",
    "fits",
    "goes_on",
    "is_antecedent",
    "is_open",
    "is_show",
    "may_mean_event",
    "opens_with",
    "relative_clauses",
    "whose_behind_subject",
]

_EVENT = SyntaxReason("event", "what it did or was made a sentence that opens with “This”")
_RELATIVE = SyntaxReason("relative", "relative clause made a sentence of its own")
_OPEN_PATH = frozenset(
    (
        "ROOT",
        "nsubj",
        "nsubjpass",
        "dobj",
        "pobj",
        "prep",
        "attr",
        "dative",
        "agent",
        "conj",
        "oprd",
        "acl",
        "pcomp",
        "appos",
        "acomp",
        "xcomp",
    )
)
_PRONOUNS = frozenset(("I", "You", "He", "She", "It", "We", "They"))
_PLACES = frozenset(("in", "at", "to", "into", "near", "from", "on", "for", "through", "inside"))
_PLACE_VERBS = frozenset("visited attended joined reached entered attends joins visits left".split())  # noqa: SIM905
_BE = frozenset(("is", "was", "'s", "be"))
_OTHER_SUBJECTS = frozenset(("DT", "PRP", "PRP$", "JJ", "NN", "NNS", "NNP", "NNPS"))  # "which many believed …"
# What names and bodies of people seldom do, and events often.
_OF_ALL = frozenset(
    "lead led cause result mean meant prompt force enable prevent trigger spark happen suggest reflect imply "  # noqa: SIM905
    "indicate explain is was be".split()
)
_LONGEST_REGION = 3  # words that say in which state or country a place lies


def relative_clauses(tree: Tree) -> Iterator[Change]:
    """Yield a change for each clause with "which", "who", "whose" or "where" between commas."""
    for verb in tree.words:
        first = tree.first(verb.index)
        if verb.relation != "relcl" or first < 2 or tree[first - 1].text != "," or tree.finite(verb.index) is None:
            continue
        noun, last = _whole_name(tree, tree[verb.head]), end_of(tree, verb.index)
        described = tree[first - 2]
        if tree.is_enclosed(tree[first].start) or _is_cleft(tree, noun):
            continue
        if described.relation == "acl" and described.head == noun.index:
            continue  # "is Grade II listed, which …"
        at_the_end = last == len(tree) - 2
        if at_the_end and is_show(verb):
            continue  # the show may be any noun before it
        if tree[first].lower == "which" and at_the_end and noun.relation != "attr" and may_mean_event(tree, verb):
            yield from _event(tree, verb, first, last)
            continue
        if not is_open(tree, noun, verb):
            continue
        if tree[first].lower != "where" and not is_antecedent(tree, noun, verb):
            continue
        if at_the_end:
            yield from _at_the_end(tree, noun, verb, first)
        elif tree[last + 1].text == ",":
            yield from _behind_subject(tree, noun, verb, first, last)


def _is_cleft(tree: Tree, noun: Word) -> bool:
    """Return whether a clause only points to a noun: "it is the smoke, not the scent, which matters"."""
    above = (noun, *tree.ancestors(noun.index))
    verb = next((word for word in above if word.tag.startswith("VB")), noun)
    subject, article = tree.subject(verb.index), tree.child(noun.index, "det")
    points = verb.lower in ("is", "was") and subject is not None and subject.lower == "it" and verb.index < noun.index
    return points and (article is None or article.lower not in ("a", "an"))


def _event(tree: Tree, verb: Word, first: int, last: int) -> Iterator[Change]:
    """Yield "… This allowed Y." for "…, which allowed Y."; "this" means all that was said, or its last noun."""
    subject, finite = tree.subject(tree.root), tree.finite(verb.index)
    plain = subject is not None and scope.opens_plainly(tree, subject.index) and not scope.is_negated(tree, tree.root)
    if not plain or last != len(tree) - 2 or tree[first].relation not in ("nsubj", "nsubjpass") or finite is None:
        return
    plural = finite.tag == "VBP" or finite.lower in PLURAL_VERBS
    noun = tree[verb.head]
    of_many = finite.tag in ("VBD", "MD") and noun.tag in PLURALS and finite.lower != "was"
    if plural or of_many or scope.is_reported(tree, 0, first - 1) or goes_on(tree, first) or tree[first + 1].is_mark:
        return
    if _is_of_noun(tree, noun, verb):
        return
    if not any(word.relation in ("relcl", "ccomp") for word in tree.ancestors(verb.index)):
        yield Change(_EVENT, (boundary(tree, first - 2, first + 1, "This"),))


def _is_of_noun(tree: Tree, noun: Word, verb: Word) -> bool:
    """Return whether "which" may well mean the noun before it: it takes place, or the noun can act by itself."""
    lemmas = lemmas_by_ending(verb.lower)
    done = tree.child(verb.index, "dobj")
    if not lemmas.isdisjoint(("take", "took", "taken")) and done is not None and done.lower in ("place", "part"):
        return True
    if not lemmas.isdisjoint(("come", "came")) and tree[verb.index + 1].lower != "as":
        return True  # "which came about", "which came from"
    if tree[noun.head].relation == "agent" or tree[noun.head].lower in ("as", "including", "like"):
        return True  # "made by a firm, which …", "drinks such as tea, which …"
    acts = noun.tag == "NNP" or noun.lower in lexicon.GROUPS
    return acts and lemmas.isdisjoint(_OF_ALL)


def is_show(verb: Word) -> bool:
    """Return whether a verb says what films and series do, and events do not."""
    return not lemmas_by_ending(verb.lower).isdisjoint(("premiere", "debut", "air", "star"))


def _whole_name(tree: Tree, noun: Word) -> Word:
    """Return the head of the name that a noun is part of: "the Battle of Hastings" is one name."""
    preposition = tree[noun.head]
    head = tree[preposition.head]
    is_part = noun.tag == head.tag == "NNP" and preposition.lower == "of" and preposition.index == head.index + 1
    return head if is_part else noun


def end_of(tree: Tree, verb: int) -> int:
    """Return the last word of a clause, without the mark that may hang on it."""
    last = tree.last(verb)
    while tree[last].text == ",":
        last -= 1
    return last if tree[last].text != "." else last - 1


def is_open(tree: Tree, noun: Word, verb: Word | None = None) -> bool:
    """Return whether a noun stands in the main clause, where nobody reports it and no condition covers it."""
    if (
        noun.tag not in NOUNS
        or tree.child(noun.index, "conj", "cc")
        or (noun.relation == "appos" and noun.tag != "NNP")
    ):
        return False
    finite = None if verb is None else tree.finite(verb.index)
    singular = finite is not None and (finite.tag == "VBZ" or finite.lower in SINGULAR_VERBS)
    joined = {word.lower for word in tree.children(noun.head, "cc")}
    if noun.relation == "conj" and not (singular and noun.tag == "NNP" and joined == {"and"}):
        return False  # "A and B, who left": one or both
    if any(word.index < tree.root for word in tree.children(tree.root, "ccomp", "parataxis")):
        return False  # "The thief, people say, was his son, who …"
    path = [noun, *tree.ancestors(noun.index)]
    return all(_is_open_word(tree, word) for word in path) and not scope.is_attributed(tree)


def _is_open_word(tree: Tree, word: Word) -> bool:
    if word.relation == "advcl":
        mark = tree.child(word.index, "mark", "advmod")
        own = tree.subject(word.index)
        return (word.tag == "VBG" and own is None) or (
            mark is not None and mark.lower in ("after", "because", "although", "when", "before")
        )
    if word.tag == "VBG" and word.relation in ("acl", "pcomp") and tree.subject(word.index) is not None:
        return False
    if word.relation == "relcl":
        return tree[tree.first(word.index) - 1].text == ","
    return word.relation in _OPEN_PATH


def is_antecedent(tree: Tree, noun: Word, verb: Word) -> bool:
    """Return whether no other noun of the same phrase could be what the clause is about."""
    first = tree.first(verb.index)
    top = noun
    while tree[top.head].relation == "prep" and tree[tree[top.head].head].tag in NOUNS:
        top = tree[tree[top.head].head]
    phrase = [word for word in tree.subtree(top.index) if word.index < first - 1 and word.tag in NOUNS]
    rivals = [word for word in phrase if word.relation not in ("compound", "nmod", "poss", "npadvmod")]
    rivals = [word for word in rivals if _whole_name(tree, word) == word]
    subject = tree.subject(tree.root)
    new = subject is not None and subject != noun and noun.relation != "dobj" and _is_new(tree, subject)
    if new and subject is not None and fits(tree, subject, verb):
        return False  # "A boy was born to Ana, who …"
    preposition = tree[noun.head]
    if preposition.lower == "of" and tree[preposition.head].lower in lexicon.QUANTITIES:
        return False  # "most of the guests, who …"
    if preposition.relation == "prep" and tree[preposition.index - 1].text == ",":
        return False  # "…, with notes, which …"
    thing = tree.child(preposition.head, "dobj") if preposition.relation == "prep" and noun.tag != "NNP" else None
    if thing is not None and tree.last(thing.index) == preposition.index - 1 and fits(tree, thing, verb):
        return False  # "… lengths in feet, which …"
    return noun in rivals and [word for word in rivals if fits(tree, word, verb)] == [noun]


def _is_new(tree: Tree, noun: Word) -> bool:
    article = tree.child(noun.index, "det")
    return article is not None and article.lower in ("a", "an")


def _is_known(tree: Tree, noun: Word) -> bool:
    article = tree.child(noun.index, "det", "poss")
    return (
        noun.tag == "NNP" if article is None else article.lower not in ("a", "an", "any", "no", "every", "each", "some")
    )


def goes_on(tree: Tree, first: int, last: int | None = None) -> bool:
    """Return whether the main clause may go on behind the relative one, or a second relative: "…, or to the sea"."""
    for before, word in pairwise(tree.words[first : None if last is None else last + 1]):
        if before.text == "," and word.tag in ("IN", "TO", "CC"):
            return True
        if before.tag == "CC" and word.tag in ("WDT", "WP", "WP$", "WRB"):
            return True
    return False


def may_mean_event(tree: Tree, verb: Word) -> bool:
    """Return whether "which" may mean all that was said before: "…, which was a surprise"."""
    said = tree.child(verb.index, "attr", "acomp", "advmod", "ccomp", "xcomp")
    if not lemmas_by_ending(verb.lower).isdisjoint(lexicon.EVENT_VERBS):
        return True
    return verb.lower in _BE and said is not None and said.lower in lexicon.EVENT_WORDS


def fits(tree: Tree, noun: Word, verb: Word) -> bool:
    """Return whether a noun agrees with a relative clause in number, and in being a person or not."""
    pronoun, finite = tree[tree.first(verb.index)], tree.finite(verb.index)
    if finite is not None and pronoun.relation in ("nsubj", "nsubjpass"):
        singular = finite.tag == "VBZ" or finite.lower in SINGULAR_VERBS
        plural = (finite.tag == "VBP" and finite.lower != "am") or finite.lower in PLURAL_VERBS
        if (noun.tag in PLURALS and singular) or (noun.tag not in PLURALS and plural):
            return False
    if pronoun.lower == "who":
        return not lexicon.is_thing(noun.lower)
    return not (pronoun.lower == "which" and lexicon.is_person_noun(noun.lower))


def _at_the_end(tree: Tree, noun: Word, verb: Word, first: int) -> Iterator[Change]:
    """Yield "… in Bergen. Bergen lies on the coast." for "… in Bergen, which lies on the coast."."""
    pronoun, heard = tree[first], range(first)
    opening = None
    if scope.is_negated(tree, tree.root) and not _is_known(tree, noun):
        return  # "no letter to a mayor who …"
    if first - 2 < noun.index or goes_on(tree, first):
        return
    if tree[first + 1].is_mark:
        return
    is_subject = pronoun.relation in ("nsubj", "nsubjpass") and pronoun.head == verb.index
    if pronoun.lower in ("which", "who") and is_subject and tree[first + 1].tag not in _OTHER_SUBJECTS:
        opening = subject_again(tree, *_named(tree, noun, heard), points=True, is_topic=noun.relation == "attr")
    elif pronoun.lower == "whose" and tree[pronoun.head].relation in ("nsubj", "nsubjpass"):
        opening = possessive_of(tree, noun.index, heard) or _owner(tree, noun, heard)
    elif (
        pronoun.lower == "where" and tree.count(noun.index + 1, first - 1) <= _LONGEST_REGION and _is_place(tree, noun)
    ):
        moves = verb.lower in lexicon.MOTIONS
        opening = "There," if tree.subject(verb.index) is not None and not moves else None
    if opening:
        yield Change(_RELATIVE, (boundary(tree, first - 2, first + 1, opening),))


def _named(tree: Tree, noun: Word, heard: range) -> tuple[int, range]:
    """Return what to name again after which words: the subject, where a noun says what that is."""
    subject = tree.subject(tree.root)
    if noun.relation == "attr" and noun.head == tree.root and subject is not None and subject.tag != "NN":
        return subject.index, range(noun.index)
    return noun.index, heard


def _is_place(tree: Tree, noun: Word) -> bool:
    while noun.relation == "appos":
        noun = tree[noun.head]
    before = tree[noun.head].lower
    named = (noun.tag == "NNP" and not lexicon.is_language(noun.lower)) or noun.lower in lexicon.PLACES
    return named and (before in _PLACES or (before in _PLACE_VERBS and noun.relation == "dobj"))


def _behind_subject(tree: Tree, noun: Word, verb: Word, first: int, last: int) -> Iterator[Change]:
    """Yield "Bergen lies on the coast. Bergen has …" for "Bergen, which lies on the coast, has …"."""
    pronoun = tree[first]
    if pronoun.lower not in ("which", "who") or pronoun.relation not in ("nsubj", "nsubjpass"):
        return
    if pronoun.head != verb.index or goes_on(tree, first, last):
        return  # "which she hoped would …", "who came and who left"
    if tree[first + 1].is_mark:
        return
    if not opens_with(tree, noun, last + 2):
        return
    name = subject_again(tree, noun.index, range(last + 1), is_topic=True)
    if name is not None:
        without = Splice((tree[first - 2].end, tree[first].end), "")
        yield Change(_RELATIVE, (without, boundary(tree, last, last + 2, name)))


def _owner(tree: Tree, noun: Word, heard: range) -> str | None:
    """Return a noun again as the owner of something: "These painters'"."""
    acts = noun.relation in ("appos", "attr", "agent") or noun.tag in ("NN", "NNS")
    if not acts or not (noun.tag == "NNP" or lexicon.may_be_person(noun.lower) or noun.lower in lexicon.GROUPS):
        return None
    name = subject_again(tree, *_named(tree, noun, heard), points=True)
    return None if name is None or name in _PRONOUNS else name + _genitive(tree, noun)


def _genitive(tree: Tree, noun: Word) -> str:
    """Return the ending of an owner, with the apostrophe of the text."""
    apostrophe = "’" if "’" in tree.text and "'" not in tree.text else "'"
    return apostrophe if noun.tag in PLURALS and noun.lower.endswith("s") else f"{apostrophe}s"


def whose_behind_subject(tree: Tree) -> Iterator[Change]:
    """Yield "The painter's works hang in Oslo. The painter …" for "The painter, whose works hang in Oslo, …"."""
    for verb in tree.words:
        first, last, noun = tree.first(verb.index), end_of(tree, verb.index), tree[verb.head]
        if verb.relation != "relcl" or first < 2 or tree[first].lower != "whose" or tree.finite(verb.index) is None:
            continue
        owned = tree[tree[first].head]
        if tree[first - 1].text != "," or noun.index != first - 2 or tree[last + 1].text != ",":
            continue
        if owned.relation not in ("nsubj", "nsubjpass") or owned.head != verb.index or goes_on(tree, first, last):
            continue
        if not is_open(tree, noun, verb) or not opens_with(tree, noun, last + 2) or tree.is_enclosed(noun.start):
            continue
        name = subject_again(tree, noun.index, range(last + 1), is_topic=True)
        if noun.index == 0 and noun.lower.endswith("s") and noun.tag not in PLURALS:
            continue  # "Sharks" may be a name or several
        if name is not None:
            whose = Splice((tree[first - 2].end, tree[first].end), _genitive(tree, noun))
            yield Change(_RELATIVE, (whose, boundary(tree, last, last + 2, name)))


def opens_with(tree: Tree, noun: Word, following: int) -> bool:
    """Return whether a noun that is already known opens the sentence as its subject, and its verb follows."""
    article = tree.child(noun.index, "det")
    known = article is None or article.lower in ("the", "this", "these", "that", "those")
    verb = tree[tree.root]
    heads = {verb.index, *(word.index for word in tree.children(verb.index, "aux", "auxpass", "advmod", "neg"))}
    return known and noun == tree.subject(verb.index) and tree.first(noun.index) == 0 and following in heads
