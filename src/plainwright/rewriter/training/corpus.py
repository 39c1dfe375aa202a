"""The written corpus as rows of texts: a level, a source, its rewrite.

Sources whose text may not stand in the corpus are named by their SHA-256; whoever has the texts joins them by a table
whose first column they are. Whether a source is held out is decided by its digest, so a corpus that grows keeps it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plainwright.errors import DataError
from plainwright.files import check_directory, iter_lines
from plainwright.rewriter.finding import LEVELS, Level
from plainwright.rewriter.risk import changed_words
from plainwright.rewriter.training.recipe import Corpus

__all__ = ["CorpusRows", "Row", "corpus_files", "read_corpus"]

_COLUMNS = ("id", "level", "unit", "origin", "source", "target")
_BY_DIGEST = "sha256:"


class Row(NamedTuple):
    """A source and one rewrite of it."""

    level: Level
    source: str
    target: str
    held_out: bool


@dataclass(frozen=True, slots=True)
class CorpusRows:
    """All rows whose source has a text, and the number of those that have none."""

    rows: tuple[Row, ...]
    without_text: int


def corpus_files(corpus: Corpus) -> list[Path]:
    """Return the tables of a corpus, in order."""
    check_directory(corpus.folder, of="the written corpus")
    files = sorted(corpus.folder.glob("*.tsv.gz")) + sorted(corpus.folder.glob("*.tsv"))
    if not files:
        msg = f"{corpus.folder}: expected tables that end in .tsv.gz or .tsv, found none"
        raise DataError(msg)
    return files


def read_corpus(corpus: Corpus) -> CorpusRows:
    """Read all tables, and join the texts of sources that are named by their digest."""
    texts = {} if corpus.texts is None else dict(_digests_of(corpus.texts))
    rows: list[Row] = []
    without_text = 0
    for path in corpus_files(corpus):
        for level, unit, source, target in _rows_of(path):
            if level not in corpus.levels or unit not in corpus.units:
                continue
            text = texts.get(source.removeprefix(_BY_DIGEST)) if source.startswith(_BY_DIGEST) else source
            if text is None:
                without_text += 1
                continue
            if corpus.changed_words < 1 and max(changed_words(text, target)) > corpus.changed_words:
                continue
            place = _place(text)
            if place < corpus.held_out + corpus.share * (1 - corpus.held_out):
                rows.append(Row(level, text, target, held_out=place < corpus.held_out))
    if not any(not row.held_out for row in rows):
        msg = f"{corpus.folder}: expected rows to learn from, found none ({without_text:,} have no text)"
        raise DataError(msg)
    return CorpusRows(tuple(rows), without_text)


def _place(source: str) -> float:
    """Where a source falls between 0 and 1, to decide what it is for."""
    return int(hashlib.sha256(source.encode()).hexdigest(), 16) % 1000 / 1000


def _digests_of(path: Path) -> Iterator[tuple[str, str]]:
    for line in iter_lines(path):
        text = _single_spaced(line.partition("\t")[0])
        yield hashlib.sha256(text.encode()).hexdigest(), text


def _rows_of(path: Path) -> Iterator[tuple[Level, str, str, str]]:
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if number == 1:
            if tuple(cells) != _COLUMNS:
                msg = f"{path}:1: expected the columns {', '.join(_COLUMNS)}, found {line[:60]!r}"
                raise DataError(msg)
            continue
        if len(cells) != len(_COLUMNS):
            msg = f"{path}:{number}: expected {len(_COLUMNS)} fields separated by tabs, found {len(cells)}"
            raise DataError(msg)
        source, target = _single_spaced(cells[4]), _single_spaced(cells[5])
        level = next((one for one in LEVELS if one == cells[1]), None)
        if level is None or not source or not target:
            msg = f"{path}:{number}: expected a level ({', '.join(LEVELS)}), a source and a target, found {line[:60]!r}"
            raise DataError(msg)
        yield level, cells[2], source, target


def _single_spaced(text: str) -> str:
    return " ".join(text.split())
