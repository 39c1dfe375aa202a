"""The rows of results, one per judgement and one per comparison, and what every form puts into them.

Who made an output is looked up only here. A card that several systems share was rated once and counts for each of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from plainwright.rate.material import Candidate, Control
from plainwright.rate.results.record import RatedCard, RatedPage, Record
from plainwright.rate.settings import Aspect
from plainwright.study.operations import Operation
from plainwright.study.ratings import Scale

__all__ = ["Comparison", "Judgement", "Placed", "facts", "outputs", "overall_rank", "shown_before"]


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
Place = tuple[bool, bool, int, int, int, int, int]
Placed = tuple[Place, Judgement]


def facts(
    record: Record, page: RatedPage, card: RatedCard, candidate: Candidate, aspect: Aspect, before: int
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
        "order": before + page.positions[card.id],
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


def overall_rank(score: float, scores: Collection[float]) -> int | None:
    """Equal scores share the better rank, whatever their places within groups."""
    return 1 + sum(other > score for other in scores) if len(scores) > 1 else None


def outputs(page: RatedPage, aspect: int) -> Iterator[tuple[RatedCard, Candidate, Place]]:
    """Who made what on a page, and where the row of it belongs.

    A table's own order of rows is kept; what came from no table stands behind it, by item.
    """
    for card in page.cards:
        for number, candidate in enumerate(card.candidates):
            listed = (page.item_number, card.number, number)
            material = (True, *listed) if candidate.row is None else (False, candidate.row, 0, 0)
            yield card, candidate, (page.training, *material, page.number, aspect)


def shown_before(pages: Iterable[RatedPage]) -> Mapping[int, int]:
    """By number of the page, how many outputs its rater had been shown before."""
    seen: dict[str, int] = {}
    before = {}
    for page in sorted(pages, key=lambda page: (page.rater, page.place)):
        before[page.number] = seen.get(page.rater, 0)
        seen[page.rater] = before[page.number] + len(page.cards)
    return before
