"""Taking back the page that somebody has open, before its time is over."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from plainwright.rate.store.schema import assignments, units

__all__ = ["release"]


def release(connection: Connection, rater_id: int, now: float) -> int:
    """Let the open pages of a rater go to others; how many there were.

    What was done on them stays in the log; should the rater come back while a page is still wanted, it is theirs
    again. Training and repeats wait for their rater, since nobody else could do them.
    """
    mine = (assignments.c.rater == rater_id) & (assignments.c.state == "open") & assignments.c.repeat.is_(False)
    training = select(units.c.id).where(units.c.training)
    released = update(assignments).where(mine, assignments.c.unit.not_in(training)).values(state="released")
    return connection.execute(released).rowcount
