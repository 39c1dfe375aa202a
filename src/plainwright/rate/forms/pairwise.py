"""Pairwise: which of two outputs is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from plainwright.errors import DataError, RefusedError
from plainwright.rate.events import Prefer, Score
from plainwright.rate.forms.answers import Answers, Missing
from plainwright.rate.forms.base import Form, packaged_text
from plainwright.rate.forms.sheet import Change, Sheet
from plainwright.rate.material import Card
from plainwright.rate.results.record import RatedCard, RatedPage, Record
from plainwright.rate.results.rows import Comparison, Judgement, Placed, facts, outputs, overall_rank, shown_before
from plainwright.rate.settings import Aspect, Settings
from plainwright.study.ratings import Scale

__all__ = ["Pairwise"]

_PREFERENCE = Scale(0, 1)  # of a card in a comparison: 1 preferred, 0.5 no difference, 0 the other one preferred


class PairSheet(Sheet):
    """Says what is asked of two outputs."""

    def changed(self, answers: Answers, change: Change) -> Answers:
        """See `Sheet.changed`."""
        match change:
            case Prefer():
                aspect = self.aspect(change.aspect).name
                card = None if change.card is None else self.card(change.card).id
                return replace(answers, preferences={**answers.preferences, aspect: card})
            case Score():
                msg = "outputs of this page get no scores; choose one of the two"
                raise RefusedError(msg)
            case _:
                return super().changed(answers, change)

    def missing(self, answers: Answers) -> tuple[Missing, ...]:
        """See `Sheet.missing`."""
        return tuple(Missing("", aspect) for aspect in self.aspects if aspect not in answers.preferences)


class Pairwise(Form):
    """Asks for a choice between two outputs, for each question."""

    name = "pairwise"
    aspects = (Aspect(name="overall", question="Which is the better simplification?", scale=_PREFERENCE),)
    instructions = packaged_text("instructions-pairwise.md")
    sheet = PairSheet
    scale = _PREFERENCE
    compares = True
    page_name = "Comparison"
    decimals = 2

    def check(self, settings: Settings) -> None:
        """Refuse training items that have not two outputs."""
        for number, item in enumerate(settings.training, start=1):
            if len(item.outputs) != 2:
                msg = f"training.items {number}: expected two outputs to compare, found {len(item.outputs)}"
                raise DataError(msg)

    def units(self, cards: Sequence[Card], settings: Settings) -> tuple[tuple[int, ...], ...]:
        """Return all pairs worth comparing."""
        pairs = combinations(range(len(cards)), 2)
        return tuple(pair for pair in pairs if _worth_comparing(cards[pair[0]], cards[pair[1]]))

    def judgements(self, record: Record) -> Iterator[Placed]:
        """Sum the choices of a rater about an item up by system; controls against all, systems among themselves."""
        before = shown_before(record.pages)
        beside: dict[tuple[str, str, str, bool, bool], dict[str, list[tuple[int, Placed]]]] = {}
        for page in sorted(record.pages, key=lambda page: page.number):
            for number, aspect in enumerate(record.settings.aspects):
                if aspect.name not in page.work.answers.preferences:
                    continue
                for card, candidate, place in outputs(page, number):
                    times = 1 if candidate.control else _systems_beside(page, card)
                    if times == 0:
                        continue  # a win over a damaged copy must not lift the system that it was made from
                    row = Judgement(
                        **facts(record, page, card, candidate, aspect, before[page.number]),
                        score=_choice(page, card.id, aspect.name),
                        scale=_PREFERENCE,
                        position=None,
                        rank=None,
                        overall_rank=None,
                        group=None,
                        comment="",
                    )
                    occasion = (page.rater, page.item, aspect.name, page.repeat, page.training)
                    systems = beside.setdefault(occasion, {})
                    systems.setdefault(candidate.system, []).append((times, (place, row)))
        for systems in beside.values():
            shares = {system: _share(pages) for system, pages in systems.items()}
            for system, pages in systems.items():
                place, first = pages[0][1]
                yield (
                    place,
                    replace(
                        first,
                        score=shares[system],
                        overall_rank=overall_rank(shares[system], shares.values()),
                        seconds=sum(row.seconds for _, (_, row) in pages),
                        time=max(row.time for _, (_, row) in pages),
                    ),
                )

    def comparisons(self, study: str, page: RatedPage) -> Iterator[Comparison]:
        """Yield one row for each two systems that made the outputs."""
        first, second = page.cards
        for aspect in page.work.answers.preferences:
            for one, other in product(first.candidates, second.candidates):
                yield Comparison(
                    study=study,
                    item=page.item,
                    first=one.system,
                    second=other.system,
                    rater=page.rater,
                    aspect=aspect,
                    score=_choice(page, first.id, aspect),
                    source=page.source,
                    first_output=first.text,
                    second_output=second.text,
                    order=page.place,
                    seconds=page.work.seconds,
                    time=page.finished,
                    comment=page.work.answers.comment,
                    first_control=one.control,
                    second_control=other.control,
                    repeat=page.repeat,
                    training=page.training,
                )


def _worth_comparing(first: Card, second: Card) -> bool:
    """A degraded copy is compared with its original only: that is what it is for."""
    for copy, other in ((first, second), (second, first)):
        origins = {maker.of for maker in copy.candidates if maker.control == "degraded"}
        if origins:
            return bool(origins & {maker.system for maker in other.candidates})
    return True


def _share(pages: Sequence[tuple[int, Placed]]) -> float:
    """What was won, where a page counts once for each system that it was won against."""
    return sum(times * row.score for times, (_, row) in pages) / sum(times for times, _ in pages)


def _choice(page: RatedPage, card: str, aspect: str) -> float:
    chosen = page.work.answers.preferences[aspect]
    return 0.5 if chosen is None else float(chosen == card)


def _systems_beside(page: RatedPage, card: RatedCard) -> int:
    """How many systems made the other output of a pair."""
    return sum(not maker.control for other in page.cards if other is not card for maker in other.candidates)
