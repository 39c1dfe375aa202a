"""The events of one assignment as they are kept, and the chain of digests that ties them together.

Each digest covers the one before it: an event that was changed, dropped or put in later breaks all that follow. The
first covers what the rater was shown, and in which order.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, select

from plainwright.rate.events import Event
from plainwright.rate.material import UnitView
from plainwright.rate.store.schema import events

__all__ = ["Kept", "decode_event", "digest_of", "encode_event", "first_digest", "history", "kept"]

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


@dataclass(frozen=True, slots=True)
class Kept:
    """One event of the log."""

    number: int  # within its assignment, from 1
    key: str
    event: Event
    sent: float  # by the rater's clock
    at: float  # by ours
    digest: str


def history(connection: Connection, assignment_id: int) -> list[Kept]:
    """All events of an assignment, the first first."""
    rows = connection.execute(select(events).where(events.c.assignment == assignment_id).order_by(events.c.number))
    return [kept(row) for row in rows]


def kept(row: Row[Any]) -> Kept:
    """An event from its row."""
    return Kept(row.number, row.key, decode_event(row.body), row.sent, row.at, row.digest)


def encode_event(event: Event) -> str:
    """As it is written into the log: always the same for the same event."""
    return msgspec.json.encode(event).decode()


def decode_event(body: str) -> Event:
    """As it is read from the log."""
    return _DECODER.decode(body)


def first_digest(*, public: str, rater: int, unit: int, repeat: bool, shown: UnitView) -> str:
    """The start of an assignment's chain."""
    cards = [
        (card.id, card.text, card.group, [(edit.kind, edit.start, edit.end) for edit in card.edits])
        for card in shown.cards
    ]
    return _digest(public, rater, unit, bool(repeat), shown.source, cards)


def digest_of(before: str, *, number: int, key: str, body: str, sent: float, at: float) -> str:
    """The next digest of a chain."""
    return _digest(before, number, key, body, float(sent), float(at))


def _digest(*parts: object) -> str:
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()
