"""What raters wrote: as a table with who wrote it and when, or as references that `plainwright evaluate` reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError
from plainwright.files import atomic_write, check_writable
from plainwright.rate.forms.registry import form_of
from plainwright.rate.forms.writing import reference_of
from plainwright.rate.results.export import storable
from plainwright.rate.results.record import Record
from plainwright.study.ratings import file_format, write_table

__all__ = [
    "SOURCE_FILE",
    "References",
    "WrittenText",
    "reference_file",
    "references_of",
    "texts_of",
    "write_references",
    "write_texts",
]

COLUMNS: Mapping[str, type] = {
    "item": str,
    "source": str,
    "text": str,
    "unchanged": bool,
    "rater": str,
    "order": int,
    "time": float,
    "seconds": float,
    "comment": str,
    "study": str,
}
SOURCE_FILE = "source.txt"


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenText:
    """What one rater wrote for one source."""

    item: str
    source: str
    text: str  # on one line; the source itself if it was left unchanged
    unchanged: bool  # the rater said that the source needs no change
    rater: str
    order: int  # of the page in the rater's sequence, from 1
    time: float  # when the page was finished, in seconds since 1970
    seconds: float  # that the page was in sight
    comment: str
    study: str
    training: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class References:
    """Sources with their references, the first that was asked for first."""

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # by source
    left_out: int  # sources with too few references

    @property
    def per_source(self) -> tuple[int, int]:
        """The fewest and the most references of a source."""
        counts = [len(own) for own in self.references]
        return min(counts), max(counts)


def texts_of(record: Record, *, everything: bool = False) -> tuple[WrittenText, ...]:
    """Return all finished texts in the order of the sources, then of handing-out; `everything`: training as well."""
    if not form_of(record.settings).writes:
        msg = f"expected a study in which raters write, found the form {record.settings.form!r}; it has ratings instead"
        raise DataError(msg)
    pages = [page for page in record.pages if everything or not page.training]
    return tuple(
        WrittenText(
            item=page.item,
            source=page.source,
            text=reference_of(page.work.answers, page.source),
            unchanged=page.work.answers.unchanged,
            rater=page.rater,
            order=page.place,
            time=page.finished,
            seconds=page.work.seconds,
            comment=storable(page.work.answers.comment),
            study=record.settings.title,
            training=page.training,
        )
        for page in sorted(pages, key=lambda page: (page.training, page.item_number, page.number))
    )


def references_of(record: Record, *, fewest: int = 1, most: int | None = None) -> References:
    """Return sources with at least `fewest` references, and at most `most` of these."""
    by_item: dict[str, list[WrittenText]] = {}
    for text in texts_of(record):
        by_item.setdefault(text.item, []).append(text)
    kept = [own for own in by_item.values() if len(own) >= fewest]
    if not kept:
        found = max((len(own) for own in by_item.values()), default=0)
        msg = (
            f"study {record.settings.title!r}: expected a source with {fewest} finished references, "
            f"found at most {found}; wait for more, or ask for fewer"
        )
        raise DataError(msg)
    return References(
        sources=tuple(own[0].source for own in kept),
        references=tuple(tuple(text.text for text in own[:most]) for own in kept),
        left_out=len(by_item) - len(kept),
    )


def write_references(references: References, path: str | Path) -> tuple[Path, ...]:
    """Write what `plainwright evaluate` reads, and return the files.

    A name that ends in `.tsv` or `.jsonl` gets one table. Any other is a folder with a file for the sources and one for
    each reference, one a line: for these, all sources must have as many references.
    """
    path = Path(path)
    if path.suffix in (".tsv", ".jsonl"):
        check_writable(path)
        lines = _jsonl(references) if path.suffix == ".jsonl" else _tsv(references)
        _write(path, lines)
        return (path,)
    fewest, most = references.per_source
    if fewest != most:
        msg = f"{path}: expected as many references for every source, found {fewest} to {most}; name a .tsv or .jsonl"
        raise DataError(msg)
    if path.exists() and not path.is_dir():
        msg = f"{path}: expected a folder for references, or a name that ends in .tsv or .jsonl, found a file"
        raise DataError(msg)
    if path.is_dir() and (old := sorted(file.name for file in path.glob("reference.*.txt"))[most:]):
        msg = f"{path}: expected a folder without other references, found {old[0]!r}; name another"
        raise DataError(msg)
    path.mkdir(parents=True, exist_ok=True)
    columns = zip(*references.references, strict=True)
    files = {path / SOURCE_FILE: references.sources}
    files |= {path / reference_file(number): column for number, column in enumerate(columns)}
    for file, lines in files.items():
        _write(file, lines)
    return tuple(files)


def write_texts(texts: Sequence[WrittenText], path: str | Path, *, everything: bool = False) -> int:
    """Write one row per text, with who wrote it and when; the number of rows."""
    if not texts:
        msg = "no page is finished yet, so there is nothing to export"
        raise DataError(msg)
    file_format(path)
    check_writable(path)
    columns = {**COLUMNS, "training": bool} if everything else COLUMNS
    write_table(path, columns, ({name: getattr(text, name) for name in columns} for text in texts))
    return len(texts)


def reference_file(number: int) -> str:
    """Return the name of the file of a reference, counted from 0."""
    return f"reference.{number}.txt"


def _jsonl(references: References) -> Iterable[str]:
    for source, own in zip(references.sources, references.references, strict=True):
        yield json.dumps({"source": source, "references": own}, ensure_ascii=False)


def _tsv(references: References) -> Iterable[str]:
    # Without a header, a source that is the word "source" would be taken for one.
    yield "\t".join(["source", *(f"reference {number}" for number in range(1, references.per_source[1] + 1))])
    for source, own in zip(references.sources, references.references, strict=True):
        yield "\t".join([" ".join(source.split()), *own])


def _write(path: Path, lines: Iterable[str]) -> None:
    with atomic_write(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)
