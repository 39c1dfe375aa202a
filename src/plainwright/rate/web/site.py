"""What all handlers share: the study, its database, how it is reached, and who may come in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from jinja2 import Environment
from markupsafe import Markup
from sqlalchemy import select
from starlette.requests import Request

from plainwright.rate.settings import Settings
from plainwright.rate.store import schema
from plainwright.rate.store.database import Database
from plainwright.rate.store.studies import load_settings
from plainwright.rate.web.assets import Asset, load_assets
from plainwright.rate.web.render import environment_for, markdown
from plainwright.rate.web.sessions import Sessions
from plainwright.web.requests import check_prefix, host_of
from plainwright.web.throttle import Throttle

__all__ = ["Role", "Site", "site_of"]

Role = Literal["rater", "organiser", "visit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One study on the web."""

    database: Database
    settings: Settings
    prefix: str  # "" or "/study"
    https: bool  # browsers reach us by HTTPS: cookies never travel without it
    proxy: bool  # a proxy stands before us: what it says about the other side is believed
    now: Callable[[], float]  # the time of day
    elapsed: Callable[[], float]  # seconds since some moment; never goes back
    cookies: Mapping[Role, str]  # names
    assets: Mapping[str, Asset]
    templates: Environment
    instructions: tuple[str, Markup]  # heading, text
    consent: tuple[str, Markup]
    sessions: Sessions
    logins: Throttle  # of organisers
    links: Throttle  # that do not exist, by address
    devices: Throttle  # links for other devices, by rater

    @classmethod
    def of(
        cls,
        database: Database,
        *,
        prefix: str,
        https: bool,
        proxy: bool,
        now: Callable[[], float],
        elapsed: Callable[[], float],
    ) -> Site:
        """Read what never changes while the pages are served."""
        prefix = check_prefix(prefix)
        with database.reading() as connection:
            settings = load_settings(connection)
            created = connection.execute(select(schema.study.c.created)).scalar_one()
        assets = load_assets()
        return cls(
            database=database,
            settings=settings,
            prefix=prefix,
            https=https,
            proxy=proxy,
            now=now,
            elapsed=elapsed,
            cookies=_cookie_names(created, https=https),
            assets=assets,
            templates=environment_for(prefix=prefix, title=settings.title, assets=assets),
            instructions=markdown(settings.instructions),
            consent=markdown(settings.consent),
            sessions=Sessions(database, now, elapsed),
            logins=Throttle(free=5),
            links=Throttle(free=20),
            devices=Throttle(free=10),
        )

    def url(self, path: str) -> str:
        """The address of one of our pages, without the host."""
        return self.prefix + path

    def origin(self, request: Request) -> str:
        """Scheme and host as the rater's browser knows them, for links that are copied."""
        return f"{'https' if self.https else 'http'}://{host_of(request.headers, proxy=self.proxy)}"


def site_of(request: Request) -> Site:
    """The site that a request came to."""
    site: Site = request.app.state.site
    return site


def _cookie_names(created: float, *, https: bool) -> Mapping[Role, str]:
    # Browsers do not tell ports apart, and two studies on one machine must not share a session.
    mark = hashlib.sha256(repr(created).encode()).hexdigest()[:8]
    # The beginning "__Secure-" makes browsers refuse the cookie from anything but HTTPS.
    start = "__Secure-" if https else ""
    roles: tuple[Role, ...] = ("rater", "organiser", "visit")
    return {role: f"{start}plainwright-{role}-{mark}" for role in roles}
