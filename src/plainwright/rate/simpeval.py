"""Tables in the layout of SimpEval (Maddela et al., 2023) as the material of a study, with their ratings if wanted.

The ratings become those of raters of the study, who left when they were done. Each page has an event for each score,
for each output that its `sentence_type` puts into another group than ours, for the order by score within a group
(none was published), and for the end. Identical outputs stay apart, for they were rated apart. Of a unit, the
assignments are made in the order of the columns: the first is `rating_1`. Nobody knows in what order the outputs were
shown; that of the table stands in for it, and the keys of the events tell results that it does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, select

from plainwright import corpora
from plainwright.errors import DataError, UnknownNameError
from plainwright.rate.events import Batch, Event, Finish, Move, Score, Sent, Sort
from plainwright.rate.forms.registry import form_of
from plainwright.rate.settings import Settings
from plainwright.rate.store import log
from plainwright.rate.store.people import add_rater, leave, new_public_id
from plainwright.rate.store.schema import assignments, units
from plainwright.rate.store.studies import StoredItem, load_items
from plainwright.study.operations import OPERATIONS, Operation
from plainwright.study.ratings import Ratings, read_ratings
from plainwright.study.ratings.cells import name_in, optional_number, optional_text
from plainwright.study.ratings.raw import RawRow, RawTable, read_table

__all__ = ["SimpEval", "check_import", "import_ratings", "key_of_import", "path_of_table", "read_simpeval"]

_COLUMNS = ("original_id", "original", "generation", "system")
_GROUPS: Mapping[str, Operation] = {"Splittings": "split", "Deletions": "deletion", "Paraphrases": "paraphrase"}
_RATING = re.compile(r"rating_\d+")
_BATCH = 50  # events that one batch may have


@dataclass(frozen=True, slots=True, kw_only=True)
class SimpEval:
    """A table, by source; None where a system made nothing."""

    names: tuple[str, ...]
    sources: tuple[str, ...]
    outputs: Mapping[str, tuple[str | None, ...]]  # by system
    rows: Mapping[str, tuple[int, ...]]  # of the outputs, from 0; -1 for none
    groups: Mapping[tuple[str, str], Operation]  # by name and system, as far as the table has them
    ratings: Ratings | None  # of outputs that are there
    missing: int  # outputs that were empty, and so are not rated


def path_of_table(given: str) -> str:
    """The file that is named, or that of a registered corpus."""
    names = corpora.names(kind="ratings")
    if given in names:
        return str(corpora.locate(given)[0])
    if not Path(given).exists() and not Path(given).suffix:
        listing = "give a file, or one of `plainwright corpora list`"
        raise UnknownNameError.suggest(kind="table of SimpEval", name=given, known=names, listing=listing)
    return given


def read_simpeval(given: str, *, with_ratings: bool) -> SimpEval:
    """Read a file, or the file of a registered corpus such as simpeval/2022."""
    path = path_of_table(given)
    table = read_table(path)
    if absent := [column for column in _COLUMNS if column not in table.columns]:
        msg = f"{table.name}: expected the columns {', '.join(_COLUMNS)}, found no {absent[0]!r}"
        raise DataError(msg)
    sources: dict[str, str] = {}
    found: dict[tuple[str, str], tuple[int, str, Operation | None]] = {}
    for number, row in enumerate(table.rows):
        name, system = name_in(table, row, "original_id"), name_in(table, row, "system")
        source = optional_text(table, row, "original") or ""
        if sources.setdefault(name, source) != source:
            msg = f"{table.place(row)}: expected the source of item {name!r} to be as before, found another"
            raise DataError(msg)
        if (name, system) in found:
            msg = f"{table.place(row)}: expected one output of a system for an item, found another of {system!r}"
            raise DataError(msg)
        found[name, system] = (number, _text(table, row), _group(table, row))
    if with_ratings:
        _check_filled(table)
    systems = tuple(dict.fromkeys(system for _, system in found))
    return SimpEval(
        names=tuple(sources),
        sources=tuple(sources.values()),
        outputs={system: tuple(_output(found.get((name, system))) for name in sources) for system in systems},
        rows={system: tuple(_row(found.get((name, system))) for name in sources) for system in systems},
        groups={key: group for key, (_, _, group) in found.items() if group is not None},
        ratings=_rated(path, found) if with_ratings else None,
        missing=sum(not text.strip() for _, text, _ in found.values()),
    )


def check_import(settings: Settings) -> None:
    """DataError for settings that leave the ratings of a table no place, or pages that they cannot fill."""
    if not form_of(settings).ordered:
        msg = f"with_ratings: expected a form with an order, as 'rank' has, found {settings.form!r}"
        raise DataError(msg)
    controls = settings.controls
    for name, wanted in (
        ("source", controls.source),
        ("reference", controls.reference),
        ("degraded", controls.degraded),
    ):
        if wanted:
            option = "--degraded" if name == "degraded" else f"--control-{name}"
            msg = (
                f"with_ratings: expected no controls, which nobody in the table has rated, found controls.{name}; "
                f"leave out {option}, or --with-ratings"
            )
            raise DataError(msg)


def import_ratings(connection: Connection, table: SimpEval, settings: Settings, now: float) -> None:
    """Save the ratings of a table into the study that was just made from it, each output on a card of its own."""
    if table.ratings is None:
        return
    check_import(settings)
    stored = {item.name: item for item in load_items(connection) if not item.training}
    unit_of = {row.item: row.id for row in connection.execute(select(units.c.id, units.c.item))}
    raters: dict[str, int] = {}
    places: dict[str, int] = {}
    pages = _pages(table.ratings)
    for name, rater in pages:
        if rater not in raters:
            raters[rater] = add_rater(connection, f"rater {rater} of the table", now).id
        places[rater] = places.get(rater, 0) + 1
        item = stored[name]
        assignment = connection.execute(
            insert(assignments)
            .values(
                public=new_public_id(),
                rater=raters[rater],
                unit=unit_of[item.id],
                place=places[rater],
                order=json.dumps([card.id for card in item.cards]),
                repeat=False,
                state="open",
                version=0,
                assigned=now,
                touched=now,
            )
            .returning(assignments.c.id)
        ).scalar_one()
        _append(connection, assignment, list(_events(item, pages[name, rater], table, settings)), now)
    for rater_id in raters.values():
        leave(connection, rater_id, now)


def key_of_import(assignment: int, number: int) -> str:
    """What an event is called that nobody sent; numbers count from 0."""
    return f"imported-{assignment:010}-{number:06}"


def _check_filled(table: RawTable) -> None:
    """A column of ratings is one rater's page of an item: it has a number for all of its outputs, or for none."""
    columns = [column for column in table.columns if _RATING.fullmatch(column)]
    rated = {
        (name_in(table, row, "original_id"), column)
        for row in table.rows
        for column in columns
        if optional_number(table, row, column) is not None
    }
    for row in table.rows:
        name = name_in(table, row, "original_id")
        for column in columns if _text(table, row).strip() else ():
            if (name, column) in rated and optional_number(table, row, column) is None:
                msg = (
                    f"{table.place(row)}: expected a rating of item {name!r}, system {row.cells['system']!r} in "
                    f"{column!r}, which has one of other outputs of the item, found nothing; fill it in, empty the "
                    "column for the whole item, or leave out --with-ratings"
                )
                raise DataError(msg)


def _rated(path: str, found: Mapping[tuple[str, str], tuple[int, str, Operation | None]]) -> Ratings:
    ratings = read_ratings(path, layout="simpeval")
    return Ratings(tuple(rating for rating in ratings if found[rating.item, rating.system][1].strip()))


def _text(table: RawTable, row: RawRow) -> str:
    # The raters saw what was made presentable, where there is such a column.
    column = "processed_generation" if "processed_generation" in table.columns else "generation"
    return optional_text(table, row, column) or ""


def _group(table: RawTable, row: RawRow) -> Operation | None:
    return _GROUPS.get(optional_text(table, row, "sentence_type") or "")


def _output(found: tuple[int, str, Operation | None] | None) -> str | None:
    return found[1] if found is not None and found[1].strip() else None


def _row(found: tuple[int, str, Operation | None] | None) -> int:
    return -1 if found is None else found[0]


def _pages(ratings: Ratings) -> dict[tuple[str, str], dict[str, float]]:
    """Scores by system, for each item and rater; all first columns come before all second ones."""
    scores: dict[tuple[str, str], dict[str, float]] = {}
    columns: dict[tuple[str, str], int] = {}
    counts: dict[tuple[str, str], int] = {}
    for rating in ratings:
        output = (rating.item, rating.system)
        counts[output] = counts.get(output, 0) + 1
        page = (rating.item, rating.rater)
        columns.setdefault(page, counts[output])
        scores.setdefault(page, {})[rating.system] = rating.score
    return {page: scores[page] for page in sorted(scores, key=columns.__getitem__)}


def _events(item: StoredItem, scores: Mapping[str, float], table: SimpEval, settings: Settings) -> Iterator[Event]:
    aspect = settings.aspects[0].name
    for card in item.cards:
        systems = [maker.system for maker in card.card.candidates]
        group = next(
            (table.groups[item.name, system] for system in systems if (item.name, system) in table.groups), None
        )
        if settings.groups and group is not None and group != card.card.group:
            yield Move(card=card.public, group=group, place=0)
        score = next((scores[system] for system in systems if system in scores), None)
        if score is not None:
            yield Score(card=card.public, aspect=aspect, value=score)
    for name in OPERATIONS if settings.groups else ("all",):
        yield Sort(group=name)  # type: ignore[arg-type]
    yield Finish(confirmed=True)


def _append(connection: Connection, assignment: int, events: Sequence[Event], now: float) -> None:
    for start in range(0, len(events), _BATCH):
        sent = [
            Sent(key=key_of_import(assignment, number), at=int(now * 1000), event=event)
            for number, event in enumerate(events[start : start + _BATCH], start=start)
        ]
        log.append(connection, assignment, Batch(base=start, events=sent), now)
