"""What a page asks, and what one event makes of the answers.

Every change is checked against the sheet first: an output, a question, a score or a place that is not there is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from plainwright.errors import RefusedError
from plainwright.rate.events import Comment, Mark, Move, Prefer, Score, Sort
from plainwright.rate.forms.answers import Answers, Contradiction, Missing
from plainwright.rate.material import CardView, Edit, UnitView
from plainwright.rate.settings import Aspect, Settings

__all__ = ["GROUPS", "ONE_LIST", "Change", "Sheet", "checked_edits"]

GROUPS = ("split", "deletion", "paraphrase")  # in the order of the page
ONE_LIST = "all"

Change = Score | Move | Sort | Mark | Prefer | Comment


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is asked: the same for all states of a page."""

    source: str
    cards: Mapping[str, CardView]
    aspects: Mapping[str, Aspect]
    settings: Settings

    @classmethod
    def of(cls, unit: UnitView, settings: Settings) -> Sheet:
        """The sheet of one unit."""
        cards = {card.id: card for card in unit.cards}
        return cls(unit.source, cards, {aspect.name: aspect for aspect in settings.aspects}, settings)

    @property
    def ordered(self) -> bool:
        """Whether the order of the outputs is an answer."""
        return self.settings.form == "rank"

    @property
    def compares(self) -> bool:
        """Whether an answer is a choice between two outputs."""
        return self.settings.form == "pairwise"

    def blank(self) -> Answers:
        """The answers before anything was said: the outputs as they are shown."""
        if not (self.ordered and self.settings.groups):
            return Answers(groups={ONE_LIST: tuple(self.cards)})
        return Answers(
            groups={group: tuple(name for name, card in self.cards.items() if card.group == group) for group in GROUPS}
        )

    def changed(self, answers: Answers, change: Change) -> Answers:
        """The answers after `change`; `RefusedError` if it makes no sense on this sheet."""
        match change:
            case Score():
                return self._scored(answers, change)
            case Move():
                return self._moved(answers, change)
            case Sort():
                return self._sorted(answers, change)
            case Mark():
                return self._marked(answers, change)
            case Prefer():
                return self._preferred(answers, change)
            case Comment():
                return replace(answers, comment=_printable(change.text))

    def missing(self, answers: Answers) -> tuple[Missing, ...]:
        """The questions without an answer, in the order of the page."""
        if self.compares:
            return tuple(Missing("", aspect) for aspect in self.aspects if aspect not in answers.preferences)
        return tuple(
            Missing(card, aspect)
            for group in answers.groups.values()
            for card in group
            for aspect in self.aspects
            if aspect not in answers.scores.get(card, ())
        )

    def contradictions(self, answers: Answers) -> tuple[Contradiction, ...]:
        """Where, going down a group, the score rises; outputs without a score are passed over.

        Only neighbours are compared: one output far from its place would contradict all others otherwise, and there is
        no contradiction left at all if there is none between neighbours.
        """
        if not self.ordered:
            return ()
        scores = {card: next(iter(given.values())) for card, given in answers.scores.items()}
        return tuple(
            Contradiction(upper, lower)
            for group in answers.groups.values()
            for upper, lower in pairwise([card for card in group if card in scores])
            if scores[upper] < scores[lower]
        )

    def where(self, answers: Answers, card: str) -> str:
        """What to call an output when speaking to a rater, who knows no ids; "" is no output but the choice of one."""
        for name, group in answers.groups.items():
            if card in group:
                place = f"output {group.index(card) + 1}"
                return place if len(answers.groups) == 1 else f"{place} of {name}"
        return "the two outputs"  # a preference belongs to none of them

    def _card(self, name: str) -> CardView:
        if name not in self.cards:
            msg = f"this page has no output {name!r}; load it again"
            raise RefusedError(msg)
        return self.cards[name]

    def _aspect(self, name: str) -> Aspect:
        if name not in self.aspects:
            msg = f"this page asks about {', '.join(self.aspects)}, not about {name!r}"
            raise RefusedError(msg)
        return self.aspects[name]

    def _group(self, answers: Answers, name: str) -> tuple[str, ...]:
        if not self.ordered:
            msg = "outputs of this page have no order; give scores instead"
            raise RefusedError(msg)
        if name not in answers.groups:
            msg = f"this page has the groups {', '.join(answers.groups)}, not {name!r}"
            raise RefusedError(msg)
        return answers.groups[name]

    def _scored(self, answers: Answers, change: Score) -> Answers:
        if self.compares:
            msg = "outputs of this page get no scores; choose one of the two"
            raise RefusedError(msg)
        card, aspect = self._card(change.card).id, self._aspect(change.aspect)
        given = {name: score for name, score in answers.scores.get(card, {}).items() if name != aspect.name}
        if change.value is not None:
            if change.value not in aspect.scale:
                msg = f"expected a score on {aspect.scale} for {aspect.name}, found {change.value:g}"
                raise RefusedError(msg)
            given[aspect.name] = change.value
        scores = {**answers.scores, card: given}
        if not given:
            del scores[card]
        return replace(answers, scores=scores)

    def _moved(self, answers: Answers, change: Move) -> Answers:
        card = self._card(change.card).id
        others = [name for name in self._group(answers, change.group) if name != card]
        if change.place > len(others):
            msg = f"expected a place from 0 to {len(others)} in {change.group}, found {change.place}"
            raise RefusedError(msg)
        others.insert(change.place, card)
        groups = {name: tuple(other for other in group if other != card) for name, group in answers.groups.items()}
        return replace(answers, groups={**groups, change.group: tuple(others)})

    def _sorted(self, answers: Answers, change: Sort) -> Answers:
        def worse_later(card: str) -> tuple[bool, float]:
            score = next(iter(answers.scores.get(card, {}).values()), None)
            return score is None, -(score or 0.0)

        group = tuple(sorted(self._group(answers, change.group), key=worse_later))
        return replace(answers, groups={**answers.groups, change.group: group})

    def _marked(self, answers: Answers, change: Mark) -> Answers:
        if not self.settings.edits:
            msg = "this page shows no edits that could be corrected"
            raise RefusedError(msg)
        card = self._card(change.card)
        edits = {name: marked for name, marked in answers.edits.items() if name != card.id}
        found = checked_edits(change.edits, source=self.source, output=card.text)
        if found != card.edits:  # who puts everything back has corrected nothing
            edits[card.id] = found
        return replace(answers, edits=edits)

    def _preferred(self, answers: Answers, change: Prefer) -> Answers:
        if not self.compares:
            msg = "this page asks for scores, not for one of two"
            raise RefusedError(msg)
        aspect = self._aspect(change.aspect).name
        card = None if change.card is None else self._card(change.card).id
        return replace(answers, preferences={**answers.preferences, aspect: card})


def checked_edits(edits: Sequence[Edit], *, source: str, output: str) -> tuple[Edit, ...]:
    """The edits from left to right; `RefusedError` if one lies outside the texts or over another."""
    for edit in edits:
        in_output = 0 <= edit.start <= edit.end <= len(output)
        if not (in_output and 0 <= edit.source_start <= edit.source_end <= len(source)):
            msg = f"an edit from {edit.start} to {edit.end} does not lie within its texts"
            raise RefusedError(msg)
        if (edit.start < edit.end) != (edit.kind == "paraphrase"):
            expected = "some of the text" if edit.kind == "paraphrase" else "a place between two words"
            msg = f"expected {expected} for a {edit.kind}, found {edit.start} to {edit.end}"
            raise RefusedError(msg)
    in_order = tuple(sorted(edits, key=lambda edit: (edit.start, edit.end, edit.kind, edit.source_start)))
    for left, right in pairwise(in_order):
        if left.end > right.start or left == right:
            msg = f"two edits overlap at {right.start}"
            raise RefusedError(msg)
    return in_order


def _printable(text: str) -> str:
    """Without control characters, which no file for results can hold; lines and tabs stay."""
    return "".join(character for character in text if character >= " " or character in "\n\t")
