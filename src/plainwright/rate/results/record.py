"""A finished page as results see it: the cards in the order shown, who made them, and what the rater said of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from plainwright.rate.forms.answers import Work
from plainwright.rate.identical import Identical
from plainwright.rate.material import Candidate
from plainwright.rate.settings import Settings
from plainwright.study.operations import Operation

__all__ = ["RatedCard", "RatedPage", "Record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedCard:
    """A distinct output with everybody who made it."""

    number: int  # its place in the study
    id: str  # as the rater's page knew it
    text: str
    candidates: tuple[Candidate, ...]
    group: Operation  # by the rules, before any rater moved it


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPage:
    """What one rater did with one unit, once it was finished."""

    number: int  # of the assignment: who was given an item first has the lower one
    rater: str
    item: str
    item_number: int  # its place in the study
    source: str
    place: int  # of the page in the rater's sequence
    cards: tuple[RatedCard, ...]  # as shown
    work: Work
    finished: float  # seconds since 1970
    repeat: bool = False
    training: bool = False
    imported: bool = False  # taken over from a table, which does not tell the order in which cards were shown

    @property
    def positions(self) -> Mapping[str, int]:
        """At which place each card was shown, from 1."""
        return {card.id: place for place, card in enumerate(self.cards, start=1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Everything that results are made of."""

    settings: Settings
    pages: tuple[RatedPage, ...]
    identical: Identical | None = None  # of pairs, what nobody is asked to compare
