"""Raters who work through their pages, in tests: given out, scored and finished as the pages would do it."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection
from tests.rate.playing import batch

from plainwright.rate.events import Event, Finish, Score, Show
from plainwright.rate.material import CardView
from plainwright.rate.store import log, people
from plainwright.rate.store.assignment import Assignment, next_assignment
from plainwright.rate.store.studies import load_settings, load_unit

DAY = 86400.0


def join(connection: Connection, label: str, now: float) -> people.Rater:
    """A rater who opened the link, consented and read the instructions."""
    rater = people.add_rater(connection, label, now)
    token = people.invite(connection, rater_id=rater.id, uses=1, expires=now + DAY, now=now)
    people.accept(connection, token, now)
    people.consent(connection, rater.id, now)
    people.instruct(connection, rater.id, now)
    return rater


def start_page(connection: Connection, rater_id: int, now: float) -> Assignment:
    """Open the next page and look at it."""
    assignment = next_assignment(connection, rater_id, now)
    assert assignment is not None
    log.append(connection, assignment.id, batch(assignment.version, Show(), at=now), now)
    return assignment


def finish_page(
    connection: Connection,
    rater_id: int,
    now: float,
    *,
    seconds: float = 60.0,
    score: Callable[[CardView], float] = lambda card: len(card.text) % 80,
) -> Assignment:
    """Open the next page, or go on with it, and finish it after so many seconds in sight."""
    assignment = next_assignment(connection, rater_id, now)
    assert assignment is not None
    aspects = load_settings(connection).aspects
    cards = load_unit(connection, assignment.id).cards
    given: list[Event] = [Score(card.id, aspect.name, score(card)) for card in cards for aspect in aspects]
    version = log.append(connection, assignment.id, batch(assignment.version, Show(), at=now), now).version
    # `batch` puts a second between two events.
    scored = log.append(connection, assignment.id, batch(version, *given, at=now + 1), now)
    done = now + seconds
    log.append(connection, assignment.id, batch(scored.version, Finish(confirmed=True), at=done), done)
    return assignment
