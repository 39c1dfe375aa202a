"""Raters at work in tests: assignments as they would be handed out, and events as pages would send them."""

from __future__ import annotations

import itertools
import json
import secrets

from sqlalchemy import Connection, insert, select

from plainwright.rate.events import Batch, Event, Finish, Score, Sent, Show
from plainwright.rate.store import schema
from plainwright.rate.store.people import add_rater
from plainwright.rate.store.studies import load_settings, load_unit

NOW = 1_700_000_000.0


def assign(connection: Connection, *, rater: int | None = None, unit: int = 0) -> int:
    """Hand a unit (counted from 0) to a rater, to a new one if need be; the id of the assignment."""
    rater = add_rater(connection, "", NOW).id if rater is None else rater
    chosen = connection.execute(select(schema.units).order_by(schema.units.c.id).offset(unit)).first()
    assert chosen is not None
    order = json.loads(chosen.cards)
    values = {
        "public": secrets.token_urlsafe(12),
        "rater": rater,
        "unit": chosen.id,
        "place": unit + 1,
        "order": json.dumps(order[::-1]),
        "repeat": False,
        "state": "open",
        "version": 0,
        "assigned": NOW,
        "touched": NOW,
    }
    return connection.execute(insert(schema.assignments).values(values).returning(schema.assignments.c.id)).scalar_one()


def batch(base: int, *events: Event, at: float = NOW) -> Batch:
    """With new keys, a second apart."""
    return Batch(base, [sent(event, at + number) for number, event in enumerate(events)])


def sent(event: Event, at: float = NOW) -> Sent:
    return Sent(secrets.token_hex(12), int(at * 1000), event)


def whole_page(connection: Connection, assignment: int, *, first: float = 10.0) -> list[Event]:
    """Events that finish a page: every card gets a score, lower than the one before."""
    unit = load_unit(connection, assignment)
    aspects = load_settings(connection).aspects
    scores = itertools.count()
    given = [
        Score(card.id, aspect.name, first - next(scores) / 4)
        for card in sorted(unit.cards, key=lambda card: card.group)
        for aspect in aspects
    ]
    return [Show(), *given, Finish(confirmed=True)]
