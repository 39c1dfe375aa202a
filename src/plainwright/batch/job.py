"""What all batches have in common: shards, a receipt for each that is done, and a manifest in the end."""

from __future__ import annotations

import json
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

__all__ = ["REJECTS", "Job", "Receipt", "Summary"]

Receipt = dict[str, Any]  # JSON: what one shard made

REJECTS = "rejects.jsonl"
_MANIFEST = "manifest.json"
_PLAN = ".plan.json"
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

    def finish(self, summary: Summary) -> Summary:
        """Do what is left when all shards are done."""
        return summary

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Keep others out of the folder, which is empty or has the same batch."""
        try:
            (self.folder / _RECEIPTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            msg = f"{self.folder}: cannot be written ({(error.strerror or str(error)).lower()}); give another --save"
            raise DataError(msg) from None
        with (self.folder / _RECEIPTS / "lock").open("wb") as stream:
            if not try_lock(stream):
                msg = f"{self.folder}: another batch is at work here; wait for it, or give another --save"
                raise DataError(msg)
            self._check_same()
            yield

    def _check_same(self) -> None:
        plan = self.folder / _PLAN
        key = digest_of(__version__, self.described())
        if plan.is_file():
            if plan.read_text(encoding="utf-8").strip() != key:
                msg = (
                    f"{self.folder}: expected the batch that was begun here, found other input, settings or another "
                    "version; give another --save, or delete it"
                )
                raise DataError(msg)
            return
        if others := [own.name for own in self.folder.iterdir() if own.name != _RECEIPTS]:
            msg = f"{self.folder}: expected an empty folder, found {sorted(others)[0]!r}; give another --save"
            raise DataError(msg)
        with atomic_write(plan) as stream:
            stream.write(key + "\n")

    def receipts(self) -> dict[int, Receipt]:
        """Read what was done before."""
        found: dict[int, Receipt] = {}
        for path in (self.folder / _RECEIPTS).glob("*.json"):
            receipt = json.loads(path.read_text(encoding="utf-8"))
            if all((self.folder / name).is_file() for name in receipt["files"]):
                found[int(path.stem)] = receipt
        return found

    def do_and_note(self, number: int) -> Receipt:
        """Do one shard, and write its receipt, which counts only once its files are there."""
        receipt = self.do(number)
        receipt["files"] = {name: file_digest(self.folder / name) for name in receipt["files"]}
        with atomic_write(self.folder / _RECEIPTS / f"{number:06}.json") as stream:
            json.dump(receipt, stream)
        return receipt

    def close(self, receipts: Sequence[Receipt]) -> Summary:
        """Write rejects and manifest, and clear away what a batch that was killed left half-written."""
        for path in self.folder.rglob(".plainwright.*.part"):
            path.unlink(missing_ok=True)
        rejects = [own for receipt in receipts for own in receipt["rejects"]]
        if rejects:
            with atomic_write(self.folder / REJECTS) as stream:
                stream.writelines(json.dumps(own, ensure_ascii=False, default=str) + "\n" for own in rejects)
        totals = self.totals(receipts)
        done = sum(receipt["done"] for receipt in receipts)
        manifest = {
            "plainwright": __version__,
            **self.described(),
            "done": done,
            "rejected": len(rejects),
            "totals": totals,
            "files": {name: digest for receipt in receipts for name, digest in receipt["files"].items()},
        }
        with atomic_write(self.folder / _MANIFEST) as stream:
            json.dump(manifest, stream, ensure_ascii=False, indent=1)
            stream.write("\n")
        return self.finish(Summary(place=self.folder, done=done, rejected=len(rejects), totals=totals))
