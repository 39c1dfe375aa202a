"""The layout in which SimpEval 2022 was published: one row an output, a column for each rating and each z-score.

`rating_1` is by whoever was given the item first; so a column is not one person, here as there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from plainwright.errors import DataError
from plainwright.rate.results.rows import Judgement
from plainwright.rate.results.table import main_rows
from plainwright.study.operations import OPERATIONS
from plainwright.study.ratings import OwnScale, file_format, write_table
from plainwright.study.ratings.cells import name_in, optional_number
from plainwright.study.ratings.raw import RawRow, RawTable, read_table

__all__ = ["SENTENCE_TYPES", "released_scales", "write_simpeval"]

# The groups of Rank & Rate as the file calls them.
SENTENCE_TYPES: Mapping[str, str] = {"deletion": "Deletions", "paraphrase": "Paraphrases", "split": "Splittings"}

_CLOSE = 1e-6  # of released z-scores, which have some 15 digits


def write_simpeval(rows: Sequence[Judgement], path: str | Path) -> int:
    """Write what systems are judged by, with z-scores; the number of outputs."""
    if file_format(path) != "csv":
        msg = f"{path}: expected a name that ends in .csv, as the layout of SimpEval is CSV, found {Path(path).name!r}"
        raise DataError(msg)
    outputs = _outputs(rows)
    _check_scale(outputs)
    most = max(map(len, outputs.values()))
    ratings = [f"rating_{number}" for number in range(1, most + 1)]
    columns = ["original_id", "original", "generation", "system", "sentence_type", *ratings]
    columns += [f"{rating}_zscore" for rating in ratings]
    write_table(path, dict.fromkeys(columns, str), (_cells(given, ratings) for given in outputs.values()))
    return len(outputs)


def released_scales(rows: Sequence[Judgement], path: str | Path) -> tuple[OwnScale, ...]:
    """The mean and deviation of each rater that the z-scores of a file in this layout imply for the same ratings."""
    table = read_table(path)
    outputs = _outputs(rows)
    points: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in table.rows:
        given = outputs.get((name_in(table, row, "original_id"), name_in(table, row, "system")), [])
        for number, judgement in enumerate(given, start=1):
            score, z = _released(table, row, number)
            if score != judgement.score or z is None:
                msg = (
                    f"{table.place(row)}: expected the rating {judgement.score:g} of this study with its z-score in "
                    f"column rating_{number}, found {score!r} and {z!r}; name the file that the study was made from"
                )
                raise DataError(msg)
            points.setdefault((judgement.rater, judgement.aspect), []).append((score, z))
    return tuple(_line(table.name, rater, aspect, found) for (rater, aspect), found in points.items())


def _released(table: RawTable, row: RawRow, number: int) -> tuple[float | None, float | None]:
    z_column = next((name for name in (f"rating_{number}_zscore", f"rating_{number}_z_score") if name in row.cells), "")
    return optional_number(table, row, f"rating_{number}"), optional_number(table, row, z_column)


def _line(name: str, rater: str, aspect: str, points: Sequence[tuple[float, float]]) -> OwnScale:
    (low, z_low), (high, z_high) = min(points), max(points)
    deviation = (high - low) / (z_high - z_low) if z_high > z_low else 0.0
    scale = OwnScale(rater=rater, aspect=aspect, ratings=len(points), mean=low - z_low * deviation, deviation=deviation)
    if deviation == 0 or any(abs(scale.z(score) - z) > _CLOSE for score, z in points):
        msg = (
            f"{name}: expected z-scores that one mean and deviation of rater {rater!r} explain, found others; "
            "leave out --normalisation to compute them from the ratings"
        )
        raise DataError(msg)
    return scale


def _outputs(rows: Iterable[Judgement]) -> dict[tuple[str, str], list[Judgement]]:
    """By item and system, in the order of the rows; ratings as the item was given out."""
    main = main_rows(rows)
    aspects = list(dict.fromkeys(row.aspect for row in main))
    if len(aspects) != 1:
        found = (
            f"{len(aspects)} ({', '.join(aspects)}); name one with --aspect" if aspects else "none that is rated yet"
        )
        msg = f"expected one aspect, as the layout of SimpEval has room for, found {found}"
        raise DataError(msg)
    outputs: dict[tuple[str, str], list[Judgement]] = {}
    for row in main:
        outputs.setdefault((row.item, row.system), []).append(row)
    return outputs


def _check_scale(outputs: Mapping[tuple[str, str], Sequence[Judgement]]) -> None:
    """Whoever reads the layout takes every score for one from 0 to 100."""
    scale = next(iter(outputs.values()))[0].scale
    if (scale.low, scale.high) != (0, 100):
        msg = (
            f"expected scores on 0..100, as the layout of SimpEval has them, found the scale {scale}; "
            "leave out --layout for a table that names its scale"
        )
        raise DataError(msg)


def _cells(given: Sequence[Judgement], ratings: Sequence[str]) -> dict[str, str]:
    first = given[0]
    cells = {
        "original_id": first.item,
        "original": first.source,
        "generation": first.output,
        "system": first.system,
        "sentence_type": SENTENCE_TYPES[_group(given)],
    }
    for rating, row in zip(ratings, given, strict=False):
        cells[rating] = repr(row.score)
        if row.z is not None:
            cells[f"{rating}_zscore"] = repr(row.z)
    return cells


def _group(given: Sequence[Judgement]) -> str:
    """Where most raters put the output; by the rules where no group has the most, or raters saw none."""
    counts = Counter(row.group for row in given if row.group in OPERATIONS)
    top = [group for group, count in counts.items() if count == max(counts.values())]
    return top[0] if len(top) == 1 and top[0] is not None else given[0].auto_group
