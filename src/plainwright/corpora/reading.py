"""Read a corpus: digests before parsing, counts of the card after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from plainwright.corpora.card import Card, Corpus, FileEntry
from plainwright.corpora.lookup import check, locate, way_out
from plainwright.corpora.registry import resolve
from plainwright.errors import DataError
from plainwright.files import read_lines

__all__ = ["load", "load_outputs", "load_words"]


def load(corpus: str | Card, *, data: str | Path | None = None) -> Corpus:
    """Sources, references and the outputs that come with a set; other preparations are never mixed in."""
    card = resolve(corpus)
    if card.kind != "set":
        way = "use load_outputs" if card.kind == "outputs" else "use read_ratings of plainwright.study.ratings"
        msg = f"{card.name}: expected a set with sources and references, found {card.kind}; {way}"
        raise DataError(msg)
    lines = _read(card, data)
    if card.columns:
        (table,) = lines.values()
        sources, references = _split_table(card, next(iter(lines)), table)
    else:
        (sources,) = (lines[entry.path] for entry in card.files if entry.role == "source")
        columns = [lines[entry.path] for entry in card.files if entry.role == "reference"]
        _expect(card, card.name, "references", card.references, len(columns))
        references = list(zip(*columns, strict=True))
    systems = {
        entry.system: tuple(_lower(card, lines[entry.path]))
        for entry in card.files
        if entry.role == "output" and entry.system is not None
    }
    return Corpus(
        name=card.name,
        sources=tuple(_lower(card, sources)),
        references=tuple(tuple(_lower(card, row)) for row in references),
        systems=systems,
        text=card.text or "raw",
    )


def load_outputs(corpus: str | Card, *, data: str | Path | None = None) -> Mapping[str, tuple[str, ...]]:
    """Return the output lines of each system by name, for a corpus of kind "outputs"."""
    card = resolve(corpus)
    if card.kind != "outputs":
        way = "use load" if card.kind == "set" else "use read_ratings of plainwright.study.ratings"
        msg = f"{card.name}: expected a collection of outputs, found a corpus of kind {card.kind!r}; {way}"
        raise DataError(msg)
    lines = _read(card, data)
    return {
        entry.system or entry.path: tuple(_unmarked(card, line) for line in lines[entry.path]) for entry in card.files
    }


def load_words(corpus: str | Card, *, data: str | Path | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the lines of each file of a corpus of kind "words"; what a line has is up to the list."""
    card = resolve(corpus)
    if card.kind != "words":
        msg = f"{card.name}: expected a list of words, found a corpus of kind {card.kind!r}"
        raise DataError(msg)
    return tuple(map(tuple, _read(card, data).values()))


def _read(card: Card, data: str | Path | None) -> dict[str, list[str]]:
    lines = {}
    for entry, path in zip(card.files, locate(card, data=data), strict=True):
        lines[entry.path] = _read_file(card, entry, path)
    return lines


def _read_file(card: Card, entry: FileEntry, path: Path) -> list[str]:
    if problem := check(entry, path):
        msg = f"{path}: {problem}; {way_out(card, entry, path)}"
        raise DataError(msg)
    lines = read_lines(path)
    if card.head:
        lines = lines[: card.segments]
    if card.segments is not None:
        _expect(card, str(path), "lines", card.segments, len(lines))
    return lines


def _split_table(card: Card, name: str, table: Sequence[str]) -> tuple[list[str], list[tuple[str, ...]]]:
    _expect(card, card.name, "references", card.references, card.columns.count("reference"))
    source = card.columns.index("source")
    wanted = [i for i, column in enumerate(card.columns) if column == "reference"]
    sources, references = [], []
    for number, line in enumerate(table, start=1):
        fields = line.split("\t")
        _expect(card, f"{name}:{number}", "columns", len(card.columns), len(fields))
        sources.append(fields[source])
        references.append(tuple(_unmarked(card, fields[i]) for i in wanted))
    return sources, references


def _unmarked(card: Card, text: str) -> str:
    if not card.split_mark:
        return text
    return " ".join(part.strip() for part in text.split(card.split_mark))


def _lower(card: Card, lines: Sequence[str]) -> Sequence[str]:
    return [line.lower() for line in lines] if card.lower else lines


def _expect(card: Card, where: str, what: str, expected: int, found: int) -> None:
    if expected != found:
        msg = f"{where}: the card {card.name} says {expected} {what}, found {found}; one of the two is wrong"
        raise DataError(msg)
