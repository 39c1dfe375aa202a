"""Subordinate clauses that become sentences, with their connection said in a plain word."""

from __future__ import annotations

from collections.abc import Iterator

from plainwright.rewrite.propose.syntax import scope
from plainwright.rewrite.propose.syntax.changes import Change, Splice, SyntaxReason, boundary, capitalised
from plainwright.rewrite.propose.syntax.tree import FINITE, Tree, Word

__all__ = [
    "although",
    "although_behind",
    "because",
    "because_before",
    "for_behind",
    "participles",
    "whereas",
    "which_means",
    "while_before",
    "while_behind",
]

_ALTHOUGH = SyntaxReason("although", "the clause with “although” made a sentence, and the other one opened with “But”")
_WHEREAS = SyntaxReason("whereas", "the clause with “whereas” made a sentence that opens with “But”")
_BECAUSE = SyntaxReason("because", "the reason made a sentence of its own")
_SO = SyntaxReason("reason", "the reason made a sentence, and what follows from it opened with “So”")
_WHILE = SyntaxReason("while", "the clause with “while” made a sentence of its own")
_PARTICIPLE = SyntaxReason("participle", "the effect made a sentence that opens with “This”")
_MEANS = SyntaxReason("means", "what follows from it made a sentence that opens with “This”")
_LONG_WITH_REASON = 30  # words; “because” is a plain word, and a shorter sentence keeps it
_PARTLY = frozenset("part partly largely mainly mostly only just simply not chiefly probably especially".split())  # noqa: SIM905
_UNFINISHED = FINITE | {"CC", "IN", "DT", "TO"}  # nothing ends with one of these
_THIRD_PERSONS = frozenset("he she it they his her its their him them".split())  # noqa: SIM905
# What the event before, and nobody else, did: present, past and participle of the verb, and what must depend on it.
_EFFECTS: dict[str, tuple[str, str, str, str, tuple[str, ...]]] = {
    "making": ("make", "makes", "made", "made", ("ccomp", "oprd")),
    "causing": ("cause", "causes", "caused", "caused", ("dobj", "ccomp", "xcomp")),
    "leading": ("lead", "leads", "led", "led", ("to",)),
    "resulting": ("result", "results", "resulted", "resulted", ("in",)),
    "allowing": ("allow", "allows", "allowed", "allowed", ("ccomp", "xcomp")),
    "enabling": ("enable", "enables", "enabled", "enabled", ("ccomp", "xcomp")),
    "forcing": ("force", "forces", "forced", "forced", ("ccomp", "xcomp")),
    "leaving": ("leave", "leaves", "left", "left", ("ccomp", "oprd")),
    "meaning": ("mean", "means", "meant", "meant", ("ccomp",)),
    "giving": ("give", "gives", "gave", "given", ("dative", "dobj")),
    "bringing": ("bring", "brings", "brought", "brought", ("dobj",)),
    "ensuring": ("ensure", "ensures", "ensured", "ensured", ("dobj", "ccomp")),
    "helping": ("help", "helps", "helped", "helped", ("dobj", "ccomp", "xcomp")),
    "suggesting": ("suggest", "suggests", "suggested", "suggested", ("ccomp",)),
    "indicating": ("indicate", "indicates", "indicated", "indicated", ("ccomp",)),
    "signifying": ("signify", "signifies", "signified", "signified", ("dobj",)),
    "signalling": ("signal", "signals", "signalled", "signalled", ("dobj",)),
    "signaling": ("signal", "signals", "signaled", "signaled", ("dobj",)),
    "marking": ("mark", "marks", "marked", "marked", ("dobj",)),
    "raising": ("raise", "raises", "raised", "raised", ("dobj",)),
    "contributing": ("contribute", "contributes", "contributed", "contributed", ("to",)),
    "sparking": ("spark", "sparks", "sparked", "sparked", ("dobj",)),
    "improving": ("improve", "improves", "improved", "improved", ("dobj",)),
    "rendering": ("render", "renders", "rendered", "rendered", ("ccomp", "oprd", "dobj")),
    "killing": ("kill", "kills", "killed", "killed", ("dobj",)),
    "ending": ("end", "ends", "ended", "ended", ("dobj",)),
    "reducing": ("reduce", "reduces", "reduced", "reduced", ("dobj",)),
    "increasing": ("increase", "increases", "increased", "increased", ("dobj",)),
    "preventing": ("prevent", "prevents", "prevented", "prevented", ("dobj", "ccomp")),
    "creating": ("create", "creates", "created", "created", ("dobj",)),
    "triggering": ("trigger", "triggers", "triggered", "triggered", ("dobj",)),
    "prompting": ("prompt", "prompts", "prompted", "prompted", ("dobj", "ccomp", "xcomp")),
    "destroying": ("destroy", "destroys", "destroyed", "destroyed", ("dobj",)),
    "damaging": ("damage", "damages", "damaged", "damaged", ("dobj",)),
}


def although(tree: Tree) -> Iterator[Change]:
    """Yield "A. But B." for "Although A, B."."""
    yield from _concession(tree, ("although", "though"))


def while_before(tree: Tree) -> Iterator[Change]:
    """Yield "A. But B." for "While A, B.", where A is a judgement or a possibility, which takes no time."""
    clause = tree[tree[0].head]
    finite = tree.finite(clause.index)
    if tree[0].lower not in ("while", "whilst") or finite is None or finite.tag == "VBD" or clause.tag == "VBG":
        return
    if finite.lower in ("may", "can", "might") or tree.child(clause.index, "acomp", "attr"):
        yield from _concession(tree, ("while", "whilst"))


def _concession(tree: Tree, conjunctions: tuple[str, ...]) -> Iterator[Change]:
    mark = next((word for word in tree.words[:2] if word.lower in conjunctions and word.relation == "mark"), None)
    if mark is None or (mark.index == 1 and tree[0].lower != "even") or tree[mark.head].relation != "advcl":
        return
    clause = tree[mark.head]
    last = tree.end(clause.index)
    if clause.head != tree.root or tree[last + 1].text != "," or not scope.stands_alone(tree, clause.index):
        return
    subject = tree.subject(tree.root)
    if subject is None or subject.index < last or tree.first(tree.root) != 0:
        return
    if any(word.text == "," for word in tree.words[last + 2 : subject.index]):
        return
    said_before = any(word.lower in _THIRD_PERSONS for word in tree.words[mark.index + 1 : last + 1])
    if (said_before and subject.tag != "PRP") or tree.is_enclosed(tree[last].end):
        return
    first = tree[mark.index + 1]
    opening = Splice((tree[0].start, first.end), capitalised(first.text))
    yield Change(_ALTHOUGH, (opening, boundary(tree, last, last + 2, "But")))


def whereas(tree: Tree) -> Iterator[Change]:
    """Yield "A. But B." for "A, whereas B."."""
    for clause, mark in _final_clauses(tree, "whereas"):
        if scope.stands_alone(tree, clause.index) and scope.stands_alone(tree, tree.root):
            yield Change(_WHEREAS, (boundary(tree, tree.before(mark.index), mark.index + 1, "But"),))


def although_behind(tree: Tree) -> Iterator[Change]:
    """Yield "A. But B." for "A, although B."."""
    for conjunction in ("although", "though"):
        for clause, mark in _final_clauses(tree, conjunction):
            if tree[mark.index - 1].text != "," or tree.child(tree.root, "conj"):
                continue
            if scope.stands_alone(tree, clause.index) and scope.stands_alone(tree, tree.root):
                yield Change(_ALTHOUGH, (boundary(tree, mark.index - 2, mark.index + 1, "But"),))


def while_behind(tree: Tree) -> Iterator[Change]:
    """Yield "A. B." for "A, while B.", where that means no time: two subjects, and nothing in progress."""
    for clause, mark in _final_clauses(tree, "while"):
        subjects = [tree.subject(verb) for verb in (tree.root, clause.index)]
        if tree[mark.index - 1].text != "," or tree.child(tree.root, "conj") or None in subjects:
            continue
        first, second = (tree.finite(verb) for verb in (tree.root, clause.index))
        if first is None or second is None or clause.tag == "VBG" or _tense(first) != _tense(second):
            continue
        if subjects[1] is not None and subjects[1].tag == "PRP":
            continue
        yield Change(_WHILE, (boundary(tree, mark.index - 2, mark.index + 1),))


def because_before(tree: Tree) -> Iterator[Change]:
    """Yield "A. So B." for "Because A, B.", and for "As" and "Since" where they can only give a reason."""
    mark = tree[0]
    if mark.lower not in ("because", "as", "since") or mark.relation != "mark":
        return
    clause = tree[mark.head]
    last, subject, own = tree.end(clause.index), tree.subject(tree.root), tree.finite(clause.index)
    if clause.relation != "advcl" or clause.head != tree.root or subject is None or own is None:
        return
    if tree[last + 1].text != "," or subject.index < last or not scope.stands_alone(tree, clause.index):
        return
    if tree.first(subject.index) != last + 2 or not (mark.lower == "because" or _is_reason(tree, clause, own)):
        return
    if any(word.lower in ("so", "such") for word in tree.words[1 : last + 1]):
        return  # "because it is so weak": how weak would have to be said
    said_before = any(word.lower in _THIRD_PERSONS for word in tree.words[1 : last + 1])
    if (said_before and subject.tag != "PRP") or tree.is_enclosed(tree[last].end):
        return
    first = tree[1]
    opening = Splice((mark.start, first.end), capitalised(first.text))
    yield Change(_SO, (opening, boundary(tree, last, last + 2, "So")))


def _has_mark_again(tree: Tree, clause: Word, conjunction: str) -> bool:
    """Return whether a second reason opens with the same word: "as A and as B"."""
    return any(
        word.lower == conjunction and word.relation == "mark" and word.head != clause.index
        for word in tree.subtree(clause.index)
    )


def _is_reason(tree: Tree, clause: Word, own: Word) -> bool:
    """Return whether "as" or "since" means no time: both clauses speak of now, and the first one of a state."""
    finite = tree.finite(tree.root)
    now = finite is not None and finite.tag in ("VBZ", "VBP", "MD") and own.tag in ("VBZ", "VBP")
    state = own.lower in ("is", "are", "has", "have") and own.relation != "auxpass" and clause.tag != "VBG"
    return now and state and not (finite is not None and finite.relation == "aux" and finite.lower in ("has", "have"))


def _tense(finite: Word) -> str:
    return "present" if finite.tag in ("VBZ", "VBP") else finite.tag


def because(tree: Tree, *, bold: bool = False) -> Iterator[Change]:
    """Yield "A. This is because B." for "A because B.", if that is long or we are `bold`."""
    if bold or tree.count(0, len(tree) - 1) > _LONG_WITH_REASON:
        yield from _reason(tree, "because")


def as_behind(tree: Tree) -> Iterator[Change]:
    """Yield "A. This is because B." for "A, as B." and "A, since B.", where they give a reason."""
    for conjunction in ("as", "since"):
        for change in _reason(tree, conjunction):
            mark = next(
                word for word in tree.words if word.start >= change.splices[0].span[0] and word.lower == conjunction
            )
            verb, own = tree[mark.head], tree.finite(mark.head)
            if tree[mark.index - 1].text != "," or own is None or own.index == mark.index + 1:
                continue
            finite = tree.finite(tree.root)
            state = own.tag == "MD" or own.lower in ("is", "are", "was", "were", "has", "have", "had")
            advice = finite is not None and finite.lower in ("must", "should", "shall", "may", "cannot")
            if verb.tag == "VBG" or not (state or advice):
                continue  # it may say when
            stop = change.splices[0]
            yield Change(_BECAUSE, (Splice((stop.span[0], mark.end), f"{stop.text}because", stop.stop),))


def for_behind(tree: Tree) -> Iterator[Change]:
    """Yield "A. This is because B." for "A, for B.", where B is a whole clause."""
    finite = tree.finite(tree.root)
    for mark in tree.words[tree.root + 1 :]:
        if mark.lower != "for" or tree[mark.index - 1].text != "," or tree.is_enclosed(mark.start) or finite is None:
            continue
        clauses = [word for word in tree.words[mark.index + 1 :] if scope.stands_alone(tree, word.index)]
        whole = any(_runs(tree, word, mark.index + 1, len(tree) - 2) for word in clauses)
        plain = scope.stands_alone(tree, tree.root) and tree.child(tree.root, "conj") is None
        if whole and plain and not scope.is_reported(tree, 0, mark.index - 1):
            opening = f"This {'was' if finite.tag == 'VBD' else 'is'} because"
            yield Change(_BECAUSE, (boundary(tree, mark.index - 2, mark.index + 1, opening),))


def _runs(tree: Tree, verb: Word, first: int, last: int) -> bool:
    """Return whether a clause with its subject in front runs from one word to another."""
    subject = tree.subject(verb.index)
    return subject is not None and tree.first(subject.index) == first and tree.end(verb.index) == last


def _reason(tree: Tree, conjunction: str) -> Iterator[Change]:
    if tree.child(tree.root, "conj"):
        return
    finite = tree.finite(tree.root)
    for clause, mark in _final_clauses(tree, conjunction):
        denied = scope.is_negated(tree, tree.root) and tree[mark.index - 1].text != ","  # "not because …"
        if finite is None or denied or not scope.stands_alone(tree, clause.index):
            continue
        if tree[mark.index + 1].lower == "this" or tree[tree.first(tree.root)].lower == "this":
            continue
        before = tree[tree.before(mark.index)]
        if before.tag in _UNFINISHED or before.lower in _PARTLY or _has_mark_again(tree, clause, conjunction):
            continue
        own = tree.finite(clause.index)
        could = finite.lower == "could" and own is not None and own.tag == "VBD"
        verb = "was" if finite.tag == "VBD" or could else "is"
        yield Change(_BECAUSE, (boundary(tree, tree.before(mark.index), mark.index, f"This {verb}"),))


def which_means(tree: Tree) -> Iterator[Change]:
    """Yield "A. This means that B." for "A, which means that B."."""
    for word in tree.words[2:-3]:
        if (
            word.lower != "which"
            or tree[word.index - 1].text != ","
            or tree[word.index + 1].lower not in ("means", "meant")
        ):
            continue
        verb = tree[word.index + 1]
        said = tree.child(verb.index, "ccomp")
        if said is None or tree.end(verb.index) != len(tree) - 2 or tree.is_enclosed(word.start):
            continue
        if not scope.is_reported(tree, 0, word.index - 1):
            yield Change(_MEANS, (boundary(tree, word.index - 2, verb.index, "This"),))


def participles(tree: Tree) -> Iterator[Change]:
    """Yield "A. This made it the largest." for "A, making it the largest."."""
    for word in tree.words:
        if word.lower not in _EFFECTS or word.relation != "advcl" or tree[word.index - 1].text != ",":
            continue
        if tree.first(word.index) not in (word.index, word.index - 1) or tree.end(word.index) != len(tree) - 2:
            continue
        if word.head not in {verb.index for verb in scope.chain_of(tree)} or tree.is_enclosed(word.start):
            continue
        if any(child.tag.startswith("VB") for child in tree.children(word.index, "conj")):
            continue
        if scope.goes_on_with_participle(tree, word.index) or _is_command(tree, tree[word.head]):
            continue
        *_, needed = _EFFECTS[word.lower]
        done_to = tree.child(word.index, "dobj")
        if word.lower == "bringing" and tree[word.index + 1].lower == "with":
            continue  # "bringing with you the papers"
        if word.lower == "killing" and done_to is not None and done_to.tag == "PRP":
            continue  # what somebody does to somebody
        if not any(child.relation in needed or child.lower in needed for child in tree.children(word.index)):
            continue
        verb = _effect(tree, word)
        if verb is not None and not scope.is_reported(tree, 0, word.index - 1):
            stop = boundary(tree, word.index - 2, word.index, f"This {verb}")
            yield Change(_PARTICIPLE, (Splice((stop.span[0], word.end), stop.text.rstrip(), stop.stop),))


def _is_command(tree: Tree, verb: Word) -> bool:
    """Return whether a verb without a subject tells somebody to do something: "save it, making sure that …"."""
    has_subject = tree.subject(tree.root) is not None or tree.subject(verb.index) is not None
    return not has_subject and verb.tag in ("VB", "VBP") and not tree.auxiliaries(verb.index)


def _effect(tree: Tree, word: Word) -> str | None:
    """Return the verb of an effect in the tense of its cause."""
    base, present, past, participle, _ = _EFFECTS[word.lower]
    finite = tree.finite(word.head) or tree.finite(tree.root)
    if finite is None:
        return None
    if finite.tag == "MD":
        return f"{finite.lower} {base}" if finite.lower in ("will", "would") else None
    if finite.lower in ("has", "have") and finite.relation == "aux":
        return f"has {participle}"
    return past if finite.tag == "VBD" else present


def _final_clauses(tree: Tree, conjunction: str) -> Iterator[tuple[Word, Word]]:
    """Yield the clauses at the end of the sentence that a conjunction opens, with that conjunction."""
    for mark in tree.words:
        clause = tree[mark.head]
        if mark.lower != conjunction or clause.relation != "advcl" or clause.head != tree.root:
            continue
        opens = tree.opening(clause.index) == mark
        if not opens or mark.index < tree.root or tree.end(clause.index) != len(tree) - 2:
            continue
        subject = tree.subject(tree.root)
        # A contrast goes on from all that was said, whatever opens the sentence.
        contrast = conjunction in ("although", "though")
        plain = subject is not None and (contrast or scope.opens_plainly(tree, subject.index))
        if plain and not tree.is_enclosed(mark.start) and not scope.is_reported(tree, 0, mark.index - 1):
            yield clause, mark
