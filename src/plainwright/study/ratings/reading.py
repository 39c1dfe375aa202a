"""Ratings from a file or from a registered corpus, checked so that no later number rests on a mistake in it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from plainwright.arguments import check_choice, check_path
from plainwright.errors import DataError, UnknownNameError
from plainwright.study.ratings.layout import COLUMNS, LONG, Layout, Placed
from plainwright.study.ratings.published import PUBLISHED
from plainwright.study.ratings.raw import FORMATS, RawTable, read_table
from plainwright.study.ratings.table import Rating, Ratings, Scale, first_few, shortest

__all__ = ["LAYOUTS", "read_ratings"]

LAYOUTS: Mapping[str, Layout] = {layout.name: layout for layout in (LONG, *PUBLISHED)}

_SHOWN = 3  # lines that a message names before "and … more"


def read_ratings(
    source: str | Path,
    *,
    layout: str | None = None,
    columns: Mapping[str, str] | None = None,
    scores_in: Sequence[str] = (),
    scale: Scale | None = None,
    data: str | Path | None = None,
) -> Ratings:
    """Read ratings from a .csv, .tsv, .jsonl or .parquet file ("-": CSV on standard input), or a registered corpus.

    The layout is recognised by the header unless it is named. `columns` says what the columns of the long table
    are called in the file ({"item": "sent_id"}); `scores_in` names columns that hold the scores of one aspect each,
    for files with several in a row; `scale` is that of rows which state none; `data` is the data directory to search
    first.
    """
    check_path(source, "read_ratings", "source")
    registered = None if _is_file(source) else str(source)
    table = read_table(source) if registered is None else _registered_table(registered, data)
    if columns:
        table = _renamed(table, columns)
    if scores_in:
        table = _stacked(table, scores_in)
    placed = list(_layout(table, layout).ratings(table))
    if registered is not None:
        placed = _joined(registered, placed, data)
    if not placed:
        msg = f"{table.name}: expected ratings, found no row with a score"
        raise DataError(msg)
    if scale is not None:
        placed = [(row, rating if rating.scale else replace(rating, scale=scale)) for row, rating in placed]
    _check_duplicates(table, placed)
    _check_scales(table, placed)
    _check_outputs(table, placed)
    return Ratings(tuple(rating for _, rating in placed))


def _is_file(source: str | Path) -> bool:
    if isinstance(source, Path) or source == "-":
        return True
    if source.removesuffix(".gz").endswith(tuple(f".{suffix}" for suffix in FORMATS)):
        return True
    try:
        return Path(source).exists() and not Path(source).is_dir()
    except OSError:  # a name that no file can have
        return False


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:
        return False


def _registered_table(name: str, data: str | Path | None) -> RawTable:
    from plainwright import corpora
    from plainwright.corpora.lookup import check, way_out

    if name not in corpora.names(kind="ratings"):
        found = corpora.get(name).kind if name in corpora.names() else "a folder" if _is_folder(name) else ""
        if found:
            msg = f"{name}: expected a file of ratings or registered ratings, found {found}"
            raise DataError(msg)
        listing = "give a file, or see `plainwright corpora list --kind ratings`"
        known = corpora.names(kind="ratings")
        raise UnknownNameError.suggest(kind="file or ratings", name=name, known=known, listing=listing)
    card = corpora.get(name)
    # The first file has the ratings; others are tables made from them.
    entry, path = card.files[0], corpora.locate(card, data=data)[0]
    if problem := check(entry, path):
        msg = f"{path}: {problem}; {way_out(card, entry, path)}"
        raise DataError(msg)
    return read_table(path)


def _joined(name: str, placed: Sequence[Placed], data: str | Path | None) -> list[Placed]:
    from plainwright.study.ratings.texts import with_texts

    return with_texts(name, placed, data=data)


def _renamed(table: RawTable, columns: Mapping[str, str]) -> RawTable:
    for wanted, found in columns.items():
        check_choice(wanted, COLUMNS, "column", listing="the table has")
        if found not in table.columns:
            raise _missing(table, [found], "name a column of the file")
    # A column that is replaced by another keeps its cells under a name that nobody asks for.
    replaced = {wanted: f"{wanted} (replaced)" for wanted in columns if columns[wanted] != wanted}
    return table.renamed({**replaced, **{found: wanted for wanted, found in columns.items()}})


def _stacked(table: RawTable, columns: Sequence[str]) -> RawTable:
    if absent := [column for column in columns if column not in table.columns]:
        raise _missing(table, absent, "name columns that hold scores")
    return table.stacked(columns)


def _layout(table: RawTable, name: str | None) -> Layout:
    if name is not None and name not in LAYOUTS:
        raise UnknownNameError.suggest(
            kind="layout", name=name, known=LAYOUTS, listing=f"there are {', '.join(LAYOUTS)}"
        )
    candidates = list(LAYOUTS.values()) if name is None else [LAYOUTS[name]]
    absent = {
        layout.name: [column for column in layout.columns if column not in table.columns] for layout in candidates
    }
    for layout in candidates:
        if not absent[layout.name]:
            return layout
    # A header that has little of a published layout is no damaged copy of it.
    near = [layout for layout in candidates if layout is LONG or len(absent[layout.name]) < len(layout.columns) / 2]
    nearest = min(near or candidates, key=lambda layout: len(absent[layout.name]))
    raise _missing(table, absent[nearest.name], _way_out(nearest, absent[nearest.name]))


def _way_out(layout: Layout, absent: Sequence[str]) -> str:
    if layout is not LONG:
        return f"for the layout {layout.name!r} ({layout.title})"
    if set(absent) == {"aspect", "score"}:
        return "name the columns that hold the scores, as in --scores-in simplicity,meaning"
    return "say what they are called with --columns, as in --columns item=sent_id,rater=who"


def _missing(table: RawTable, missing: Sequence[str], way_out: str) -> DataError:
    hints = []
    free = {name.lower(): name for name in table.columns if name not in COLUMNS}
    for column in missing:
        near = difflib.get_close_matches(column.lower(), free, n=1)
        meant = free[near[0]] if near else None
        hints.append(f"{column!r} (is it {meant!r}?)" if meant is not None else repr(column))
    found = ", ".join(table.columns)
    for separator, kind in ((";", "semicolons"), ("\t", "tabs")):
        if len(table.columns) == 1 and separator in found:
            way_out = f"its cells are separated by {kind}; separate them by commas in a .csv and by tabs in a .tsv file"
    return DataError(
        f"{table.name}: expected the column{'s' if len(missing) > 1 else ''} {', '.join(hints)}, "
        f"found {found[:300] or 'none'}; {way_out}"
    )


def _check_duplicates(table: RawTable, placed: Sequence[Placed]) -> None:
    first: dict[tuple[str, str, str, str], int] = {}
    twice = []
    for row, rating in placed:
        key = (rating.item, rating.system, rating.rater, rating.aspect)
        if key in first:
            twice.append((first[key], row.number, rating))
        else:
            first[key] = row.number
    if twice:
        pairs = first_few([f"{a} and {b}" for a, b, _ in twice], _SHOWN)
        rating = twice[0][2]
        msg = (
            f"{table.name}: expected one rating of an output by a rater and aspect, found the same again in "
            f"{table.unit}s {pairs} (the first: {_named(rating)}); keep one of each"
        )
        raise DataError(msg)


def _check_scales(table: RawTable, placed: Sequence[Placed]) -> None:
    outside = [(row, rating) for row, rating in placed if rating.scale is not None and rating.score not in rating.scale]
    if outside:
        places = [f"{shortest(rating.score)} in {table.unit} {row.number} ({rating.scale})" for row, rating in outside]
        shown = first_few(places, _SHOWN)
        msg = (
            f"{table.name}: expected scores on their scale, found {shown}, {len(outside)} of {len(placed)} ratings; "
            "correct these rows or the scale"
        )
        raise DataError(msg)


def _check_outputs(table: RawTable, placed: Sequence[Placed]) -> None:
    seen: dict[tuple[str, str], tuple[int, str]] = {}
    for row, rating in placed:
        if rating.output is None:
            continue
        number, output = seen.setdefault((rating.item, rating.system), (row.number, rating.output))
        if output != rating.output:
            msg = (
                f"{table.name}: expected one output of system {rating.system!r} for item {rating.item!r}, "
                f"found two different ones in {table.unit}s {number} and {row.number}; "
                "give different outputs different systems or items"
            )
            raise DataError(msg)


def _named(rating: Rating) -> str:
    return f"item {rating.item!r}, system {rating.system!r}, rater {rating.rater!r}, aspect {rating.aspect!r}"
