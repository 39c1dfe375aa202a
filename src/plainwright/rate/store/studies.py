"""A study in the database: its settings and its material, saved once; wording may change while raters are at work."""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, insert, select, update

from plainwright.errors import DataError
from plainwright.rate.building import units_of
from plainwright.rate.material import Candidate, Card, CardView, Edit, Item, UnitView
from plainwright.rate.settings import Expectation, Settings
from plainwright.rate.store.schema import assignments, candidates, cards, items, study, units

__all__ = [
    "WORDING",
    "StoredCard",
    "StoredItem",
    "expectations_of",
    "is_open",
    "load_items",
    "load_settings",
    "load_unit",
    "save_study",
    "set_open",
    "update_wording",
]

# What may change after the study was made: it touches no answer that was given.
WORDING = ("title", "instructions", "consent", "raters_per_unit")

_EDITS = msgspec.json.Decoder(tuple[Edit, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCard:
    """A card with its ids: that of the database, and that which raters' browsers know."""

    id: int
    public: str
    card: Card


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredItem:
    """An item with its id in the database."""

    id: int
    name: str
    source: str
    training: bool
    cards: tuple[StoredCard, ...]


def save_study(connection: Connection, settings: Settings, material: Sequence[Item], now: float) -> None:
    """Write a whole study into an empty database; it is open."""
    if connection.execute(select(study.c.id)).first() is not None:
        msg = "expected a database without a study, found one in it; name another database for a new study"
        raise DataError(msg)
    connection.execute(insert(study).values(id=1, settings=_encoded(settings), open=True, created=now))
    item_rows = [{"name": item.name, "source": item.source, "training": item.training} for item in material]
    item_ids = _inserted(connection, items, item_rows)
    owners = [(item_id, card) for item_id, item in zip(item_ids, material, strict=True) for card in item.cards]
    card_ids = _inserted(connection, cards, [_card_row(item_id, card) for item_id, card in owners])
    made = [(card_id, maker) for card_id, (_, card) in zip(card_ids, owners, strict=True) for maker in card.candidates]
    _inserted(
        connection,
        candidates,
        [
            {"card": card, "system": maker.system, "control": maker.control, "of": maker.of, "row": maker.row}
            for card, maker in made
        ],
    )
    _inserted(connection, units, list(_unit_rows(settings, material, item_ids, card_ids)))


def load_settings(connection: Connection) -> Settings:
    """What was frozen when the study was made, with the wording of today."""
    stored = connection.execute(select(study.c.settings)).scalar_one_or_none()
    if stored is None:
        msg = "expected a study in the database, found none; make one with `plainwright rate init`"
        raise DataError(msg)
    return msgspec.json.decode(stored, type=Settings)


def update_wording(connection: Connection, settings: Settings) -> None:
    """Take over what may change of the settings in `study.toml`; anything else that changed is an error."""
    stored = load_settings(connection)
    changed = [
        field.name
        for field in fields(Settings)
        if field.name not in WORDING and getattr(stored, field.name) != getattr(settings, field.name)
    ]
    if changed:
        difference = _difference(getattr(stored, changed[0]), getattr(settings, changed[0]))
        msg = f"{changed[0]}: {difference}; set it back, or make a new study with another database"
        raise DataError(msg)
    wording = {name: getattr(settings, name) for name in WORDING}
    if any(getattr(stored, name) != value for name, value in wording.items()):
        connection.execute(update(study).values(settings=_encoded(replace(stored, **wording))))


def is_open(connection: Connection) -> bool:
    """Whether raters may work."""
    return bool(connection.execute(select(study.c.open)).scalar_one())


def set_open(connection: Connection, value: bool) -> None:
    """Let raters work, or no more."""
    connection.execute(update(study).values(open=value))


# Every page of every rater asks these; to put a statement together takes SQLAlchemy longer than to run it.
_ORDER = (
    select(assignments.c.order, items.c.source)
    .join(units, units.c.id == assignments.c.unit)
    .join(items, items.c.id == units.c.item)
    .where(assignments.c.id == bindparam("assignment_id"))
)
_CARDS = select(*(cards.c[name] for name in ("id", "public", "text", "group", "edits"))).where(
    cards.c.id.in_(bindparam("card_ids", expanding=True))
)


def load_unit(connection: Connection, assignment_id: int) -> UnitView:
    """What an assignment shows to its rater, in the order of this rater."""
    row = connection.execute(_ORDER, {"assignment_id": assignment_id}).one()
    order = json.loads(row.order)
    found = {card.id: card for card in connection.execute(_CARDS, {"card_ids": order})}
    return UnitView(source=row.source, cards=tuple(_card_view(found[card_id]) for card_id in order))


def expectations_of(connection: Connection, assignment_id: int) -> dict[str, Expectation]:
    """What a careful rater would say of the cards of a training unit, by the id that pages use; empty of others."""
    order = connection.execute(select(assignments.c.order).where(assignments.c.id == assignment_id)).scalar_one()
    found = connection.execute(select(cards).where(cards.c.id.in_(json.loads(order))))
    expected = {row.public: _expectation(row) for row in found}
    return {public: expectation for public, expectation in expected.items() if expectation is not None}


def load_items(connection: Connection) -> tuple[StoredItem, ...]:
    """All that is rated, training included, in the order in which it was saved."""
    makers: dict[int, list[Candidate]] = {}
    for row in connection.execute(select(candidates).order_by(candidates.c.id)):
        maker = Candidate(system=row.system, control=row.control, of=row.of, row=row.row)
        makers.setdefault(row.card, []).append(maker)
    of_item: dict[int, list[StoredCard]] = {}
    for row in connection.execute(select(cards).order_by(cards.c.id)):
        of_item.setdefault(row.item, []).append(_stored_card(row, makers.get(row.id, [])))
    return tuple(
        StoredItem(
            id=row.id, name=row.name, source=row.source, training=row.training, cards=tuple(of_item.get(row.id, ()))
        )
        for row in connection.execute(select(items).order_by(items.c.id))
    )


def _inserted(connection: Connection, table: Any, rows: Sequence[Mapping[str, object]]) -> list[int]:
    """Ids of new rows, in the order of the rows."""
    if not rows:
        return []
    statement = insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return list(connection.execute(statement, rows).scalars())


def _unit_rows(
    settings: Settings, material: Sequence[Item], item_ids: Sequence[int], card_ids: Iterable[int]
) -> Iterable[dict[str, object]]:
    # The order that a rater sees is drawn by a seed that anybody may guess, from the order here. Were this that of the
    # systems, whoever knows our code could tell from a page which outputs have the same author. So it is drawn as well,
    # by what only the organiser has: all outputs, with their authors.
    chance = random.Random(hashlib.sha256(repr(tuple(material)).encode("utf-8", "replace")).digest())
    left = iter(card_ids)
    for item_id, item in zip(item_ids, material, strict=True):
        own = [next(left) for _ in item.cards]
        pages = units_of(item, settings)
        for places in chance.sample(pages, len(pages)):
            ids = json.dumps([own[place] for place in chance.sample(places, len(places))])
            yield {"item": item_id, "cards": ids, "training": item.training}


def _card_row(item_id: int, card: Card) -> dict[str, object]:
    expectation = card.expectation
    return {
        "public": secrets.token_urlsafe(12),
        "item": item_id,
        "text": card.text,
        "group": card.group,
        "edits": msgspec.json.encode(card.edits).decode(),
        "expected_low": expectation.low if expectation else None,
        "expected_high": expectation.high if expectation else None,
        "why": expectation.why if expectation else None,
    }


def _stored_card(row: Row[Any], makers: Sequence[Candidate]) -> StoredCard:
    card = Card(
        text=row.text,
        candidates=tuple(makers),
        group=row.group,
        edits=_EDITS.decode(row.edits),
        expectation=_expectation(row),
    )
    return StoredCard(id=row.id, public=row.public, card=card)


def _card_view(row: Row[Any]) -> CardView:
    return CardView(id=row.public, text=row.text, group=row.group, edits=_EDITS.decode(row.edits))


def _expectation(row: Row[Any]) -> Expectation | None:
    if row.expected_low is None:
        return None
    return Expectation(text=row.text, low=row.expected_low, high=row.expected_high, why=row.why or "")


def _encoded(settings: Settings) -> str:
    return msgspec.json.encode(settings).decode()


def _difference(stored: object, found: object) -> str:
    """How a setting changed; of tables and lists only that it did, since they do not fit into a sentence."""
    if isinstance(stored, str | int | float):
        return f"expected {stored!r:.60} as when the study was made, found {found!r:.60}"
    return "expected what it was when the study was made, found something else"
