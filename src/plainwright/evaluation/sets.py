"""Sets: from names and files to checked sources and references.

Whatever would silently give a wrong number stops here, with the file, what was expected and the way out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from plainwright.arguments import check_path, check_paths, check_text
from plainwright.errors import (
    DataError,
    LengthMismatchError,
    ReferenceShapeError,
    UnknownNameError,
)
from plainwright.files import read_lines

__all__ = ["EvaluationSet", "counted", "load_set", "read_set_files", "refuse_empty", "take"]

_TABLE_SUFFIXES = (".tsv", ".jsonl")
_PART = re.compile(r"(?P<name>.+):(?P<first>\d+)-(?P<last>\d+)")
_SURROGATES = re.compile("[\ud800-\udfff]")  # which JSON can write, but UTF-8 cannot


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """Holds what outputs are scored against. Where sources or references are absent, fewer metrics apply."""

    name: str | None  # registered name, None for files
    label: str  # for messages
    segments: int
    sources: tuple[str, ...] | None = None
    references: tuple[tuple[str, ...], ...] | None = None
    pseudo: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # systems that stand in for references
    tokens: Literal["raw", "tokenised"] | None = None  # as the registry says; None: to be found out
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # outputs that came with the set


def load_set(name: str, *, data: Path | None = None) -> EvaluationSet:
    """Load a registered set, or a .tsv or .jsonl file with a source and any number of references on each line.

    `NAME:1-500` is only a part of it: these segments, counted from 1.
    """
    check_text(name, "load_set", "name")
    part = _PART.fullmatch(name)
    if part is not None and not Path(name).exists():
        return take(load_set(part["name"], data=data), int(part["first"]), int(part["last"]))
    path = Path(name)
    if path.name.removesuffix(".gz").endswith(_TABLE_SUFFIXES):
        return _read_table(path)
    from plainwright import corpora

    try:
        card = corpora.get(name)
    except UnknownNameError:
        if not path.exists():
            raise
        plain = f"another file; grade a text by itself with `--outputs {name}`, or give --source and --references"
        found = "a directory" if path.is_dir() else plain
        msg = f"{name}: expected a registered set or a .tsv or .jsonl file, found {found}"
        raise DataError(msg) from None
    if card.kind != "set":
        msg = f"{name} holds {card.kind}, not sources and references; evaluate {card.of or 'a set'} instead"
        raise DataError(msg)
    corpus = corpora.load(card, data=data)
    return EvaluationSet(
        name=corpus.name,
        label=corpus.name,
        segments=len(corpus.sources),
        sources=corpus.sources,
        references=corpus.references,
        tokens="raw" if corpus.text == "raw" else "tokenised",
        systems=corpus.systems,
    )


def take(whole: EvaluationSet, first: int, last: int) -> EvaluationSet:
    """Segments `first` to `last`, counted from 1, both included."""
    if not 1 <= first <= last <= whole.segments:
        msg = f"{whole.label} has segments 1 to {whole.segments}; found the range {first}-{last}"
        raise DataError(msg)
    chosen = slice(first - 1, last)
    return replace(
        whole,
        name=None,
        label=f"{whole.label}:{first}-{last}",
        segments=last - first + 1,
        sources=None if whole.sources is None else whole.sources[chosen],
        references=None if whole.references is None else whole.references[chosen],
        systems={name: lines[chosen] for name, lines in whole.systems.items()},
    )


def read_set_files(source: Path | None, references: Sequence[Path]) -> EvaluationSet:
    """Read plain files, one segment per line: one source file and one file per reference."""
    if source is not None:
        check_path(source, "read_set_files", "source")
    check_paths(references, "read_set_files", "references")
    sources = _filled_lines(source) if source is not None else None
    columns = [_filled_lines(path) for path in references]
    files = ([(source, sources)] if sources is not None else []) + list(zip(references, columns, strict=True))
    if not files:
        msg = "nothing to compare with; name a set before the options, or give --source and --references"
        raise DataError(msg)
    for path in references:
        if references.count(path) > 1:
            msg = f"{path} is given twice in --references; give each reference once"
            raise DataError(msg)
    _check_same_length(files, segments=len(sources) if sources is not None else None)
    segments = len(files[0][1] or ())
    return EvaluationSet(
        name=None,
        label=str(files[0][0]),
        segments=segments,
        sources=tuple(sources) if sources is not None else None,
        references=tuple(zip(*columns, strict=True)) if columns else None,
    )


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _filled_lines(path: Path | str) -> list[str]:
    lines = read_lines(path)
    refuse_empty(lines, str(path), "every segment needs a text")
    return lines


def refuse_empty(lines: Sequence[str], label: str, way_out: str) -> None:
    """Raise `DataError` if a line holds nothing."""
    empty = [number for number, line in enumerate(lines, start=1) if not line.strip()]
    if empty:
        more = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        msg = f"{label}: expected text in every line, line {empty[0]}{more} is empty; {way_out}"
        raise DataError(msg)


def _check_same_length(files: Sequence[tuple[Path | None, Sequence[str] | None]], *, segments: int | None) -> None:
    sizes = {str(path): len(lines or ()) for path, lines in files}
    if len(set(sizes.values())) == 1:
        return
    references = [len(lines or ()) for _, lines in files][1:]
    if segments is not None and len(references) == segments and len(set(references)) == 1:
        msg = (
            f"references look transposed: {segments} segments but {len(references)} reference files of "
            f"{references[0]} lines; give one file per reference, each with {segments} lines"
        )
        raise ReferenceShapeError(msg)
    shown = ", ".join(f"{path} {counted(size, 'line')}" for path, size in sizes.items())
    msg = f"source and references need the same number of lines, one per segment; found {shown}"
    raise LengthMismatchError(msg)


def _read_table(path: Path) -> EvaluationSet:
    lines = read_lines(path)
    if path.name.removesuffix(".gz").endswith(".tsv"):
        rows = [_tsv_row(path, number, line) for number, line in enumerate(lines, start=1)]
        if rows[0].source.lower() == "source":
            rows = rows[1:]  # a header
    else:
        rows = [_json_row(path, number, line) for number, line in enumerate(lines, start=1)]
    if not rows:
        msg = f"{path}: expected a source and references on each line, found only a header"
        raise DataError(msg)
    with_references = sum(bool(row.references) for row in rows)
    if with_references not in (0, len(rows)):
        number = next(n for n, row in enumerate(rows, start=1) if not row.references)
        msg = f"{path}: segment {number} has no reference, others have; give every segment at least one"
        raise ReferenceShapeError(msg)
    return EvaluationSet(
        name=None,
        label=str(path),
        segments=len(rows),
        sources=tuple(row.source for row in rows),
        references=tuple(row.references for row in rows) if with_references else None,
        systems=_columns(path, rows),
    )


@dataclass(frozen=True, slots=True)
class _Row:
    source: str
    references: tuple[str, ...]
    outputs: Mapping[str, str] = field(default_factory=dict)


def _tsv_row(path: Path, number: int, line: str) -> _Row:
    source, *references = line.split("\t")
    while references and not references[-1].strip():
        references.pop()  # spreadsheets pad short rows
    row = _Row(source, tuple(references))
    _check_row(path, number, row)
    return row


def _json_row(path: Path, number: int, line: str) -> _Row:
    where = f"{path}:{number}"
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        msg = f"{where}: expected one JSON object per line, found something else ({error})"
        raise DataError(msg) from None
    if not isinstance(value, dict) or not isinstance(value.get("source"), str):
        msg = f'{where}: expected an object like {{"source": "…", "references": ["…"]}}, found {line[:60]!r}'
        raise DataError(msg)
    references = value.get("references", [])
    if not isinstance(references, list) or not all(isinstance(text, str) for text in references):
        msg = f'{where}: expected "references" to be a list of strings, found {references!r:.60}'
        raise DataError(msg)
    outputs = value.get("outputs", {})
    if not isinstance(outputs, dict) or not all(isinstance(text, str) for text in outputs.values()):
        msg = f'{where}: expected "outputs" to map system names to strings, found {outputs!r:.60}'
        raise DataError(msg)
    row = _Row(value["source"], tuple(references), outputs)
    _check_row(path, number, row)
    return row


def _check_row(path: Path, number: int, row: _Row) -> None:
    needed = [(row.source, "source"), *((text, "reference") for text in row.references)]
    for text, label in needed:
        if not text.strip():
            msg = f"{path}:{number}: the {label} is empty; every segment needs a text"
            raise DataError(msg)
    for text, label in [*needed, *((text, f"output of {name!r}") for name, text in row.outputs.items())]:
        if any(bad in text for bad in ("\0", "\n")):
            msg = f"{path}:{number}: the {label} holds a NUL or a line break; one segment is one line"
            raise DataError(msg)
    for text in (row.source, *row.references, *row.outputs, *row.outputs.values()):
        if _SURROGATES.search(text):
            msg = f"{path}:{number}: expected text, found half a character (a lone surrogate) in {text[:40]!r}"
            raise DataError(msg)


def _columns(path: Path, rows: Sequence[_Row]) -> dict[str, tuple[str, ...]]:
    names = list(rows[0].outputs)
    for number, row in enumerate(rows, start=1):
        if set(row.outputs) != set(names):
            msg = f"{path}:{number}: expected outputs of {names}, found {list(row.outputs)}"
            raise DataError(msg)
    return {name: tuple(row.outputs[name] for row in rows) for name in names}
