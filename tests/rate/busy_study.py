"""A study in the middle of its life: careful raters, a careless one, one who is stuck, one who never came."""

from __future__ import annotations

import random

from sqlalchemy import Connection, select
from tests.rate.acting import DAY, finish_page, join, start_page
from tests.rate.studies import small_study

from plainwright.rate.settings import Controls
from plainwright.rate.store import organisers, people, schema
from plainwright.rate.store.assignment import next_assignment
from plainwright.rate.store.studies import save_study

HOUR = 3600.0
PASSWORD = "correct horse battery"

# By system, what careful raters think of its outputs.
_TRUTH = {"a": 72.0, "b": 64.0, "c": 66.0, "d": 45.0, "e": 38.0, "control-source": 40.0}
_DAMAGE = 30.0


def save_busy_study(connection: Connection, now: float) -> dict[str, people.Rater]:
    """Fill an empty database; the raters by their labels."""
    controls = Controls(source=True, degraded=0.4, repeats=0.15)
    settings, items = small_study(
        items=24, outputs=5, training=1, raters_per_unit=4, controls=controls, title="Which rewrite is plainest?"
    )
    save_study(connection, settings, items, now - 5 * DAY)
    organisers.set_password(connection, "organiser", PASSWORD)
    chance, truth = random.Random(7), _truth(connection)
    raters = {}
    for label, pages, ended in (("Ann", 26, 0.0), ("Ben", 23, 5 * HOUR), ("Cleo", 20, 0.0), ("Dora", 12, 30 * HOUR)):
        raters[label] = join(connection, label, now - 4 * DAY)
        _work(connection, raters[label].id, pages, now - ended - 60, chance, lambda card: truth[card.id])
    raters["Emil"] = join(connection, "Emil", now - 3 * DAY)
    _work(connection, raters["Emil"].id, 18, now - 2 * HOUR, chance, lambda card: chance.uniform(10, 95), seconds=11)
    for label in ("Ann", "Ben"):
        if next_assignment(connection, raters[label].id, now) is not None:
            start_page(connection, raters[label].id, now - (5 * HOUR if label == "Ben" else 40))
    raters["Farid"] = people.add_rater(connection, "Farid", now - 3 * DAY)
    people.invite(connection, rater_id=raters["Farid"].id, uses=1, expires=now + 11 * DAY, now=now - 3 * DAY)
    raters["Gina"] = join(connection, "Gina", now - 60)
    return raters


def _work(connection, rater_id, pages, until, chance, think, *, seconds=90.0) -> None:
    """So many pages, a few minutes apart, the last one finished just before `until`."""
    for number in range(pages):
        at = until - 400 * (pages - number)
        if next_assignment(connection, rater_id, at) is None:
            return
        taken = seconds * chance.uniform(0.6, 1.3)
        finish_page(connection, rater_id, at, seconds=taken, score=lambda card: _score(think(card), chance))


def _score(thought: float, chance: random.Random) -> float:
    return float(round(min(100, max(0, thought + chance.gauss(0, 7)))))


def _truth(connection: Connection) -> dict[str, float]:
    cards, candidates = schema.cards, schema.candidates
    query = select(cards.c.public, candidates.c.system, candidates.c.control, candidates.c.of).join(
        candidates, candidates.c.card == cards.c.id, isouter=True
    )
    found: dict[str, float] = {}
    for row in connection.execute(query):
        damaged = row.control == "degraded"
        found[row.public] = _TRUTH.get(row.of if damaged else row.system, 50.0) - (_DAMAGE if damaged else 0)
    return found
