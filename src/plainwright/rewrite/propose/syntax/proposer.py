"""The proposer `syntax`: long sentences in shorter ones, and a few constructions in plainer ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from plainwright.arguments import check_choice
from plainwright.rewrite.propose.syntax import (
    absolutes,
    additions,
    attached,
    conditions,
    coordination,
    everywhere,
    exceptions,
    nominal,
    prepositional,
    relatives,
    reports,
    subordination,
    trailing,
    wording,
)
from plainwright.rewrite.propose.syntax.changes import ORIGIN, Change, edits_of, pieces_of
from plainwright.rewrite.propose.syntax.checking import is_sound
from plainwright.rewrite.propose.syntax.tree import Parser, Tree
from plainwright.rewrite.propose.whole import is_prose
from plainwright.rewrite.types import Proposal, Proposals, Sentence, without_surrogates
from plainwright.text.edits import apply_edits

__all__ = ["LEVELS", "SyntaxProposer"]

Operation = Callable[[Tree], Iterator[Change]]
_SPLITTING: tuple[Operation, ...] = (
    coordination.semicolons,
    reports.second_reports,
    coordination.coordinated_clauses,
    subordination.which_means,
    relatives.relative_clauses,
    relatives.whose_behind_subject,
    trailing.nor_clauses,
    subordination.participles,
    attached.then_clauses,
    trailing.which_nouns,
    attached.parts_of_which,
    attached.nouns_for_all,
    trailing.shells,
    absolutes.absolutes,
    absolutes.absolutes_at_the_end,
    absolutes.absolutes_before,
    attached.same_subject_participles,
    subordination.although,
    subordination.while_before,
    subordination.although_behind,
    subordination.whereas,
    subordination.while_behind,
    subordination.because_before,
    additions.appositions,
    additions.places_at_the_end,
    additions.inserted_participles,
    additions.front_participles,
    additions.deeds_before,
    additions.deeds_done,
    subordination.because,
    subordination.as_behind,
    subordination.for_behind,
    prepositional.prepositional_clauses,
    exceptions.exceptions,
    exceptions.provisos,
    trailing.provisions,
    conditions.in_that_case,
    conditions.subject_to,
    conditions.depending,
    exceptions.regardless,
)
_EVERYWHERE: tuple[Operation, ...] = (
    *_SPLITTING,
    partial(coordination.coordinated_clauses, bold=True),
    everywhere.relatives,
    everywhere.relatives_at_the_end,
    everywhere.appositions,
    everywhere.participles,
    everywhere.new_things,
    everywhere.described_things,
    everywhere.doing_things,
    everywhere.afterwards,
    everywhere.births,
    everywhere.places,
    partial(subordination.because, bold=True),
)
_LIGHT: tuple[Operation, ...] = (wording.inverted_conditions,)
_REWORDING: tuple[Operation, ...] = (*_LIGHT, wording.passives, nominal.deeds_as_verbs)


class _Limits(NamedTuple):
    """Says how long a sentence may be before it is split, and into how many."""

    longest: int  # words
    longest_verbs: int  # words of a sentence whose verbs have one subject
    sentences: int


_NO_LIMITS = _Limits(7, 7, 9)  # two of the shortest sentences have eight words
LEVELS: Mapping[str, _Limits | None] = {"light": None, "plain": _Limits(16, 16, 3), "easy": _Limits(10, 12, 4)}
_PRONOUNS = frozenset(("He", "I", "It", "She", "The", "They", "We", "You"))
_SHORTEST = 4  # words of a sentence that comes out
_WORD = re.compile(r"\w[\w'’-]*")
_SINGLE_QUOTES = re.compile(r"(?<!\w)['‘](?!(?:s|re|ve|ll|d|m|t)\b)(?=\w)")
_UNSURE = re.compile(r"[?!…]|\.\.\.")
_BREAK = re.compile(r"(?<!\d):|:(?!\d)|—|--|\s[-–]+\s")  # a colon or a dash, but not that of a time
_CONSTRUCTIONS = re.compile(r"\b(?:should|were|had|by)\b", re.IGNORECASE)


def _verbs(longest: int, *, bold: bool) -> tuple[Operation, ...]:
    """Return the operations on verbs of one subject, which sentences of at most `longest` words keep together."""
    lists = partial(coordination.verb_lists, longest=longest)
    finite = partial(coordination.finite_verbs, longest=longest)
    return (lists, partial(coordination.coordinated_verbs, longest=longest, bold=bold), finite)


class SyntaxProposer:
    """Proposes one other form of a sentence, made on its dependency tree; each operation is one group of edits."""

    name = ORIGIN

    def __init__(
        self, *, level: str = "plain", longest: int | None = None, everywhere: bool = False, rewords: bool = True
    ) -> None:
        """Split as the `level` says, or `everywhere` that grammar allows; with `rewords`, put constructions plainer."""
        check_choice(level, tuple(LEVELS), "level", listing="choose among")
        limits = _NO_LIMITS if everywhere else LEVELS[level]
        self._splitting = (*(_EVERYWHERE if everywhere else _SPLITTING), trailing.which_at_the_end)
        self._bold = everywhere
        self._limits = limits if limits is None or longest is None else limits._replace(longest=longest)
        self._rewording = () if not rewords else _LIGHT if self._limits is None else _REWORDING
        self._parser = Parser()

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[Proposals]:
        """Return one proposal for each sentence that can be put in a plainer form, none for the others."""
        texts = [without_surrogates(sentence.text) for sentence in sentences]
        worth = [number for number, text in enumerate(texts) if self._is_worth_parsing(text)]
        trees = self.trees([texts[number] for number in worth])
        parsed = [(number, tree) for number, tree in zip(worth, trees, strict=True) if tree is not None]
        found = [(number, tree, change) for number, tree in parsed for change in self.changes(tree)]
        sound: dict[int, list[Change]] = {}
        for (number, _, change), stays in zip(found, self.are_sound([one[1:] for one in found]), strict=True):
            if stays:
                sound.setdefault(number, []).append(change)
        return [self._proposals(one, texts[number], sound.get(number, [])) for number, one in enumerate(sentences)]

    def trees(self, texts: Sequence[str]) -> list[Tree | None]:
        """Return the tree of each text; None where the parser sees no sentence, or several."""
        return self._parser.parse(texts)

    def _is_worth_parsing(self, text: str) -> bool:
        """Return whether a text is a statement in prose, and long or with a construction that may be put otherwise."""
        plain = " ".join(text.split())
        if not plain.endswith(".") or _SINGLE_QUOTES.search(plain) or not is_prose(plain):
            return False
        if self._is_long(plain):
            return True
        if not self._rewording:
            return False
        return bool(_CONSTRUCTIONS.search(plain) or (self._limits is not None and nominal.DEED.search(plain)))

    def _is_long(self, text: str) -> bool:
        return self._limits is not None and len(_WORD.findall(text)) > self._limits.longest

    def changes(self, tree: Tree) -> Iterator[Change]:
        """Yield what could be done with a sentence, the most valuable first."""
        if tree.words[-1].text != ".":  # an abbreviation, which does not show where the sentence ends
            return
        if self._limits is not None and self._may_be_split(tree):
            for operation in (*self._splitting, *_verbs(self._limits.longest_verbs, bold=self._bold)):
                yield from filter(partial(_leaves_breaks, tree.text), operation(tree))
        for operation in self._rewording:
            yield from operation(tree)

    def _may_be_split(self, tree: Tree) -> bool:
        return self._is_long(tree.text) and tree.is_balanced and not _UNSURE.search(tree.text)

    def are_sound(self, found: Sequence[tuple[Tree, Change]]) -> list[bool]:
        """Parse the sentences that each change makes, and return whether they are what the change takes them for."""
        pieces = [pieces_of(tree.text, [change]) for tree, change in found]
        trees = iter(self._parser.parse(piece.text for own in pieces for piece in own))
        return [
            is_sound(tree, change, own, [next(trees) for _ in own])
            for (tree, change), own in zip(found, pieces, strict=True)
        ]

    def _proposals(self, sentence: Sentence, text: str, changes: Sequence[Change]) -> Proposals:
        """Take as many changes as fit beside each other."""
        taken: list[Change] = []
        for change in changes:
            if not any(change.meets(other) for other in taken) and self._fits(text, [*taken, change]):
                taken.append(change)
        if not taken:
            return Proposals()
        edits = edits_of(sentence.text, taken)
        return Proposals([Proposal(sentence, apply_edits(sentence.text, edits), origin=self.name, edits=edits)])

    def _fits(self, text: str, changes: Sequence[Change]) -> bool:
        """Return whether the sentences that come out are neither too many nor too short."""
        pieces = pieces_of(text, changes)
        most = 1 if self._limits is None else self._limits.sentences
        openings = [piece.text.split()[0] for piece in pieces]
        repeated = len(pieces) > 2 and openings[-1] == openings[-2] and openings[-1] not in _PRONOUNS
        if repeated:
            return False  # the same name again and again
        return len(pieces) <= most and all(len(_WORD.findall(piece.text)) >= _SHORTEST for piece in pieces)


def _leaves_breaks(text: str, change: Change) -> bool:
    """Return whether a colon or a dash stands behind all that changes, or two dashes in one part of it."""
    if any(splice.stop == 0 for splice in change.splices):
        return False  # an abbreviation, which would not show where the first sentence ends
    breaks = [match.start() for match in _BREAK.finditer(text)]
    ends = [splice.span[1] for splice in change.splices]
    if len(breaks) == 2 and ":" not in (text[breaks[0]], text[breaks[1]]):
        return not any(
            breaks[0] < end and start < breaks[1] for splice in change.splices for start, end in [splice.span]
        )
    return all(end <= place for place in breaks for end in ends)
