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

__all__ = ["AsFormat", "InPlace", "Quotes", "check_in_place", "fitting_targets", "formats_of", "is_markdown"]

AsFormat = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="FORMAT",
        help="Read the inputs as text, markdown, html or another format. Default: detected from name or first bytes.",
    ),
]
InPlace = Annotated[
    bool, typer.Option("--in-place", help="Overwrite each input with its result; the original is kept as FILE.bak.")
]
Quotes = Annotated[bool, typer.Option("--quotes", help="Change quotations, too.")]


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
    from plainwright.documents.reading import HEAD, refuse_binary

    if file == STANDARD_INPUT or not file.is_file():
        return None
    with file.open("rb") as stream:
        head = stream.read(HEAD)
    known = format_of(file, head)
    if known.text and file.suffix != ".gz":
        refuse_binary(head, known, str(file))
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


def fitting_targets(
    inputs: Sequence[Path], targets: Sequence[Path | None], formats: Sequence[Format | None], *, shown: Showing
) -> list[Path | None]:
    """Return where results go, after looking whether the names fit the formats; a PDF becomes Markdown in a folder."""
    from plainwright.errors import DataError

    if not shown.result_only:
        return list(targets)
    if shown.html is None:
        _refuse_joined(inputs, targets, formats)
    fitting: list[Path | None] = []
    for file, target, known in zip(inputs, targets, formats, strict=True):
        own = None if target is None else _fitting(file, target, known)
        if own is not None and own in fitting:
            msg = f"{own}: two of the inputs would both become that; simplify them one at a time"
            raise DataError(msg)
        fitting.append(own)
    return fitting


def _refuse_joined(inputs: Sequence[Path], targets: Sequence[Path | None], formats: Sequence[Format | None]) -> None:
    """Refuse to write several results to standard output if one is an archive: nobody could open what comes out."""
    from plainwright.errors import DataError

    for file, target, known in zip(inputs, targets, formats, strict=True):
        if len(inputs) > 1 and target is None and known is not None and known.writable and not known.text:
            msg = (
                f"{file}: expected nothing beside {known.title} on standard output, found {len(inputs)} inputs; give "
                "--save a directory, such as plain/"
            )
            raise DataError(msg)


def _fitting(file: Path, target: Path, known: Format | None) -> Path:
    from plainwright.documents import format_of
    from plainwright.errors import DataError
    from plainwright.files import check_writable

    suffix, named = target.suffix.lower(), format_of(target)
    if not suffix:
        return target
    if known is None or known.text:
        if not named.text and suffix != file.suffix.lower():
            title = "plain text" if known is None else known.title
            msg = f"{target}: expected the name of a text, as the result is {title}, found that of {named.title}"
            raise DataError(msg)
        return target
    if known.writable:
        # A document with macros or a template says so inside, and would not open under another suffix.
        expected = (file.suffix.lower(),) if file.suffix.lower() in known.suffixes else known.suffixes
        if suffix not in expected:
            msg = f"{target}: expected a name that ends in {expected[0]}, as the result is {known.title}"
            raise DataError(msg)
        return target
    if named.name in ("text", "markdown"):
        return target
    if target.name != file.name or target.parent.samefile(file.parent):
        msg = f"{target}: {known.title} becomes Markdown or plain text; give --save a name that ends in .md or .txt"
        raise DataError(msg)
    markdown = target.with_suffix(".md")
    if markdown.exists():
        msg = f"{markdown}: expected no such file, which would be the result for {file}; move it away first"
        raise DataError(msg)
    check_writable(markdown)
    return markdown


def is_markdown(target: Path) -> bool:
    """Return whether a name is that of a Markdown file."""
    from plainwright.documents import format_named

    return target.suffix.lower() in format_named("markdown").suffixes
