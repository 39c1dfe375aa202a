"""`plainwright rate demo`: a study to play with, in the browser in one command."""

from __future__ import annotations

import tempfile
import threading
import time
import webbrowser
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.rate.init import FORMS_HELP, form_names, made_up_password
from plainwright.cli.rate.options import needs_rate

if TYPE_CHECKING:
    from plainwright.rate.study_file import StudyFile

__all__ = ["demo"]

_ORGANISER = "organiser"
_RATERS = 20  # who may come by the link
_DAYS = 7
_TEXT_BROWSERS = ("elinks", "links", "lynx", "w3m", "www-browser")  # which would take over the terminal


def demo(
    directory: Annotated[
        Path | None,
        typer.Argument(
            metavar="DIRECTORY",
            help="Keep the study here and continue it next time. Default: it is deleted when you stop.",
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What raters fill in: {FORMS_HELP}. Default: rank, or what an earlier one has.",
            autocompletion=form_names,
        ),
    ] = None,
    port: Annotated[int, typer.Option(metavar="PORT", help="Listen on this port; 0 takes a free one.")] = 8765,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
) -> None:
    """Try a study with sample sentences in your browser, as a rater and as its organiser.

    There are eight sentences with nine versions each, a training with feedback, and controls.
    """
    with needs_rate():
        from plainwright.rate.web.serving import serve

    password = made_up_password()
    with nullcontext(directory) if directory else tempfile.TemporaryDirectory(prefix="plainwright-rate-") as place:
        study, token = _prepared(Path(place), form, password)

        def show(address: str) -> None:
            link = f"{address}join/{token}"
            typer.echo(f"As a rater:    {link}")
            typer.echo(f"As organiser:  {address}organiser   (name {_ORGANISER}, password {password})")
            typer.echo("Stop with Ctrl+C.")
            if browser:
                threading.Thread(target=_open, args=(link,), daemon=True).start()

        serve(study, port=port, on_ready=show)
    typer.echo(f"Stopped. The study is in {directory}." if directory else "Stopped, and cleared away.")


def _prepared(folder: Path, form: str | None, password: str) -> tuple[StudyFile, str]:
    """The study, new or as it was left, and the token of a link to it."""
    from plainwright.rate.demonstration import open_demo
    from plainwright.rate.links import invite_anyone
    from plainwright.rate.store.database import Database
    from plainwright.rate.store.organisers import set_password

    now = time.time()
    study = open_demo(folder, form, organiser=_ORGANISER, password=password, now=now)
    database = Database.open(study.database)
    try:
        with database.writing() as connection:
            set_password(connection, _ORGANISER, password)
            return study, invite_anyone(connection, _RATERS, days=_DAYS, now=now).token
    finally:
        database.close()


def _open(link: str) -> None:
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return  # the link is on the screen
    if getattr(found, "name", "") not in _TEXT_BROWSERS:
        found.open(link)
