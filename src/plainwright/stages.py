"""Stages of a training in a folder: each is done once, and again only if something that decides its result changed.

The folder also has a lock, so that only one training works there, and a log with the figures of its steps.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainwright.errors import DataError
from plainwright.files import atomic_write, try_lock

__all__ = [
    "LOG",
    "Receipt",
    "Status",
    "append_log",
    "digest_of",
    "is_done",
    "last_figures",
    "locked",
    "read_receipt",
    "write_receipt",
]

LOG = "log.jsonl"


@dataclass(frozen=True, slots=True)
class Receipt:
    """Written when a stage is done: the digest of all that decided its result, what it made, and its figures."""

    key: str
    files: Mapping[str, int]  # sizes in bytes
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How far a recipe is: which stages are done, and the last figures of the training."""

    done: dict[str, bool]
    figures: dict[str, float]


def digest_of(*parts: object) -> str:
    """Return the SHA-256 of settings and digests."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def write_receipt(folder: Path, stage: str, key: str, files: Iterable[str], **facts: Any) -> Receipt:
    """Write that a stage is done."""
    receipt = Receipt(key, {name: (folder / name).stat().st_size for name in files}, facts)
    with atomic_write(folder / f"{stage}.json") as stream:
        json.dump({"key": receipt.key, "files": receipt.files, "facts": receipt.facts}, stream, indent=1)
        stream.write("\n")
    return receipt


def read_receipt(folder: Path, stage: str) -> Receipt | None:
    """Return the receipt of a stage; None if there is none that can be read: it is done again then."""
    try:
        table = json.loads((folder / f"{stage}.json").read_text(encoding="utf-8"))
        receipt = Receipt(str(table["key"]), dict(table["files"]), dict(table["facts"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return receipt


def is_done(folder: Path, receipt: Receipt | None, key: str) -> bool:
    """Return whether a stage needs not be done again: nothing changed, and what it made is there."""
    if receipt is None or receipt.key != key:
        return False
    return all(_size(folder / name) == size for name, size in receipt.files.items())


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other trainings out of a folder, which is made if it is not there."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("wb") as stream:
        if not try_lock(stream):
            msg = f"{folder}: another training is at work here; wait for it, or give another --work"
            raise DataError(msg)
        yield


def append_log(folder: Path, **figures: float) -> None:
    """Write figures of a training as a line of its log."""
    with (folder / LOG).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({name: _short(value) for name, value in figures.items()}) + "\n")


def last_figures(folder: Path) -> dict[str, float]:
    """Return the last value of every figure in the log of a training; none if there is no log."""
    figures: dict[str, float] = {}
    try:
        lines = (folder / LOG).read_text(encoding="utf-8").splitlines()
    except OSError:
        return figures
    for line in lines:
        try:
            figures |= json.loads(line)
        except ValueError:  # cut off by a crash
            continue
    return figures


def _short(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.6g}")
