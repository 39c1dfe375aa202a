"""Stages of a training in a folder: each is done once, and again only if something that decides its result changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plainwright.files import atomic_write

__all__ = ["Receipt", "digest_of", "is_done", "read_receipt", "write_receipt"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """Written when a stage is done: the digest of all that decided its result, what it made, and its figures."""

    key: str
    files: Mapping[str, int]  # sizes in bytes
    facts: Mapping[str, Any] = field(default_factory=dict)


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
