"""`plainwright rate password`: a new password for an organiser."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli.rate.options import StudyArgument, opened

__all__ = ["password"]


def password(
    study: StudyArgument,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="Name of the organiser; a new name creates a new organiser.")
    ] = "organiser",
    password_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Read the password from the first line of a file (- for standard input)."),
    ] = None,
    generate: Annotated[bool, typer.Option("--generate", help="Generate a password and show it once.")] = False,
) -> None:
    """Set the password of an organiser; whoever is logged in under that name is logged out.

    Without options, you are asked for it twice; it is not shown.
    """
    from plainwright.errors import DataError

    if generate and password_file is not None:
        msg = "give either --generate or --password-file, not both"
        raise DataError(msg)
    with opened(study) as database:
        from plainwright.rate.store.organisers import set_password

        made = secrets.token_urlsafe(15) if generate else ""
        chosen = made or _given(password_file)
        with database.writing() as connection:
            set_password(connection, name, chosen)
    typer.echo(f"the password of {name!r} is set", err=True)
    if made:
        typer.echo(made)


def _given(path: Path | None) -> str:
    from plainwright.errors import DataError
    from plainwright.files import read_lines

    if path is not None:
        return read_lines(path)[0]
    if not sys.stdin.isatty():
        msg = "there is no terminal to ask for the password; give --password-file or --generate"
        raise DataError(msg)
    return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))
