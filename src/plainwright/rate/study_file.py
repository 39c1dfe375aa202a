"""`study.toml`: the whole study in one file that people write; every key and value is checked, with the way out.

[study]       title, form, raters_per_unit, units_per_rater, seed, database; instructions and consent: Markdown files
[page]        groups, edits, contradictions, cards_per_page, lease_hours
[controls]    source, reference, degraded, repeats
[material]    the files that the study was, or will be, made from
[[aspects]]   own questions instead of those of the form
[training]    pass_share, and [[training.items]] with what careful raters would say
"""

from __future__ import annotations

import difflib
import math
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from plainwright.errors import DataError
from plainwright.files import read_text
from plainwright.rate.presets import PREFERENCE, aspects_of
from plainwright.rate.settings import Aspect, Contradictions, Controls, Expectation, FormName, Settings, TrainingItem
from plainwright.study.ratings import Scale

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["DATABASE_VARIABLE", "Material", "StudyFile", "check_settings", "read_study_file"]

DATABASE_VARIABLE = "PLAINWRIGHT_RATE_DATABASE"

_LIMIT = 1000.0  # of scores on both sides: what an event can carry
_MOST_STEPS = 101  # of a scale whose steps are shown one by one
_TEXT_LIMIT = 100_000  # characters of instructions

Share = Annotated[float, Meta(ge=0, le=1)]
Words = Annotated[str, Meta(min_length=1, max_length=1000)]
Long = Annotated[str, Meta(min_length=1, max_length=10_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The files that a study is made from."""

    source: Path | None = None
    outputs: Mapping[str, Path] = field(default_factory=dict)  # by system
    references: tuple[Path, ...] = ()
    simpeval: Path | None = None  # instead of all those above
    with_ratings: bool = False  # take its ratings over, too


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFile:
    """A study as `study.toml` has it."""

    path: Path
    settings: Settings
    database: str  # SQLAlchemy URL
    material: Material = field(default_factory=Material)


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Unknown keys are wrong."""


class _Study(_Table, frozen=True):
    title: Annotated[str, Meta(min_length=1, max_length=200)]
    form: FormName = "rank"
    raters_per_unit: Annotated[int, Meta(ge=1, le=1000)] = 3
    units_per_rater: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] = 2023
    database: Words = "study.db"
    instructions: str = ""
    consent: str = ""


class _Page(_Table, frozen=True):
    groups: bool = True
    edits: bool = True
    contradictions: Contradictions = "confirm"
    cards_per_page: Literal["one", "all"] = "one"
    lease_hours: Annotated[float, Meta(gt=0, le=10_000)] = 24.0


class _Controls(_Table, frozen=True):
    source: bool = False
    reference: bool = False
    degraded: Share = 0.0
    repeats: Share = 0.0


class _Material(_Table, frozen=True):
    source: str = ""
    outputs: dict[str, Words] = msgspec.field(default_factory=dict)
    references: list[Words] = msgspec.field(default_factory=list)
    simpeval: str = ""
    with_ratings: bool = False


class _Aspect(_Table, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=64)]
    question: Words
    scale: str = ""
    labels: list[Annotated[str, Meta(min_length=1, max_length=100)]] = msgspec.field(default_factory=list)


class _Expectation(_Table, frozen=True):
    text: Long
    low: float
    high: float
    why: Annotated[str, Meta(max_length=2000)] = ""


class _TrainingItem(_Table, frozen=True):
    source: Long
    outputs: Annotated[list[_Expectation], Meta(min_length=1, max_length=100)]


class _Training(_Table, frozen=True):
    pass_share: Share = 0.0
    items: Annotated[list[_TrainingItem], Meta(max_length=100)] = msgspec.field(default_factory=list)


class _File(_Table, frozen=True):
    study: _Study
    page: _Page = _Page()
    controls: _Controls = _Controls()
    material: _Material = _Material()
    aspects: Annotated[list[_Aspect], Meta(max_length=20)] = msgspec.field(default_factory=list)
    training: _Training = _Training()


def read_study_file(path: str | Path) -> StudyFile:
    """Read and check all of it, instructions and consent included; the material and the database are not looked at."""
    path = Path(path)
    try:
        table = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        msg = f"{path}: expected a study in TOML, found something else ({error})"
        raise DataError(msg) from None
    try:
        read = _checked(table)
        settings = _settings(path, read)
        check_settings(settings)
    except DataError as error:
        msg = f"{path}: {error}"
        raise DataError(msg) from None
    return StudyFile(
        path=path,
        settings=settings,
        database=os.environ.get(DATABASE_VARIABLE) or database_url(read.study.database, path.parent),
        material=_material(path.parent, read.material),
    )


def database_url(given: str, folder: Path) -> str:
    """The URL of a database named by a file in a folder, or by a URL as it is; drivers are ours to choose."""
    if "://" not in given:
        return f"sqlite:///{(folder / given).absolute()}"
    kind, _, rest = given.partition("://")
    if kind == "sqlite" and rest.startswith("/") and not rest.startswith("//"):
        return f"sqlite:///{(folder / rest[1:]).absolute()}"
    return f"postgresql+psycopg://{rest}" if kind in ("postgres", "postgresql") else given


def check_settings(settings: Settings) -> None:
    """Whether all of it fits together; `study.toml` and the command line both come by here."""
    _check_aspects(settings)
    _check_training(settings)
    if not settings.title.strip() or "\n" in settings.title:
        msg = f"[study] title: expected one line of text, found {settings.title!r:.60}"
        raise DataError(msg)


def _checked(table: Mapping[str, Any]) -> _File:
    _check_keys(table, _File, "")
    _check_numbers(table, "")
    try:
        return msgspec.convert(table, _File)
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


def _check_numbers(value: object, place: str) -> None:
    """TOML has nan and inf, which pass every comparison or none."""
    if isinstance(value, dict):
        for key, entry in value.items():
            _check_numbers(entry, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for number, entry in enumerate(value, start=1):
            _check_numbers(entry, f"{place} {number}")
    elif isinstance(value, float) and not math.isfinite(value):
        msg = f"{place}: expected a finite number, found {value}"
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
    kind: Any = _File
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
    """`aspects[0].name` as "aspects 1.name": people count from one."""
    return re.sub(r"\[(\d+)\]", lambda found: f" {int(found[1]) + 1}", where)


def _settings(path: Path, read: _File) -> Settings:
    form = read.study.form
    own = tuple(_aspect(aspect, form, f"aspects {number}") for number, aspect in enumerate(read.aspects, start=1))
    return Settings(
        title=read.study.title,
        form=form,
        aspects=own or aspects_of(form),
        raters_per_unit=read.study.raters_per_unit,
        units_per_rater=read.study.units_per_rater,
        seed=read.study.seed,
        groups=read.page.groups,
        edits=read.page.edits,
        contradictions=read.page.contradictions,
        cards_per_page=read.page.cards_per_page,
        lease_hours=read.page.lease_hours,
        pass_share=read.training.pass_share,
        controls=Controls(**msgspec.structs.asdict(read.controls)),
        training=tuple(map(_training_item, read.training.items)),
        instructions=_markdown(path.parent, "instructions", read.study.instructions),
        consent=_markdown(path.parent, "consent", read.study.consent),
    )


def _aspect(read: _Aspect, form: FormName, place: str) -> Aspect:
    if form == "pairwise":
        if read.scale or read.labels:
            msg = f"{place}: expected a name and a question, found a scale or labels, which a preference has not"
            raise DataError(msg)
        return Aspect(name=read.name, question=read.question, scale=PREFERENCE)
    try:
        scale = Scale.parse(read.scale)
    except DataError as error:
        msg = f"{place}.scale: {error}"
        raise DataError(msg) from None
    return Aspect(name=read.name, question=read.question, scale=scale, labels=tuple(read.labels))


def _training_item(read: _TrainingItem) -> TrainingItem:
    outputs = tuple(Expectation(**msgspec.structs.asdict(output)) for output in read.outputs)
    return TrainingItem(source=read.source, outputs=outputs)


def _markdown(folder: Path, what: str, name: str) -> str:
    if not name:
        return ""
    try:
        text = read_text(folder / name)
    except DataError as error:
        msg = f"[study] {what}: {error}"
        raise DataError(msg) from None
    if len(text) > _TEXT_LIMIT:
        msg = f"[study] {what}: expected at most {_TEXT_LIMIT:,} characters, found {len(text):,} in {name}"
        raise DataError(msg)
    return text


def _material(folder: Path, read: _Material) -> Material:
    return Material(
        source=folder / read.source if read.source else None,
        outputs={system: folder / name for system, name in read.outputs.items()},
        references=tuple(folder / name for name in read.references),
        simpeval=folder / read.simpeval if read.simpeval else None,
        with_ratings=read.with_ratings,
    )


def _check_aspects(settings: Settings) -> None:
    if settings.form == "rank" and len(settings.aspects) != 1:
        msg = f"aspects: expected one for the form 'rank', found {len(settings.aspects)}"
        raise DataError(msg)
    names = [aspect.name for aspect in settings.aspects]
    if twice := [name for name in names if names.count(name) > 1]:
        msg = f"aspects: expected names that differ, found {twice[0]!r} twice"
        raise DataError(msg)
    for number, aspect in enumerate(settings.aspects, start=1):
        if problem := _problem_of(aspect):
            msg = f"aspects {number}.{problem}"
            raise DataError(msg)


def _problem_of(aspect: Aspect) -> str:
    """What is wrong with a question; empty if nothing is."""
    scale, labels = aspect.scale, len(aspect.labels)
    if not -_LIMIT <= scale.low <= scale.high <= _LIMIT:
        return f"scale: expected scores from {-_LIMIT:g} to {_LIMIT:g}, found {scale}"
    if scale.step is None:
        return "labels: expected at least two, of both ends, found one" if labels == 1 else ""
    if scale.high not in scale:
        return f"scale: expected whole steps from one end to the other, found {scale}"
    steps = round((scale.high - scale.low) / scale.step) + 1
    if steps > _MOST_STEPS:
        return f"scale: expected at most {_MOST_STEPS} steps, found {steps} in {scale}; leave 'by …' out for a slider"
    if labels not in (0, steps):
        return f"labels: expected {steps}, one for each step of {scale}, found {labels}"
    return ""


def _check_training(settings: Settings) -> None:
    if settings.pass_share and not settings.training:
        msg = f"training.pass_share: expected training items to pass, found none for a share of {settings.pass_share:g}"
        raise DataError(msg)
    for number, item in enumerate(settings.training, start=1):
        place = f"training.items {number}"
        if settings.form == "pairwise" and len(item.outputs) != 2:
            msg = f"{place}: expected two outputs to compare, found {len(item.outputs)}"
            raise DataError(msg)
        _check_texts(place, [item.source], [output.text for output in item.outputs])
        for output_number, output in enumerate(item.outputs, start=1):
            _check_expectation(f"{place}.outputs {output_number}", output, settings.aspects[0].scale)


def _check_texts(place: str, sources: Sequence[str], outputs: Sequence[str]) -> None:
    if not all(text.strip() for text in (*sources, *outputs)):
        msg = f"{place}: expected text, found an empty source or output"
        raise DataError(msg)
    words = [" ".join(text.split()) for text in outputs]
    if twice := [text for text in words if words.count(text) > 1]:
        msg = f"{place}: expected outputs that differ, found {twice[0]!r:.60} twice"
        raise DataError(msg)


def _check_expectation(place: str, output: Expectation, scale: Scale) -> None:
    if not scale.low <= output.low <= output.high <= scale.high:
        found = f"{output.low:g} and {output.high:g}"
        msg = f"{place}: expected low and high, in this order, on the scale {scale}, found {found}"
        raise DataError(msg)
