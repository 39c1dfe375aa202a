"""Cards from `table.toml`: what each corpus is called, which files it has and in which role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

from plainwright.corpora.card import Card, FileEntry, Kind, Text
from plainwright.tables import TableReader

__all__ = ["TABLE", "read_cards"]

TABLE = Path(__file__).with_name("table.toml")
Entry = Callable[..., FileEntry]  # makes the entry of a path, given its role and label

_KEYS = (
    *("aliases", "kind", "title", "of", "also_of", "segments", "licence", "citations", "text", "note"),
    *(
        "folder",
        "source",
        "references",
        "table",
        "columns",
        "outputs",
        "ratings",
        "words",
        "split_mark",
        "lower",
        "head",
    ),
)


def read_cards(entry: Entry, path: Path = TABLE) -> Iterator[Card]:
    """Yield all cards, in the order of the table."""
    table = TableReader.read(path, of="a table of corpora in TOML")
    table.check_keys("cards", "citations")
    cards, citations = table.section("cards"), table.section("citations")
    for name in cards:
        yield _card(name, cards.section(name), citations, entry)


def _card(name: str, table: TableReader, citations: TableReader, entry: Entry) -> Card:
    table.check_keys(*_KEYS)
    files, columns = tuple(_files(table, entry)), table.texts("columns")
    references = sum(file.role == "reference" for file in files) or columns.count("reference")
    return Card(
        name=name,
        aliases=table.texts("aliases"),
        kind=table.choice("kind", get_args(Kind)),
        title=table.text("title"),
        of=table.text("of", "") or None,
        also_of=table.texts("also_of"),
        segments=table.whole("segments", low=1) if "segments" in table else None,
        references=references,
        licence=table.text("licence"),
        citation="\n\n".join(citations.text(paper) for paper in table.texts("citations")),
        text=table.choice("text", get_args(Text)) if "text" in table else None,
        files=files,
        note=table.text("note", ""),
        columns=columns,
        split_mark=table.text("split_mark", ""),
        lower=table.flag("lower", False),
        head=table.flag("head", False),
    )


def _files(table: TableReader, entry: Entry) -> Iterator[FileEntry]:
    folder = table.text("folder", "")
    outputs = table.section("outputs")

    def path(name: str) -> str:
        return f"{folder}/{name}" if folder else name

    if source := table.text("source", ""):
        yield entry(path(source), role="source")
    for number, name in enumerate(table.texts("references")):
        yield entry(path(name), role="reference", reference=number)
    for system in outputs:
        yield entry(path(outputs.text(system)), role="output", system=system)
    if name := table.text("table", ""):
        yield entry(path(name), role="table")
    for name in table.texts("ratings"):
        yield entry(path(name), role="ratings")
    for name in table.texts("words"):
        yield entry(path(name), role="words")
