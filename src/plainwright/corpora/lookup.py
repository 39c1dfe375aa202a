"""Where the files of a corpus lie on this machine.

Every data directory has the same layout, and they are searched in this order: the one given by the caller,
`$PLAINWRIGHT_DATA`, the user's cache directory and, in a source checkout only, `../shared/data`. Each file is
taken from the first directory that has it; its digest is checked before it is read.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from plainwright.arguments import check_instance, check_path
from plainwright.corpora.card import Card, FileEntry
from plainwright.corpora.registry import resolve
from plainwright.errors import CorpusMissingError, DataError

__all__ = [
    "DATA_VARIABLE",
    "FileStatus",
    "cache_directory",
    "check",
    "directories",
    "find",
    "locate",
    "verify",
    "way_out",
]

DATA_VARIABLE = "PLAINWRIGHT_DATA"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStatus:
    """Says what `verify` found for one file."""

    entry: FileEntry
    path: Path | None  # None: in no data directory
    state: Literal["ok", "damaged", "missing"]
    problem: str = ""  # for a damaged file: what was expected and what was found


def cache_directory() -> Path:
    """Return the user's own data directory, where `fetch` puts files by default."""
    import platformdirs

    return Path(platformdirs.user_cache_dir("plainwright", appauthor=False)) / "data"


def directories(data: str | Path | None = None) -> tuple[Path, ...]:
    """The data directories in the order of search; those other than `data` need not exist."""
    found = []
    if data is not None:
        check_path(data, "corpora", "data")
        given = Path(data)
        if not given.is_dir():
            what = "a file" if given.exists() else "nothing"
            msg = f"{given}: expected a data directory, found {what}"
            raise DataError(msg)
        found.append(given)
    if variable := os.environ.get(DATA_VARIABLE):
        found.append(Path(variable).expanduser())
    found.append(cache_directory())
    if (checkout := _beside_checkout()) is not None:
        found.append(checkout)
    return tuple(dict.fromkeys(found))


def find(entry: FileEntry, *, data: str | Path | None = None) -> Path | None:
    """Return the first copy of a file in the data directories, unchecked."""
    check_instance(entry, FileEntry, "find", "entry", "a FileEntry, as in the files of a Card")
    for directory in directories(data):
        path = directory / entry.path
        if path.is_file():
            return path
    return None


def locate(corpus: str | Card, *, data: str | Path | None = None) -> tuple[Path, ...]:
    """Return the files of a corpus in the order of its card, unchecked; an error unless all are there."""
    card = resolve(corpus)
    found = {entry.path: find(entry, data=data) for entry in card.files}
    missing = [path for path, place in found.items() if place is None]
    if missing:
        raise CorpusMissingError(_missing(card, missing, data))
    return tuple(place for place in found.values() if place is not None)


def verify(corpus: str | Card, *, data: str | Path | None = None) -> tuple[FileStatus, ...]:
    """The state of each file of a corpus, digests compared."""
    statuses = []
    for entry in resolve(corpus).files:
        path = find(entry, data=data)
        if path is None:
            statuses.append(FileStatus(entry=entry, path=None, state="missing"))
        elif problem := check(entry, path):
            statuses.append(FileStatus(entry=entry, path=path, state="damaged", problem=problem))
        else:
            statuses.append(FileStatus(entry=entry, path=path, state="ok"))
    return tuple(statuses)


def check(entry: FileEntry, path: Path) -> str:
    """Return what is wrong with a copy of a file: "expected …, found …", or nothing."""
    try:
        if not entry.path.endswith(".gz") and (size := path.stat().st_size) != entry.bytes:
            return f"expected {entry.bytes:,} bytes, found {size:,}"
        with path.open("rb") as raw:
            stream = gzip.GzipFile(fileobj=raw) if entry.path.endswith(".gz") else raw
            data = stream.read(entry.bytes + 1)  # as many as there may be: a few bytes of gzip can become gigabytes
    except (EOFError, zlib.error, OSError) as error:
        return f"expected readable data, found {str(error) or type(error).__name__}"
    found = hashlib.sha256(data).hexdigest()
    return "" if found == entry.sha256 else f"expected SHA-256 {entry.sha256}, found {found}"


def way_out(card: Card, entry: FileEntry, path: Path) -> str:
    """Return how to replace a damaged copy where it lies."""
    directory = path.parents[entry.path.count("/")]
    if entry.upstream is None:
        return f"replace it with an intact copy (from {entry.origin})"
    return f"replace it with `plainwright corpora fetch {card.name} --force --directory {directory}`"


def _missing(card: Card, missing: list[str], data: str | Path | None) -> str:
    places = []
    for directory in directories(data):
        places.append(str(directory) if directory.is_dir() else f"{directory} (no such directory)")
    if len(missing) == len(card.files):
        what = "not on this machine"
    else:
        what = f"{len(missing)} of {len(card.files)} files are not on this machine, the first is {missing[0]}"
    if card.fetchable:
        way = f"get it with `plainwright corpora fetch {card.name}`"
    else:
        way = f"copy its files there by hand, `plainwright corpora show {card.name}` says which and from where"
    return f"{card.name}: {what}; looked in {', '.join(places)}; {way}"


def _beside_checkout() -> Path | None:
    root = Path(__file__).resolve().parents[3]
    if not (root / "pyproject.toml").is_file() or not (root / "src" / "plainwright").is_dir():
        return None
    return root.parent / "shared" / "data"
