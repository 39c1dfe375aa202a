"""`simplify --html`: one page in which a writer accepts and refuses edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.targets import STANDARD_INPUT

if TYPE_CHECKING:
    from plainwright.documents import Block
    from plainwright.rewrite import SimplifiedText

__all__ = ["Html", "RewritingPage"]

Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="PAGE", help="Write a page in which you accept and refuse each edit."),
]


class RewritingPage:
    """Keeps the parts of a text as they pass, and writes the page about them; without a path it does nothing."""

    def __init__(self, path: Path | None, inputs: Sequence[Path], targets: Sequence[Path | None]) -> None:
        self._path = path
        self._parts: list[SimplifiedText] = []
        self._blocks: Sequence[Block] = ()
        if path is None:
            return
        from plainwright.errors import DataError
        from plainwright.files import check_writable

        if len(inputs) != 1:
            msg = f"--html: expected one input for one page, found {len(inputs)}"
            raise DataError(msg)
        self._name = "" if inputs[0] == STANDARD_INPUT else inputs[0].name
        others = [*(inputs if self._name else ()), *filter(None, targets)]
        if any(path == other or (path.exists() and other.exists() and path.samefile(other)) for other in others):
            msg = f"{path}: the page would replace another file of this command; give --html another name"
            raise DataError(msg)
        check_writable(path)

    def collect(self, parts: Iterator[SimplifiedText], blocks: Sequence[Block] = ()) -> Iterator[SimplifiedText]:
        """Hand the parts on; those of a document are its blocks."""
        self._blocks = blocks
        for part in parts:
            if self._path is not None:
                self._parts.append(part)
            yield part

    def write(self) -> None:
        """Write the page and print its name."""
        if self._path is None:
            return
        from plainwright.files import atomic_write
        from plainwright.report.rewriting import render_rewriting

        with atomic_write(self._path) as stream:
            stream.write(render_rewriting(self._parts, name=self._name, blocks=self._blocks or None))
        typer.echo(str(self._path))
