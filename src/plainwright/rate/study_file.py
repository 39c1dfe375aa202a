"""`study.toml`: the whole study in one file that people write; every key and value is checked, with the way out.

[study]       title, form, raters_per_unit, units_per_rater, seed, database; instructions and consent: Markdown files
[page]        groups, edits, contradictions, cards_per_page, lease_hours
[controls]    source, reference, degraded, repeats
[material]    the files that the study was, or will be, made from
[[aspects]]   own questions instead of those of the form
[writing]     limits of what raters write, of the forms that ask for a text
[training]    pass_share, review, and [[training.items]] with what careful raters would say
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import get_args

from sqlalchemy import URL

from plainwright.errors import DataError, UnknownNameError
from plainwright.files import is_there, read_text
from plainwright.rate.checks import check_settings
from plainwright.rate.forms.base import Form
from plainwright.rate.forms.registry import form_named
from plainwright.rate.settings import (
    Aspect,
    CardsPerPage,
    Contradictions,
    Controls,
    Expectation,
    Settings,
    Splitting,
    TrainingItem,
    Writing,
)
from plainwright.study.ratings import Scale
from plainwright.tables import TableReader

__all__ = ["DATABASE_VARIABLE", "Material", "StudyFile", "chosen_database", "database_url", "read_study_file"]

DATABASE_VARIABLE = "PLAINWRIGHT_RATE_DATABASE"

_TEXT_LIMIT = 100_000  # characters of instructions
_WORDS = 1000  # characters of a question, of a name of a file
_LONG = 10_000  # characters of a sentence
_USUAL = Settings(title="", form="", aspects=())  # what holds where nothing else is said
_STUDY_KEYS = ("title", "form", "raters_per_unit", "units_per_rater", "seed", "database", "instructions", "consent")


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
    table = TableReader.read(path, of="a study in TOML")
    table.check_keys("study", "page", "controls", "material", "aspects", "writing", "training")
    study = table.section("study")
    settings = _settings(path.parent, table)
    try:
        check_settings(settings)
    except DataError as error:
        msg = f"{path}: {error}"
        raise DataError(msg) from None
    return StudyFile(
        path=path,
        settings=settings,
        database=chosen_database(study.text("database", "study.db", least=1, most=_WORDS), path.parent),
        material=_material(path.parent, table.section("material")),
        texts=tuple(path.parent / name for name in (study.text("instructions", ""), study.text("consent", "")) if name),
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


def _settings(folder: Path, table: TableReader) -> Settings:
    study, page, training = table.section("study"), table.section("page"), table.section("training")
    study.check_keys(*_STUDY_KEYS)
    page.check_keys("groups", "edits", "contradictions", "cards_per_page", "lease_hours")
    training.check_keys("pass_share", "review", "items")
    try:
        form = form_named(study.text("form", "rank"))
    except UnknownNameError as error:
        raise study.problem(key="form", what=str(error)) from None
    lease = page.number("lease_hours", _USUAL.lease_hours, low=0, high=10_000)
    if not lease:
        raise page.wrong(key="lease_hours", expected="a number above 0", found=lease)
    return Settings(
        title=study.text("title", least=1, most=200),
        form=form.name,
        aspects=_aspects(table, form),
        raters_per_unit=study.whole("raters_per_unit", _USUAL.raters_per_unit, low=1, high=1000),
        units_per_rater=study.whole("units_per_rater", _USUAL.units_per_rater, low=0, high=1_000_000),
        seed=study.whole("seed", _USUAL.seed, low=0),
        groups=page.flag("groups", _USUAL.groups),
        edits=page.flag("edits", _USUAL.edits and not form.writes),
        contradictions=page.choice("contradictions", get_args(Contradictions), _USUAL.contradictions),
        cards_per_page=page.choice("cards_per_page", get_args(CardsPerPage), _USUAL.cards_per_page),
        lease_hours=lease,
        pass_share=training.number("pass_share", _USUAL.pass_share, low=0, high=1),
        review=training.flag("review", _USUAL.review),
        controls=_controls(table.section("controls")),
        training=tuple(_training_item(item, form) for item in training.sections("items", most=100)),
        writing=_writing(table.section("writing"), form),
        instructions=_markdown(folder, study, "instructions"),
        consent=_markdown(folder, study, "consent"),
    )


def _aspects(table: TableReader, form: Form) -> tuple[Aspect, ...]:
    given = table.sections("aspects", most=20)
    if given and form.writes:
        what = f"expected no questions with the form {form.name!r}, which asks for a text, found some; omit them"
        raise table.problem(key="aspects", what=what)
    return tuple(_aspect(aspect, form) for aspect in given) or form.aspects


def _writing(table: TableReader, form: Form) -> Writing | None:
    usual = form.writing
    if usual is None:
        if list(table):
            what = (
                f"expected no limits of texts with the form {form.name!r}, which asks for none, found some; omit them"
            )
            raise table.problem(key="", what=what)
        return None
    table.check_keys(*(field.name for field in fields(Writing)))
    return Writing(
        shortest=table.number("shortest", usual.shortest, low=0, high=1),
        longest=table.number("longest", usual.longest, low=1, high=10),
        fewest_changes=table.whole("fewest_changes", usual.fewest_changes, low=0, high=1000),
        splitting=table.choice("splitting", get_args(Splitting), usual.splitting),
        most_lost=_optional(table, "most_lost", usual.most_lost),
        most_added=_optional(table, "most_added", usual.most_added),
        allow_unchanged=table.flag("allow_unchanged", usual.allow_unchanged),
    )


def _optional(table: TableReader, key: str, usual: int | None) -> int | None:
    return table.whole(key, low=0, high=1000) if key in set(table) else usual


def _aspect(table: TableReader, form: Form) -> Aspect:
    table.check_keys("name", "question", "scale", "labels")
    name, question = table.text("name", least=1, most=64), table.text("question", least=1, most=_WORDS)
    written, labels = table.text("scale", ""), table.texts("labels", least=1, most=100)
    if form.scale is not None:
        if written or labels:
            expected = "a name and a question, found a scale or labels, which the form sets"
            raise table.problem(key="", what=f"expected {expected}")
        return Aspect(name=name, question=question, scale=form.scale)
    try:
        return Aspect(name=name, question=question, scale=Scale.parse(written), labels=labels)
    except DataError as error:
        raise table.problem(key="scale", what=str(error)) from None


def _controls(table: TableReader) -> Controls:
    usual = _USUAL.controls
    table.check_keys("source", "reference", "degraded", "repeats")
    return Controls(
        source=table.flag("source", usual.source),
        reference=table.flag("reference", usual.reference),
        degraded=table.number("degraded", usual.degraded, low=0, high=1),
        repeats=table.number("repeats", usual.repeats, low=0, high=1),
    )


def _training_item(table: TableReader, form: Form) -> TrainingItem:
    if form.writes:
        return _writing_item(table)
    table.check_keys("source", "outputs")
    outputs = tuple(map(_expectation, table.sections("outputs", least=1, most=100)))
    return TrainingItem(source=table.text("source", least=1, most=_LONG), outputs=outputs)


def _writing_item(table: TableReader) -> TrainingItem:
    table.check_keys("source", "replaced", "kept", "sentences", "example", "why")
    return TrainingItem(
        source=table.text("source", least=1, most=_LONG),
        replaced=table.texts("replaced", least=1, most=200),
        kept=table.texts("kept", least=1, most=200),
        sentences=table.whole("sentences", 0, low=0, high=100),
        example=table.text("example", "", most=_LONG),
        why=table.text("why", "", most=2000),
    )


def _expectation(table: TableReader) -> Expectation:
    table.check_keys("text", "low", "high", "why")
    return Expectation(
        text=table.text("text", least=1, most=_LONG),
        low=table.number("low"),
        high=table.number("high"),
        why=table.text("why", "", most=2000),
    )


def _markdown(folder: Path, study: TableReader, what: str) -> str:
    name = study.text(what, "")
    if not name:
        return ""
    try:
        text = read_text(folder / name)
    except DataError as error:
        way_out = "" if is_there(folder / name) else f'; write it, or leave the page out with {what} = ""'
        raise study.problem(key=what, what=f"{error}{way_out}") from None
    if len(text) > _TEXT_LIMIT:
        expected = f"at most {_TEXT_LIMIT:,} characters, found {len(text):,} in {name}"
        raise study.problem(key=what, what=f"expected {expected}")
    return text if text.strip() else ""  # a page with nothing on it is none


def _material(folder: Path, table: TableReader) -> Material:
    table.check_keys("source", "outputs", "references", "simpeval", "with_ratings")
    simpeval, source, outputs = table.text("simpeval", ""), table.text("source", ""), table.section("outputs")
    if simpeval and is_there(folder / simpeval) and (folder / simpeval).is_file():
        simpeval = str(folder / simpeval)
    return Material(
        source=folder / source if source else None,
        outputs={system: folder / outputs.text(system, least=1, most=_WORDS) for system in outputs},
        references=tuple(folder / name for name in table.texts("references", least=1, most=_WORDS)),
        simpeval=simpeval,
        with_ratings=table.flag("with_ratings", False),
    )
