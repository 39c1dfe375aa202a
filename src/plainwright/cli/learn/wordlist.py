"""`plainwright learn wordlist`: lists of hard words and plain ones, packed for a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from plainwright.cli import options

__all__ = ["wordlist"]


def wordlist(
    lists: Annotated[list[Path], typer.Argument(metavar="LIST…", help="Lists of hard and plain words, also .gz.")],
    output: Annotated[Path, typer.Option("--save", "-o", metavar="FILE", help="The packed list to write.")],
    as_json: options.JsonForText = False,
) -> None:
    """Check lists of hard and plain words, and pack all their forms into one file for a model.

    Entries of the first list come first. The same lists give the same bytes.

    \b
    Examples:
      plainwright learn wordlist words.tsv phrases.tsv -o wordlist.pack
    """
    from plainwright.errors import DataError
    from plainwright.rewrite.wordlist import pack_files

    if output.exists() and any(path.exists() and output.samefile(path) for path in lists):
        msg = f"{output}: the result would replace one of the lists; give it another name"
        raise DataError(msg)
    result = pack_files(lists, output)
    if as_json:
        typer.echo(json.dumps({"output": str(output), **result._asdict()}))
        return
    typer.echo(f"{output}\t{result.entries:,} entries\t{result.forms:,} forms\t{result.bytes:,} bytes")
