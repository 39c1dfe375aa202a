"""Files of language models: ARPA text in and out, and the packed form that is queried."""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from plainwright import _core
from plainwright.arguments import check_instance, check_path
from plainwright.errors import DataError
from plainwright.files import atomic_write_bytes, check_writable, explain_reading
from plainwright.lm.model import LanguageModel

__all__ = ["Progress", "is_arpa_name", "pack", "read_arpa", "unpack", "write_model"]

Progress = Callable[[int, int], None]  # bytes done, bytes in all (0 if unknown)

_PIECE = 1 << 20


def read_arpa(path: str | Path, *, progress: Progress | None = None) -> _core.NgramModel:
    """Read an ARPA file, gzip undone for names ending in .gz, standard input for "-"."""
    check_path(path, "read_arpa", "path")
    reader = _core.ArpaReader()
    name = "standard input" if str(path) == "-" else str(path)
    with _opened(path) as (raw, stream, size):
        try:
            while piece := stream.read(_PIECE):
                reader.feed(piece)
                if progress is not None:
                    progress(raw.tell() if size else 0, size)
            return reader.finish()
        except ValueError as error:
            msg = f"{name}:{error}"
            raise DataError(msg) from None
        except (EOFError, gzip.BadGzipFile, gzip.zlib.error) as error:  # type: ignore[attr-defined]
            msg = f"{name}: expected gzip data, found something else ({error})"
            raise DataError(msg) from None


def write_model(model: _core.NgramModel, path: str | Path) -> None:
    """Write a model: as ARPA text if the name ends in .arpa or .arpa.gz, otherwise packed."""
    check_instance(model, _core.NgramModel, "write_model", "model", "a model, as read_arpa returns it")
    check_path(path, "write_model", "path")
    if is_arpa_name(path):
        with _arpa_stream(path) as stream:
            model.write_arpa(stream.write)
    else:
        _write_packed(model, path, named=path)


def pack(source: str | Path, target: str | Path, *, progress: Progress | None = None) -> None:
    """Turn an ARPA file into a packed model."""
    check_path(source, "pack", "source")
    check_path(target, "pack", "target")
    check_writable(target)
    _write_packed(read_arpa(source, progress=progress), target, named=source)


def unpack(source: str | Path, target: str | Path) -> None:
    """Turn a packed model into an ARPA file; its n-grams come in the order of the packed file."""
    check_path(source, "unpack", "source")
    check_path(target, "unpack", "target")
    check_writable(target)
    model = LanguageModel.open(source, verify=True).unpacked()
    with _arpa_stream(target) as stream:
        model.write_arpa(stream.write)


def is_arpa_name(path: str | Path) -> bool:
    """Return whether a name asks for ARPA text."""
    return str(path).endswith((".arpa", ".arpa.gz"))


def _write_packed(model: _core.NgramModel, path: str | Path, *, named: str | Path) -> None:
    with atomic_write_bytes(path) as stream:
        try:
            model.write_packed(stream.write)
        except ValueError as error:
            msg = f"{named}: {error}"
            raise DataError(msg) from None


@contextmanager
def _arpa_stream(path: str | Path) -> Iterator[IO[bytes]]:
    with atomic_write_bytes(path) as stream:
        if str(path).endswith(".gz"):
            # No time and no name inside, so that equal models are equal files.
            with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as packed:
                yield packed  # type: ignore[misc]
        else:
            yield stream


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[IO[bytes], IO[bytes], int]]:
    """The file itself, its content without gzip, and its size."""
    if str(path) == "-":
        yield sys.stdin.buffer, sys.stdin.buffer, 0
        return
    with explain_reading(path), Path(path).open("rb") as raw:
        size = raw.seek(0, io.SEEK_END) if raw.seekable() else 0
        if size:
            raw.seek(0)
        yield raw, gzip.GzipFile(fileobj=raw) if str(path).endswith(".gz") else raw, size  # type: ignore[misc]
