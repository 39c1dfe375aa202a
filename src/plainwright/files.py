"""Reading lines and writing files safely: the one place that meets foreign bytes.

Lines end at a line feed (a carriage return before it is dropped); other Unicode separators are text, so line
counts agree with `wc -l`. Every problem is a `DataError` that names the file and the line.

Whatever is read whole has a limit, which holds for the bytes that come and not for those that a file claims to have:
devices, pipes and gzip claim nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from plainwright.errors import DataError

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "MAX_LINE",
    "MAX_TEXT",
    "atomic_write",
    "atomic_write_bytes",
    "atomic_write_text",
    "check_directory",
    "check_writable",
    "explain_reading",
    "file_digest",
    "is_there",
    "iter_lines",
    "read_bytes",
    "read_lines",
    "read_pieces",
    "read_text",
    "read_unpacked",
    "text_of",
    "try_lock",
]

# Characters in one segment. Longer "lines" are files without line ends, and edit distances would take minutes.
MAX_LINE = 100_000
# Bytes of a text that is read whole, gzip undone. The largest published tables and sets have some tens of millions.
MAX_TEXT = 1 << 28

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MARK = "\ufeff"  # of the byte order, which editors put before text
_PIECE = 1 << 16
_CHUNK = 1 << 20


def read_bytes(path: str | Path, *, most: int) -> bytes:
    """The whole of a binary file; one of more than `most` bytes is an error."""
    chunks: list[bytes] = []
    with explain_reading(path), Path(path).open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            chunks.append(chunk)
            if len(chunks) * _CHUNK >= most + _CHUNK:
                break
    data = b"".join(chunks)
    if len(data) > most:
        raise _too_large(path, most, "is it the right one?")
    return data


def read_unpacked(path: str | Path, *, most: int = MAX_TEXT) -> bytes:
    """The bytes of a document: gzip undone for names ending in .gz, standard input for "-"."""
    chunks: list[bytes] = []
    size = 0
    with _opened(path) as (stream, _, _):
        while chunk := stream.read1(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            if size > most:
                raise _too_large(_shown(path), most, "split it into several")
    return b"".join(chunks)


def text_of(data: bytes, name: str) -> str:
    """The text of a file in UTF-8 that was read whole, without a byte order mark; `name` is for messages."""
    _refuse_utf16(data, name)
    return _decoded(data, name, 1).removeprefix(_MARK)


def read_text(path: str | Path, *, most: int = MAX_TEXT) -> str:
    """Read the whole of a UTF-8 file, gzip undone for names ending in .gz, standard input for "-"."""
    return "".join(_pieces(path, most=most)).removeprefix(_MARK)


def read_pieces(path: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Iterator[str]:
    """Read the same piece by piece, for text that need not fit into memory; a byte order mark stays, as U+FEFF.

    `progress` is told how many bytes were read of how many, 0 for standard input.
    """
    return _pieces(path, most=None, progress=progress)


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file, without their ends; an empty file is an error."""
    return list(_lines(path, _pieces(path, most=MAX_TEXT)))


def iter_lines(path: str | Path, *, progress: Callable[[int, int], None] | None = None) -> Iterator[str]:
    """Yield the same one by one, for files that need not fit into memory."""
    return _lines(path, read_pieces(path, progress=progress))


def _pieces(path: str | Path, *, most: int | None, progress: Callable[[int, int], None] | None = None) -> Iterator[str]:
    name = _shown(path)
    with _opened(path) as (stream, raw, total):
        line, rest, done = 1, b"", 0
        # What is there: `read` would wait for more, on a terminal for a second end of the text.
        while chunk := stream.read1(_PIECE):
            if done == 0:
                _refuse_utf16(chunk, name)
            done += len(chunk)
            if most is not None and done > most:
                split = "split it into several (only `simplify` reads files of any size)"
                raise _too_large(name, most, split if most == MAX_TEXT else "is it the right one?")
            # A character may go on in the next chunk.
            data, rest = _whole_characters(rest + chunk)
            if data:
                yield _decoded(data, name, line)
            line += data.count(b"\n")
            if progress is not None:
                progress(raw.tell() if total else done, total)
        if rest:
            yield _decoded(rest, name, line)


def _lines(path: str | Path, pieces: Iterable[str]) -> Iterator[str]:
    number, rest = 0, None
    for piece in pieces:
        *whole, rest = (piece.removeprefix(_MARK) if rest is None else rest + piece).split("\n")
        for line in whole:
            number += 1
            yield _segment(path, number, line)
        if len(rest) > MAX_LINE:
            break
    if rest:
        yield _segment(path, number + 1, rest)
    elif number == 0:
        msg = f"{_shown(path)}: expected one segment per line, found an empty file"
        raise DataError(msg)


def _segment(path: str | Path, number: int, line: str) -> str:
    if len(line) > MAX_LINE:
        msg = (
            f"{_shown(path)}:{number}: expected one segment per line, found a line of more than {MAX_LINE:,} "
            "characters; split it into lines"
        )
        raise DataError(msg)
    return line.removesuffix("\r")


def _too_large(path: str | Path, most: int, way_out: str) -> DataError:
    return DataError(f"{path}: expected a file of at most {most:,} bytes, found more; {way_out}")


def check_writable(path: str | Path) -> None:
    """Refuse a name that cannot be written, before the work that would be lost."""
    target = Path(path)
    if target.is_dir():
        msg = f"{target}: expected a file name to write to, found a directory"
        raise DataError(msg)
    if not target.parent.is_dir():
        what = "is not a directory" if target.parent.exists() else "does not exist"
        msg = f"{target}: cannot be written, {str(target.parent)!r} {what}"
        raise DataError(msg)
    if not os.access(target if _is_special(target) else target.parent, os.W_OK):
        msg = f"{target}: cannot be written (permission denied)"
        raise DataError(msg)


@contextmanager
def atomic_write(path: str | Path, *, private: bool = False) -> Iterator[IO[str]]:
    """Open a text file that appears under its name only when the block ends without an error.

    A `private` one is for its owner's eyes only.
    """
    with (
        atomic_write_bytes(path, private=private) as binary,
        io.TextIOWrapper(binary, encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


@contextmanager
def atomic_write_text(path: str | Path) -> Iterator[IO[str]]:
    """The same, packed to the same bytes every time if the name ends in .gz."""
    if not str(path).endswith(".gz"):
        with atomic_write(path) as stream:
            yield stream
        return
    with (
        atomic_write_bytes(path) as raw,
        gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


def check_directory(directory: Path, *, of: str) -> None:
    """Refuse what is no directory, where that `of` something is expected."""
    if not directory.is_dir():
        found = "a file" if directory.exists() else "nothing"
        msg = f"{directory}: expected the directory of {of}, found {found}"
        raise DataError(msg)


def is_there(path: str | Path) -> bool:
    """Return whether a file of this name exists; a name too long for any file does not."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = hashlib.sha256()
    with explain_reading(path), path.open("rb") as stream:
        while block := stream.read(_CHUNK):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def explain_reading(path: str | Path) -> Iterator[None]:
    """Within the block, what goes wrong with opening and reading `path` becomes a `DataError` in one sentence."""
    try:
        yield
    except FileNotFoundError:
        msg = f"{path}: no such file"
        raise DataError(msg) from None
    except IsADirectoryError:
        msg = f"{path}: expected a file, found a directory; name the files in it"
        raise DataError(msg) from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        msg = f"{path}: expected gzip data, found something else ({error})"
        raise DataError(msg) from None
    except OSError as error:
        msg = f"{path}: cannot be read ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None


@contextmanager
def atomic_write_bytes(path: str | Path, *, private: bool = False) -> Iterator[IO[bytes]]:
    """Open a binary file that appears under its name only when the block ends without an error."""
    check_writable(path)
    target = Path(os.path.realpath(path))
    try:
        with Path(path).open("wb") if _is_special(Path(path)) else _replacing(target, private=private) as stream:
            yield stream
    except OSError as error:
        msg = f"{path}: cannot be written ({(error.strerror or str(error)).lower()})"
        raise DataError(msg) from None


def try_lock(stream: IO[bytes]) -> bool:
    """Try to lock a file until its handle closes; return whether that worked, as it always does without such locks."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


@contextmanager
def _replacing(target: Path, *, private: bool) -> Iterator[IO[bytes]]:
    # The name is known before there is a file: a signal may arrive at any moment.
    temporary = target.parent / f".plainwright.{secrets.token_hex(8)}.part"
    try:
        with open(temporary, "xb", opener=_for_its_owner) as stream:
            yield stream
        if not private:
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)  # what only its owner can read would hide results from a team
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _is_special(path: Path) -> bool:
    """Whether it is a device or a pipe, such as /dev/null, which must be written to and never replaced."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _refuse_utf16(data: bytes, name: str) -> None:
    if data.startswith(_UTF16_MARKS):
        msg = f"{name}: expected UTF-8 text, found UTF-16; convert it with `iconv -f UTF-16 -t UTF-8`"
        raise DataError(msg)


def _decoded(data: bytes, name: str, first_line: int) -> str:
    if (position := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, position) + first_line
        msg = f"{name}:{line}: expected text, found a NUL byte; is this a binary file, or UTF-16?"
        raise DataError(msg)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + first_line
        found = data[error.start : error.start + 1].hex()
        msg = (
            f"{name}:{line}: expected UTF-8 text, found byte 0x{found}; "
            "convert it with `iconv -f LATIN1 -t UTF-8` if it is Latin-1"
        )
        raise DataError(msg) from None


def _whole_characters(data: bytes) -> tuple[bytes, bytes]:
    """The bytes up to the last character, which may be cut off, and that one if it is."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:  # the first of several bytes
            wanted = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return (data[:-back], data[-back:]) if back < wanted else (data, b"")
        if byte < 0x80:
            break
    return data, b""


@contextmanager
def _opened(path: str | Path) -> Iterator[tuple[io.BufferedIOBase, io.BufferedIOBase, int]]:
    """The stream to read, the one that knows its place, and its size (0 if unknown)."""
    if str(path) == "-":
        stream = _standard_input()
        yield stream, stream, 0
        return
    path = Path(path)
    with explain_reading(path), path.open("rb") as raw:
        total = path.stat().st_size
        yield (gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw), raw, total


def _shown(path: str | Path) -> str:
    return "standard input" if str(path) == "-" else str(path)


def _standard_input() -> io.BufferedIOBase:
    if sys.stdin is None:
        msg = "standard input: expected text, found it closed"
        raise DataError(msg)
    return cast("io.BufferedIOBase", sys.stdin.buffer)
