"""Finished pages of simulated raters whose truth is known: bias, noise, position bias, carelessness.

A rater sees the true quality of an output through noise of their own, adds a mean of their own and an effect of the
place at which it was shown, and gives 0 to 100. A careless one gives numbers that have nothing to do with the output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from plainwright.rate.forms.answers import Answers, Work
from plainwright.rate.material import Candidate
from plainwright.rate.results.record import RatedCard, RatedPage, Record
from plainwright.rate.settings import Aspect, Settings
from plainwright.study.ratings import Scale

SCALE = Scale(0, 100)
OVERALL = Aspect(name="overall", question="How good is it?", scale=SCALE)


@dataclass(frozen=True, kw_only=True)
class SimulatedRater:
    """Law of one rater's scores, in points of 0 to 100."""

    name: str
    mean: float = 0.0
    noise: float = 8.0
    page_noise: float = 3.0  # shared by all outputs of a page
    position: float = 0.0  # change from the first place to the last
    careless: bool = False
    seconds: float = 12.0  # for an output


@dataclass(frozen=True, kw_only=True)
class SimulatedStudy:
    """Systems with a true mean, items that differ, controls."""

    systems: Sequence[float] = (70.0, 60.0, 50.0)
    items: int = 20
    raters: Sequence[SimulatedRater] = field(default_factory=lambda: honest(3))
    output_spread: float = 10.0  # of outputs around the mean of their system
    degraded: float = 0.5  # share of items with a damaged copy
    damage: float = 25.0
    source: float | None = None  # true quality of the unchanged source
    repeats: int = 4  # pages that come again
    rounded: bool = True

    def record(self, seed: int) -> Record:
        """All pages of all raters."""
        generator = np.random.default_rng(seed)
        material = [self._item(number, generator) for number in range(self.items)]
        pages: list[RatedPage] = []
        for rater in self.raters:
            sequence = [(number, False) for number in generator.permutation(self.items).tolist()]
            sequence += [(number, True) for number, _ in sequence[: self.repeats]]
            for place, (number, repeat) in enumerate(sequence, start=1):
                pages.append(self._page(len(pages) + 1, rater, number, material[number], place, repeat, generator))
        settings = Settings(title="simulated", form="rank", aspects=(OVERALL,), groups=False)
        return Record(settings=settings, pages=tuple(pages))

    def _item(self, number: int, generator: np.random.Generator) -> list[tuple[RatedCard, float]]:
        qualities = np.array(self.systems) + generator.normal(0, self.output_spread, len(self.systems))
        made = [(Candidate(system=f"system {s}"), float(quality)) for s, quality in enumerate(qualities)]
        if number < self.degraded * self.items:
            of = int(generator.integers(len(self.systems)))
            copy = Candidate(system="control-degraded", control="degraded", of=f"system {of}")
            made.append((copy, float(qualities[of]) - self.damage))
        if self.source is not None:
            made.append((Candidate(system="control-source", control="source"), self.source))
        return [
            (_card(100 * number + k, f"output {k} of {number}", candidate), quality)
            for k, (candidate, quality) in enumerate(made)
        ]

    def _page(
        self,
        number: int,
        rater: SimulatedRater,
        item: int,
        material: Sequence[tuple[RatedCard, float]],
        place: int,
        repeat: bool,
        generator: np.random.Generator,
    ) -> RatedPage:
        order = generator.permutation(len(material))
        mood = generator.normal(0, rater.page_noise)
        scores = {}
        for position, k in enumerate(order.tolist()):
            card, quality = material[k]
            late = position / max(len(order) - 1, 1) - 0.5
            seen = quality + rater.mean + mood + generator.normal(0, rater.noise) + rater.position * late
            seen = float(generator.uniform(30, 90)) if rater.careless else float(np.clip(seen, 0, 100))
            scores[card.id] = {"overall": float(round(seen)) if self.rounded else seen}
        return page(
            number=number,
            rater=rater.name,
            item=f"item {item}",
            item_number=item,
            place=place,
            cards=[material[k][0] for k in order.tolist()],
            scores=scores,
            repeat=repeat,
            seconds=rater.seconds * len(order),
        )


def honest(number: int, **changes: float) -> list[SimulatedRater]:
    """Raters who differ in their means only."""
    return [
        SimulatedRater(name=f"rater {k}", mean=6.0 * (k - (number - 1) / 2) / max(number, 1), **changes)  # type: ignore[arg-type]
        for k in range(number)
    ]


def page(
    *,
    number: int = 1,
    rater: str = "ann",
    item: str = "1",
    item_number: int = 1,
    source: str = "The source .",
    place: int = 1,
    cards: Sequence[RatedCard],
    scores: dict[str, dict[str, float]] | None = None,
    groups: dict[str, tuple[str, ...]] | None = None,
    preferences: dict[str, str | None] | None = None,
    repeat: bool = False,
    training: bool = False,
    seconds: float = 60.0,
    comment: str = "",
) -> RatedPage:
    """A finished page; ordered by its first aspect unless groups are given."""
    scores = scores or {}
    by_score = sorted((card.id for card in cards), key=lambda card: -next(iter(scores.get(card, {"": 0.0}).values())))
    answers = Answers(
        groups=groups or {"all": tuple(by_score)}, scores=scores, preferences=preferences or {}, comment=comment
    )
    return RatedPage(
        number=number,
        rater=rater,
        item=item,
        item_number=item_number,
        source=source,
        place=place,
        cards=tuple(cards),
        work=Work(version=1, answers=answers, finished=True, seconds=seconds),
        finished=1_700_000_000.0 + 60 * number,
        repeat=repeat,
        training=training,
    )


def card(number: int, text: str, *systems: str | Candidate) -> RatedCard:
    """A card made by these."""
    made = tuple(maker if isinstance(maker, Candidate) else Candidate(system=maker) for maker in systems)
    return RatedCard(number=number, id=f"card-{number}", text=text, candidates=made, group="paraphrase")


_card = card


def settings_of(form: str = "rank", *aspects: Aspect) -> Settings:
    """A study without controls of its own."""
    return Settings(title="by hand", form=form, aspects=aspects or (OVERALL,))
