"""Coordinated clauses and verb phrases, each a sentence of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.subjects import subject_again
from plainwright.rewrite.propose.syntax.tree import FINITE, PLURAL_VERBS, PLURALS, SINGULAR_VERBS, Tree, Word

__all__ = ["coordinated_clauses", "coordinated_verbs", "finite_verbs", "lacks_auxiliary", "semicolons", "verb_lists"]

_CLAUSES = SyntaxReason("clauses", "coordinated clause made a sentence of its own")
_SEMICOLON = SyntaxReason("semicolon", "clause after a semicolon made a sentence of its own")
_VERBS = SyntaxReason("verbs", "second verb made a sentence of its own, with its subject named again")
_OPENINGS = {"and": "", "but": "But", "so": "So", "yet": "Yet"}
_NO_OPENINGS = frozenset(("CC", "WDT", "WP"))
_QUESTIONS = frozenset(("WDT", "WP", "WP$", "WRB"))
_PURPOSE = frozenset(("can", "could", "might"))  # "so it can …" says what for
_SHARED_AFTER_VERB = 2  # words that the first verb needs for itself, or it may share what the second one has
_MOST_SEMICOLONS = 2  # more of them make a list
_AFTER_SO = frozenset(("that", "many", "much", "few", "little", "far", "long"))
_FOLLOWS = frozenset(("so", "thus", "hence", "therefore"))  # "and thus is …" needs what it follows from beside it
_UNFINISHED = frozenset(("CC", "IN", "DT", "TO"))  # nothing ends with one of these
_MODALS = frozenset("must may can will shall should cannot".split())  # noqa: SIM905
_AUXILIARIES = SINGULAR_VERBS | PLURAL_VERBS | _MODALS | {"did", "had"}
_REASONS = frozenset(("since", "because", "although", "though", "whereas", "while", "whilst"))
_INSTEAD = frozenset(("is", "are", "was", "were", "should", "must", "shall"))
_BEFORE_VERB = frozenset(("aux", "auxpass", "advmod", "neg"))


def coordinated_clauses(tree: Tree, *, bold: bool = False) -> Iterator[Change]:
    """Yield a change for each "…, and B does Y" behind a main clause; if `bold`, whatever opens the sentence."""
    verbs = scope.chain_of(tree)
    subject = tree.subject(tree.root)
    if subject is None or not _may_be_parted(tree, subject, bold=bold):
        return
    if any(_is_loose(tree, child) for child in tree.children(tree.root, "advcl", "ccomp") if child.index < tree.root):
        return
    for before, after in pairwise(verbs):
        joint = _joint(tree, before, after)
        if joint is None:
            return
        last, word, first = joint
        if not scope.stands_alone(tree, before.index) and before.index == tree.root:
            return
        if not scope.stands_alone(tree, after.index) or word not in _OPENINGS or not _may_open(tree[first]):
            continue
        if not _is_independent(tree, last, first, after) or (word == "so" and _is_purpose(tree, after)):
            continue
        if tree[after.index + 1].text == ",":
            continue  # "…, and, I might add, …"
        subject = tree.subject(after.index)
        if lacks_auxiliary(tree, before, after) or (subject is not None and subject.lower in lexicon.TIME_NOUNS):
            continue
        yield Change(_CLAUSES, (boundary(tree, last, first, _OPENINGS[word]),))


def coordinated_verbs(tree: Tree, *, longest: int, bold: bool = False) -> Iterator[Change]:
    """Yield a change for each "… and does Y" behind a main clause whose subject can be named again.

    A sentence of at most `longest` words keeps its verbs together; if `bold`, the verbs may be a list.
    """
    verbs = scope.chain_of(tree)
    subject = tree.subject(tree.root)
    if tree.count(0, len(tree) - 1) <= longest or subject is None or len(verbs) < 2:
        return
    if not _may_be_parted(tree, subject, bold=bold):
        return
    root, second, *others = verbs
    if scope.is_negated(tree, root.index) and not _has_own_finite(tree, root, second):
        return
    if others and not bold and not scope.stands_alone(tree, others[0].index):
        return  # a list of verbs
    joint = _joint(tree, root, second)
    if joint is None or tree.finite(root.index) is None:
        return
    last, word, first = joint
    if not _is_verb_phrase(tree, first, second) or _has_rival_verb(tree, root, last):
        return
    if _is_half_of_list(tree, last):
        return
    if any(tree[phrase.index - 1].text == "," for phrase in tree.children(second.index, "prep", "npadvmod")):
        return  # "… and was busy, during those years": both were
    if (
        word not in ("and", "but")
        or tree[first - 1].is_mark
        or tree[first].lower in _FOLLOWS
        or not _is_independent(tree, last, first, second)
        or _shares_words(tree, root, last, second, bold=bold)
    ):
        return
    auxiliary = _auxiliary(tree, root, second)
    name = subject_again(tree, subject.index, range(first), is_topic=True)
    if (
        auxiliary is None
        or name is None
        or not _agrees(name, (auxiliary or tree[first].text).split()[0].lower(), second.tag, subject)
    ):
        return
    contrast = word == "but" and not (scope.is_negated(tree, root.index) and _is_instead(tree, second))
    opening = f"But {_inside(tree, name, subject)}" if contrast else name
    yield Change(_VERBS, (boundary(tree, last, first, f"{opening} {auxiliary}".rstrip()),))


def finite_verbs(tree: Tree, *, longest: int) -> Iterator[Change]:
    """Do as `coordinated_verbs` where the second verb opens with an auxiliary, whatever the parser hangs it on.

    With no other finite verb between, only the subject of the sentence can be its subject as well.
    """
    subject, finite = tree.subject(tree.root), tree.finite(tree.root)
    if tree.count(0, len(tree) - 1) <= longest or subject is None or finite is None or scope.is_paired(tree):
        return
    if not scope.opens_plainly(tree, subject.index) or scope.is_attributed(tree) or subject.index > tree.root:
        return
    for word in tree.words[tree.root + 2 : -3]:
        opening, last = tree[word.index + 1], tree.before(word.index)
        if word.lower not in ("and", "but") or opening.tag not in FINITE or opening.lower not in _AUXILIARIES:
            continue
        if opening.lower == "have" and any(one.tag == "MD" for one in tree.auxiliaries(tree.root)):
            continue  # "must be … and have had"
        if _is_half_of_list(tree, last) or _ends_apart(tree, opening):
            continue
        if not _is_one_clause(tree, last, comma=last < word.index - 1) or _is_bounded(tree, word.index):
            continue
        name = subject_again(tree, subject.index, range(word.index), is_topic=True)
        if name is None or not _agrees(name, opening.lower, opening.tag, subject) or tree.is_enclosed(word.start):
            continue
        instead = scope.is_negated(tree, tree.root) and opening.lower in _INSTEAD
        named = name if word.lower == "and" or instead else f"But {_inside(tree, name, subject)}"
        yield Change(_VERBS, (boundary(tree, last, word.index + 1, named),))


def _is_half_of_list(tree: Tree, last: int) -> bool:
    """Return whether a word is the second part of a list that would go on: "a painter, sculptor, and is …"."""
    return tree[last].relation in ("conj", "appos") and tree[tree.first(last) - 1].text == ","


def _ends_apart(tree: Tree, opening: Word) -> bool:
    """Return whether a phrase set off at the end may go with both verbs: "… and was known, during those years"."""
    verb = opening if opening.relation not in ("aux", "auxpass") else tree[opening.head]
    phrases = tree.children(verb.index, "prep", "npadvmod")
    return any(tree[one.index - 1].text == "," and tree.end(one.index) == len(tree) - 2 for one in phrases)


def _is_one_clause(tree: Tree, last: int, *, comma: bool) -> bool:
    """Return whether no clause stands between the first verb and a place; without a comma, no other verb at all."""
    between = tree.words[tree.root + 1 : last + 1]
    if any(word.tag in FINITE | _QUESTIONS or word.lower in lexicon.CONDITIONS | _REASONS for word in between):
        return False
    if any(word.text in ";:(" or (word.relation == "mark" and word.lower != "as") for word in between):
        return False
    parts = {tree.root, *(word.index for word in tree.children(tree.root, "xcomp"))}
    verbs = [word for word in between if word.tag.startswith("VB") and word.index not in parts]
    listed = tree.child(tree.root, "conj") is not None and any(word.relation == "conj" for word in verbs)
    return (comma or not verbs) and not listed and tree[last].tag not in _UNFINISHED


def _is_bounded(tree: Tree, joint: int) -> bool:
    """Return whether a condition behind a comma, or a third verb, may go with both verbs."""
    rest = tree.words[joint + 2 :]
    if any(word.tag == "CC" and following.tag in FINITE for word, following in pairwise(rest)):
        return True
    return any(comma.text == "," and word.lower in lexicon.CONDITIONS for comma, word in pairwise(rest))


def verb_lists(tree: Tree, *, longest: int) -> Iterator[Change]:
    """Yield a change for "A did X, did Y and did Z": three sentences."""
    verbs, subject = scope.chain_of(tree), tree.subject(tree.root)
    if tree.count(0, len(tree) - 1) <= longest or subject is None or len(verbs) != 3 or scope.is_paired(tree):
        return
    if not scope.opens_plainly(tree, subject.index) or scope.is_reported(tree, 0, verbs[2].index):
        return
    if scope.is_negated(tree, tree.root) or len({verb.tag for verb in verbs}) > 1 or verbs[0].tag not in ("VBD", "VBZ"):
        return
    if any(tree.auxiliaries(verb.index) or tree.first(verb.index) != verb.index for verb in verbs[1:]):
        return
    name = subject_again(tree, subject.index, range(verbs[1].index), is_topic=True)
    joint = _joint(tree, verbs[1], verbs[2])
    first, second = verbs[1].index, verbs[2].index
    if name is None or joint is None or joint[1] != "and" or tree[first - 1].text != "," or joint[2] != second:
        return
    if not _is_independent(tree, joint[0], second, verbs[2]) or _shares_words(tree, verbs[0], first - 2):
        return
    if not _shares_words(tree, verbs[1], joint[0]):
        yield Change(_VERBS, (boundary(tree, first - 2, first, name), boundary(tree, joint[0], second, name)))


def semicolons(tree: Tree) -> Iterator[Change]:
    """Yield a change for each semicolon; whether both sides are sentences shows when they are parsed again."""
    places = [word.index for word in tree.words if word.text == ";" and not tree.is_enclosed(word.start)]
    for place in places if len(places) <= _MOST_SEMICOLONS else ():
        first = place + 1
        following = tree[first]
        if _is_report(tree, place):
            continue
        if 0 < place < len(tree) - 2 and following.tag not in _NO_OPENINGS and not following.is_mark:
            yield Change(_SEMICOLON, (boundary(tree, place - 1, first),))


def _may_be_parted(tree: Tree, subject: Word, *, bold: bool) -> bool:
    """Return whether nothing that opens a sentence covers its second part, and no word holds both together."""
    opens = scope.opens_freely if bold else scope.opens_plainly
    return opens(tree, subject.index) and not scope.is_paired(tree)


def _is_loose(tree: Tree, clause: Word) -> bool:
    """Return whether only a comma joins a clause to the next, as in a list of clauses."""
    opens = tree.child(clause.index, "mark") or any(word.tag in _QUESTIONS for word in tree.subtree(clause.index))
    return scope.stands_alone(tree, clause.index) and not opens


def _may_open(word: Word) -> bool:
    """Return whether a word can open a statement; "that" may as well be the pronoun of a relative clause."""
    return word.tag not in _QUESTIONS and word.lower != "that" and not word.is_mark


def _inside(tree: Tree, name: str, subject: Word) -> str:
    """Return a subject as it stands inside a sentence, without the capital of the first word unless that is a name."""
    first = next((word for word in tree.subtree(subject.index) if name.startswith(word.text)), None)
    keeps = name == "I" or (first is not None and first.tag in ("NNP", "NNPS"))
    return name if keeps else name[:1].lower() + name[1:]


def _is_report(tree: Tree, place: int) -> bool:
    """Return whether the part before a semicolon reports something; the parser may hang that part on the other one."""
    clauses = [word for word in tree.words[:place] if word.relation == "ccomp" and word.head < place]
    return scope.is_attributed(tree) or any(word.tag.startswith("V") for word in clauses)


def _joint(tree: Tree, before: Word, after: Word) -> tuple[int, str, int] | None:
    """Return the last word of the first part, the conjunction, and the first word of the second part."""
    first = tree.opening(after.index).index
    place = first - 1
    while place > 0 and tree[place].is_mark:
        place -= 1
    conjunction = tree[place]
    if conjunction.relation not in ("cc", "advmod", "mark") or conjunction.lower not in (*_OPENINGS, "or", "nor"):
        return None
    last = place - 1
    while last > 0 and tree[last].is_mark:
        last -= 1
    between = {word.text for word in tree.words[last + 1 : first] if word.is_mark}
    finished = tree[last].tag not in _UNFINISHED or tree[last].relation == "prt"
    is_whole = last > before.index and between <= {",", ";"} and finished
    return (last, conjunction.lower, first) if is_whole else None


def _is_independent(tree: Tree, last: int, first: int, verb: Word) -> bool:
    """Return whether all behind the joint belongs to the second part, and nothing of the first part covers it."""
    rest = {word.index for word in tree.subtree(verb.index)}
    if any(not word.is_mark and word.index not in rest for word in tree.words[first:]):
        return False
    if tree.is_enclosed(tree[last].end) or (scope.is_reported(tree, 0, last) and not _speaks_again(tree, verb)):
        return False
    return not scope.has_open_condition(tree, verb.index) and not _ends_in_clause(tree, last)


def _ends_in_clause(tree: Tree, last: int) -> bool:
    """Return whether a subordinate clause reaches up to the joint, so that it may go on behind it."""
    for word in (tree[last], *tree.ancestors(last)):
        if word.relation == "relcl" and any(
            one.tag in ("WDT", "WRB") and one.relation in ("pobj", "advmod") for one in tree.subtree(word.index)
        ):
            return True  # "the place where A enters and B leaves"
        if word.relation == "advcl":
            mark = tree.child(word.index, "mark", "advmod")
            return tree[last + 1].text != "," or (
                mark is not None and mark.lower in ("if", "unless", "when", "because")
            )
    return False


def _speaks_again(tree: Tree, verb: Word) -> bool:
    """Return whether "I" or "we" say what is said in both parts: "I think that A, but I know that B"."""
    speakers = [word.lower for word in (tree.subject(tree.root), tree.subject(verb.index)) if word is not None]
    return len(speakers) == 2 and speakers[0] == speakers[1] in ("i", "we") and not scope.is_attributed(tree)


def lacks_auxiliary(tree: Tree, before: Word, after: Word) -> bool:
    """Return whether a second clause may share the auxiliary of the first: "A was sold and B kept"."""
    if after.tag not in ("VBD", "VBN") or tree.auxiliaries(after.index):
        return False
    passive = any(word.relation == "auxpass" for word in tree.words[: after.index])
    has_object = tree.child(after.index, "dobj", "attr", "acomp", "ccomp", "xcomp") is not None
    return not has_object and (passive or bool(tree.auxiliaries(before.index)))


def _is_purpose(tree: Tree, verb: Word) -> bool:
    """Return whether "so" may say what something is for, or how many there are."""
    return tree.opening(verb.index).lower in _AFTER_SO or any(
        word.lower in _PURPOSE for word in tree.auxiliaries(verb.index)
    )


def _has_own_finite(tree: Tree, root: Word, second: Word) -> bool:
    """Return whether a "not" at the first verb cannot reach the second: that has a tense of its own."""
    finite = tree.finite(second.index)
    if finite is None or scope.is_negated(tree, second.index):
        return finite is not None
    auxiliary = next(iter(tree.auxiliaries(second.index)), None)
    return auxiliary is not None or (finite.tag in ("VBZ", "VBD") and root.tag != "VBN" and finite.tag != root.tag)


def _shares_words(tree: Tree, verb: Word, last: int, second: Word | None = None, *, bold: bool = False) -> bool:
    """Return whether the second verb may share an object behind the first, or an adverb before it.

    If `bold`, a verb with an auxiliary of its own shares no adverb: "is now used for games and was built in 1911".
    """
    adverbs = [child for child in tree.children(verb.index, "advmod", "npadvmod") if child.index < verb.index]
    spreading = any(child.lower not in lexicon.SPREADING_ADVERBS and child.index > 0 for child in adverbs)
    own = second is not None and (bool(tree.auxiliaries(second.index)) or second.lower in SINGULAR_VERBS | PLURAL_VERBS)
    complete = own or tree.child(verb.index, "dobj", "attr", "acomp") is not None
    short = tree.count(verb.index + 1, last) < _SHARED_AFTER_VERB and not complete
    return (spreading and not (bold and own)) or short or tree[last].tag in FINITE


def _has_rival_verb(tree: Tree, root: Word, last: int) -> bool:
    """Return whether the second verb could belong to another verb behind the first; a comma says that it does not."""
    behind = tree.words[root.index + 1 : last + 1]
    inserted = any(word.tag in ("WDT", "WP", "WRB", "WP$") and tree[word.index - 1].text == "," for word in behind)
    if tree[last + 1].text == "," and not inserted and not scope.is_reported(tree, 0, last):
        return False
    if any(comma.text == "," and word.lower in _REASONS for comma, word in pairwise(behind)):
        return True  # "…, since A does X and does Y", whatever the parser takes the first verb for
    return any(word.tag in FINITE and (word.head != root.index or word.relation == "advcl") for word in behind)


def _is_verb_phrase(tree: Tree, first: int, verb: Word) -> bool:
    """Return whether only auxiliaries and adverbs stand before a verb, and what stands between them."""
    if tree[first].tag in ("MD", "VBD", "VBZ", "VBP") and tree[first].head == verb.index:
        before = {word.index for child in tree.children(verb.index) for word in tree.subtree(child.index)}
        return all(word.index in before for word in tree.words[first : verb.index])
    words = tree.words[first : verb.index]
    return all(word.lower == "also" or (word.head == verb.index and word.relation in _BEFORE_VERB) for word in words)


def _has_participle(tree: Tree, second: Word) -> bool:
    """Return whether a verb that looks like a participle may go on one before it: "made in Ghent, but sold here"."""
    return any(word.tag == "VBN" and word.relation in ("acl", "advcl") for word in tree.words[: second.index])


def _is_instead(tree: Tree, second: Word) -> bool:
    """Return whether "but" behind "not" says what is so instead: "is not a penalty, but is meant to cover the cost"."""
    finite = tree.finite(second.index)
    return finite is not None and finite.lower in _INSTEAD


def _auxiliary(tree: Tree, root: Word, second: Word) -> str | None:
    """Return the auxiliaries that the second verb needs again, "" if none, None if that is not sure."""
    finite = tree.finite(second.index)
    modal = any(word.tag == "MD" for word in tree.auxiliaries(root.index))
    be = finite is not None and finite.lower in ("are", "is", "were", "was")  # never "will come and are"
    if modal and not be and (finite is None or finite.tag in ("VBP", "VBD")) and second.tag != "VB":
        return None  # "must be … and have had", "will come and read"
    if root.lower == "been" and not tree.auxiliaries(second.index):
        return None  # "has been a member and connected with it"
    if tree.auxiliaries(second.index):
        return "" if finite else None
    own = tree.auxiliaries(root.index)
    passive = tree.child(root.index, "auxpass") is not None
    has_object = tree.child(second.index, "dobj", "attr", "ccomp", "xcomp", "acomp") is not None
    if second.tag == "VB" and root.tag == "VBP" and not own:
        return ""
    if second.tag in ("VBZ", "VBP"):
        return "" if root.tag in ("VBZ", "VBP", "VBD") or not own or passive else None
    shared = " ".join(word.text for word in own)
    if passive and second.lower in lexicon.PASSIVES:
        return None if has_object else shared
    if second.tag == "VBD" and not passive and own and own[0].lower in ("has", "have"):
        return shared  # "has come and looked" has two participles
    if second.tag == "VBD":
        return "" if has_object or not (passive or _has_participle(tree, second)) else None
    if second.tag == "VBN" and passive:
        return shared if tree.child(second.index, "agent") else None
    if second.tag == "VBN" and root.tag == "VBD" and not own and not _has_participle(tree, second):
        return "" if tree.child(second.index, "agent") is None else None  # a past tense that the tagger did not see
    if second.tag == "VBN" and root.tag == "VBN" and own and own[0].lower in ("has", "have", "had"):
        return shared
    if second.tag == "VB" and root.tag == "VB" and own and own[0].tag == "MD":
        return shared
    return None


def _agrees(name: str, verb: str, tag: str, subject: Word) -> bool:
    """Return whether a verb has the number of the subject that is named again."""
    plural = name == "They" or subject.tag in PLURALS
    if subject.tag == "PRP":
        return True
    return verb not in (SINGULAR_VERBS if plural else PLURAL_VERBS) and tag != ("VBZ" if plural else "VBP")
