"""Whom the organiser let on, or sent away, after reading what they did in training."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Nobody was reviewed so far."""
    big = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "reviews",
        sa.Column("id", big, autoincrement=True, nullable=False),
        sa.Column("rater", big, nullable=False),
        sa.Column("accepted", sa.Boolean, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reviews"),
        sa.ForeignKeyConstraint(["rater"], ["raters.id"], name="fk_reviews_rater"),
    )
    op.create_index("ix_reviews_rater", "reviews", ["rater"], unique=True)
