"""By which link and visit a session was opened, as long as its cookie has not arrived; until now tokens told it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Sessions that are open go on."""
    op.add_column("sessions", sa.Column("opened_by", sa.String(64)))
    op.create_index("ix_sessions_opened_by", "sessions", ["opened_by"], unique=True)
