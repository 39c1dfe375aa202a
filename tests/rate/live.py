"""A study with its server on loopback, for tests in a browser."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from sqlalchemy import select
from tests.rate.serving import served

from plainwright.rate.events import Event, Hide, Show
from plainwright.rate.forms.answers import Work
from plainwright.rate.material import Item
from plainwright.rate.settings import Settings
from plainwright.rate.store import people
from plainwright.rate.store.database import Database
from plainwright.rate.store.log import audit, history, work_of
from plainwright.rate.store.schema import assignments
from plainwright.rate.store.studies import save_study
from plainwright.rate.web.app import create_app

DAY = 24 * 3600.0


class LiveStudy:
    """What raters see in a browser, and what is in the log of it."""

    def __init__(self, database: Database, *, prefix: str = "") -> None:
        self.database = database
        self._prefix = prefix
        self._port = 0
        self._serving = ExitStack()
        self.start()

    @classmethod
    def of(cls, folder: Path, settings: Settings, items: Sequence[Item], *, prefix: str = "") -> LiveStudy:
        """A new study in a file of its own."""
        database = Database.create(f"sqlite:///{folder / 'study.sqlite'}")
        with database.writing() as connection:
            save_study(connection, settings, items, time.time())
        return cls(database, prefix=prefix)

    def start(self) -> None:
        """Serve, after a stop at the same address as before."""
        self.app = create_app(self.database, prefix=self._prefix)
        self._address = self._serving.enter_context(served(self.app, port=self._port))
        self._port = int(self._address.rpartition(":")[2])

    def stop(self) -> None:
        """Answer no more."""
        self._serving.close()

    def close(self) -> None:
        """For good."""
        self.stop()
        self.database.close()

    def url(self, path: str = "/work") -> str:
        """An address of the study."""
        return f"{self._address}{self._prefix}{path}"

    def invitation(self) -> str:
        """A link for one new rater."""
        with self.database.writing() as connection:
            token = people.invite(connection, rater_id=None, uses=1, expires=time.time() + DAY, now=time.time())
        return self.url(f"/join/{token}")

    def sign_in(self, context: Any) -> None:
        """Makes the browser that of a new rater who has read everything."""
        now = time.time()
        with self.database.writing() as connection:
            rater = people.add_rater(connection, "", now)
            people.consent(connection, rater.id, now)
            people.instruct(connection, rater.id, now)
            token = people.open_session(connection, rater_id=rater.id, now=now, lifetime=DAY)
        context.add_cookies([{"name": self.app.state.site.cookies["rater"], "value": token, "url": self.url()}])

    def log(self) -> list[Event]:
        """What raters did, in the order of their pages; that pages came in and out of sight is left out."""
        with self.database.reading() as connection:
            ids = connection.scalars(select(assignments.c.id).order_by(assignments.c.id)).all()
            events = [kept.event for number in ids for kept in history(connection, number)]
        return [event for event in events if not isinstance(event, Show | Hide)]

    def works(self) -> list[Work]:
        """How each page stands; the log must be sound."""
        with self.database.reading() as connection:
            assert audit(connection) == []
            ids = connection.scalars(select(assignments.c.id).order_by(assignments.c.id)).all()
            return [work_of(connection, number) for number in ids]
