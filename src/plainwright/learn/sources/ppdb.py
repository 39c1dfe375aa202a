"""True PPDB and Simple PPDB, for those who have them.

PPDB 1.0 and 2.0 (Ganitkevitch et al., 2013; Pavlick et al., 2015) are rules already; features that 2.0 renamed get the
names of 1.0. Simple PPDB (Pavlick and Callison-Burch, 2016) has five columns: paraphrase score, simplification score,
category, source and target.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from plainwright.errors import DataError
from plainwright.files import atomic_write_text, check_writable
from plainwright.grammar.features import rename_ppdb2
from plainwright.grammar.rules import Progress, Rule, Skipped, parse_lines, parse_rule
from plainwright.learn.sources.result import ImportResult, plain_alignment

__all__ = ["import_ppdb", "import_simple_ppdb", "simple_ppdb_rule"]


def import_ppdb(
    path: str | Path, output: str | Path, *, lenient: bool = False, progress: Progress | None = None
) -> ImportResult:
    """Write the rules of PPDB with the features' names of PPDB 1.0; `lenient` leaves malformed lines out."""
    return _import_lines(path, output, lambda line: rename_ppdb2(parse_rule(line)), lenient, progress)


def import_simple_ppdb(
    path: str | Path, output: str | Path, *, lenient: bool = False, progress: Progress | None = None
) -> ImportResult:
    """Write the rules of Simple PPDB; `lenient` leaves malformed lines out."""
    return _import_lines(path, output, simple_ppdb_rule, lenient, progress)


def simple_ppdb_rule(line: str) -> Rule:
    """The rule of one line of Simple PPDB; a `DataError` says what is wrong with it."""
    columns = line.split("\t")
    if len(columns) != 5:
        msg = (
            "paraphrase score TAB simplification score TAB category TAB source TAB target expected, "
            f"got {len(columns)} columns: {line[:60]!r}"
        )
        raise DataError(msg)
    paraphrase, simplification, category, source, target = columns
    label = category.strip().removeprefix("[").removesuffix("]") or "X"
    scores = f"ParaphraseScore={paraphrase.strip()} SimplificationScore={simplification.strip()}"
    before, after = " ".join(source.split()), " ".join(target.split())
    return parse_rule(f"[{label}] ||| {before} ||| {after} ||| {scores} ||| {plain_alignment(before, after)}")


def _import_lines(
    path: str | Path,
    output: str | Path,
    parse: Callable[[str], Rule],
    lenient: bool,
    progress: Progress | None,
) -> ImportResult:
    check_writable(output)
    skipped = Skipped()
    written = 0
    with atomic_write_text(output) as stream:
        for rule in parse_lines(path, parse, lenient=lenient, skipped=skipped, progress=progress):
            stream.write(f"{rule}\n")
            written += 1
        if not written:
            msg = f"{path}: expected rules, found {'none' if skipped.count else 'an empty file'}"
            raise DataError(msg)
    return ImportResult(read=written + skipped.count, written=written, skipped=skipped)
