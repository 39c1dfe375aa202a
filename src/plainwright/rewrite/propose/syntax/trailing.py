"""What trails behind a whole statement and can point back to it: "…, a step that …", "…, which sum …", "…, nor …"."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import lexicon, scope
from plainwright.rewrite.propose.syntax.changes import Change, SyntaxReason, boundary
from plainwright.rewrite.propose.syntax.relatives import end_of, goes_on, is_open, is_show
from plainwright.rewrite.propose.syntax.tree import NOUNS, PLURAL_VERBS, PLURALS, SINGULAR_VERBS, Tree, Word

__all__ = ["nor_clauses", "provisions", "shells", "which_at_the_end", "which_nouns"]

_SHELL = SyntaxReason("noun", "what is said of it made a sentence of its own")
_NOR = SyntaxReason("clauses", "coordinated clause made a sentence of its own")
_EXCEPT = SyntaxReason("exception", "the exception made a sentence of its own")
_WHICH = SyntaxReason("event", "what it did or was made a sentence that opens with “This”")
# Nouns that sum up what was just said or counted; those of the first kind are nobody's report of it.
_OF_WORDS = frozenset(
    "accusation allegation argument assertion assumption claim contention demand explanation hypothesis objection "  # noqa: SIM905
    "offer proposal proposition question request suggestion view".split()
)
_OF_DEEDS = frozenset(
    "accomplishment achievement act action adjustment advance amount approach arrangement aspect change circumstance "  # noqa: SIM905
    "compromise concession condition consequence consideration contrast correction cost decision decline decrease "
    "defeat delay development difference discovery distinction drop duty effort error event exception exercise "
    "experience expression fact factor failure fall feat feature figure finding formulation gain gap gesture growth "
    "habit improvement incentive increase interpretation level limit limitation link loss margin measure method "
    "mistake move obligation observation obstacle omission outcome oversight pattern percentage period policy position "
    "possibility practice precaution privilege problem procedure process provision rate ratio reason reduction "
    "requirement restriction result reversal right rise risk role rule safeguard saving setting share shift "
    "shortfall sign situation step strategy sum surge symptom task technique tendency threshold total tradition "
    "transition trend uplift victory".split()
)
_MOST_BEFORE_SHELL = 4  # words between the comma and the noun
_FEWEST_BEHIND_SHELL = 3
_INVERTING = frozenset("is are was were does do did has have had shall must may can should will".split())  # noqa: SIM905
_NO_NOUNS = frozenset("JJ JJR JJS RB RBR RP VB VBN VBD VBG CD".split())  # noqa: SIM905
_SHORTEST_BEFORE = 6  # words of the statement that something trails behind
_NEVER = frozenset(("any", "every", "each", "no", "either", "neither"))


def shells(tree: Tree) -> Iterator[Change]:
    """Yield "A. This is a step that B." for "A, a step that B."."""
    for noun in tree.words[4:-2]:
        kind = noun.lower.removesuffix("s") if noun.tag == "NNS" else noun.lower
        if noun.tag not in ("NN", "NNS") or kind not in _OF_WORDS | _OF_DEEDS:
            continue
        comma = _comma_before(tree, noun.index)
        if comma is None or tree.end(noun.index) != len(tree) - 2 or not _opens_shell(tree, comma, noun):
            continue
        following = tree[noun.index + 1]
        if following.is_mark or following.tag in ("CC", "VBG") or noun.relation in ("conj", "nsubj", "nsubjpass"):
            continue
        if len(tree) - 2 - noun.index < _FEWEST_BEHIND_SHELL or _does_something(tree, noun):
            continue
        if _lacks_object(tree, comma):
            continue
        if _trails(tree, comma, reports=kind in _OF_WORDS):
            yield Change(_SHELL, (boundary(tree, comma - 1, comma + 1, _be(tree, noun)),))


def _lacks_object(tree: Tree, comma: int) -> bool:
    """Return whether a verb between commas needs what follows: "considered, but rejected, an approach"."""
    before = next((place for place in range(comma - 1, 0, -1) if tree[place].text == ","), 0)
    inserted = before > 0 and tree[before + 1].tag == "CC" and tree[comma - 1].tag.startswith("VB")
    return inserted or tree[comma - 1].tag in ("VB", "VBD", "VBZ", "VBP")


def _opens_shell(tree: Tree, comma: int, noun: Word) -> bool:
    """Return whether an article stands behind the comma, or for several the noun itself, with what is said of it."""
    if noun.tag == "NN":
        return tree[comma + 1].lower in ("a", "an")
    adjectives = all(word.tag == "JJ" for word in tree.words[comma + 1 : noun.index])
    return adjectives and tree[noun.index + 1].lower in ("which", "that", "whose")


def _does_something(tree: Tree, noun: Word) -> bool:
    """Return whether a participle says what a noun does: "a score in excess of 200 giving rise to a review"."""
    return any(child.tag == "VBG" for child in tree.children(noun.index, "acl"))


def _comma_before(tree: Tree, noun: int) -> int | None:
    """Return the comma that opens the phrase of a noun, if no verb or other mark stands between."""
    for place in range(noun - 1, max(noun - _MOST_BEFORE_SHELL - 2, 0), -1):
        if tree[place].text == ",":
            return place
        if tree[place].is_mark or tree[place].tag.startswith(("VBD", "VBZ", "VBP", "MD")):
            return None
    return None


def _be(tree: Tree, noun: Word) -> str:
    """Return "This is" and the like, in the tense of what is said of a noun, else of the sentence."""
    clause = tree.child(noun.index, "relcl")
    finite = tree.finite(tree.root)
    past = finite is not None and finite.tag == "VBD"
    own = tree.finite(clause.index) if clause is not None else None
    before = past and (own is None or own.tag == "VBD")
    if noun.tag == "NNS":
        return f"These {'were' if before else 'are'}"
    return f"This {'was' if before else 'is'}"


def _trails(tree: Tree, comma: int, *, reports: bool = False) -> bool:
    """Return whether a whole statement stands before a comma, which nothing covers that could cover more."""
    subject = tree.subject(tree.root)
    if subject is None or tree.root > comma or tree.count(0, comma) < _SHORTEST_BEFORE:
        return False
    if tree.finite(tree.root) is None or tree.is_enclosed(tree[comma].start) or scope.is_attributed(tree):
        return False
    if scope.is_conditional(tree, subject.index) or any(tree[place].text in ":;" for place in range(comma)):
        return False
    return reports or not scope.is_reported(tree, 0, comma)


def which_nouns(tree: Tree) -> Iterator[Change]:
    """Yield "A. This sum B." for "A, which sum B.", and "During this time, B." for "A, during which time B."."""
    for which in tree.words[3:-3]:
        noun = tree[which.index + 1]
        if which.lower != "which" or which.relation != "det" or which.head != noun.index or noun.tag not in NOUNS:
            continue
        preposition = tree[which.index - 1]
        comma = which.index - (2 if preposition.tag in ("IN", "TO") else 1)
        if tree[comma].text != "," or not _trails(tree, comma) or tree[noun.index + 1].is_mark:
            continue
        again = f"{'these' if noun.tag in PLURALS else 'this'}"
        if comma == which.index - 1:
            if noun.relation in ("nsubj", "nsubjpass"):
                yield Change(_WHICH, (boundary(tree, comma - 1, noun.index, again.capitalize()),))
        elif noun.lower not in ("case", "event"):
            opening = f"{preposition.text.capitalize()} {again} {noun.text},"
            yield Change(_WHICH, (boundary(tree, comma - 1, noun.index + 1, opening),))


def which_at_the_end(tree: Tree) -> Iterator[Change]:
    """Yield "A. This B." for "A, which B.", where it is not sure which noun is meant, as little as it was before."""
    for which in tree.words[3:-3]:
        verb, comma = tree[which.head], which.index - 1
        if which.lower != "which" or which.relation not in ("nsubj", "nsubjpass") or tree[comma].text != ",":
            continue
        ends = tree.first(verb.index) == which.index and end_of(tree, verb.index) == len(tree) - 2
        if verb.relation not in ("relcl", "advcl") or not ends:
            continue
        noun, nearest = tree[verb.head], tree[comma - 1]
        if (
            is_show(verb)
            or tree[which.index + 1].tag == "IN"
            or tree[noun.head].relation == "agent"
            or tree[noun.head].lower in ("as", "including", "like")
        ):
            continue  # "made by a firm, which …", "drinks such as tea, which …"
        if not _trails(tree, comma) or goes_on(tree, which.index) or tree[which.index + 1].is_mark:
            continue
        of_all = noun.index == tree.root or noun.relation == "acomp"  # the parser takes it for said of the statement
        if scope.is_negated(tree, tree.root) or (not of_all and not is_open(tree, noun, verb)):
            continue
        if _may_act(tree, *(() if of_all else (noun,)), *(() if nearest.tag in _NO_NOUNS else (nearest,))):
            continue
        opening = _pointer(tree, verb, *(() if of_all else (noun,)), nearest)
        if opening is not None:
            yield Change(_WHICH, (boundary(tree, comma - 1, which.index + 1, opening),))


def _may_act(tree: Tree, *nouns: Word) -> bool:
    """Return whether a noun is a name, a person or a body, which acts by itself, or is counted or one of any."""
    acts = any(
        noun.tag not in ("NN", "NNS")
        or lexicon.may_be_person(noun.lower)
        or {noun.lower, noun.lower.removesuffix("s")} & lexicon.GROUPS
        for noun in nouns
    )
    counted = any(tree.child(noun.index, "nummod") for noun in nouns)
    return acts or counted or any(child.lower in _NEVER for noun in nouns for child in tree.children(noun.index, "det"))


def _pointer(tree: Tree, verb: Word, *nouns: Word) -> str | None:
    """Return "This" or "These", as the verb says, or all nouns that may be meant."""
    finite = tree.finite(verb.index)
    if finite is None:
        return None
    if finite.tag == "VBZ" or finite.lower in SINGULAR_VERBS:
        return "This"
    if finite.tag == "VBP" or finite.lower in PLURAL_VERBS:
        return "These"
    plural = {noun.tag in PLURALS for noun in nouns}
    return None if len(plural) > 1 else "These" if plural == {True} else "This"


def nor_clauses(tree: Tree) -> Iterator[Change]:
    """Yield "A. Nor does B." for "A, nor does B."."""
    for nor in tree.words[3:-3]:
        if nor.lower != "nor" or tree[nor.index + 1].lower not in _INVERTING or tree[nor.index - 1].text != ",":
            continue
        subject = tree.subject(tree.root)
        if subject is None or tree.is_enclosed(nor.start) or scope.is_conditional(tree, subject.index):
            continue
        if any(word.lower in lexicon.CONDITIONS for word in tree.words[nor.index :]):
            continue  # "A, nor B, unless C": C may hold for both
        if not scope.is_reported(tree, 0, nor.index):
            yield Change(_NOR, (boundary(tree, nor.index - 2, nor.index),))


def provisions(tree: Tree) -> Iterator[Change]:
    """Yield "A. But B." for "A, save that B." and "A, except that B."."""
    for word in tree.words[4:-4]:
        that = tree[word.index + 1]
        if word.lower not in ("save", "except") or that.lower != "that":
            continue
        last, first = tree.before(word.index), that.index + (2 if tree[that.index + 1].text == "," else 1)
        if tree.subject(tree.root) is None or tree.root > word.index or tree.is_enclosed(word.start):
            continue
        if scope.is_reported(tree, 0, last) or tree[first].is_mark:
            continue
        if not any(one.text == ";" or one.lower == "that" for one in tree.words[first:]):
            yield Change(_EXCEPT, (boundary(tree, last, first, "But"),))
