"""What z-scores were made with, written beside every export: nobody has to guess it from the numbers later.

SimpEval 2022 shows why. Its z-scores were not taken over the ratings that were released, so they cannot be computed
from the file; what each rater's mean and deviation were can still be read off it (`simpeval.released_scales`), for
every released z-score is a point on the line (score - mean) / deviation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import msgspec

from plainwright.errors import DataError
from plainwright.files import atomic_write, read_text
from plainwright.rate.results.rows import Judgement
from plainwright.rate.results.table import main_rows, ratings_of
from plainwright.study.ratings import OwnScale, own_scales, standardised

__all__ = ["Normalisation", "beside", "normalised", "read_normalisation", "write_normalisation"]

_FORMULA = "z = (score - mean) / deviation; 0 where the deviation is 0"
_SUFFIXES = (".gz", ".csv", ".tsv", ".jsonl", ".parquet")


class Normalisation(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The file."""

    study: str
    formula: str
    ddof: int | None  # deviations divide by n less this; None: taken over from elsewhere
    raters: tuple[OwnScale, ...]


def normalised(
    rows: Sequence[Judgement], *, ddof: int = 0, given: Sequence[OwnScale] | None = None
) -> tuple[tuple[Judgement, ...], tuple[OwnScale, ...]]:
    """The rows with z-scores, and what these were made with.

    A rater's mean and deviation are taken over what systems are judged by, so that `plainwright study` computes the
    same from an export; controls and second times are put on that scale. With scales `given`, all rows are.
    """
    if given is not None:
        by_rater = {(scale.rater, scale.aspect): scale for scale in given}
        _check_known(rows, by_rater)
        used = {(row.rater, row.aspect) for row in main_rows(rows)}
        kept = tuple(scale for scale in given if (scale.rater, scale.aspect) in used)
        return tuple(replace(row, z=_z(row, by_rater)) for row in rows), kept
    main = ratings_of(main_rows(rows))
    scales = own_scales(main, ddof=ddof)
    by_rater = {(scale.rater, scale.aspect): scale for scale in scales}
    exact = {(row.item, row.system, row.rater, row.aspect): row.z for row in standardised(main, ddof=ddof)}
    with_z = []
    for row in rows:
        key = (row.item, row.system, row.rater, row.aspect)
        with_z.append(replace(row, z=exact[key] if row.is_main else _z(row, by_rater)))
    return tuple(with_z), scales


def write_normalisation(path: str | Path, study: str, scales: Sequence[OwnScale], ddof: int | None) -> None:
    """One JSON object; the file appears only when it is whole."""
    document = {"study": study, "formula": _FORMULA, "ddof": ddof, "raters": [asdict(scale) for scale in scales]}
    with atomic_write(path) as stream:
        stream.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def read_normalisation(path: str | Path) -> tuple[OwnScale, ...]:
    """The scales that `write_normalisation` wrote."""
    try:
        return msgspec.json.decode(read_text(path), type=Normalisation).raters
    except (msgspec.DecodeError, UnicodeError) as error:
        msg = f"{path}: expected what `plainwright rate export` writes beside its table, found something else ({error})"
        raise DataError(msg) from None


def beside(path: str | Path) -> Path:
    """The name of the file beside a table: ratings.normalisation.json beside ratings.csv."""
    name = Path(path).name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return Path(path).with_name(f"{name}.normalisation.json")


def _check_known(rows: Sequence[Judgement], scales: Mapping[tuple[str, str], OwnScale]) -> None:
    unknown = [row for row in main_rows(rows) if (row.rater, row.aspect) not in scales]
    if unknown:
        row = unknown[0]
        msg = (
            f"expected the mean and deviation of each rater, found none of rater {row.rater!r} ({row.aspect}); "
            "leave out --normalisation to compute them from the ratings"
        )
        raise DataError(msg)


def _z(row: Judgement, scales: Mapping[tuple[str, str], OwnScale]) -> float | None:
    scale = scales.get((row.rater, row.aspect))
    return None if scale is None else scale.z(row.score)
