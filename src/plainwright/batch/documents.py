"""Batches over folders of documents: each comes back under its name, with the same markup."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plainwright.batch.job import Job, Receipt, Summary
from plainwright.batch.tasks import CheckTask, SimplifyTask
from plainwright.documents import FORMATS, changed_document, format_of, read_document
from plainwright.errors import DataError, PlainwrightError
from plainwright.files import atomic_write, atomic_write_bytes, file_digest

__all__ = ["DocumentsJob", "documents_in"]

_CHECKS = "checks.jsonl"
_SUFFIXES = frozenset(suffix for known in FORMATS for suffix in known.suffixes)


class DocumentsJob(Job):
    """The documents of a folder, one for each shard."""

    unit = "document"

    def __init__(self, task: SimplifyTask | CheckTask, source: str | Path, save: str | Path) -> None:
        save = Path(save)
        super().__init__(save)
        self.task = task
        self._source = Path(source).absolute()
        if self._source in (save.absolute(), *save.absolute().parents):
            msg = f"{save}: expected a folder outside {source}, whose documents are read, found one in it"
            raise DataError(msg)
        self._names = [str(path.relative_to(self._source)) for path in documents_in(self._source)]
        if not self._names:
            msg = f"{source}: expected documents or tables, found none"
            raise DataError(msg)
        targets = [self._target(name) for name in self._names]
        if twice := next((name for name in targets if targets.count(name) > 1), None):
            msg = f"{source}: expected a name of its own for each result, found two that would be called {twice!r}"
            raise DataError(msg)
        digests = ((name, file_digest(self._source / name)) for name in self._names)
        self._digests = [{"file": name, "sha256": digest} for name, digest in digests]

    @property
    def doing(self) -> str:
        """What the task does."""
        return self.task.doing

    @property
    def sizes(self) -> Sequence[int]:
        """One document each."""
        return [1] * len(self._names)

    def check(self) -> None:
        """Check the task."""
        self.task.check()

    def described(self) -> dict[str, Any]:
        """Return the task and the documents."""
        return {"settings": self.task.settings(), "inputs": self._digests}

    def _target(self, name: str) -> str:
        """Return the name of a result; what cannot be written in its format becomes Markdown."""
        return name if format_of(name).writable else f"{name}.md"

    def do(self, number: int) -> Receipt:
        """Do one document; one that cannot be read is rejected."""
        name = self._names[number]
        try:
            if isinstance(self.task, CheckTask):
                return {"files": [], "done": 1, "rejects": [], "check": self._checked(name, self.task)}
            return {"files": [self._simplified(name, self.task)], "done": 1, "rejects": []}
        except PlainwrightError as error:
            reason = str(error).replace(str(self._source / name), name)
            return {"files": [], "done": 0, "rejects": [{"file": name, "reason": reason}]}

    def _simplified(self, name: str, task: SimplifyTask) -> str:
        from plainwright.rewrite.documents import simplify_blocks

        known, target = format_of(name), self._target(name)
        document = read_document(self._source / name, as_format=known.name)
        blocks = simplify_blocks(task.simplifier(), document.blocks, protection=task.protection(), alternatives=0)
        changes = [block.changes for block in blocks]
        (self.folder / target).parent.mkdir(parents=True, exist_ok=True)
        data = changed_document(document, changes, known, tracked=None, markdown=not known.writable)
        with atomic_write_bytes(self.folder / target) as out:
            out.write(data)
        return target

    def _checked(self, name: str, task: CheckTask) -> dict[str, Any]:
        from plainwright.check import check_document

        report = check_document(read_document(self._source / name), name, **task.options()).report
        values = task.values(report)
        unpacked = {key: json.loads(values[key]) for key in ("counts", "findings")}
        return {"file": name} | {key: unpacked.get(key, values[key]) for key in task.new}

    def close(self, receipts: Sequence[Receipt]) -> Summary:
        """Write what checks found, a line for each document."""
        if isinstance(self.task, CheckTask):
            with atomic_write(self.folder / _CHECKS) as stream:
                lines = (receipt["check"] for receipt in receipts if "check" in receipt)
                stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        return super().close(receipts)


def documents_in(folder: Path) -> list[Path]:
    """Return the documents of a folder and the folders in it, known by their names, sorted, without hidden ones."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in _SUFFIXES and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))
