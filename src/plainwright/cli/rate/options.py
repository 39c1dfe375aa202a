"""What the `rate` commands share: the study that they work on, opened and closed again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plainwright.rate.store.database import Database

__all__ = ["StudyArgument", "StudyFiles", "needs_rate", "opened"]

StudyArgument = Annotated[
    Path, typer.Argument(metavar="STUDY", help="The study: its study.toml, as `rate init` wrote it.")
]


class StudyFiles:
    """The files that a study consists of and is made from, which no result may replace."""

    def __init__(self, study: Path, database: Database, *others: Path | None) -> None:
        own = (study, database.path, *_texts_and_material(study), *others)
        self.files = [str(path) for path in own if path is not None]


def _texts_and_material(study: Path) -> Iterator[Path | None]:
    from plainwright.errors import CorpusMissingError, UnknownNameError
    from plainwright.rate.simpeval import path_of_table
    from plainwright.rate.study_file import read_study_file

    planned = read_study_file(study)
    material = planned.material
    yield from (*planned.texts, material.source, *material.outputs.values(), *material.references)
    if material.simpeval:
        with suppress(CorpusMissingError, UnknownNameError):  # it may be gone by now
            yield Path(path_of_table(material.simpeval))


@contextmanager
def needs_rate() -> Iterator[None]:
    """Within the block, a package that only rating needs and that is not there becomes an error with the way out."""
    from plainwright.extras import extra_for

    with extra_for("a rating study", "rate"):
        yield


@contextmanager
def opened(study: Path) -> Iterator[Database]:
    """The database of a study, closed at the end of the block."""
    with needs_rate():
        from plainwright.rate.store.database import Database
        from plainwright.rate.study_file import read_study_file

    database = Database.open(read_study_file(study).database)
    try:
        yield database
    finally:
        database.close()
