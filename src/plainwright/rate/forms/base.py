"""A rating form: everything that a study with it asks, shows, checks and exports, in one object.

`Form` itself asks for a score of each output on each question. A form with other questions is a subclass that names
them; one that works in another way builds on `Rank` (the order of the outputs is an answer) or `Pairwise` (a choice
between two).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources
from typing import ClassVar, Literal

from plainwright.rate.forms.sheet import Sheet
from plainwright.rate.material import Card
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.rows import Comparison, Judgement, Placed, facts, outputs, overall_rank, shown_before
from plainwright.rate.settings import Aspect, Settings, Writing
from plainwright.study.ratings import Scale

__all__ = ["Form", "Widget", "packaged_text"]

Widget = Literal["slider", "radios", "stepper"]

_MOST_RADIOS = 10  # steps between the ends of a scale whose scores are buttons


class Form:
    """Asks for a score of each output on each question."""

    name: ClassVar[str]  # as in `study.toml` and the results
    aspects: ClassVar[tuple[Aspect, ...]]  # its questions, unless `study.toml` asks its own
    instructions: ClassVar[str]  # what raters are told, in Markdown, to be adapted

    sheet: ClassVar[type[Sheet]] = Sheet  # what an event makes of the answers of a page
    scale: ClassVar[Scale | None] = None  # that all questions share; None: each has its own
    ordered: ClassVar[bool] = False  # whether the order of the outputs is an answer, and the page lets raters move them
    compares: ClassVar[bool] = False  # whether an answer is a choice between two outputs
    writes: ClassVar[bool] = False  # whether an answer is a text, and there are no outputs
    writing: ClassVar[Writing | None] = None  # the limits of that text, unless `study.toml` has its own
    page_name: ClassVar[str] = "Sentence"  # what a page is called above its number
    decimals: ClassVar[int] = 1  # of means in tables
    demo_training: ClassVar[bool] = False  # whether the training of the demonstration, scored from 0 to 100, fits

    def check(self, settings: Settings) -> None:
        """Raise `DataError` if settings do not suit the form."""

    def units(self, cards: Sequence[Card], settings: Settings) -> tuple[tuple[int, ...], ...]:
        """Return the places of the cards that a page shows, for each page that an item needs."""
        places = range(len(cards))
        return (tuple(places),) if settings.cards_per_page == "all" else tuple((place,) for place in places)

    def widget(self, aspect: Aspect) -> Widget:
        """Return what a rater answers a question with."""
        scale = aspect.scale
        few = scale.step is not None and (scale.high - scale.low) / scale.step <= _MOST_RADIOS
        return "radios" if few else "slider"

    def judgements(self, record: Record) -> Iterator[Placed]:
        """Yield the rows of all finished pages, each with its place in the table."""
        before = shown_before(record.pages)
        for page in record.pages:
            for number, aspect in enumerate(record.settings.aspects):
                scores = {
                    card: given[aspect.name] for card, given in page.work.answers.scores.items() if aspect.name in given
                }
                for card, candidate, place in outputs(page, number):
                    if card.id in scores:
                        group, rank = self.standing(page, card.id)
                        row = Judgement(
                            **facts(record, page, card, candidate, aspect, before[page.number]),
                            score=scores[card.id],
                            scale=aspect.scale,
                            position=None if page.imported else page.positions[card.id],
                            rank=rank,
                            overall_rank=overall_rank(scores[card.id], scores.values()),
                            group=group,
                            comment=page.work.answers.comment,
                        )
                        yield place, row

    def standing(self, page: RatedPage, card: str) -> tuple[str | None, int | None]:
        """Return the group that the rater put a card into, and its place there; None where the form has no order."""
        return None, None

    def comparisons(self, study: str, page: RatedPage) -> Iterator[Comparison]:
        """Yield the choices between two systems that a page made."""
        return iter(())


def packaged_text(name: str) -> str:
    """Return a text for raters that comes with the package."""
    return resources.files("plainwright.rate").joinpath("texts", name).read_text(encoding="utf-8")
