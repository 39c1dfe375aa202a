"""`plainwright rate remove`: take a rater out, with or without what they rated."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from plainwright.cli.rate.options import StudyArgument, opened

__all__ = ["remove"]


def remove(
    study: StudyArgument,
    rater: Annotated[str, typer.Argument(metavar="RATER", help="The rater's id, as `rate status` shows it.")],
    keep_ratings: Annotated[
        bool, typer.Option("--keep-ratings", help="Only stop giving them pages; what they rated stays.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Erase a rater and everything they did: events, pages, links, sessions and your note on who they are.

    This cannot be undone, so you have to type the id once more. Their pages go to other raters.
    """
    with opened(study) as database:
        from plainwright.rate.store.people import erase, leave, rater_by_public

        with database.reading() as connection:
            known = rater_by_public(connection, rater)
        if not (yes or keep_ratings):
            _confirm(rater)
        with database.writing() as connection:
            (leave if keep_ratings else erase)(connection, known.id, time.time())
    done = "was taken out; what they rated stays" if keep_ratings else "and all their data are erased"
    typer.echo(f"{rater} {done}", err=True)


def _confirm(rater: str) -> None:
    from plainwright.errors import DataError

    if not sys.stdin.isatty():
        msg = "there is no terminal to ask whether to erase all that this rater did; give --yes if that is meant"
        raise DataError(msg)
    typed = str(typer.prompt("This cannot be undone. Type the rater's id to erase everything"))
    if typed != rater:
        msg = f"expected {rater!r}, found {typed!r}; nothing was erased"
        raise DataError(msg)
