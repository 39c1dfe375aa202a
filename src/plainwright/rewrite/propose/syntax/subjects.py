"""What the new sentence calls its subject: a pronoun where it can have one owner only, else the noun again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from plainwright.rewrite.propose.syntax import lexicon
from plainwright.rewrite.propose.syntax.changes import capitalised
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURALS, Tree, Word
from plainwright.text.frequencies import zipf

__all__ = ["ANYBODY", "named_again", "possessive_of", "subject_again"]

_PERSONAL = frozenset(("i", "we", "you", "he", "she", "it", "they"))
_PARTICLES = frozenset(("von", "van", "de", "der", "den", "du", "di", "da", "la", "le", "al", "bin", "ibn"))
_LONG = 3  # words before a noun that are not all said again
_UNHEARD_OF = 2.0  # zipf value below which a noun behind "the drug" is its name
_SELDOM = 3.6  # zipf value below which a word that opens a sentence may be a name
_LONGEST_NAME = 6  # words that are said again
_BEFORE_NOUN = frozenset(("det", "amod", "compound", "nmod", "nummod", "poss", "case", "quantmod"))
_NO_SURNAMES = frozenset(("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "jr.", "jr", "sr.", "sr"))
_KINDS = frozenset(("substance", "drug", "medicine", "compound", "chemical", "mineral"))  # "the drug so-and-so"
ANYBODY = frozenset(
    "anyone anybody anything everyone everybody everything someone somebody something nobody nothing none".split()  # noqa: SIM905
)
_COMPANIES = frozenset(("inc", "limited", "llc", "ltd", "plc"))  # what their names end in
_OTHER_COMPANIES = frozenset(("company", "companies", "firm", "firms"))
_REFLEXIVES = {"himself": "He", "herself": "She", "itself": "It"}
_POSSESSIVES = {"He": "His", "She": "Her", "It": "Its", "They": "Their"}


def subject_again(tree: Tree, head: int, heard: range, *, points: bool = False, is_topic: bool = False) -> str | None:
    """Return how to name the subject `head` again after the words `heard`, None if it cannot be named for sure.

    With `points`, what is new is pointed to: "this law" for "a law", "these farmers" for "farmers". The subject of the
    sentence before is the topic: readers take a pronoun for it, unless another subject has come between.
    """
    word = tree[head]
    if word.tag == "PRP":
        return capitalised(word.text) if word.lower in _PERSONAL else None
    if word.relation == "expl" or word.tag not in NOUNS:
        return None
    others = _others(tree, head, heard)
    if is_topic and (_gender(tree, word) is None):
        others = [other for other in others if _may_be_topic(other)]
    pronoun = _pronoun(tree, head, others, is_topic=is_topic)
    if is_topic and pronoun is None:
        pronoun = _by_reflexive(tree, head, heard)
    return pronoun or _short_name(tree, head) or named_again(tree, head, points=points)


def _by_reflexive(tree: Tree, head: int, heard: range) -> str | None:
    """Return "It" after "itself", and so on, where a name is the only subject that it can belong to."""
    words = [tree[index] for index in heard]
    found = {_REFLEXIVES[word.lower] for word in words if word.lower in _REFLEXIVES and word.index > head}
    others = [word for word in _others(tree, head, heard) if word.lower not in _REFLEXIVES]
    if len(found) != 1 or tree[head].tag != "NNP" or tree.child(head, "conj") or any(map(_may_be_topic, others)):
        return None
    (pronoun,) = found
    rival = pronoun != "It" and any(word.tag in NOUNS and _may_be(tree, word, pronoun) for word in others)
    return None if rival else pronoun


def possessive_of(tree: Tree, head: int, heard: range) -> str | None:
    """Return "Its", "His", "Her" or "Their" where that can have one owner only."""
    return _POSSESSIVES.get(_pronoun(tree, head, _others(tree, head, heard)) or "")


def _others(tree: Tree, head: int, heard: range) -> list[Word]:
    """Return the words that were heard beside a noun and what stands before it."""
    first, _ = _before(tree, head)
    return [tree[index] for index in heard if not first <= index <= head]


def _may_be_topic(word: Word) -> bool:
    """Return whether a noun acts in a clause of its own, so that what follows may be about it."""
    return word.relation in ("nsubj", "nsubjpass")


def _short_name(tree: Tree, head: int) -> str | None:
    """Return an abbreviation that was just given, "the company", or the surname of a person, behind a title."""
    if tree[head].tag != "NNP":
        return None
    first, last = _name(tree, head)
    inside = [word.text for word in tree.words[head + 1 : head + 4]]
    if len(inside) == 3 and inside[0] + inside[2] == "()" and inside[1].isupper() and len(inside[1]) > 1:
        return f"The {inside[1]}" if tree[first].lower == "the" else inside[1]
    if _is_only_company(tree, head, first):
        return "The company"
    names = tree.words[first : last + 1]
    if last != head or len(names) < 2 or not all(_is_plain_name(word) for word in names):
        return None
    before = tree[first - 1] if first else None
    if before is not None and ((before.tag in NOUNS and not before.text.islower()) or before.lower in _PARTICLES):
        return None
    if any(name.lower in _PARTICLES for name in names):
        return None  # "Van Aalst" is one surname
    title = names[0].lower.rstrip(".")
    if title in lexicon.TITLES:
        return tree.slice(first, last) if len(names) == 2 else f"{names[0].text} {names[-1].text}"
    is_person = title in lexicon.MALE | lexicon.FEMALE and title not in lexicon.RANKS
    return names[-1].text if is_person or (_is_who(tree, head) and title not in lexicon.RANKS) else None


def _is_only_company(tree: Tree, head: int, first: int) -> bool:
    """Return whether a name is a company's and no other company is mentioned; "the Limited" may be a train."""
    named = [word.index for word in tree.words if word.lower.rstrip(".") in _COMPANIES | _OTHER_COMPANIES]
    is_name = all(word.tag == "NNP" for word in tree.words[first : head + 1]) and first < head
    is_company = tree[head].lower.rstrip(".") in _COMPANIES and is_name and not _is_who(tree, head)
    goes_on = first > 0 and (tree[first - 1].tag == "POS" or tree[first - 1].head == head)
    return is_company and named == [head] and not goes_on


def _is_plain_name(word: Word) -> bool:
    """Return whether a word can be the first name or the surname of a person, or a title."""
    return word.tag == "NNP" and word.text[:1].isupper() and word.lower not in _NO_SURNAMES and len(word.text) > 1


def _is_who(tree: Tree, head: int) -> bool:
    """Return whether a clause with "who" depends on a name."""
    return any(tree[tree.first(clause.index)].lower == "who" for clause in tree.children(head, "relcl"))


def _pronoun(tree: Tree, head: int, others: Iterable[Word], *, is_topic: bool = False) -> str | None:
    """Return the pronoun for a noun, if none of the other words could be what it stands for."""
    word = tree[head]
    rivals = [other for other in others if _is_named(other) and not _is_time(tree, other)]
    rivals = [other for other in rivals if other.relation not in ("compound", "nmod")]
    if tree.child(head, "conj") or _quantified(tree, head):
        return None
    if word.tag in PLURALS:
        plural = [other for other in rivals if other.tag in PLURALS or tree.child(other.index, "conj")]
        bare_name = tree.child(head, "det") is None and _may_be_name(word)
        return None if plural or bare_name or word.lower in lexicon.QUANTITIES else "They"
    gender = _gender(tree, word)
    if gender:
        return None if any(_may_be(tree, other, gender) for other in rivals) else gender
    singular = [other for other in rivals if other.tag not in PLURALS]
    is_thing = _is_thing(tree, word) if is_topic else word.tag == "NN" and lexicon.is_thing(word.lower)
    return "It" if is_thing and not singular and word.lower not in lexicon.QUANTITIES else None


def _is_named(word: Word) -> bool:
    """Return whether a word is a noun, or may be a name that the tagger took for an adverb."""
    return word.tag in NOUNS or (word.index > 0 and word.tag in ("RB", "UH", "FW") and word.text.istitle())


def _may_be_name(word: Word) -> bool:
    """Return whether a plural without an article may be one person: "Irons", or "Rollins" at the beginning."""
    return word.tag == "NNPS" or (word.index == 0 and zipf(word.lower) < _SELDOM)


def _is_thing(tree: Tree, word: Word) -> bool:
    """Return whether a noun with an article or a pointing word, or a name with "the", means no person."""
    article = tree.child(word.index, "det", "poss")
    named = any(child.tag == "NNP" for child in tree.children(word.index, "appos"))  # "a pupil, Ana Ruiz"
    if lexicon.may_be_person(word.lower) or named:
        return False
    if article is None:
        common = lexicon.is_thing(word.lower) or (_is_narrowed(tree, word.index) and zipf(word.lower) >= _SELDOM)
        is_common = word.tag == "NN" and (word.text.islower() or (word.index == 0 and common))
        return is_common and word.lower not in ANYBODY
    is_name = word.tag == "NNP" and article.lower == "the" and tree.child(word.index, "amod") is None
    return word.tag == "NN" or is_name


def named_again(tree: Tree, head: int, *, points: bool = False) -> str | None:
    """Return the short form of a noun phrase, as it opens a sentence."""
    word = tree[head]
    if tree.child(head, "conj") or word.lower in lexicon.QUANTITIES or word.tag not in NOUNS or _quantified(tree, head):
        return None
    (first, odd), last = _before(tree, head), head
    if _is_narrowed(tree, head) or (word.tag == "NNP" and word.text.islower()):
        return None
    if word.tag == "NN" and head > 0 and word.text.istitle():
        return None  # a name that the parser did not see
    if tree.text[word.end : word.end + 1] == "-" or _is_partial(tree, head) or tree.is_enclosed(word.start):
        return None
    if word.tag in ("NNP", "NNPS"):
        first, last = _name(tree, head)
        before = [one for one in tree.children(head, "amod", "nummod", "det", "compound") if one.index < first]
        odd = any(one.relation != "compound" or not one.text.islower() for one in before if one.index)
        odd = odd or any(one.index == 0 and one.tag == "JJ" and zipf(one.lower) < _SELDOM for one in before)
    if odd or (last == head and tree[head + 1].tag == "CD" and tree[head + 1].head == head):
        return None
    if tree.text[: tree[first].start].endswith("-") or (first and tree[first - 1].lower in _PARTICLES):
        return None
    if first and tree[first - 1].tag == "POS":
        return None  # half of "Cooper's Hill"
    if last - first >= _LONGEST_NAME or any(one.is_mark for one in tree.words[first:last]):
        return None
    if any(part.tag != "CD" for count in tree.children(head, "nummod") for part in tree.children(count.index)):
        return None  # "no more than thirty eggs"
    return _pointed(tree, first, head) if points and word.tag in ("NN", "NNS") else _opened(tree, first, last)


def _name(tree: Tree, head: int) -> tuple[int, int]:
    """Return where a name begins and ends: "the University of Oslo", "our Data Officer" and "Highway 17" are names."""
    first = last = head
    while first > 0 and tree[first - 1].tag in NOUNS and tree[first - 1].text[0].isupper():
        first -= 1
    if tree[first].tag not in ("NNP", "NNPS") and zipf(tree[first].lower) >= _SELDOM:
        first += 1  # a common noun, with a capital because it opens the sentence
    before = tree[first - 1]
    if first > 0 and before.head == head and (before.relation == "det" or before.tag == "PRP$"):
        first -= 1
    following = tree[head + 1]
    if following.relation == "prep" and following.head == head and following.lower == "of":
        last = tree.last(following.index) if tree[tree.last(following.index)].tag == "NNP" else head
    elif following.tag == "CD" and following.head == head:
        last = following.index
    return first, last


def _before(tree: Tree, head: int) -> tuple[int, bool]:
    """Return where a noun phrase begins, and whether something unusual stands before its noun."""
    before = [child for child in tree.children(head) if child.index < head]
    odd = any(child.relation not in _BEFORE_NOUN and not child.is_mark for child in before)
    return min([head, *(tree.first(child.index) for child in before)]), odd


def _pointed(tree: Tree, first: int, head: int) -> str | None:
    """Return a common noun with a word that points to what was said of it just now."""
    word, noun = tree[first], tree[head]
    described = word.lower == "the" and tree.child(head, "amod") is not None
    is_thing = not lexicon.may_be_person(noun.lower)
    owned = tree.child(head, "poss") is not None and is_thing
    long = head - first >= _LONG and is_thing
    if (word.lower in ("a", "an") or described or owned or long) and noun.tag == "NN":
        for kind, name in pairwise(tree.words[first : head + 1]):
            if kind.lower in _KINDS and zipf(name.lower) < _UNHEARD_OF:
                return f"This {kind.lower}"
        compounds = [tree.first(child.index) for child in tree.children(head, "compound")][-1:]
        own = tree.slice(min([head, *compounds]), head)
        return f"{'The' if lexicon.is_person_noun(noun.lower) else 'This'} {own}"
    if word.tag == "CD":
        return f"These {tree.slice(first, head)}" if noun.tag == "NNS" and word.text.islower() else None
    if word.relation not in ("det", "poss") and word.tag not in ("PRP$", "NNP"):
        if noun.tag == "NN" and first < head:
            return None  # "this folk taxonomy" would be one of several
        return f"{'These' if noun.tag == 'NNS' else 'This'} {tree.slice(first, head)}" if first > 0 else None
    return _opened(tree, first, head)


def _opened(tree: Tree, first: int, last: int) -> str | None:
    """Return a noun phrase as it opens a sentence that speaks of it again."""
    word = tree[first]
    if word.relation == "det":
        if word.lower in ("a", "an", "the"):
            return f"The {tree.slice(first + 1, last)}" if last > first else None
        return capitalised(tree.slice(first, last)) if word.lower in ("this", "that", "these", "those") else None
    if word.relation == "nummod" or word.tag == "CD":
        return f"The {tree.slice(first, last)}" if word.text.islower() else None
    if word.tag == "PRP$" and first + 1 < last and tree[first + 1].lower == "own":
        return capitalised(f"{word.text} {tree.slice(first + 2, last)}")
    return capitalised(tree.slice(first, last))


def _quantified(tree: Tree, head: int) -> bool:
    return any(child.lower in lexicon.NOT_ONE_OWNER for child in tree.children(head, "det", "amod", "predet"))


def _is_partial(tree: Tree, head: int) -> bool:
    """Return whether a word such as "many" says that not all are meant, which their noun alone would not."""
    return any(child.lower in lexicon.PARTIAL for child in tree.children(head))


def _is_narrowed(tree: Tree, head: int) -> bool:
    """Return whether something behind a noun without an article says which are meant: "visitors who smoke"."""
    relations = ("relcl",) if tree[head].tag in ("NNP", "NNPS") else ("relcl", "acl", "prep")
    behind = [child for child in tree.children(head, *relations) if child.index > head]
    return tree.child(head, "det", "poss") is None and any(
        tree[tree.first(child.index) - 1].text != "," for child in behind
    )


def _is_time(tree: Tree, word: Word) -> bool:
    return word.lower in lexicon.TIME_NOUNS or any(map(str.isdigit, word.text))


def _gender(tree: Tree, word: Word) -> str | None:
    """Return "He" or "She" for a person whose title or first name says so."""
    if word.tag != "NNP" or lexicon.is_thing(word.lower):
        return None
    first, _ = _name(tree, word.index)
    name = tree[first].lower.rstrip(".")
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
