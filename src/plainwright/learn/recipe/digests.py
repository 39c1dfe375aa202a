"""What files hold, as SHA-256; a file whose size and times stayed as they were is not read again."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plainwright.errors import DataError, PlainwrightError
from plainwright.files import atomic_write, explain_reading

__all__ = ["Content", "Digests", "digest_of"]

_BLOCK = 1 << 20
_TOO_FRESH = 50_000_000  # nanoseconds; clocks of file systems are coarse, a second change may get the same time

_Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Content:
    """Says what a file or a whole directory holds."""

    sha256: str
    bytes: int


class Digests:
    """Digests of files and directories, remembered from run to run in a file of their own."""

    def __init__(self, memory: Path) -> None:
        self._memory = memory
        self._known: dict[str, tuple[_Stamp, str]] = _remembered(memory)

    def of(self, path: Path, *, settled: bool = False) -> Content:
        """Return the content of a file, or of all files below a directory with their names.

        `settled` says that nobody writes there any more, however young the files are.
        """
        path = path.absolute()
        with explain_reading(path):
            if not path.is_dir():
                return self._of_file(path, settled=settled)
            files = _files_below(path)
            rows = [(str(file.relative_to(path)), self._of_file(file, settled=settled)) for file in files]
        listing = json.dumps([[name, content.sha256] for name, content in rows])
        return Content(digest_of(listing), sum(content.bytes for _, content in rows))

    def moved(self, old: Path, new: Path) -> None:
        """Remember the files below `old` as those below `new`: a rename changes their times, but nothing in them."""
        old, new = old.absolute(), new.absolute()
        for file in _files_below(new) if new.is_dir() else [new]:
            former = str(old / file.relative_to(new)) if new.is_dir() else str(old)
            if former in self._known:
                self._known[str(file)] = (_stamp(file.stat()), self._known.pop(former)[1])

    def save(self) -> None:
        """Keep what is known. It only saves time, so a full disk is no reason to stop."""
        rows = {path: [*stamp, sha256] for path, (stamp, sha256) in list(self._known.items()) if Path(path).exists()}
        try:
            with atomic_write(self._memory) as stream:
                json.dump(rows, stream, indent=0)
        except PlainwrightError:
            pass

    def _of_file(self, path: Path, *, settled: bool) -> Content:
        status = path.stat()
        if not path.is_file():
            msg = f"{path}: expected a file or a directory, found something else"
            raise DataError(msg)
        stamp = _stamp(status)
        known = self._known.get(str(path))
        if known is not None and known[0] == stamp:
            return Content(known[1], status.st_size)
        begun = time.time_ns()
        sha256 = _digest_of_file(path)
        if settled or begun - max(status.st_mtime_ns, status.st_ctime_ns) > _TOO_FRESH:
            self._known[str(path)] = (stamp, sha256)
        return Content(sha256, status.st_size)


def digest_of(text: str) -> str:
    """Return the digest of a string, as UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def _digest_of_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _stamp(status: os.stat_result) -> _Stamp:
    # The time of the last change to the entry cannot be set back, as that of the file can.
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _files_below(directory: Path) -> Iterator[Path]:
    seen = set()
    for folder, folders, names in os.walk(directory, onerror=_raise, followlinks=True):
        seen.add(os.path.realpath(folder))
        # A link may lead back to where it came from.
        folders[:] = sorted(name for name in folders if os.path.realpath(Path(folder, name)) not in seen)
        yield from (Path(folder, name) for name in sorted(names))


def _raise(error: OSError) -> None:
    raise error


def _remembered(memory: Path) -> dict[str, tuple[_Stamp, str]]:
    try:
        rows: dict[str, Any] = json.loads(memory.read_text(encoding="utf-8"))
        return {
            path: ((size, mtime, ctime, inode), str(sha)) for path, (size, mtime, ctime, inode, sha) in rows.items()
        }
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}  # whatever was lost is computed again


def _checked(stamp: list[Any]) -> _Stamp:
    size, written, changed, inode = map(int, stamp)
    return size, written, changed, inode
