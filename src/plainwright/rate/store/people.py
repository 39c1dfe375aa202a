"""Who takes part: raters with links, and the sessions that they and organisers open.

A link or session is a random token that only its owner has; the database keeps its SHA-256, so that a stolen copy of
the database opens no door. Nothing here commits: each function is part of the caller's transaction.
"""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from plainwright.errors import AccessError, DataError
from plainwright.rate.store.engines import note_erased
from plainwright.rate.store.organisers import Organiser
from plainwright.rate.store.schema import assignments, events, invitations, organisers, raters, reviews, sessions

__all__ = [
    "LONGEST_LABEL",
    "RATER_SESSION",
    "InvitationState",
    "Rater",
    "Session",
    "accept",
    "add_rater",
    "close_session",
    "confirm_session",
    "consent",
    "erase",
    "instruct",
    "invitation_state",
    "invite",
    "invited_rater",
    "is_public_id",
    "leave",
    "new_public_id",
    "open_session",
    "pause",
    "rater_by_public",
    "raters_of",
    "resume",
    "session_of",
]

RATER_SESSION = 30 * 86400.0  # seconds; a study is seldom done in one sitting
LONGEST_LABEL = 200
InvitationState = Literal["valid", "spent", "expired", "unknown"]
# Ids are read aloud and typed: no letter that looks like a digit, no sign that a command or a spreadsheet understands.
_ID_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_PUBLIC_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_LEAST_SECRET = 24  # characters
_REFUSALS: dict[InvitationState, str] = {
    "unknown": "this link is not known; ask the organiser for a new one",
    "expired": "this link is too old; ask the organiser for a new one",
    "spent": "this link was used already; go on in the browser that used it, or ask the organiser for a new one",
}


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who rates; times are None until it happens."""

    id: int
    public: str
    label: str
    created: float
    consented: float | None = None
    instructed: float | None = None
    paused: float | None = None
    left: float | None = None
    removed: float | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that we know: of a rater or of an organiser."""

    id: int
    csrf: str
    expires: float
    rater: Rater | None
    organiser: Organiser | None
    confirmed: bool = True  # a request brought its cookie, so the browser got it: see `accept`


def new_public_id(length: int = 16) -> str:
    """A random id that may leave the server."""
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(length))


def is_public_id(text: str) -> bool:
    """Whether this could be an id at all; nothing else is ever asked of the database."""
    return _PUBLIC_ID.fullmatch(text) is not None


# Raters


def add_rater(connection: Connection, label: str, now: float) -> Rater:
    """A new rater; the label is the organiser's own note, shown to nobody else."""
    row = insert(raters).values(public=new_public_id(10), label=_clean_label(label), created=now).returning(raters)
    return _rater(connection.execute(row).one())


def raters_of(connection: Connection) -> list[Rater]:
    """All raters, in the order in which they came, with those who left."""
    return [_rater(row) for row in connection.execute(select(raters).order_by(raters.c.id))]


def rater_by_public(connection: Connection, public: str) -> Rater:
    """The rater of this id. AccessError if there is none."""
    row = None
    if is_public_id(public):
        row = connection.execute(select(raters).where(raters.c.public == public)).one_or_none()
    if row is None:
        msg = f"no rater {public[:40]!r} in this study; `plainwright rate status` shows the raters"
        raise AccessError(msg)
    return _rater(row)


def consent(connection: Connection, rater_id: int, now: float) -> None:
    """The rater agreed; the first time counts."""
    _set_once(connection, rater_id, "consented", now)


def instruct(connection: Connection, rater_id: int, now: float) -> None:
    """The rater read the instructions; the first time counts."""
    _set_once(connection, rater_id, "instructed", now)


def pause(connection: Connection, rater_id: int, now: float) -> None:
    """The rater takes a break."""
    _set_once(connection, rater_id, "paused", now)


def resume(connection: Connection, rater_id: int, now: float) -> None:
    """The rater goes on."""
    connection.execute(update(raters).where(raters.c.id == rater_id).values(paused=None))


def leave(connection: Connection, rater_id: int, now: float) -> None:
    """The rater stops for good: what is finished stays, what is open goes to others, links open nothing any more."""
    _set_once(connection, rater_id, "left", now)
    connection.execute(update(raters).where(raters.c.id == rater_id).values(paused=None))
    connection.execute(update(invitations).where(invitations.c.rater == rater_id).values(uses_left=0))
    unfinished = (assignments.c.rater == rater_id) & (assignments.c.state == "open")
    connection.execute(update(assignments).where(unfinished).values(state="released"))


def erase(connection: Connection, rater_id: int, now: float) -> None:
    """Forget a rater on request: only a row with an id and the times of coming and going remains."""
    note_erased(connection)
    # The triggers of the log let events go only after this.
    connection.execute(
        update(raters)
        .where(raters.c.id == rater_id)
        .values(
            label="",
            consented=None,
            instructed=None,
            paused=None,
            left=func.coalesce(raters.c.left, now),
            removed=func.coalesce(raters.c.removed, now),
        )
    )
    for table in (events, assignments, invitations, reviews, sessions):
        connection.execute(delete(table).where(table.c.rater == rater_id))


def _set_once(connection: Connection, rater_id: int, column: str, now: float) -> None:
    unset = (raters.c.id == rater_id) & raters.c[column].is_(None)
    connection.execute(update(raters).where(unset).values({column: now}))


def _rater(row: Row[Any]) -> Rater:
    return Rater(
        row.id,
        row.public,
        row.label,
        row.created,
        row.consented,
        row.instructed,
        row.paused,
        row.left,
        row.removed,
    )


def _clean_label(label: str) -> str:
    # PostgreSQL keeps no NUL, and no terminal should be told what to do by a label.
    return " ".join("".join(c if c.isprintable() else " " for c in label).split())[:LONGEST_LABEL]


# Invitations


def invite(connection: Connection, *, rater_id: int | None, uses: int, expires: float, now: float) -> str:
    """A new link's token: to one rater, for one use; or open, so that each use makes a new rater."""
    if uses < 1 or (rater_id is not None and uses != 1):
        msg = f"a personal link has one use, an open link one or more; got {uses}"
        raise DataError(msg)
    if rater_id is not None and connection.scalar(select(raters.c.left).where(raters.c.id == rater_id)) is not None:
        msg = "this rater has left the study; invite a new one"
        raise DataError(msg)
    token = secrets.token_urlsafe(32)
    connection.execute(
        insert(invitations).values(token=_digest(token), rater=rater_id, created=now, expires=expires, uses_left=uses)
    )
    return token


def invitation_state(connection: Connection, token: str, now: float) -> InvitationState:
    """What a link would do now."""
    row = connection.execute(
        select(invitations.c.uses_left, invitations.c.expires).where(invitations.c.token == _digest(token))
    ).one_or_none()
    if row is None:
        return "unknown"
    if row.uses_left < 1:
        return "spent"
    return "valid" if now < row.expires else "expired"


def invited_rater(connection: Connection, token: str) -> int | None:
    """Whom a personal link is for, spent or not; None for open and unknown ones."""
    return connection.scalar(select(invitations.c.rater).where(invitations.c.token == _digest(token)))


def accept(connection: Connection, token: str, now: float, *, label: str = "", visit: str = "") -> tuple[str, Rater]:
    """Use a link: the token of a new session, and who it is. AccessError says why not.

    The use is taken off in one statement, so that of many who click at once only as many come in as may. A browser that
    clicks twice, or heard no answer the first time, is known by the secret of its `visit`: it comes in as the same
    rater, by a new session in place of the first. That holds only until `confirm_session`, and somebody else may know
    the visit, so at no time do two sessions come from one visit.
    """
    opened_by = _join_digest(token, visit)
    unheard = None if opened_by is None else _take_unheard(connection, opened_by, now)
    rater = unheard or _use_link(connection, token, now, label)
    return open_session(connection, rater_id=rater.id, now=now, lifetime=RATER_SESSION, opened_by=opened_by), rater


def _use_link(connection: Connection, token: str, now: float, label: str) -> Rater:
    valid = (invitations.c.token == _digest(token)) & (invitations.c.uses_left > 0) & (invitations.c.expires > now)
    used = update(invitations).where(valid).values(uses_left=invitations.c.uses_left - 1).returning(invitations.c.rater)
    invitation = connection.execute(used).one_or_none()
    if invitation is None:
        state = invitation_state(connection, token, now)
        raise AccessError(_REFUSALS["spent" if state == "valid" else state])
    if invitation.rater is None:
        return add_rater(connection, label, now)
    return _rater(connection.execute(select(raters).where(raters.c.id == invitation.rater)).one())


def _take_unheard(connection: Connection, opened_by: str, now: float) -> Rater | None:
    """Whom a link and a visit let in before, if nothing was heard of that session; it ends."""
    same = sessions.c.opened_by == opened_by
    whose = select(raters).join(sessions, sessions.c.rater == raters.c.id).where(same, sessions.c.expires > now)
    row = connection.execute(whose).one_or_none()
    connection.execute(delete(sessions).where(same))
    return None if row is None else _rater(row)


def _join_digest(link: str, visit: str) -> str | None:
    """Of a link and a visit; None if the visit is no good secret."""
    return _digest(f"join {len(link)} {link} {visit}") if len(visit) >= _LEAST_SECRET else None


# Sessions


def open_session(
    connection: Connection,
    *,
    rater_id: int | None = None,
    organiser_id: int | None = None,
    now: float,
    lifetime: float,
    opened_by: str | None = None,
) -> str:
    """The token, drawn anew, of a session of one rater or one organiser; those that ran out are swept away."""
    connection.execute(delete(sessions).where(sessions.c.expires <= now))
    token = secrets.token_urlsafe(32)
    connection.execute(
        insert(sessions).values(
            token=_digest(token),
            csrf=secrets.token_urlsafe(32),
            rater=rater_id,
            organiser=organiser_id,
            created=now,
            expires=now + lifetime,
            opened_by=opened_by,
        )
    )
    return token


def session_of(connection: Connection, token: str, now: float) -> Session | None:
    """The session of a token, unless it is unknown or ran out; also of a rater who left, who may still be told so."""
    row = connection.execute(_session_query().where(sessions.c.token == _digest(token))).one_or_none()
    if row is None or row.session_expires <= now:
        return None
    rater = None if row.id is None else _rater(row)
    organiser = None if row.organiser_id is None else Organiser(row.organiser_id, row.organiser_name)
    confirmed = row.session_opened_by is None
    return Session(row.session_id, row.session_csrf, row.session_expires, rater, organiser, confirmed)


def confirm_session(connection: Connection, token: str) -> bool:
    """Its cookie has arrived: the visit that opened it opens no other in its place. False if it has ended."""
    known = update(sessions).where(sessions.c.token == _digest(token)).values(opened_by=None)
    return connection.execute(known.returning(sessions.c.id)).one_or_none() is not None


def close_session(connection: Connection, token: str) -> None:
    """End a session, known or not."""
    connection.execute(delete(sessions).where(sessions.c.token == _digest(token)))


@functools.cache
def _session_query() -> Select[Any]:
    return select(
        sessions.c.id.label("session_id"),
        sessions.c.csrf.label("session_csrf"),
        sessions.c.expires.label("session_expires"),
        sessions.c.opened_by.label("session_opened_by"),
        organisers.c.id.label("organiser_id"),
        organisers.c.name.label("organiser_name"),
        *raters.c,
    ).select_from(
        sessions.outerjoin(raters, sessions.c.rater == raters.c.id).outerjoin(
            organisers, sessions.c.organiser == organisers.c.id
        )
    )


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
