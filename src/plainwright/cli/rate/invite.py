"""`plainwright rate invite`: links to send to raters."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli import options
from plainwright.cli.rate.options import StudyArgument, StudyFiles, opened

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from plainwright.rate.links import Link

__all__ = ["invite"]

_HERE = "http://127.0.0.1:8765"


def invite(
    study: StudyArgument,
    number: Annotated[
        int | None, typer.Option("-n", "--number", metavar="N", help="Number of personal links, one per rater.")
    ] = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Your own note on who a personal link is for; repeat it for each link. Never part of the results.",
        ),
    ] = None,
    open_uses: Annotated[
        int | None, typer.Option("--open", metavar="N", help="Make one link for N people instead.")
    ] = None,
    rater: Annotated[
        str | None, typer.Option(metavar="ID", help="Make a new link for an existing rater who lost theirs.")
    ] = None,
    days: Annotated[float, typer.Option(metavar="DAYS", help="How long a link is valid.")] = 14,
    base_url: Annotated[
        str,
        typer.Option(
            metavar="URL", help="Address at which raters reach the study, through `rate serve` or your proxy."
        ),
    ] = _HERE,
    output: Annotated[
        Path | None, typer.Option("--save", "-o", metavar="FILE", help="Write the links to a CSV file instead.")
    ] = None,
) -> None:
    """Make invitation links.

    A personal link (-n 5, or --label Ann --label Ben) is for one rater and opens once; after that, only the browser
    that opened it has access. An open link (--open 20) adds a new rater each time somebody opens it. Links are shown
    only now, since the study keeps nothing but their hashes; replace a lost one with --rater.
    """
    from plainwright.files import atomic_write, check_writable

    _check(number, label, open_uses, rater)
    if output is not None:
        check_writable(output)
    with opened(study) as database:
        if output is not None:
            options.check_output(output, StudyFiles(study, database))
        from plainwright.rate.links import checked_base, links_table

        base = checked_base(base_url)
        # Written inside the transaction: what cannot be written invites nobody.
        with database.writing() as connection:
            links = _links(connection, number, label, open_uses, rater, days)
            if output is not None:
                with atomic_write(output, private=True) as stream:
                    stream.write(links_table(links, base))
    if output is None:
        _show(links, base)
    else:
        typer.echo(f"wrote {len(links)} {'link' if len(links) == 1 else 'links'} to {output}", err=True)
    if base == _HERE:
        typer.echo(
            "plainwright: these links work on this machine only; --base-url gives them another address", err=True
        )


def _check(number: int | None, labels: list[str] | None, open_uses: int | None, rater: str | None) -> None:
    from plainwright.errors import DataError

    with_names = number is not None or bool(labels)
    if sum((with_names, open_uses is not None, rater is not None)) > 1:
        msg = "give one of -n (or --label), --open and --rater"
        raise DataError(msg)
    if number is not None and labels and number != len(labels):
        msg = f"-n: expected as many as there are labels ({len(labels)}), found {number}; leave -n out"
        raise DataError(msg)


def _links(
    connection: Connection,
    number: int | None,
    labels: list[str] | None,
    open_uses: int | None,
    rater: str | None,
    days: float,
) -> list[Link]:
    from plainwright.rate.links import invite_anyone, invite_each, renew
    from plainwright.rate.store.people import rater_by_public

    now = time.time()
    if open_uses is not None:
        return [invite_anyone(connection, open_uses, days=days, now=now)]
    if rater is not None:
        return [renew(connection, rater_by_public(connection, rater), days=days, now=now)]
    return invite_each(connection, labels or [""] * (1 if number is None else number), days=days, now=now)


def _show(links: list[Link], base: str) -> None:
    for link in links:
        whose = f"{link.rater}  {link.label}".rstrip() if link.rater else f"for {link.uses} people"
        typer.echo(f"{link.url(base)}  {whose}")
