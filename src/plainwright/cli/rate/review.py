"""`plainwright rate review`: read what raters did in training, and let them on or not."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.options import AsJson
from plainwright.cli.rate.options import StudyArgument, opened
from plainwright.cli.study.text import echo_json, wrapped

if TYPE_CHECKING:
    from plainwright.rate.overview.waiting import TrainedRater

__all__ = ["review"]

_Raters = Annotated[list[str] | None, typer.Option(metavar="ID…", help="Raters who may go on, by id.")]


def review(
    study: StudyArgument,
    accept: _Raters = None,
    reject: Annotated[
        list[str] | None, typer.Option(metavar="ID…", help="Raters who get no pages beyond the training.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show raters waiting for review, with what they wrote in training; or decide who goes on.

    For studies with `review = true` in [training].

    \b
    Examples:
      plainwright rate review study.toml
      plainwright rate review study.toml --accept h7k2mq9xwa
    """
    _check(accept or [], reject or [])
    with opened(study) as database:
        from plainwright.rate.overview.waiting import waiting_raters
        from plainwright.rate.store.people import rater_by_public
        from plainwright.rate.store.reviewing import accept_rater, reject_rater

        with database.writing() as connection:
            for named, decide in ((accept, accept_rater), (reject, reject_rater)):
                for public in named or []:
                    decide(connection, rater_by_public(connection, public).id, time.time())
        with database.reading() as connection:
            waiting = waiting_raters(connection, time.time())
    for public in accept or []:
        typer.echo(f"{public} goes on with real pages", err=True)
    for public in reject or []:
        typer.echo(f"{public} gets no further pages", err=True)
    if as_json:
        echo_json({"waiting": [trained.to_dict() for trained in waiting]})
    elif not (accept or reject):
        typer.echo("\n".join(_lines(waiting)))


def _check(accept: Sequence[str], reject: Sequence[str]) -> None:
    from plainwright.errors import DataError

    if both := sorted(set(accept) & set(reject)):
        msg = f"--accept, --reject: expected each rater once, found {both[0]!r} in both"
        raise DataError(msg)


def _lines(waiting: Sequence[TrainedRater]) -> Iterator[str]:
    if not waiting:
        yield "nobody waits for a review"
    for trained in waiting:
        named = f" ({trained.label})" if trained.label else ""
        yield f"{trained.rater}{named}: {trained.within} of {trained.outputs} as expected"
        for source, text in trained.texts:
            yield wrapped(f"  {source}")
            yield wrapped(f"  > {text}")
