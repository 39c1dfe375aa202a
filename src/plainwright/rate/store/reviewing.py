"""Whom the organiser lets on after reading what they did in training, where a study asks for that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from sqlalchemy import Connection, delete, false, insert, select

from plainwright.errors import DataError
from plainwright.rate.store.schema import assignments, reviews, units
from plainwright.rate.store.studies import load_settings

__all__ = ["Verdict", "accept_rater", "reject_rater", "verdict_on", "verdicts"]

Verdict = Literal["accepted", "rejected"]


def verdict_on(connection: Connection, rater_id: int) -> Verdict | None:
    """What the organiser said of a rater; None as long as nothing was said."""
    return verdicts(connection, rater_id).get(rater_id)


def verdicts(connection: Connection, rater_id: int | None = None) -> Mapping[int, Verdict]:
    """What the organiser said, by rater; of one rater only, if wanted."""
    query = select(reviews.c.rater, reviews.c.accepted)
    rows = connection.execute(query if rater_id is None else query.where(reviews.c.rater == rater_id))
    return {row.rater: "accepted" if row.accepted else "rejected" for row in rows}


def accept_rater(connection: Connection, rater_id: int, now: float) -> None:
    """Let a rater on, whatever was said before."""
    _note(connection, rater_id, now, accepted=True)


def reject_rater(connection: Connection, rater_id: int, now: float) -> None:
    """Give a rater no pages beyond the training; DataError if they have had some."""
    main = (
        select(assignments.c.id)
        .join(units, units.c.id == assignments.c.unit)
        .where(assignments.c.rater == rater_id, assignments.c.state != "released", units.c.training == false())
        .limit(1)
    )
    if connection.execute(main).first() is not None:
        msg = (
            "this rater is at work on real pages already; take them out, or erase them so that their pages go to others"
        )
        raise DataError(msg)
    _note(connection, rater_id, now, accepted=False)


def _note(connection: Connection, rater_id: int, now: float, *, accepted: bool) -> None:
    if not load_settings(connection).review:
        msg = "this study lets raters on without a review; training.review in study.toml asks for one"
        raise DataError(msg)
    connection.execute(delete(reviews).where(reviews.c.rater == rater_id))
    connection.execute(insert(reviews).values(rater=rater_id, accepted=accepted, at=now))
