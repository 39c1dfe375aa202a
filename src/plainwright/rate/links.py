"""Invitation links: made for people, written as a table.

Only the hash of a token is kept, so a link can be shown or saved when it is made, and never again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from urllib.parse import urlsplit

from sqlalchemy import Connection

from plainwright.errors import DataError
from plainwright.escaping import spreadsheet_cell
from plainwright.rate.store import people

__all__ = [
    "MAX_DAYS",
    "MAX_LINKS",
    "MAX_USES",
    "Link",
    "checked_base",
    "invite_anyone",
    "invite_each",
    "links_table",
    "renew",
]

MAX_LINKS = 500  # at once
MAX_USES = 10_000
MAX_DAYS = 365
_DAY = 86400.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A link that lets somebody into a study."""

    token: str
    uses: int
    expires: float
    rater: str = ""  # whose it is, as in the results; "" for an open link
    label: str = ""

    def url(self, base: str) -> str:
        """The address to send; `base` is where the study is served, with its prefix."""
        return f"{base.rstrip('/')}/join/{self.token}"


def invite_each(connection: Connection, labels: Sequence[str], *, days: float, now: float) -> list[Link]:
    """A new rater and a personal link, good for one use, for each label (which may be empty)."""
    _check_number("links", len(labels), MAX_LINKS)
    for label in labels:
        _check_label(label)
    return [renew(connection, people.add_rater(connection, label, now), days=days, now=now) for label in labels]


def renew(connection: Connection, rater: people.Rater, *, days: float, now: float) -> Link:
    """A new personal link for somebody who lost the first, or works on another device."""
    expires = _expiry(days, now)
    token = people.invite(connection, rater_id=rater.id, uses=1, expires=expires, now=now)
    return Link(token=token, uses=1, expires=expires, rater=rater.public, label=rater.label)


def invite_anyone(connection: Connection, uses: int, *, days: float, now: float) -> Link:
    """One link for so many people; each who opens it becomes a new rater."""
    _check_number("people for one link", uses, MAX_USES)
    expires = _expiry(days, now)
    token = people.invite(connection, rater_id=None, uses=uses, expires=expires, now=now)
    return Link(token=token, uses=uses, expires=expires)


def links_table(links: Iterable[Link], base: str) -> str:
    """CSV: one line a link."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("link", "rater", "label", "uses", "expires"))
    for link in links:
        expires = datetime.fromtimestamp(link.expires, timezone.utc).isoformat(timespec="seconds")
        writer.writerow((link.url(base), link.rater, spreadsheet_cell(link.label), link.uses, expires))
    return text.getvalue()


def checked_base(address: str) -> str:
    """An address that links can start with, without a slash at its end."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        msg = f"--base-url: expected an address such as https://rating.example.org/study, found {address!r}"
        raise DataError(msg)
    return address.rstrip("/")


def _expiry(days: float, now: float) -> float:
    if not 0 < days <= MAX_DAYS:
        msg = f"days: expected a number above 0, up to {MAX_DAYS}, found {days:g}"
        raise DataError(msg)
    return now + days * _DAY


def _check_number(what: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        msg = f"{what}: expected a number from 1 to {most:,}, found {number:,}"
        raise DataError(msg)


def _check_label(label: str) -> None:
    if len(label) > people.LONGEST_LABEL:
        msg = f"label: expected up to {people.LONGEST_LABEL} characters, found {len(label):,}"
        raise DataError(msg)
