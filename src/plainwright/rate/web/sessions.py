"""Whose request this is: session cookies, looked up in the database and remembered for a few seconds."""

from __future__ import annotations

import re
from collections.abc import Callable

from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.people import Session

__all__ = ["Sessions"]

_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,128}")
_REMEMBERED = 5.0  # seconds; also how long a rater whom another process removed may still look at pages
_SESSIONS = 4096


class Sessions:
    """The sessions of a site.

    A rater's page sends an event every few seconds, and each would cost a look into the database. Whatever changes a
    person or ends a session must call `forget`. Writing is safe all the same: the log asks the database itself
    whether the rater may still write.
    """

    def __init__(self, database: Database, now: Callable[[], float], elapsed: Callable[[], float]) -> None:
        self._database = database
        self._now = now
        self._elapsed = elapsed
        self._known: dict[str, tuple[Session, float]] = {}
        self._changes = 0

    async def find(self, token: str) -> Session | None:
        """The session of a cookie, if it is a good one."""
        now = self._now()
        if token in self._known:
            session, until = self._known[token]
            if now < session.expires and self._elapsed() < until:
                return session
            del self._known[token]
        if not _TOKEN.fullmatch(token):
            return None
        before = self._changes
        found = await self._database.read(lambda connection: people.session_of(connection, token, now))
        if found is not None and not found.confirmed:
            arrived = await self._database.run(lambda connection: people.confirm_session(connection, token))
            found = found if arrived else None
        # What was forgotten while we looked must not be remembered again.
        if found is not None and before == self._changes:
            self._remember(token, found)
        return found

    def forget(self, *, token: str | None = None, rater_id: int | None = None) -> None:
        """Look again next time: for one session, for all of a rater, or, with neither, for everybody."""
        self._changes += 1
        if token is not None:
            self._known.pop(token, None)
        elif rater_id is not None:
            for known in [key for key, (session, _) in self._known.items() if _belongs(session, rater_id)]:
                del self._known[known]
        else:
            self._known.clear()

    def _remember(self, token: str, session: Session) -> None:
        if len(self._known) >= _SESSIONS:
            self._known.clear()
        self._known[token] = (session, self._elapsed() + _REMEMBERED)


def _belongs(session: Session, rater_id: int) -> bool:
    return session.rater is not None and session.rater.id == rater_id
