"""`study.toml`: the whole study in one file that people write; every key and value is checked, with the way out.

[study]       title, form, raters_per_unit, units_per_rater, seed, database; instructions and consent: Markdown files
[page]        groups, edits, contradictions, cards_per_page, lease_hours
[controls]    source, reference, degraded, repeats
[material]    the files that the study was, or will be, made from
[[aspects]]   own questions instead of those of the form
[training]    pass_share, and [[training.items]] with what careful raters would say
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from sqlalchemy import URL

from plainwright.errors import DataError, UnknownNameError
from plainwright.files import is_there, read_text
from plainwright.rate.checks import check_settings
from plainwright.rate.forms.base import Form
from plainwright.rate.forms.registry import form_named
from plainwright.rate.settings import Aspect, Controls, Expectation, Settings, TrainingItem
from plainwright.rate.study_table import AspectTable, ItemTable, MaterialTable, StudyTables, checked_tables
from plainwright.study.ratings import Scale
from plainwright.tables import read_toml

__all__ = ["DATABASE_VARIABLE", "Material", "StudyFile", "chosen_database", "database_url", "read_study_file"]

DATABASE_VARIABLE = "PLAINWRIGHT_RATE_DATABASE"

_TEXT_LIMIT = 100_000  # characters of instructions


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The files that a study is made from."""

    source: Path | None = None
    outputs: Mapping[str, Path] = field(default_factory=dict)  # by system
    references: tuple[Path, ...] = ()
    simpeval: str = ""  # instead of all those above: a file, or the name of a corpus
    with_ratings: bool = False  # take its ratings over, too


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFile:
    """A study as `study.toml` has it."""

    path: Path
    settings: Settings
    database: str  # SQLAlchemy URL
    material: Material = field(default_factory=Material)
    texts: tuple[Path, ...] = field(default=(), compare=False)  # the files of instructions and consent that it names


def read_study_file(path: str | Path) -> StudyFile:
    """Read and check all of it, instructions and consent included; the material and the database are not looked at."""
    path = Path(path)
    table = read_toml(path, of="a study in TOML")
    try:
        tables = checked_tables(table)
        settings = _settings(path.parent, tables)
        check_settings(settings)
    except DataError as error:
        msg = f"{path}: {error}"
        raise DataError(msg) from None
    return StudyFile(
        path=path,
        settings=settings,
        database=chosen_database(tables.study.database, path.parent),
        material=_material(path.parent, tables.material),
        texts=tuple(path.parent / name for name in (tables.study.instructions, tables.study.consent) if name),
    )


def chosen_database(given: str, folder: Path) -> str:
    """The URL of the database that the environment names, or else the study file in that folder."""
    return os.environ.get(DATABASE_VARIABLE) or database_url(given, folder)


def database_url(given: str, folder: Path) -> str:
    """The URL of a database that is named by a file relative to a folder, or by a URL."""
    if given.startswith("sqlite:///"):
        given = given.removeprefix("sqlite:///")
    if "://" in given:
        return given
    return URL.create("sqlite", database=str((folder / given).absolute())).render_as_string()


def _settings(folder: Path, tables: StudyTables) -> Settings:
    form = _form(tables.study.form)
    own = tuple(_aspect(aspect, form, f"aspects {number}") for number, aspect in enumerate(tables.aspects, start=1))
    return Settings(
        title=tables.study.title,
        form=form.name,
        aspects=own or form.aspects,
        raters_per_unit=tables.study.raters_per_unit,
        units_per_rater=tables.study.units_per_rater,
        seed=tables.study.seed,
        **msgspec.structs.asdict(tables.page),
        pass_share=tables.training.pass_share,
        controls=Controls(**msgspec.structs.asdict(tables.controls)),
        training=tuple(map(_training_item, tables.training.items)),
        instructions=_markdown(folder, "instructions", tables.study.instructions),
        consent=_markdown(folder, "consent", tables.study.consent),
    )


def _form(name: str) -> Form:
    try:
        return form_named(name)
    except UnknownNameError as error:
        msg = f"study.form: {error}"
        raise DataError(msg) from None


def _aspect(table: AspectTable, form: Form, place: str) -> Aspect:
    if form.scale is not None:
        if table.scale or table.labels:
            msg = f"{place}: expected a name and a question, found a scale or labels, which the form sets"
            raise DataError(msg)
        return Aspect(name=table.name, question=table.question, scale=form.scale)
    try:
        scale = Scale.parse(table.scale)
    except DataError as error:
        msg = f"{place}.scale: {error}"
        raise DataError(msg) from None
    return Aspect(name=table.name, question=table.question, scale=scale, labels=tuple(table.labels))


def _training_item(table: ItemTable) -> TrainingItem:
    outputs = tuple(Expectation(**msgspec.structs.asdict(output)) for output in table.outputs)
    return TrainingItem(source=table.source, outputs=outputs)


def _markdown(folder: Path, what: str, name: str) -> str:
    if not name:
        return ""
    try:
        text = read_text(folder / name)
    except DataError as error:
        way_out = "" if is_there(folder / name) else f'; write it, or leave the page out with {what} = ""'
        msg = f"study.{what}: {error}{way_out}"
        raise DataError(msg) from None
    if len(text) > _TEXT_LIMIT:
        msg = f"study.{what}: expected at most {_TEXT_LIMIT:,} characters, found {len(text):,} in {name}"
        raise DataError(msg)
    return text if text.strip() else ""  # a page with nothing on it is none


def _material(folder: Path, table: MaterialTable) -> Material:
    simpeval = table.simpeval
    if simpeval and is_there(folder / simpeval) and (folder / simpeval).is_file():
        simpeval = str(folder / simpeval)
    return Material(
        source=folder / table.source if table.source else None,
        outputs={system: folder / name for system, name in table.outputs.items()},
        references=tuple(folder / name for name in table.references),
        simpeval=simpeval,
        with_ratings=table.with_ratings,
    )
