"""One row a judgement, and for pairs one row a comparison: everything later is computed from these.

Who made an output is looked up only here. A card that several systems share was rated once and counts for each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

import msgspec

from plainwright.rate.material import Candidate, Control
from plainwright.rate.results.record import RatedCard, RatedPage, Record
from plainwright.rate.settings import Aspect
from plainwright.study.operations import Operation
from plainwright.study.ratings import Rating, Ratings, Scale

__all__ = ["SHARE", "Comparison", "Judgement", "comparisons_of", "judgements_of", "main_rows", "ratings_of"]

SHARE = Scale(0, 1)  # of comparisons won


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What one rater said of one output of one system on one aspect."""

    study: str
    item: str
    system: str
    rater: str
    aspect: str
    score: float  # of pairs: the share of comparisons won, a tie being half
    z: float | None = None
    scale: Scale
    source: str
    output: str
    order: int  # place among all outputs that this rater was shown, from 1
    position: int | None  # place on its page, from 1; None for pairs, which are many pages, and if nobody knows
    cards: int  # on its page
    rank: int | None  # in its group as the rater ordered it, from 1 (the best); None where the form has no order
    overall_rank: int | None  # among what the rater scored beside it: 1 + how many got more; None if it was alone
    group: str | None  # where the rater put it; None where the form has no groups
    auto_group: Operation
    seconds: float  # that its page was in sight; of pairs, all its pages
    time: float  # when its page was finished (of pairs, the last), in seconds since 1970
    edits: str | None  # JSON of the rater's corrections; None: left as they were
    comment: str  # on its page; of pairs, see `Comparison`
    card: str
    control: Control | None
    of: str | None  # of a degraded copy: the system whose output was damaged
    repeat: bool
    training: bool

    @property
    def is_main(self) -> bool:
        """Whether systems are judged by it: no training, no control, no second time."""
        return not (self.training or self.repeat or self.control)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A choice between outputs of two systems; the first is the one shown first."""

    study: str
    item: str
    first: str
    second: str
    rater: str
    aspect: str
    score: float  # of the first: 1 chosen, 0.5 no difference, 0 the other chosen
    source: str
    first_output: str
    second_output: str
    order: int  # of the page in the rater's sequence
    seconds: float
    time: float
    comment: str
    first_control: Control | None
    second_control: Control | None
    repeat: bool
    training: bool

    @property
    def is_main(self) -> bool:
        """Whether systems are judged by it: no training, no control, no second time."""
        return not (self.training or self.repeat or self.first_control or self.second_control)


# What rows are sorted by: training last, then the material's own order, then who was given the item first.
_Place = tuple[bool, bool, int, int, int, int, int]
_Placed = tuple[_Place, Judgement]


def judgements_of(record: Record) -> tuple[Judgement, ...]:
    """A row for each answer about each system, in the order of the material, then as raters were given an item."""
    rows = _shares(record) if record.settings.form == "pairwise" else _scores(record)
    return tuple(row for _, row in sorted(rows, key=lambda placed: placed[0]))


def comparisons_of(record: Record) -> tuple[Comparison, ...]:
    """A row for each choice between outputs of two systems, in the order in which pages were given out."""
    if record.settings.form != "pairwise":
        return ()
    pages = sorted(record.pages, key=lambda page: (page.training, page.number))
    return tuple(row for page in pages for row in _page_comparisons(record.settings.title, page))


def main_rows(rows: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """What systems are judged by: without training, controls and second times."""
    return tuple(row for row in rows if row.is_main)


def ratings_of(rows: Iterable[Judgement]) -> Ratings:
    """Rows as the ratings that `plainwright.study` computes with."""
    shared = [field.name for field in fields(Rating)]
    return Ratings(tuple(Rating(**{name: getattr(row, name) for name in shared}) for row in rows))


def _scores(record: Record) -> Iterator[_Placed]:
    before = _shown_before(record.pages)
    for page in record.pages:
        for number, aspect in enumerate(record.settings.aspects):
            scores = {
                card: given[aspect.name] for card, given in page.work.answers.scores.items() if aspect.name in given
            }
            for card, candidate, place in _outputs(page, number):
                if card.id in scores:
                    group, rank = _standing(record, page, card.id)
                    row = Judgement(
                        **_facts(record, page, card, candidate, aspect, before[page.number]),
                        score=scores[card.id],
                        scale=aspect.scale,
                        position=None if page.imported else page.positions[card.id],
                        rank=rank,
                        overall_rank=_overall_rank(scores[card.id], scores.values()),
                        group=group,
                        comment=page.work.answers.comment,
                    )
                    yield place, row


def _shares(record: Record) -> Iterator[_Placed]:
    """The choices of a rater about an item, summed up by system; controls against all, systems among themselves."""
    before = _shown_before(record.pages)
    beside: dict[tuple[str, str, str, bool, bool], dict[str, list[tuple[int, _Placed]]]] = {}
    for page in sorted(record.pages, key=lambda page: page.number):
        for number, aspect in enumerate(record.settings.aspects):
            if aspect.name not in page.work.answers.preferences:
                continue
            for card, candidate, place in _outputs(page, number):
                times = 1 if candidate.control else _systems_beside(page, card)
                if times == 0:
                    continue  # a win over a damaged copy must not lift the system that it was made from
                row = Judgement(
                    **_facts(record, page, card, candidate, aspect, before[page.number]),
                    score=_choice(page, card.id, aspect.name),
                    scale=SHARE,
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
                    overall_rank=_overall_rank(shares[system], shares.values()),
                    seconds=sum(row.seconds for _, (_, row) in pages),
                    time=max(row.time for _, (_, row) in pages),
                ),
            )


def _share(pages: Sequence[tuple[int, _Placed]]) -> float:
    """What was won, where a page counts once for each system that it was won against."""
    return sum(times * row.score for times, (_, row) in pages) / sum(times for times, _ in pages)


def _facts(
    record: Record, page: RatedPage, card: RatedCard, candidate: Candidate, aspect: Aspect, shown_before: int
) -> dict[str, Any]:
    """What a row says whatever the form."""
    edits = page.work.answers.edits.get(card.id)
    return {
        "study": record.settings.title,
        "item": page.item,
        "system": candidate.system,
        "rater": page.rater,
        "aspect": aspect.name,
        "source": page.source,
        "output": card.text,
        "order": shown_before + page.positions[card.id],
        "cards": len(page.cards),
        "auto_group": card.group,
        "seconds": page.work.seconds,
        "time": page.finished,
        "edits": None if edits is None else msgspec.json.encode(edits).decode(),
        "card": card.id,
        "control": candidate.control,
        "of": candidate.of,
        "repeat": page.repeat,
        "training": page.training,
    }


def _standing(record: Record, page: RatedPage, card: str) -> tuple[str | None, int | None]:
    """The group that the rater put a card into, and its place there."""
    if record.settings.form == "rank":
        for group, cards in page.work.answers.groups.items():
            if card in cards:
                return group, cards.index(card) + 1
    return None, None


def _overall_rank(score: float, scores: Collection[float]) -> int | None:
    """Equal scores share the better rank, whatever their places within groups."""
    return 1 + sum(other > score for other in scores) if len(scores) > 1 else None


def _choice(page: RatedPage, card: str, aspect: str) -> float:
    chosen = page.work.answers.preferences[aspect]
    return 0.5 if chosen is None else float(chosen == card)


def _systems_beside(page: RatedPage, card: RatedCard) -> int:
    """How many systems made the other output of a pair."""
    return sum(not maker.control for other in page.cards if other is not card for maker in other.candidates)


def _page_comparisons(study: str, page: RatedPage) -> Iterator[Comparison]:
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


def _outputs(page: RatedPage, aspect: int) -> Iterator[tuple[RatedCard, Candidate, _Place]]:
    """Who made what on a page, and where the row of it belongs.

    A table's own order of rows is kept; what came from no table stands behind it, by item.
    """
    for card in page.cards:
        for number, candidate in enumerate(card.candidates):
            listed = (page.item_number, card.number, number)
            material = (True, *listed) if candidate.row is None else (False, candidate.row, 0, 0)
            yield card, candidate, (page.training, *material, page.number, aspect)


def _shown_before(pages: Iterable[RatedPage]) -> Mapping[int, int]:
    """By number of the page, how many outputs its rater had been shown before."""
    seen: dict[str, int] = {}
    before = {}
    for page in sorted(pages, key=lambda page: (page.rater, page.place)):
        before[page.number] = seen.get(page.rater, 0)
        seen[page.rater] = before[page.number] + len(page.cards)
    return before
