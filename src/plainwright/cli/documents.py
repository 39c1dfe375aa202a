"""The options of `simplify` about documents: which inputs are some, and where their results go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.showing import Showing
from plainwright.cli.targets import STANDARD_INPUT

if TYPE_CHECKING:
    from plainwright.documents import Format

__all__ = ["AsFormat", "InPlace", "Quotes", "check_in_place", "formats_of"]

AsFormat = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="Read the inputs as text, markdown, html or another format. Default: what their names or first bytes say.",
    ),
]
InPlace = Annotated[
    bool, typer.Option("--in-place", help="Put each result in the place of its input, which is kept as FILE.bak.")
]
Quotes = Annotated[bool, typer.Option("--quotes", help="Change quotations, too.")]

_HEAD = 4096  # bytes that show a format


def formats_of(inputs: Sequence[Path], as_format: str | None, *, lines: bool) -> list[Format | None]:
    """Return the format of each input that is a document; None for plain text, and for standard input if not named."""
    from plainwright.documents import format_named
    from plainwright.errors import DataError

    if as_format is None:
        return [None if lines else _format_of(file) for file in inputs]
    known = format_named(as_format)
    if lines and known.name != "text":
        msg = f"--lines: expected plain text with it, found --as {as_format}"
        raise DataError(msg)
    return [None if known.name == "text" else known] * len(inputs)


def _format_of(file: Path) -> Format | None:
    from plainwright.documents import format_of

    if file == STANDARD_INPUT or not file.is_file():
        return None
    with file.open("rb") as stream:
        head = stream.read(_HEAD)
    known = format_of(file, head)
    return None if known.name == "text" else known


def check_in_place(shown: Showing, save: str | None) -> None:
    """Refuse other ways to show or save results beside that one."""
    from plainwright.errors import DataError

    if save is not None:
        msg = "choose one of --in-place and --save"
        raise DataError(msg)
    if not shown.result_only or shown.html is not None:
        msg = "--in-place: expected nothing but the result with it, found an option that shows changes"
        raise DataError(msg)
