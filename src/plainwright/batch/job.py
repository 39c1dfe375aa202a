"""What all batches have in common: shards, a receipt for each that is done, and a manifest in the end."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from plainwright import __version__
from plainwright.errors import DataError
from plainwright.files import atomic_write, file_digest, try_lock
from plainwright.stages import digest_of

__all__ = ["MANIFEST", "PLAN", "REJECTS", "Job", "Receipt", "Summary"]

Receipt = dict[str, Any]  # JSON: what one shard made

REJECTS = "rejects.jsonl"
MANIFEST = "manifest.json"
PLAN = ".plan.json"
_RECEIPTS = ".shards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Says what became of a batch."""

    place: Path
    done: int  # rows or documents
    rejected: int
    totals: Mapping[str, Any] = field(default_factory=dict)


class Job(ABC):
    """A batch in a folder of its own; it travels to other processes and machines."""

    unit: ClassVar[str]  # what is counted

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    @abstractmethod
    def doing(self) -> str:
        """What is done, as the bar says it."""

    @property
    @abstractmethod
    def sizes(self) -> Sequence[int]:
        """How many units each shard has."""

    @abstractmethod
    def check(self) -> None:
        """Refuse what cannot be done in this process."""

    @abstractmethod
    def do(self, number: int) -> Receipt:
        """Do one shard: write its files, and say their names, how many units were done, and which were rejected."""

    @abstractmethod
    def described(self) -> dict[str, Any]:
        """Return all that decides the result: the task, its settings and the input."""

    def totals(self, receipts: Sequence[Receipt]) -> dict[str, Any]:
        """Return what can be said of all shards together."""
        return {}

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep others out of the folder, which is empty or has the same batch."""
        self._check_same()
        try:
            (self.folder / _RECEIPTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{self.folder}: cannot be written ({(error.strerror or str(error)).lower()}); give another --save"
            raise DataError(msg) from None
        with (self.folder / _RECEIPTS / "lock").open("wb") as stream:
            if not try_lock(stream):
                msg = f"{self.folder}: another batch is at work here; wait for it, or give another --save"
                raise DataError(msg)
            with atomic_write(self.folder / PLAN) as plan:
                plan.write(self._key() + "\n")
            yield

    def _key(self) -> str:
        return digest_of(__version__, self.described())

    def _check_same(self) -> None:
        plan = self.folder / PLAN
        if plan.is_file():
            if plan.read_text(encoding="utf-8").strip() != self._key():
                msg = (
                    f"{self.folder}: expected the batch that was begun here, found other input, settings or another "
                    "version; give another --save, or delete it"
                )
                raise DataError(msg)
            return
        others = [own.name for own in self.folder.iterdir()] if self.folder.is_dir() else []
        if others := sorted(set(others) - {_RECEIPTS}):
            msg = f"{self.folder}: expected an empty folder, found {others[0]!r}; give another --save"
            raise DataError(msg)

    def receipts(self) -> dict[int, Receipt]:
        """Read what was done before; what is not whole any more is done again."""
        found: dict[int, Receipt] = {}
        for path in (self.folder / _RECEIPTS).glob("*.json"):
            try:
                receipt = json.loads(path.read_text(encoding="utf-8"))
                whole = all(file_digest(self.folder / name) == digest for name, digest in receipt["files"].items())
            except (ValueError, KeyError, DataError):
                continue
            if whole:
                found[int(path.stem)] = receipt
        return found

    def do_and_note(self, number: int) -> Receipt:
        """Do one shard, and write its receipt, which counts only if its files are there and whole."""
        receipt = self.do(number)
        rejects = receipt.pop("rejects")
        if rejects:
            name = f"{_RECEIPTS}/{number:06}.rejects"
            with atomic_write(self.folder / name) as stream:
                stream.writelines(json.dumps(own, ensure_ascii=False) + "\n" for own in rejects)
            receipt["files"].append(name)
        receipt["rejected"] = len(rejects)
        for name in receipt["files"]:
            _sync(self.folder / name)
        receipt["files"] = {name: file_digest(self.folder / name) for name in receipt["files"]}
        with atomic_write(self.folder / _RECEIPTS / f"{number:06}.json") as stream:
            json.dump(receipt, stream)
        return receipt

    def close(self, receipts: Sequence[Receipt]) -> Summary:
        """Write rejects and manifest, and clear away what a batch that was killed left half-written."""
        for path in self.folder.rglob(".plainwright.*.part"):
            path.unlink(missing_ok=True)
        rejected = sum(receipt["rejected"] for receipt in receipts)
        files = {name: digest for receipt in receipts for name, digest in receipt["files"].items()}
        noted = sorted(name for name in files if name.startswith(_RECEIPTS))
        if noted:
            with atomic_write(self.folder / REJECTS) as stream:
                for name in noted:
                    stream.write((self.folder / name).read_text(encoding="utf-8"))
        summary = Summary(
            place=self.folder,
            done=sum(receipt["done"] for receipt in receipts),
            rejected=rejected,
            totals=self.totals(receipts),
        )
        self.write_manifest(
            self.folder / MANIFEST, summary, {name: digest for name, digest in files.items() if name not in noted}
        )
        return summary

    def write_manifest(self, path: Path, summary: Summary, files: Mapping[str, str]) -> None:
        """Write what was made of what, with the digests of the files."""
        manifest = {
            "plainwright": __version__,
            **self.described(),
            "done": summary.done,
            "rejected": summary.rejected,
            "totals": summary.totals,
            "files": files,
        }
        with atomic_write(path) as stream:
            json.dump(manifest, stream, ensure_ascii=False, indent=1)
            stream.write("\n")

    def clear(self) -> None:  # noqa: B027
        """Take away what nobody needs when all is done and the folder is free."""


def _sync(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
