"""Where the results of a command on several files go: standard output, a file, or a directory."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer

from plainwright.cli.terminal import echo_coloured

__all__ = ["STANDARD_INPUT", "check_inputs", "targets_in_place", "targets_of", "write_bytes", "writer"]

STANDARD_INPUT = Path("-")


def targets_of(inputs: Sequence[Path], save: str | None) -> list[Path | None]:
    """Return where the result of each input goes (None: standard output), checked before any work is done."""
    from plainwright.errors import DataError
    from plainwright.files import check_writable

    check_inputs(inputs)
    if save is None:
        return [None] * len(inputs)
    is_folder = Path(save).is_dir() or save.endswith(("/", os.sep))
    if len(inputs) > 1 and not Path(save).exists() and not is_folder and _is_named_like_a_document(Path(save)):
        msg = f"{save}: expected a directory for {len(inputs)} results, such as plain/, found the name of a file"
        raise DataError(msg)
    folder = len(inputs) > 1 or is_folder
    targets = _in_folder(inputs, Path(save)) if folder else [Path(save)]
    for file, target in zip(inputs, targets, strict=True):
        if target.suffix == ".gz":
            msg = f"{target}: results are not packed; give --save a name without .gz"
            raise DataError(msg)
        if target.exists() and file != STANDARD_INPUT and any(target.samefile(f) for f in inputs if f.exists()):
            msg = f"{target}: the result would replace one of the inputs; give --save another name"
            raise DataError(msg)
        check_writable(target)
    return list(targets)


def check_inputs(inputs: Sequence[Path]) -> None:
    """Refuse inputs that cannot be opened."""
    from plainwright.errors import DataError
    from plainwright.files import explain_reading

    if inputs.count(STANDARD_INPUT) > 1:
        msg = "standard input (-) can be read only once; give files for the others"
        raise DataError(msg)
    for file, after in zip(inputs, [*inputs[1:], STANDARD_INPUT], strict=True):
        if file == STANDARD_INPUT or file.is_fifo():  # which can be opened only once
            continue
        if after != STANDARD_INPUT and not file.exists() and not after.exists():
            msg = f'{file}: no such file, and neither is {after}; put a name with spaces in quotes: "{file} {after}"'
            raise DataError(msg)
        with explain_reading(file), file.open("rb"):
            pass


def _is_named_like_a_document(path: Path) -> bool:
    from plainwright.documents import FORMATS

    return any(path.suffix.lower() in known.suffixes for known in FORMATS)


def _in_folder(inputs: Sequence[Path], folder: Path) -> list[Path]:
    from plainwright.errors import DataError

    if STANDARD_INPUT in inputs:
        msg = f"{folder}: standard input has no name to save it under in a directory; give --save a file"
        raise DataError(msg)
    names = [file.name.removesuffix(".gz") for file in inputs]
    for name in names:
        if names.count(name) > 1:
            msg = f"{folder}: two of the inputs would both become {name!r} there; simplify them one at a time"
            raise DataError(msg)
    if folder.exists() and not folder.is_dir():
        msg = f"{folder}: expected a directory for {len(inputs)} results, found a file"
        raise DataError(msg)
    folder.mkdir(exist_ok=True)
    return [folder / name for name in names]


def targets_in_place(inputs: Sequence[Path]) -> list[Path | None]:
    """Return the inputs as targets, after looking whether they and their backups can be written."""
    import filecmp

    from plainwright.errors import DataError
    from plainwright.files import check_writable

    targets_of(inputs, None)
    for file in inputs:
        if not file.is_file() or file.suffix == ".gz":
            found = "standard input" if file == STANDARD_INPUT else "a packed file" if file.is_file() else "no file"
            msg = f"{file}: expected a file to write in place, found {found}; give --save a name"
            raise DataError(msg)
        if sum(file.samefile(other) for other in inputs if other.exists()) > 1:
            msg = f"{file}: expected each file once, found it twice"
            raise DataError(msg)
        backup = _backup(file)
        if backup.exists() and not filecmp.cmp(backup, file, shallow=False):
            msg = f"{backup}: a backup of another version is already there; move or rename it"
            raise DataError(msg)
        check_writable(file)
        check_writable(backup)
    return list(inputs)


@contextmanager
def writer(target: Path | None, *, coloured: bool, in_place: bool = False) -> Iterator[Callable[[str], object]]:
    """Give a function that writes to a target, whole or not at all; None: to standard output."""
    from plainwright.files import atomic_write

    if target is None:
        yield echo_coloured if coloured else lambda text: typer.echo(text, nl=False)
        return
    if in_place:
        with _replacing(target) as stream:
            yield lambda text: stream.write(text.encode("utf-8"))
        return
    with atomic_write(target) as stream:
        yield stream.write


def write_bytes(target: Path | None, data: bytes, *, in_place: bool) -> None:
    """Write a document to a target, whole or not at all; None: to standard output."""
    from plainwright.files import atomic_write_bytes

    if target is None:
        # Where standard output was replaced, as in notebooks, it may take nothing but text.
        typer.echo(data if hasattr(sys.stdout, "buffer") else data.decode("utf-8", "replace"), nl=False)
        return
    with _replacing(target) if in_place else atomic_write_bytes(target) as stream:
        stream.write(data)


@contextmanager
def _replacing(file: Path) -> Iterator[IO[bytes]]:
    """Open a file that takes the place of another one, which becomes a backup, when the block ends without an error."""
    import shutil

    from plainwright.files import atomic_write_bytes

    mode = stat.S_IMODE(file.stat().st_mode)
    with atomic_write_bytes(file, private=True) as stream:
        yield stream
        if not _backup(file).exists():
            with atomic_write_bytes(_backup(file), private=True) as copy, file.open("rb") as original:
                shutil.copyfileobj(original, copy)
            _backup(file).chmod(mode)
    file.chmod(mode)


def _backup(file: Path) -> Path:
    return file.with_name(f"{file.name}.bak")
