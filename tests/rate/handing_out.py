"""Studies of which only the units matter, and raters who finish them without looking."""

from __future__ import annotations

import json
from collections import Counter

import msgspec
from sqlalchemy import Connection, insert, select, update
from tests.rate.playing import NOW

from plainwright.rate.forms.registry import FORMS
from plainwright.rate.settings import Settings
from plainwright.rate.store import schema
from plainwright.rate.store.assignment import Assignment, next_assignment
from plainwright.rate.store.people import add_rater
from plainwright.rate.store.schema import assignments


def bare_settings(**others: object) -> Settings:
    return Settings(**{"title": "Bare", "form": "rank", "aspects": FORMS["rank"].aspects, **others})  # type: ignore[arg-type]


def save_bare_study(
    connection: Connection,
    settings: Settings,
    *,
    items: int,
    units_per_item: int = 1,
    cards: int = 3,
    training: int = 0,
) -> None:
    """Cards are only numbers, since nobody looks at them; the training comes last, to be found by what it is."""
    connection.execute(insert(schema.study).values(id=1, settings=encoded(settings), open=True, created=NOW))
    for number in range(items + training):
        row = {"name": str(number), "source": "", "training": number >= items}
        item = connection.execute(insert(schema.items).values(row).returning(schema.items.c.id)).scalar_one()
        rows = [
            {
                "item": item,
                "cards": json.dumps([100 * number + card for card in range(cards)]),
                "training": row["training"],
            }
            for _ in range(1 if row["training"] else units_per_item)
        ]
        connection.execute(insert(schema.units), rows)


def encoded(settings: Settings) -> str:
    return msgspec.json.encode(settings).decode()


def change_settings(connection: Connection, settings: Settings) -> None:
    connection.execute(update(schema.study).values(settings=encoded(settings)))


def new_raters(connection: Connection, number: int) -> list[int]:
    return [add_rater(connection, "", NOW).id for _ in range(number)]


def ask(connection: Connection, rater: int, now: float = NOW) -> Assignment:
    found = next_assignment(connection, rater, now)
    assert found is not None
    return found


def finish(connection: Connection, assignment: Assignment, now: float = NOW) -> None:
    """As the log would leave it."""
    set_state(connection, assignment.id, "finished", now)


def set_state(connection: Connection, assignment_id: int, state: str, now: float) -> None:
    finished = now if state == "finished" else None
    values = {"state": state, "finished": finished, "touched": now}
    connection.execute(update(assignments).where(assignments.c.id == assignment_id).values(values))


def do_one(connection: Connection, rater: int, now: float = NOW) -> Assignment:
    assignment = ask(connection, rater, now)
    finish(connection, assignment, now)
    return assignment


def do_all(connection: Connection, rater: int, now: float = NOW) -> list[Assignment]:
    done = []
    while (assignment := next_assignment(connection, rater, now)) is not None:
        finish(connection, assignment, now)
        done.append(assignment)
    return done


def take_turns(connection: Connection, raters: list[int], now: float = NOW) -> Counter[int]:
    """Everybody does one after the other until nobody gets anything; how many each did."""
    done: Counter[int] = Counter()
    working = list(raters)
    while working:
        for rater in list(working):
            assignment = next_assignment(connection, rater, now)
            if assignment is None:
                working.remove(rater)
                continue
            finish(connection, assignment, now)
            done[rater] += 1
    return done


def raters_by_unit(connection: Connection) -> dict[int, int]:
    """How many have each main unit, or had it to the end."""
    main = connection.scalars(select(schema.units.c.id).where(schema.units.c.training.is_(False)))
    taken = Counter(
        connection.scalars(
            select(assignments.c.unit).where(assignments.c.repeat.is_(False), assignments.c.state != "released")
        )
    )
    return {unit: taken[unit] for unit in main}
