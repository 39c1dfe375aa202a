"""From a study file to a database that is ready for raters: material read, cards built, all saved, or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError, LengthMismatchError
from plainwright.files import atomic_write, check_writable, read_lines
from plainwright.rate.building import build_items, build_sources, units_of
from plainwright.rate.forms.registry import form_of
from plainwright.rate.identical import Identical, identical_outputs
from plainwright.rate.material import Item
from plainwright.rate.settings import Settings
from plainwright.rate.simpeval import SimpEval, check_import, import_ratings, read_simpeval
from plainwright.rate.store.database import Database
from plainwright.rate.store.engines import file_of, parse_url
from plainwright.rate.store.open_file import remove_files
from plainwright.rate.store.organisers import set_password
from plainwright.rate.store.studies import save_study
from plainwright.rate.study_file import Material, StudyFile
from plainwright.rate.study_writing import CONSENT_FILE, INSTRUCTIONS_FILE, write_study_file

__all__ = ["BuiltStudy", "build_study", "save_built", "write_texts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltStudy:
    """What a study will hold."""

    settings: Settings
    items: tuple[Item, ...]
    table: SimpEval | None = None  # that it was made from; its ratings are saved, too

    @property
    def sentences(self) -> int:
        """Without those of the training."""
        return sum(not item.training for item in self.items)

    @property
    def systems(self) -> tuple[str, ...]:
        """Without our controls."""
        makers = (maker for item in self.items if not item.training for card in item.cards for maker in card.candidates)
        return tuple(dict.fromkeys(maker.system for maker in makers if maker.control is None))

    @property
    def outputs(self) -> int:
        """Of systems and controls, also identical ones."""
        return sum(len(card.candidates) for item in self.items if not item.training for card in item.cards)

    @property
    def cards(self) -> int:
        """Distinct outputs."""
        return sum(len(item.cards) for item in self.items if not item.training)

    @property
    def identical(self) -> Identical | None:
        """Of a study of pairs, the outputs that nobody is asked to compare."""
        if not form_of(self.settings).compares:
            return None
        return identical_outputs(item.cards for item in self.items if not item.training)

    @property
    def units(self) -> int:
        """Pages, without the training."""
        return sum(len(units_of(item, self.settings)) for item in self.items if not item.training)


def build_study(settings: Settings, material: Material) -> BuiltStudy:
    """Read what the material names, and make the cards."""
    if form_of(settings).writes:
        return _build_writing(settings, material)
    if material.simpeval:
        if material.source or material.outputs or material.references:
            msg = "material: expected either a table of SimpEval or a source and outputs, found both"
            raise DataError(msg)
        if material.with_ratings:
            check_import(settings)
        table = read_simpeval(material.simpeval, with_ratings=material.with_ratings)
        items = build_items(
            table.sources,
            table.outputs,
            settings,
            names=table.names,
            rows=table.rows,
            collapse=not material.with_ratings,
        )
        return BuiltStudy(settings=settings, items=items, table=table)
    if material.source is None or not material.outputs:
        missing = "source" if material.source is None else "outputs"
        msg = (
            f"material: expected a source and the outputs of at least one system, found no {missing}; "
            "give --source and --outputs, or write them into [material]"
        )
        raise DataError(msg)
    sources = read_lines(material.source)
    outputs = {system: _lines(path, sources, material.source) for system, path in material.outputs.items()}
    references = [_lines(path, sources, material.source) for path in material.references]
    by_source = [list(own) for own in zip(*references, strict=True)] if references else None
    return BuiltStudy(settings=settings, items=build_items(sources, outputs, settings, by_source))


def _build_writing(settings: Settings, material: Material) -> BuiltStudy:
    if material.source is None or material.outputs or material.references or material.simpeval:
        found = "no source" if material.source is None else "outputs, references or a table of them"
        msg = (
            f"material: expected a source alone with the form {settings.form!r}, for which raters write, found {found};"
            " give --source, and nothing else to rate"
        )
        raise DataError(msg)
    return BuiltStudy(settings=settings, items=build_sources(read_lines(material.source), settings))


def save_built(built: BuiltStudy, database_url: str, *, organiser: str, password: str, now: float) -> None:
    """Make the database, and save all in one transaction; a new file goes again if something fails."""
    path = file_of(parse_url(database_url))
    if path is not None:
        check_writable(path)
    is_new = path is not None and not path.exists()
    database = Database.create(database_url)
    try:
        with database.writing() as connection:
            save_study(connection, built.settings, built.items, now)
            set_password(connection, organiser, password)
            if built.table is not None:
                import_ratings(connection, built.table, built.settings, now)
    except BaseException:
        database.close()
        if path is not None and is_new:
            remove_files(path)
        raise
    database.close()


@contextmanager
def write_texts(study: StudyFile, database: str) -> Iterator[tuple[Path, ...]]:
    """Write study.toml and, where there are none, instructions and consent; if the block fails, they go again."""
    folder = study.path.parent
    texts = {folder / INSTRUCTIONS_FILE: study.settings.instructions, folder / CONSENT_FILE: study.settings.consent}
    new = [path for path in texts if not path.exists()]
    for path in (study.path, *new):
        check_writable(path)
    written: list[Path] = []
    try:
        for path in new:
            with atomic_write(path) as stream:
                stream.write(texts[path])
            written.append(path)
        write_study_file(study.path, study.settings, database=database, material=study.material)
        written.append(study.path)
        yield tuple(reversed(written))
    except BaseException:
        for path in written:
            path.unlink(missing_ok=True)
        raise


def _lines(path: Path, sources: Sequence[str], source: Path) -> list[str]:
    lines = read_lines(path)
    if len(lines) != len(sources):
        msg = f"{path}: expected {len(sources)} lines, as in {source}, found {len(lines)}"
        raise LengthMismatchError(msg)
    return lines
