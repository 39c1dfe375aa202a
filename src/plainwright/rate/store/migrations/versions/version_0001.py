"""The first tables, and the triggers that make the log append-only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_TIME = sa.Float(53)


def upgrade() -> None:
    """From nothing."""
    _create_material()
    _create_people()
    _create_log()
    _guard()


def _id() -> sa.Column[int]:
    return sa.Column("id", _BIG, primary_key=True, autoincrement=True)


def _public() -> sa.Column[str]:
    return sa.Column("public", sa.String(32), nullable=False)


def _refers(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{target}.id"], name=f"fk_{table}_{column}")


def _primary(table: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint("id", name=f"pk_{table}")


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name="_".join(["uq", table, *columns]))


def _create_material() -> None:
    op.create_table(
        "study",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("created", _TIME, nullable=False),
        _primary("study"),
        sa.CheckConstraint("id = 1", name=op.f("ck_study_single")),
    )
    op.create_table(
        "items",
        _id(),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("training", sa.Boolean, nullable=False),
        _primary("items"),
    )
    op.create_table(
        "cards",
        _id(),
        _public(),
        sa.Column("item", _BIG, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("group", sa.String(16), nullable=False),
        sa.Column("edits", sa.Text, nullable=False),
        sa.Column("expected_low", _TIME),
        sa.Column("expected_high", _TIME),
        sa.Column("why", sa.Text),
        _primary("cards"),
        _unique("cards", "public"),
        _refers("cards", "item", "items"),
    )
    op.create_index("ix_cards_item", "cards", ["item"])
    op.create_table(
        "candidates",
        _id(),
        sa.Column("card", _BIG, nullable=False),
        sa.Column("system", sa.Text, nullable=False),
        sa.Column("control", sa.String(16)),
        sa.Column("of", sa.Text),
        sa.Column("row", sa.Integer),
        _primary("candidates"),
        _refers("candidates", "card", "cards"),
    )
    op.create_index("ix_candidates_card", "candidates", ["card"])
    op.create_table(
        "units",
        _id(),
        sa.Column("item", _BIG, nullable=False),
        sa.Column("cards", sa.Text, nullable=False),
        sa.Column("training", sa.Boolean, nullable=False),
        _primary("units"),
        _refers("units", "item", "items"),
    )
    op.create_index("ix_units_item", "units", ["item"])


def _create_people() -> None:
    op.create_table(
        "organisers",
        _id(),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("password", sa.Text, nullable=False),
        _primary("organisers"),
        _unique("organisers", "name"),
    )
    op.create_table(
        "raters",
        _id(),
        _public(),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("consented", _TIME),
        sa.Column("instructed", _TIME),
        sa.Column("paused", _TIME),
        sa.Column("left", _TIME),
        sa.Column("removed", _TIME),
        _primary("raters"),
        _unique("raters", "public"),
    )
    op.create_table(
        "invitations",
        _id(),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("rater", _BIG),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("expires", _TIME, nullable=False),
        sa.Column("uses_left", sa.Integer, nullable=False),
        _primary("invitations"),
        _unique("invitations", "token"),
        _refers("invitations", "rater", "raters"),
    )
    op.create_index("ix_invitations_rater", "invitations", ["rater"])
    op.create_table(
        "sessions",
        _id(),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("rater", _BIG),
        sa.Column("organiser", _BIG),
        sa.Column("created", _TIME, nullable=False),
        sa.Column("expires", _TIME, nullable=False),
        _primary("sessions"),
        _unique("sessions", "token"),
        _refers("sessions", "rater", "raters"),
        _refers("sessions", "organiser", "organisers"),
        sa.CheckConstraint("(rater IS NULL) <> (organiser IS NULL)", name=op.f("ck_sessions_somebody")),
    )
    op.create_index("ix_sessions_rater", "sessions", ["rater"])
    op.create_index("ix_sessions_organiser", "sessions", ["organiser"])


def _create_log() -> None:
    op.create_table(
        "assignments",
        _id(),
        _public(),
        sa.Column("rater", _BIG, nullable=False),
        sa.Column("unit", _BIG, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("order", sa.Text, nullable=False),
        sa.Column("repeat", sa.Boolean, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("assigned", _TIME, nullable=False),
        sa.Column("touched", _TIME, nullable=False),
        sa.Column("finished", _TIME),
        _primary("assignments"),
        _unique("assignments", "public"),
        _unique("assignments", "rater", "unit", "repeat"),
        _unique("assignments", "rater", "place"),
        _refers("assignments", "rater", "raters"),
        _refers("assignments", "unit", "units"),
        sa.CheckConstraint("state IN ('open', 'finished', 'released')", name=op.f("ck_assignments_state")),
    )
    op.create_index("ix_assignments_rater", "assignments", ["rater"])
    op.create_index("ix_assignments_unit", "assignments", ["unit", "repeat", "state", "rater"])
    op.create_table(
        "events",
        _id(),
        sa.Column("assignment", _BIG, nullable=False),
        sa.Column("rater", _BIG, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("sent", _TIME, nullable=False),
        sa.Column("at", _TIME, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        _primary("events"),
        _unique("events", "assignment", "number"),
        _unique("events", "rater", "key"),
        _refers("events", "assignment", "assignments"),
        _refers("events", "rater", "raters"),
    )


_NEVER_CHANGED = "events are never changed"
_GO_WITH_RATER = "events go only with a rater who was removed"
_MADE_ONCE = "what is rated is never changed once the study is made"
_MATERIAL = ("items", "cards", "candidates", "units")


def _guard() -> None:
    """Triggers: TABLE_never_changed, TABLE_kept and, where there is TRUNCATE, TABLE_not_truncated."""
    if op.get_bind().dialect.name == "sqlite":
        _guard_in_sqlite()
    else:
        _guard_in_postgresql()


def _guard_in_sqlite() -> None:
    still_there = "WHEN (SELECT removed FROM raters WHERE id = OLD.rater) IS NULL"
    _refuse_in_sqlite("events_never_changed BEFORE UPDATE ON events", _NEVER_CHANGED)
    _refuse_in_sqlite(f"events_kept BEFORE DELETE ON events {still_there}", _GO_WITH_RATER)
    for table in _MATERIAL:
        _refuse_in_sqlite(f"{table}_never_changed BEFORE UPDATE ON {table}", _MADE_ONCE)
        _refuse_in_sqlite(f"{table}_kept BEFORE DELETE ON {table}", _MADE_ONCE)


def _refuse_in_sqlite(what: str, why: str) -> None:
    op.execute(f"CREATE TRIGGER {what} BEGIN SELECT RAISE(ABORT, '{why}'); END")


def _guard_in_postgresql() -> None:
    refuse = "RAISE EXCEPTION '{}' USING ERRCODE = 'integrity_constraint_violation';"
    removed = "IF (SELECT removed FROM raters WHERE id = OLD.rater) IS NOT NULL THEN RETURN OLD; END IF;"
    for function, body in {
        "events_never_changed": refuse.format(_NEVER_CHANGED),
        "events_kept": f"IF TG_OP = 'DELETE' THEN {removed} END IF; {refuse.format(_GO_WITH_RATER)}",
        "material_made_once": refuse.format(_MADE_ONCE),
    }.items():
        op.execute(f"CREATE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$")
    for table in ("events", *_MATERIAL):
        changed, gone = ("events_never_changed", "events_kept") if table == "events" else ("material_made_once",) * 2
        for trigger, what, function in (
            ("never_changed", f"UPDATE ON {table} FOR EACH ROW", changed),
            ("kept", f"DELETE ON {table} FOR EACH ROW", gone),
            ("not_truncated", f"TRUNCATE ON {table} FOR EACH STATEMENT", gone),
        ):
            op.execute(f"CREATE TRIGGER {table}_{trigger} BEFORE {what} EXECUTE FUNCTION {function}()")
