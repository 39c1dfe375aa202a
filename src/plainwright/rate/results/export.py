"""The rows as files: the long table of `plainwright study` with more columns behind, or one row a comparison.

Texts go out exactly as they were rated; in CSV and TSV those that a spreadsheet would compute get an apostrophe in
front, as `plainwright.escaping` has it. Comments are what strangers wrote freely: what no file can hold is replaced.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from plainwright.arguments import check_choice
from plainwright.errors import DataError
from plainwright.files import check_writable
from plainwright.rate.forms.registry import form_of
from plainwright.rate.results.normalisation import beside, normalised, read_normalisation, write_normalisation
from plainwright.rate.results.record import Record
from plainwright.rate.results.rows import Comparison, Judgement
from plainwright.rate.results.simpeval import released_scales, write_simpeval
from plainwright.rate.results.table import comparisons_of, judgements_of, main_rows
from plainwright.study.ratings import LONG_COLUMNS, OwnScale, file_format, write_table

__all__ = [
    "COLUMNS",
    "COMPARISON_COLUMNS",
    "CONTROL_COLUMNS",
    "ExportOptions",
    "Exported",
    "storable",
    "write_comparisons",
    "write_export",
    "write_judgements",
]

COLUMNS: Mapping[str, type] = {
    **LONG_COLUMNS,
    "study": str,
    "position": int,
    "cards": int,
    "rank": int,
    "overall_rank": int,
    "group": str,
    "auto_group": str,
    "seconds": float,
    "edits": str,
    "comment": str,
    "card": str,
}
# Of an export with everything.
CONTROL_COLUMNS: Mapping[str, type] = {"control": str, "of": str, "repeat": bool, "training": bool}
COMPARISON_COLUMNS: Mapping[str, type] = {
    "item": str,
    "source": str,
    "first": str,
    "first_output": str,
    "second": str,
    "second_output": str,
    "rater": str,
    "aspect": str,
    "score": float,
    "order": int,
    "time": float,
    "study": str,
    "seconds": float,
    "comment": str,
}
_COMPARISON_CONTROLS: Mapping[str, type] = {
    "first_control": str,
    "second_control": str,
    "repeat": bool,
    "training": bool,
}

_NAMES_AND_TEXTS = ("item", "system", "first", "second", "source", "output", "first_output", "second_output", "aspect")
_LOST = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """What to write."""

    layout: Literal["long", "simpeval"] = "long"
    aspects: tuple[str, ...] = ()  # none: all
    everything: bool = False  # with training, controls and second times
    pairs: bool = False  # single comparisons instead of their shares
    ddof: int = 0
    normalisation: Path | None = None  # means and deviations to use: JSON, or a CSV in the layout of SimpEval


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written."""

    rows: int
    what: Literal["ratings", "comparisons", "outputs"]
    path: Path
    normalisation: Path | None  # the file beside it


def write_export(record: Record, path: str | Path, options: ExportOptions | None = None) -> Exported:
    """Write a table and, beside it, what its z-scores were made with."""
    options = options or ExportOptions()
    path = Path(path)
    file_format(path)
    check_writable(path)
    _check(record, options)
    if options.pairs:
        comparisons = [row for row in comparisons_of(record) if not options.aspects or row.aspect in options.aspects]
        number = write_comparisons(comparisons, path, everything=options.everything)
        return Exported(rows=number, what="comparisons", path=path, normalisation=None)
    rows = [row for row in judgements_of(record) if not options.aspects or row.aspect in options.aspects]
    with_z, scales = normalised(rows, ddof=options.ddof, given=_given_scales(rows, options.normalisation))
    check_writable(beside(path))
    if options.layout == "simpeval":
        number = write_simpeval(with_z, path)
    else:
        number = write_judgements(with_z, path, everything=options.everything)
    ddof = None if options.normalisation else options.ddof
    write_normalisation(beside(path), record.settings.title, scales, ddof)
    what: Literal["outputs", "ratings"] = "outputs" if options.layout == "simpeval" else "ratings"
    return Exported(rows=number, what=what, path=path, normalisation=beside(path))


def _check(record: Record, options: ExportOptions) -> None:
    if form_of(record.settings).writes:
        msg = f"expected a study with ratings, found the form {record.settings.form!r}, by which raters write texts"
        raise DataError(msg)
    if options.pairs and not form_of(record.settings).compares:
        msg = f"expected a study of pairs for single comparisons, found the form {record.settings.form!r}"
        raise DataError(msg)
    if options.layout == "simpeval" and (options.everything or options.pairs):
        extra = "controls and second times" if options.everything else "single comparisons"
        msg = f"expected the long layout for {extra}, found that of SimpEval, which has no place for them"
        raise DataError(msg)
    known = [aspect.name for aspect in record.settings.aspects]
    for name in options.aspects:
        check_choice(name, known, "aspect", listing="this study has")


def _given_scales(rows: Sequence[Judgement], path: Path | None) -> tuple[OwnScale, ...] | None:
    if path is None:
        return None
    return read_normalisation(path) if path.suffix == ".json" else released_scales(rows, path)


def write_judgements(rows: Sequence[Judgement], path: str | Path, *, everything: bool = False) -> int:
    """Write what systems are judged by, or with training, controls and second times; the number of rows."""
    kept = tuple(rows) if everything else main_rows(rows)
    columns = {**COLUMNS, **CONTROL_COLUMNS} if everything else COLUMNS
    return _write(kept, path, columns, "no page is finished yet, so there is nothing to export")


def write_comparisons(rows: Sequence[Comparison], path: str | Path, *, everything: bool = False) -> int:
    """Write the single choices between two systems, or with training, controls and second times; their number."""
    kept = tuple(row for row in rows if everything or row.is_main)
    columns = {**COMPARISON_COLUMNS, **_COMPARISON_CONTROLS} if everything else COMPARISON_COLUMNS
    return _write(kept, path, columns, "no pair was compared yet, so there is nothing to export")


def _write(rows: Sequence[Any], path: str | Path, columns: Mapping[str, type], nothing: str) -> int:
    if not rows:
        raise DataError(nothing)
    write_table(path, columns, (_cells(row, columns) for row in rows))
    return len(rows)


def _cells(row: Any, columns: Iterable[str]) -> dict[str, Any]:
    cells = {column: getattr(row, column) for column in columns}
    for column in _NAMES_AND_TEXTS:
        text = cells.get(column)
        if text is not None and text != storable(text):
            msg = f"item {row.item!r}: expected text for {column!r}, found a NUL or half a character in {text!r:.60}"
            raise DataError(msg)
    if "scale" in cells:
        cells["scale"] = str(row.scale)
    cells["comment"] = storable(row.comment) or None
    return cells


def storable(text: str) -> str:
    """Return a text without what no text file can hold."""
    return text.replace("\0", _LOST).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
