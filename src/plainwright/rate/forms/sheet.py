"""What a page asks, and what one event makes of the answers.

Every change is checked against the sheet first: an output, a question, a score or a place that is not there is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from plainwright.errors import RefusedError
from plainwright.rate.events import Comment, Mark, Move, Prefer, Score, Sort, Write
from plainwright.rate.forms.answers import Answers, Contradiction, Missing
from plainwright.rate.material import CardView, Edit, UnitView
from plainwright.rate.settings import Aspect, Settings

__all__ = ["ONE_LIST", "Change", "Sheet", "checked_edits", "printable"]

ONE_LIST = "all"

Change = Score | Move | Sort | Mark | Prefer | Comment | Write


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is asked: the same for all states of a page. A form that asks for more than scores builds on it."""

    source: str
    cards: Mapping[str, CardView]
    aspects: Mapping[str, Aspect]
    settings: Settings

    @classmethod
    def of(cls, unit: UnitView, settings: Settings) -> Sheet:
        """The sheet of one unit."""
        cards = {card.id: card for card in unit.cards}
        return cls(unit.source, cards, {aspect.name: aspect for aspect in settings.aspects}, settings)

    def blank(self) -> Answers:
        """The answers before anything was said: the outputs as they are shown."""
        return Answers(groups={ONE_LIST: tuple(self.cards)})

    def changed(self, answers: Answers, change: Change) -> Answers:
        """The answers after `change`; `RefusedError` if it makes no sense on this sheet."""
        match change:
            case Score():
                return self._scored(answers, change)
            case Mark():
                return self._marked(answers, change)
            case Comment():
                return replace(answers, comment=printable(change.text))
            case Move() | Sort():
                msg = "outputs of this page have no order; give scores instead"
                raise RefusedError(msg)
            case Prefer():
                msg = "this page asks for scores, not for one of two"
                raise RefusedError(msg)
            case Write():
                msg = "this page asks for no text; say it in a comment"
                raise RefusedError(msg)

    def missing(self, answers: Answers) -> tuple[Missing, ...]:
        """The questions without an answer, in the order of the page."""
        return tuple(
            Missing(card, aspect)
            for group in answers.groups.values()
            for card in group
            for aspect in self.aspects
            if aspect not in answers.scores.get(card, ())
        )

    def contradictions(self, answers: Answers) -> tuple[Contradiction, ...]:
        """Where the answers contradict each other."""
        return ()

    def problems(self, answers: Answers) -> tuple[str, ...]:
        """What is wrong with an answer that was given, in sentences; nothing where any answer is as good as another."""
        return ()

    def where(self, answers: Answers, card: str) -> str:
        """What to call an output when speaking to a rater, who knows no ids; "" is no output but the choice of one."""
        for name, group in answers.groups.items():
            if card in group:
                place = f"output {group.index(card) + 1}"
                return place if len(answers.groups) == 1 else f"{place} of {name}"
        return "the two outputs"  # a preference belongs to none of them

    def card(self, name: str) -> CardView:
        """The output that an event names; `RefusedError` if the page has none such."""
        if name not in self.cards:
            msg = f"this page has no output {name!r}; load it again"
            raise RefusedError(msg)
        return self.cards[name]

    def aspect(self, name: str) -> Aspect:
        """The question that an event names; `RefusedError` if the page asks none such."""
        if name not in self.aspects:
            msg = f"this page asks about {', '.join(self.aspects)}, not about {name!r}"
            raise RefusedError(msg)
        return self.aspects[name]

    def _scored(self, answers: Answers, change: Score) -> Answers:
        card, aspect = self.card(change.card).id, self.aspect(change.aspect)
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

    def _marked(self, answers: Answers, change: Mark) -> Answers:
        if not self.settings.edits:
            msg = "this page shows no edits that could be corrected"
            raise RefusedError(msg)
        card = self.card(change.card)
        edits = {name: marked for name, marked in answers.edits.items() if name != card.id}
        found = checked_edits(change.edits, source=self.source, output=card.text)
        if found != card.edits:  # who puts everything back has corrected nothing
            edits[card.id] = found
        return replace(answers, edits=edits)


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


def printable(text: str) -> str:
    """Return a text without control characters, which no file for results can hold; lines and tabs stay."""
    return "".join(character for character in text if character >= " " or character in "\n\t")
