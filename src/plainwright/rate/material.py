"""What is rated: items with their cards, cut into units; and how an item looks to one rater."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import msgspec

from plainwright.rate.settings import Expectation
from plainwright.study.operations import Operation

__all__ = ["Candidate", "Card", "CardView", "Control", "Edit", "EditKind", "Item", "UnitView"]

Control = Literal["source", "reference", "degraded"]
EditKind = Literal["deletion", "paraphrase", "split"]


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change between source and output; places are counted in characters of the output.

    A deletion and a split have no width: a caret or two bars stand at `start`. What a deletion took away is the text
    of the source from `source_start` to `source_end`; a paraphrase may name there what it stands for.
    """

    kind: EditKind
    start: int
    end: int
    source_start: int = 0
    source_end: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Who made an output: a system, or we for the sake of control."""

    system: str  # of a control "control-source", "control-reference", "control-degraded"
    control: Control | None = None
    of: str | None = None  # the system whose output was damaged
    row: int | None = None  # of the table that it came from, from 0, so that an export keeps its order


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One distinct output of an item; identical ones are rated once, for all who made them."""

    text: str
    candidates: tuple[Candidate, ...]
    group: Operation
    edits: tuple[Edit, ...] = ()
    expectation: Expectation | None = None  # of training items


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One source sentence and its cards."""

    name: str  # as in the results
    source: str
    cards: tuple[Card, ...]
    training: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A card as one rater sees it: nothing says who made it."""

    id: str  # opaque
    text: str
    group: Operation
    edits: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitView:
    """What one page asks one rater: the cards in the order shown to this rater."""

    source: str
    cards: tuple[CardView, ...]
