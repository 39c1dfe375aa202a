"""Rank: the outputs of a sentence in groups and in order, and a score from 0 to 100 beside (Maddela et al., 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from plainwright.errors import DataError, RefusedError
from plainwright.rate.events import Move, Sort
from plainwright.rate.forms.answers import Answers, Contradiction
from plainwright.rate.forms.base import Form, Widget, packaged_text
from plainwright.rate.forms.questions import PERCENT
from plainwright.rate.forms.sheet import Change, Sheet
from plainwright.rate.material import Card
from plainwright.rate.results.record import RatedPage
from plainwright.rate.settings import Aspect, Settings

__all__ = ["GROUPS", "Rank", "proposed_score"]

GROUPS = ("split", "deletion", "paraphrase")  # in the order of the page


class RankSheet(Sheet):
    """Says what is asked of outputs that have an order."""

    def blank(self) -> Answers:
        """See `Sheet.blank`."""
        if not self.settings.groups:
            return super().blank()
        return Answers(
            groups={group: tuple(name for name, card in self.cards.items() if card.group == group) for group in GROUPS}
        )

    def changed(self, answers: Answers, change: Change) -> Answers:
        """See `Sheet.changed`."""
        match change:
            case Move():
                return self._moved(answers, change)
            case Sort():
                return self._sorted(answers, change)
            case _:
                return super().changed(answers, change)

    def contradictions(self, answers: Answers) -> tuple[Contradiction, ...]:
        """Where, going down a group, the score rises; outputs without a score are passed over.

        Only neighbours are compared: one output far from its place would contradict all others otherwise, and there is
        no contradiction left at all if there is none between neighbours.
        """
        scores = {card: next(iter(given.values())) for card, given in answers.scores.items()}
        return tuple(
            Contradiction(upper, lower)
            for group in answers.groups.values()
            for upper, lower in pairwise([card for card in group if card in scores])
            if scores[upper] < scores[lower]
        )

    def _group(self, answers: Answers, name: str) -> tuple[str, ...]:
        if name not in answers.groups:
            msg = f"this page has the groups {', '.join(answers.groups)}, not {name!r}"
            raise RefusedError(msg)
        return answers.groups[name]

    def _moved(self, answers: Answers, change: Move) -> Answers:
        card = self.card(change.card).id
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


class Rank(Form):
    """Asks for an order within groups, and one score for each output."""

    name = "rank"
    aspects = (
        Aspect(
            name="overall",
            question="How good is it, all in all?",
            scale=PERCENT,
            labels=("very bad", "poor", "good", "perfect"),  # at 0, 33, 67 and 100
        ),
    )
    instructions = packaged_text("instructions-rank.md")
    sheet = RankSheet
    ordered = True
    demo_training = True

    def check(self, settings: Settings) -> None:
        """Allow one question only, whose score is held against the order."""
        if len(settings.aspects) != 1:
            msg = f"aspects: expected one for the form {self.name!r}, found {len(settings.aspects)}"
            raise DataError(msg)

    def units(self, cards: Sequence[Card], settings: Settings) -> tuple[tuple[int, ...], ...]:
        """Put all outputs of a sentence on one page."""
        return (tuple(range(len(cards))),)

    def widget(self, aspect: Aspect) -> Widget:
        """Take a slider, which fits beside an output, whatever the scale."""
        return "slider"

    def standing(self, page: RatedPage, card: str) -> tuple[str | None, int | None]:
        """See `Form.standing`."""
        for group, cards in page.work.answers.groups.items():
            if card in cards:
                return group, cards.index(card) + 1
        return None, None


def proposed_score(answers: Answers, card: str, aspect: Aspect) -> float | None:
    """A score for `card` that fits its place: halfway between the scores above and below it in its group.

    None if no score fits, because those around it contradict each other.
    """
    group = next(group for group in answers.groups.values() if card in group)
    place = group.index(card)
    scores = {name: given[aspect.name] for name, given in answers.scores.items() if aspect.name in given}
    high = next((scores[name] for name in reversed(group[:place]) if name in scores), aspect.scale.high)
    low = next((scores[name] for name in group[place + 1 :] if name in scores), aspect.scale.low)
    if low > high:
        return None
    middle = (low + high) / 2
    step = aspect.scale.step or 1.0
    on_step = aspect.scale.low + step * round((middle - aspect.scale.low) / step)
    return on_step if low <= on_step <= high else (low if aspect.scale.step else middle)
