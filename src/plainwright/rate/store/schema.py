"""The tables. Times are seconds since 1970 (UTC); ids that leave the server are random and say nothing.

`events` is the record: rows are added, never changed (triggers see to it), and go only with a rater who asked for it.
`assignments.version` and `.state` repeat what the events say, so that no page has to read the whole log.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

__all__ = [
    "assignments",
    "candidates",
    "cards",
    "events",
    "invitations",
    "items",
    "metadata",
    "organisers",
    "raters",
    "reviews",
    "sessions",
    "study",
    "units",
]

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite counts up only in a column of this very type.
_BIG = BigInteger().with_variant(Integer, "sqlite")


def _id() -> Column[int]:
    return Column("id", _BIG, primary_key=True, autoincrement=True)


def _public() -> Column[str]:
    return Column("public", String(32), nullable=False, unique=True)


# One row. `settings` is what was frozen when the study was made.
study = Table(
    "study",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="single"), primary_key=True),
    Column("settings", Text, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("created", Float(53), nullable=False),
)

items = Table(
    "items",
    metadata,
    _id(),
    Column("name", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("training", Boolean, nullable=False),
)

cards = Table(
    "cards",
    metadata,
    _id(),
    _public(),
    Column("item", _BIG, ForeignKey("items.id"), nullable=False, index=True),
    Column("text", Text, nullable=False),
    Column("group", String(16), nullable=False),
    Column("edits", Text, nullable=False),  # JSON
    Column("expected_low", Float(53)),  # of training items
    Column("expected_high", Float(53)),
    Column("why", Text),
)

candidates = Table(
    "candidates",
    metadata,
    _id(),
    Column("card", _BIG, ForeignKey("cards.id"), nullable=False, index=True),
    Column("system", Text, nullable=False),
    Column("control", String(16)),
    Column("of", Text),
    Column("row", Integer),  # of the table that it came from, from 0; none: by item, then as listed
)

# What one page asks: all cards of an item, or one, or two.
units = Table(
    "units",
    metadata,
    _id(),
    Column("item", _BIG, ForeignKey("items.id"), nullable=False, index=True),
    Column("cards", Text, nullable=False),  # JSON: ids of cards
    Column("training", Boolean, nullable=False),
)

organisers = Table(
    "organisers",
    metadata,
    _id(),
    Column("name", String(64), nullable=False, unique=True),
    Column("password", Text, nullable=False),  # argon2id
)

raters = Table(
    "raters",
    metadata,
    _id(),
    _public(),  # as in the results
    Column("label", Text, nullable=False),  # the organiser's own note; not in the results
    Column("created", Float(53), nullable=False),
    Column("consented", Float(53)),
    Column("instructed", Float(53)),
    Column("paused", Float(53)),
    Column("left", Float(53)),  # withdrew, or was taken out
    Column("removed", Float(53)),  # and had the data erased
)

# What the organiser said of those whose training they read.
reviews = Table(
    "reviews",
    metadata,
    _id(),
    Column("rater", _BIG, ForeignKey("raters.id"), nullable=False, index=True, unique=True),
    Column("accepted", Boolean, nullable=False),
    Column("at", Float(53), nullable=False),
)

invitations = Table(
    "invitations",
    metadata,
    _id(),
    Column("token", String(64), nullable=False, unique=True),  # SHA-256 of it, in hex
    Column("rater", _BIG, ForeignKey("raters.id"), index=True),  # none: whoever opens it becomes a new rater
    Column("created", Float(53), nullable=False),
    Column("expires", Float(53), nullable=False),
    Column("uses_left", Integer, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    _id(),
    Column("token", String(64), nullable=False, unique=True),  # SHA-256 of it, in hex
    Column("csrf", String(64), nullable=False),
    Column("rater", _BIG, ForeignKey("raters.id"), index=True),
    Column("organiser", _BIG, ForeignKey("organisers.id"), index=True),
    Column("created", Float(53), nullable=False),
    Column("expires", Float(53), nullable=False),
    Column("opened_by", String(64), index=True, unique=True),  # SHA-256 of link and visit, until the cookie has arrived
    CheckConstraint("(rater IS NULL) <> (organiser IS NULL)", name="somebody"),
)

assignments = Table(
    "assignments",
    metadata,
    _id(),
    _public(),
    Column("rater", _BIG, ForeignKey("raters.id"), nullable=False, index=True),
    Column("unit", _BIG, ForeignKey("units.id"), nullable=False),
    Column("place", Integer, nullable=False),  # in this rater's sequence, from 1
    Column("order", Text, nullable=False),  # JSON: ids of cards as shown
    Column("repeat", Boolean, nullable=False),  # the second time
    Column("state", String(16), nullable=False),  # open, finished, released
    Column("version", Integer, nullable=False),  # number of events
    Column("assigned", Float(53), nullable=False),
    Column("touched", Float(53), nullable=False),  # the last event, or when the rater came back to it
    Column("finished", Float(53)),
    UniqueConstraint("rater", "unit", "repeat"),
    UniqueConstraint("rater", "place"),
    CheckConstraint("state IN ('open', 'finished', 'released')", name="state"),
    Index(None, "unit", "repeat", "state", "rater"),  # who has a unit is asked with every page; answered by this alone
)

events = Table(
    "events",
    metadata,
    _id(),
    Column("assignment", _BIG, ForeignKey("assignments.id"), nullable=False),
    Column("rater", _BIG, ForeignKey("raters.id"), nullable=False),
    Column("number", Integer, nullable=False),  # within the assignment, from 1
    Column("key", String(64), nullable=False),
    Column("body", Text, nullable=False),  # JSON of the event
    Column("sent", Float(53), nullable=False),  # by the rater's clock
    Column("at", Float(53), nullable=False),  # by ours
    Column("digest", String(64), nullable=False),  # SHA-256 of the digest before and of this row: a chain
    UniqueConstraint("assignment", "number"),
    UniqueConstraint("rater", "key"),
)
