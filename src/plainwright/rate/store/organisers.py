"""Organisers and their passwords. Nothing here commits: each function is part of the caller's transaction."""

from __future__ import annotations

import contextlib
import functools
import secrets
import unicodedata
from dataclasses import dataclass

import argon2
from sqlalchemy import Connection, delete, insert, select, update

from plainwright.errors import AccessError, DataError
from plainwright.rate.store.schema import organisers, sessions

__all__ = ["LONGEST_PASSWORD", "SHORTEST_PASSWORD", "Organiser", "check_password", "renew_password", "set_password"]

SHORTEST_PASSWORD = 8  # characters, as NIST SP 800-63B asks at the least
LONGEST_PASSWORD = 1024


@dataclass(frozen=True, slots=True)
class Organiser:
    """Somebody who may see everything."""

    id: int
    name: str
    outdated: bool = False  # the stored hash is weaker than we make them now: call `renew_password`


def set_password(connection: Connection, name: str, password: str) -> Organiser:
    """Give an organiser, new or known, a password; sessions under the old one end."""
    if not 1 <= len(name) <= 64 or not name.isprintable() or name != name.strip():
        msg = f"the name of an organiser has 1 to 64 printable characters without space around them, not {name!r}"
        raise DataError(msg)
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        msg = f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD:,} characters, this one has {len(password):,}"
        raise DataError(msg)
    known = connection.scalar(select(organisers.c.id).where(organisers.c.name == name))
    if known is None:
        added = insert(organisers).values(name=name, password=_hash(password)).returning(organisers.c.id)
        return Organiser(connection.execute(added).scalar_one(), name)
    connection.execute(delete(sessions).where(sessions.c.organiser == known))
    renew_password(connection, Organiser(known, name), password)
    return Organiser(known, name)


def check_password(connection: Connection, name: str, password: str) -> Organiser:
    """The organiser of that name and password. AccessError otherwise, after the same work for known and unknown names.

    Only reads, and takes about a tenth of a second: not for the thread that writes.
    """
    decoy = _decoy()  # made in any case: whether a name exists must not show in the time that a first answer takes
    row = None
    if name.isprintable() and len(name) <= 64:
        row = connection.execute(select(organisers).where(organisers.c.name == name)).one_or_none()
    stored = decoy if row is None else row.password
    fits = False
    with contextlib.suppress(argon2.exceptions.VerificationError):
        fits = _hasher().verify(stored, _password_bytes(password))
    if row is None or not fits:
        msg = "name or password is wrong"
        raise AccessError(msg)
    return Organiser(row.id, row.name, outdated=_hasher().check_needs_rehash(stored))


def renew_password(connection: Connection, organiser: Organiser, password: str) -> None:
    """Store the same password again, hashed as strongly as we do now; sessions go on."""
    connection.execute(update(organisers).where(organisers.c.id == organiser.id).values(password=_hash(password)))


@functools.cache
def _hasher() -> argon2.PasswordHasher:
    return argon2.PasswordHasher()  # argon2id with the parameters of RFC 9106 for little memory


@functools.cache
def _decoy() -> str:
    return _hash(secrets.token_urlsafe(16))


def _hash(password: str) -> str:
    return _hasher().hash(_password_bytes(password))


def _password_bytes(password: str) -> bytes:
    # The same letters typed on two keyboards may arrive as different code points.
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
