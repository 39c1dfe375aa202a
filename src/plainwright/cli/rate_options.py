"""What the `rate` commands share: the study that they work on, opened and closed again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
    """The files that a study consists of, which no result may replace."""

    def __init__(self, study: Path, database: Database, *others: Path | None) -> None:
        self.files = [str(path) for path in (study, database.path, *others) if path is not None]


@contextmanager
def needs_rate() -> Iterator[None]:
    """Within the block, a package that only rating needs and that is not there becomes an error with the way out."""
    from plainwright.errors import MissingExtraError

    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "plainwright":
            raise
        msg = f"rating studies need {error.name}; install it with `pip install 'plainwright[rate]'`"
        raise MissingExtraError(msg) from None


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
