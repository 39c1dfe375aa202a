"""From names and files to checked sources, references and outputs.

Everything that would silently give a wrong number stops here, with the file, what was expected and the way out.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from plainwright.arguments import as_texts, check_instance, check_path, check_paths, check_text
from plainwright.errors import (
    DataError,
    LengthMismatchError,
    PlainwrightError,
    ReferenceShapeError,
    UnknownNameError,
)
from plainwright.files import read_lines

__all__ = [
    "EvaluationSet",
    "Outputs",
    "check_outputs",
    "checked_outputs",
    "load_set",
    "read_outputs",
    "read_set_files",
    "take",
]

_TABLE_SUFFIXES = (".tsv", ".jsonl")
_PART = re.compile(r"(?P<name>.+):(?P<first>\d+)-(?P<last>\d+)")
_NEAR = 0.7  # of difflib; at its usual 0.6 an ending such as .txt alone makes short names alike
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


class Outputs(dict[str, tuple[str, ...]]):
    """Output lines by system name, and which of them are registered: released text, known by its digest."""

    def __init__(self) -> None:
        super().__init__()
        self.registered: set[str] = set()


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


def read_outputs(named: Sequence[str] | None, target: EvaluationSet, *, data: Path | None = None) -> Outputs:
    """Read outputs from files, NAME=FILE, "-", systems of the set or collections; None: all systems of the set."""
    outputs = Outputs()
    check_instance(target, EvaluationSet, "read_outputs", "target", "an EvaluationSet, as load_set returns it")
    if named is None:
        outputs.update(target.systems)
        outputs.registered.update(target.systems if target.name is not None else ())
        return outputs
    for item in as_texts(named, "read_outputs", "named"):
        found, registered = _read_output(item, target, data)
        for name, lines in found.items():
            # The name of a file may hold bytes that are no text and could not be printed.
            shown = name.encode("utf-8", "replace").decode("utf-8")
            free = _free_name(shown, item, outputs)
            outputs[free] = tuple(lines)
            if registered:
                outputs.registered.add(free)
    return outputs


def check_outputs(
    outputs: Mapping[str, Sequence[str]],
    target: EvaluationSet,
    *,
    allow_empty: bool = False,
    allow_reference: bool = False,
    may_be_empty: Collection[str] = (),
) -> list[str]:
    """Refuse outputs that do not belong to the set, hold nothing, or are one of its references.

    Empty lines of the systems in `may_be_empty` are no error; the warnings that are returned tell of them.
    """
    warnings = []
    for name, lines in checked_outputs(outputs, target, "check_outputs").items():
        if len(lines) != target.segments:
            raise _size_error(name, len(lines), target)
        if name in may_be_empty and not allow_empty:
            warnings += _empty_warning(name, lines)
        elif not allow_empty:
            _refuse_empty(lines, f"output {name!r}", "pass --allow-empty to score it as it is")
        if target.references is not None and not allow_reference:
            _refuse_reference(name, lines, target.references, target.sources)
    return warnings


def checked_outputs(
    outputs: Mapping[str, Sequence[str]], target: EvaluationSet, function: str
) -> dict[str, tuple[str, ...]]:
    """The outputs with their lines as tuples; what is no list of strings by system is refused."""
    check_instance(target, EvaluationSet, function, "target", "an EvaluationSet, as load_set returns it")
    expected = "a mapping from the name of each system to its list of strings"
    check_instance(outputs, Mapping, function, "outputs", expected)
    return {name: tuple(as_texts(lines, function, f"outputs[{name!r}]")) for name, lines in outputs.items()}


def _size_error(name: str, found: int, target: EvaluationSet) -> DataError:
    if target.sources is None and target.references is not None and {len(g) for g in target.references} == {found}:
        msg = (
            f"references look transposed: output {name!r} has {found} lines, and there are {found} reference files "
            f"of {target.segments} lines; give one file per reference, each with {found} lines"
        )
        return ReferenceShapeError(msg)
    msg = (
        f"output {name!r} has {_plural(found, 'line')}, {target.label} has {_plural(target.segments, 'segment')}; "
        "give one line per segment, in the same order"
    )
    return LengthMismatchError(msg)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _refuse_reference(
    name: str,
    lines: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
) -> None:
    if sources is not None and list(lines) == list(sources):
        return  # copying the input is a baseline; that a reference copies too is no mistake
    for number in range(min(map(len, references))):
        if all(line == group[number] for line, group in zip(lines, references, strict=True)):
            msg = (
                f"output {name!r} equals reference {number} in every line, so its scores mean nothing; "
                "name the output file, or pass --allow-reference to score a human against all references"
            )
            raise DataError(msg)


def _read_output(item: str, target: EvaluationSet, data: Path | None) -> tuple[Mapping[str, Sequence[str]], bool]:
    """Lines by system name, and whether they are registered."""
    if item == "-":
        return {"stdin": read_lines("-")}, False
    path = Path(item)
    if path.exists():
        return {path.name.removesuffix(".gz").removesuffix(".txt") or path.name: read_lines(path)}, False
    if item in target.systems:
        return {item: target.systems[item]}, target.name is not None
    if item == "source" and target.sources is not None:
        return {item: target.sources}, False  # the baseline that every system should beat
    name, equals, file = item.partition("=")
    if equals and name and file:
        if file != "-" and not Path(file).exists():
            raise _missing_file(file, _near_files(file))
        return {name: read_lines(file)}, False
    from plainwright import corpora

    if item in corpora.names(kind="outputs"):
        _refuse_other_set(item, target)
        return corpora.load_outputs(item, data=data), True
    raise _unknown_output(item, target)


def _refuse_other_set(collection: str, target: EvaluationSet) -> None:
    from plainwright import corpora

    of = corpora.get(collection).of
    if target.name is None or of is None or corpora.get(of).name == target.name:
        return
    msg = (
        f"{collection} holds outputs for {of}, and {target.name} has other segments or another preparation; "
        f"evaluate {of} instead"
    )
    raise DataError(msg)


def _unknown_output(item: str, target: EvaluationSet) -> PlainwrightError:
    from plainwright import corpora

    own = [*target.systems, *(["source"] if target.sources is not None else [])]
    known = [*own, *(card.name for card in corpora.cards(kind="outputs") if target.name in (None, card.of))]
    files = _near_files(item)
    if "/" in item or "." in item:
        return _missing_file(item, [*files, *difflib.get_close_matches(item, known, n=3, cutoff=_NEAR)])
    listing = f"systems of {target.label}: {', '.join(own)}" if target.systems else "give a file, NAME=FILE or source"
    return UnknownNameError.suggest(kind="output file or system", name=item, known=[*files, *known], listing=listing)


def _missing_file(file: str, near: Sequence[str]) -> DataError:
    return DataError(f"{file}: no such file" + (f"; did you mean {' or '.join(near)}?" if near else ""))


def _near_files(file: str) -> list[str]:
    """Files in the same folder that are called almost the same."""
    path = Path(file)
    try:
        names = sorted(other.name for other in path.parent.iterdir() if other.is_file())
    except (OSError, ValueError):  # no such folder, or no name that a folder can have
        return []
    return [str(path.with_name(name)) for name in difflib.get_close_matches(path.name, names, n=3, cutoff=_NEAR)]


def _free_name(name: str, item: str, taken: Mapping[str, object]) -> str:
    if name not in taken:
        return name
    given = "=" in item and not Path(item).exists()
    longer = str(Path(item).parent / name)
    if not given and longer not in taken:
        return longer
    msg = f"two outputs are called {name!r}; give each its own name, as in --outputs first=FILE second=FILE"
    raise DataError(msg)


def _filled_lines(path: Path | str) -> list[str]:
    lines = read_lines(path)
    _refuse_empty(lines, str(path), "every segment needs a text")
    return lines


def _refuse_empty(lines: Sequence[str], label: str, way_out: str) -> None:
    empty = [number for number, line in enumerate(lines, start=1) if not line.strip()]
    if empty:
        more = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        msg = f"{label}: expected text in every line, line {empty[0]}{more} is empty; {way_out}"
        raise DataError(msg)


def _empty_warning(name: str, lines: Sequence[str]) -> list[str]:
    empty = [number for number, line in enumerate(lines, start=1) if not line.strip()]
    if not empty:
        return []
    shown = f"line {empty[0]}" if len(empty) == 1 else f"{len(empty)} lines, the first is line {empty[0]}"
    return [f"output {name!r} was released with nothing in {shown}; scored as it is"]


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
    shown = ", ".join(f"{path} {_plural(size, 'line')}" for path, size in sizes.items())
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
