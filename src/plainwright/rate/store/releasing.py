"""Taking back a page that somebody has open, before its time is over."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from plainwright.rate.store.people import is_public_id
from plainwright.rate.store.schema import assignments, units

__all__ = ["release"]


def release(connection: Connection, rater_id: int, public: str) -> bool:
    """Let an open page of a rater go to others; whether it was one that could go.

    What was done on it stays in the log; should the rater come back while the page is still wanted, it is theirs
    again. Training and repeats wait for their rater, since nobody else could do them.
    """
    if not is_public_id(public):
        return False
    this = (assignments.c.rater == rater_id) & (assignments.c.public == public) & (assignments.c.state == "open")
    training = select(units.c.id).where(units.c.training)
    for_others = assignments.c.repeat.is_(False) & assignments.c.unit.not_in(training)
    return connection.execute(update(assignments).where(this, for_others).values(state="released")).rowcount > 0
