"""The tables of `study.toml`; what is wrong with one becomes a sentence: where, what was expected, what was found."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from plainwright.errors import DataError
from plainwright.rate.settings import Contradictions

__all__ = ["AspectTable", "ItemTable", "MaterialTable", "StudyTables", "checked_tables"]

Share = Annotated[float, Meta(ge=0, le=1)]
Words = Annotated[str, Meta(min_length=1, max_length=1000)]
Long = Annotated[str, Meta(min_length=1, max_length=10_000)]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are wrong."""


class StudyTable(_Table, frozen=True):
    """[study]."""

    title: Annotated[str, Meta(min_length=1, max_length=200)]
    form: str = "rank"
    raters_per_unit: Annotated[int, Meta(ge=1, le=1000)] = 3
    units_per_rater: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 2023
    database: Words = "study.db"
    instructions: str = ""
    consent: str = ""


class PageTable(_Table, frozen=True):
    """[page]."""

    groups: bool = True
    edits: bool = True
    contradictions: Contradictions = "confirm"
    cards_per_page: Literal["one", "all"] = "one"
    lease_hours: Annotated[float, Meta(gt=0, le=10_000)] = 24.0


class ControlsTable(_Table, frozen=True):
    """[controls]."""

    source: bool = False
    reference: bool = False
    degraded: Share = 0.0
    repeats: Share = 0.0


class MaterialTable(_Table, frozen=True):
    """[material]."""

    source: str = ""
    outputs: dict[str, Words] = msgspec.field(default_factory=dict)
    references: list[Words] = msgspec.field(default_factory=list)
    simpeval: str = ""
    with_ratings: bool = False


class AspectTable(_Table, frozen=True):
    """[[aspects]]."""

    name: Annotated[str, Meta(min_length=1, max_length=64)]
    question: Words
    scale: str = ""
    labels: list[Annotated[str, Meta(min_length=1, max_length=100)]] = msgspec.field(default_factory=list)


class ExpectationTable(_Table, frozen=True):
    """[[training.items.outputs]]."""

    text: Long
    low: float
    high: float
    why: Annotated[str, Meta(max_length=2000)] = ""


class ItemTable(_Table, frozen=True):
    """[[training.items]]."""

    source: Long
    outputs: Annotated[list[ExpectationTable], Meta(min_length=1, max_length=100)]


class TrainingTable(_Table, frozen=True):
    """[training]."""

    pass_share: Share = 0.0
    items: Annotated[list[ItemTable], Meta(max_length=100)] = msgspec.field(default_factory=list)


class StudyTables(_Table, frozen=True):
    """The whole file."""

    study: StudyTable
    page: PageTable = PageTable()
    controls: ControlsTable = ControlsTable()
    material: MaterialTable = MaterialTable()
    aspects: Annotated[list[AspectTable], Meta(max_length=20)] = msgspec.field(default_factory=list)
    training: TrainingTable = TrainingTable()


def checked_tables(table: Mapping[str, Any]) -> StudyTables:
    """What TOML gave, with every key known and every value of its kind; DataError otherwise."""
    _check_keys(table, StudyTables, "")
    _check_values(table, "")
    try:
        return msgspec.convert(table, StudyTables)
    except msgspec.ValidationError as error:
        raise DataError(_sentence(str(error), table)) from None


def _check_keys(value: object, kind: Any, place: str) -> None:
    """Refuse keys that nobody knows, with the nearest that somebody does."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is list and isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            _check_keys(entry, get_args(kind)[0], f"{place} {number}")
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, dict)):
        return
    known = get_type_hints(kind, include_extras=True)
    for key, entry in value.items():
        inner = f"{place}.{key}" if place else key
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
            msg = f"{inner}: no such setting; {hint}"
            raise DataError(msg)
        _check_keys(entry, known[key], inner)


def _check_values(value: object, place: str) -> None:
    """TOML has nan and inf, which pass every comparison or none, and NUL, which databases refuse."""
    if isinstance(value, dict):
        for key, entry in value.items():
            _check_values(key, place)
            _check_values(entry, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            _check_values(entry, f"{place} {number}")
    elif isinstance(value, float) and not math.isfinite(value):
        msg = f"{place}: expected a finite number, found {value}"
        raise DataError(msg)
    elif isinstance(value, str) and "\0" in value:
        msg = f"{place}: expected text, found a NUL character in it"
        raise DataError(msg)


_PLACE = re.compile(r"(.*) - at `\$\.?(.*)`", re.DOTALL)
_STEP = re.compile(r"\[(\d+)\]|\.?([^.\[\]]+)")
_KINDS = {
    "`int`": "a whole number",
    "`float`": "a number",
    "`str`": "text",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
}


def _sentence(complaint: str, table: Mapping[str, Any]) -> str:
    """What the checker found wrong, in our words: where, what was expected, what was found."""
    found = _PLACE.fullmatch(complaint)
    text, where = (found[1], found[2]) if found else (complaint, "")
    if missing := re.search(r"missing required field `(.+)`", text):
        where = f"{where}.{missing[1]}" if where else missing[1]
        return f"{_readable(where)}: expected a value, found none"
    if "Expected" not in text:  # of a choice: "Invalid enum value 'x'"
        choices = _choices(where)
        text = f"Expected {' or '.join(map(repr, choices))}" if choices else text
    expected = text.partition(", got ")[0]
    for kind, words in _KINDS.items():
        expected = expected.replace(kind, words)
    expected = (
        expected.replace("`", "").replace(" of length >= 1", " that is not empty").replace("Expected", "expected")
    )
    value = _value_at(where, table)
    return f"{_readable(where)}: {expected}, found {value!r:.60}"


def _choices(where: str) -> tuple[str, ...]:
    kind: Any = StudyTables
    for _, key in _STEP.findall(where):
        while get_origin(kind) in (Annotated, list):
            kind = get_args(kind)[0]
        if key:
            kind = get_type_hints(kind, include_extras=True)[key]
    return get_args(kind) if get_origin(kind) is Literal else ()


def _value_at(where: str, table: Mapping[str, Any]) -> object:
    value: Any = table
    for number, key in _STEP.findall(where):
        try:
            value = value[int(number) if number else key]
        except (KeyError, IndexError, TypeError):
            break
    return value


def _readable(where: str) -> str:
    """`aspects[0].name` as "aspects 1.name": people count from one. Of a free table we are not told the key."""
    return re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", where.replace("[...]", ""))
