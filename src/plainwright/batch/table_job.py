"""Batches over tables: each shard of rows becomes a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from plainwright.batch.formats import FORMATS, format_of_table
from plainwright.batch.job import MANIFEST, REJECTS, Job, Receipt, Summary
from plainwright.batch.json_lines import JsonLines
from plainwright.batch.table_format import LINE, ROW, Cut, TableFormat, Wanted
from plainwright.batch.tasks import PROBLEM, STATISTICS, Task
from plainwright.errors import DataError
from plainwright.extras import check_extra
from plainwright.files import atomic_write_bytes, check_writable, file_digest

__all__ = ["TableJob"]

_TEXT_TYPES = ("string", "large_string", "dictionary<values=string", "dictionary<values=large_string")
_NO_TEXT_TYPES = ("string_view",)  # which Arrow cannot filter yet
_LISTS = ("list<", "large_list<", "fixed_size_list<")


class TableJob(Job):
    """Rows of tables, a file for each shard of them."""

    unit = "row"

    def __init__(
        self, task: Task, files: Sequence[str | Path], save: str | Path, *, rows: int = 2_000, ids: str | None = None
    ) -> None:
        check_extra("a batch of tables", "batch", "pyarrow")
        self.task = task
        self._names = [str(file) for file in files]
        self._files = [Path(file).absolute() for file in files]
        if len(set(self._files)) < len(self._files):
            msg = f"{self._names[0]}: expected each table once, found one twice"
            raise DataError(msg)
        self.format = _one_format(self._files)
        save = Path(save)
        self.single = _single(save, self.format)
        super().__init__(save if self.single is None else save.with_name(f"{save.name}.parts"))
        self._ids, self._rows = ids, rows
        self._check_columns()
        named = zip(_short_names(self._files), self._files, strict=True)
        self._digests = [{"file": name, "sha256": file_digest(file)} for name, file in named]
        self._shards = list(self._cut())
        if not self._shards:
            msg = f"{self._names[0]}: expected rows, found none"
            raise DataError(msg)

    @property
    def doing(self) -> str:
        """What the task does."""
        return self.task.doing

    @property
    def sizes(self) -> Sequence[int]:
        """Rows of each shard."""
        return [cut.rows for _, cut in self._shards]

    def check(self) -> None:
        """Check the task."""
        self.task.check()

    def described(self) -> dict[str, Any]:
        """Return the task, the files and how they are cut."""
        cut = {"id": self._ids, "rows": self._rows, "format": self.format.name}
        return {"settings": self.task.settings(), "inputs": self._digests, **cut}

    def _check_columns(self) -> None:
        first: Mapping[str, str] | None = None
        for file in self._files:
            found = self.format.columns(file)
            if found is None:
                self._check_keys(file)
                continue
            self._check_file(file, found)
            if first is not None and list(found.items()) != list(first.items()):
                differing = next((name for name in {**first, **found} if first.get(name) != found.get(name)), None)
                how = "their order" if differing is None else repr(differing)
                msg = (
                    f"{file}: expected the columns of {self._files[0].name}, found others "
                    f"({how} differs); do files of one kind at a time"
                )
                raise DataError(msg)
            first = first or found

    @property
    def _needed(self) -> tuple[str, ...]:
        return (*self.task.texts, *self.task.groups, *(() if self._ids is None else (self._ids,)))

    def _check_keys(self, file: Path) -> None:
        """Refuse a key that none of the first rows has: it is mistyped."""
        if isinstance(self.format, JsonLines) and (keys := self.format.keys(file)):
            for name in self._needed:
                if name not in keys:
                    msg = f"{file}: expected a key {name!r}, found {', '.join(map(repr, keys[:10]))}"
                    raise DataError(msg)

    def _check_file(self, file: Path, found: Mapping[str, str]) -> None:
        for name in self._needed:
            if name not in found:
                msg = f"{file}: expected a column {name!r}, found {', '.join(map(repr, found))}"
                raise DataError(msg)
        for name in (*self.task.texts, *self.task.groups):
            kinds = _TEXT_TYPES + (_LISTS if name in self.task.groups else ())
            if not found[name].startswith(kinds) or found[name] in _NO_TEXT_TYPES:
                msg = f"{file}: expected texts in the column {name!r}, found {found[name]}"
                raise DataError(msg)
        for name in (*self.task.new, PROBLEM, ROW, LINE):
            if name in found:
                msg = f"{file}: expected no column {name!r}, a name that the batch needs, found one; rename it"
                raise DataError(msg)

    def _cut(self) -> Iterator[tuple[Path, Cut]]:
        seen: set[bytes] = set()
        for file in self._files:
            for cut, ids in self.format.cuts(file, self._rows, self._ids):
                for own in ids:
                    if own is None or own == "":
                        continue  # a row that is rejected
                    digest = blake2b(str(own).encode("utf-8", "surrogatepass"), digest_size=16).digest()
                    if digest in seen:
                        msg = f"{file}: expected an id of its own for each row, found {own!r} in {self._ids!r} twice"
                        raise DataError(msg)
                    seen.add(digest)
                yield file, cut

    def do(self, number: int) -> Receipt:
        """Do the rows of one shard."""
        import pyarrow as pa

        file, cut = self._shards[number]
        wanted = Wanted(self.task.texts, self.task.groups, self._ids, tuple(self.task.new))
        batches = map(self._with_ids, self.format.read(file, cut, wanted))
        table = pa.Table.from_batches(list(self.task.counting(batches)))
        problems = table.column(PROBLEM).to_pylist()
        fit = pa.array([problem is None for problem in problems])
        rejects = [self._reject(table, row, file) for row, problem in enumerate(problems) if problem is not None]
        good = table.filter(fit)
        sums = {name.removeprefix(STATISTICS): _sums(good.column(name)) for name in self.task.counted}
        good = good.drop_columns(list(self.task.counted)) if self.task.counted else good
        name = f"part-{number:06}{self.format.suffixes[0]}"
        with atomic_write_bytes(self.folder / name) as stream:
            self.format.write(stream, good, list(self.task.new))
        return {"files": [name], "done": good.num_rows, "rejects": rejects, "sums": sums}

    def _with_ids(self, batch: Any) -> Any:
        """Note the rows that have no id, where there is a column for it."""
        import pyarrow as pa

        if self._ids is None:
            return batch
        names = batch.schema.names
        values = batch.column(names.index(self._ids)).to_pylist()
        known = batch.column(names.index(PROBLEM)).to_pylist() if PROBLEM in names else [None] * batch.num_rows
        problems = [
            problem or (f"{self._ids}: expected an id, found none" if value is None or value == "" else None)
            for problem, value in zip(known, values, strict=True)
        ]
        batch = batch.drop_columns(PROBLEM) if PROBLEM in names else batch
        return batch.append_column(PROBLEM, pa.array(problems, type=pa.string()))

    def _reject(self, table: Any, row: int, file: Path) -> dict[str, Any]:
        plain = table.drop_columns([*self.task.new, *self.task.counted])
        return {
            "file": self._names[self._files.index(file)],
            "row": table.column(ROW)[row].as_py(),
            "reason": table.column(PROBLEM)[row].as_py(),
            "record": self.format.record(plain, row),
        }

    def totals(self, receipts: Sequence[Receipt]) -> dict[str, Any]:
        """Add up what the shards counted, in their order."""
        sums: dict[str, list[float]] = {}
        for receipt in receipts:
            for name, counts in receipt["sums"].items():
                if counts:
                    sums[name] = [a + b for a, b in zip(sums.get(name, [0.0] * len(counts)), counts, strict=True)]
        return self.task.totals(sums)

    def close(self, receipts: Sequence[Receipt]) -> Summary:
        """Join the shards, where one file was asked for; its manifest comes last."""
        summary = super().close(receipts)
        if self.single is None:
            return summary
        parts = [self.folder / f"part-{number:06}{self.format.suffixes[0]}" for number in range(len(self._shards))]
        with atomic_write_bytes(self.single) as stream:
            self.format.join(stream, parts)
        beside = {name: self.single.with_name(f"{self.single.name}.{name}") for name in (MANIFEST, REJECTS)}
        if summary.rejected:
            shutil.copyfile(self.folder / REJECTS, beside[REJECTS])
        self.write_manifest(beside[MANIFEST], summary, {self.single.name: file_digest(self.single)})
        return replace(summary, place=self.single)

    def clear(self) -> None:
        """Take the shards away that were joined."""
        if self.single is not None:
            gone = self.folder.with_name(f".{self.folder.name}.done")
            self.folder.replace(gone)  # in one step: half of a folder would look like another batch
            shutil.rmtree(gone)


def _single(save: Path, known: TableFormat) -> Path | None:
    """Return the one file that is asked for; None if a folder is."""
    other = format_of_table(save)
    if other is None:
        return None
    if other is not known:
        msg = f"{save}: expected a folder or {known.suffixes[0]}, the format of the input, found {save.suffix}"
        raise DataError(msg)
    if save.exists():
        msg = f"{save}: expected a new name, found a file there already; delete it, or give another --save"
        raise DataError(msg)
    check_writable(save)
    return save


def _short_names(files: Sequence[Path]) -> list[str]:
    """Name files from the folder on that has them all; a batch that was moved stays the same."""
    try:
        folder = os.path.commonpath([file.parent for file in files])
        # Not `relative_to`: a path may begin with two slashes, and the common one does not.
        return [Path(os.path.relpath(file, folder)).as_posix() for file in files]
    except ValueError:  # drives of Windows
        return [str(file) for file in files]


def _sums(column: Any) -> list[float]:
    rows = column.to_pylist()
    return [float(sum(values)) for values in zip(*rows, strict=True)]


def _one_format(files: Sequence[Path]) -> TableFormat:
    found = {file: format_of_table(file) for file in files}
    known = dict.fromkeys(found.values())
    if None in known:
        file = next(file for file, kind in found.items() if kind is None)
        suffixes = ", ".join(suffix for kind in FORMATS for suffix in kind.suffixes)
        msg = f"{file}: expected a table ({suffixes}) or a folder of documents, found another name"
        raise DataError(msg)
    if len(known) > 1:
        msg = f"{files[0].parent}: expected tables of one format, found {' and '.join(k.name for k in known if k)}"
        raise DataError(msg)
    [kind] = (own for own in known if own is not None)
    return kind
