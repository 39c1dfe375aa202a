"""What one cell says: a name, a number, a scale, a time; or an error that tells its place."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from plainwright.errors import DataError
from plainwright.files import MAX_LINE
from plainwright.study.ratings.raw import RawRow, RawTable
from plainwright.study.ratings.table import Scale, shortest

__all__ = ["name_in", "number_in", "optional_number", "optional_text", "order_in", "scale_in", "time_in"]

# What `float` takes, without its underscores, names and digits of other scripts.
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def name_in(table: RawTable, row: RawRow, column: str) -> str:
    """A name or id, with single spaces and none around it; numbers become text."""
    name = " ".join((optional_text(table, row, column) or "").split())
    if not name:
        msg = f"{table.place(row)}: expected a value for {column!r}, found nothing"
        raise DataError(msg)
    return name


def optional_text(table: RawTable, row: RawRow, column: str) -> str | None:
    """Return the text of a cell, None if it is empty or there is no such column."""
    value = row.cells.get(column)
    if value is None:
        return None
    if isinstance(value, str):
        text = value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        text = str(value) if isinstance(value, int) else shortest(value)
    else:
        raise _unexpected(table, row, column, "text")
    if len(text) > MAX_LINE:
        msg = f"{table.place(row)}: expected at most {MAX_LINE:,} characters for {column!r}, found {len(text):,}"
        raise DataError(msg)
    if "\0" in text:
        msg = f"{table.place(row)}: expected text for {column!r}, found a NUL character"
        raise DataError(msg)
    return text


def number_in(table: RawTable, row: RawRow, column: str) -> float:
    """Read a finite number."""
    number = optional_number(table, row, column)
    if number is None:
        msg = (
            f"{table.place(row)}: expected a number for {column!r}, found nothing; "
            "leave out the rows of outputs that were not rated"
        )
        raise DataError(msg)
    return number


def optional_number(table: RawTable, row: RawRow, column: str) -> float | None:
    """Return a finite number, None if the cell is empty or there is no such column."""
    value = row.cells.get(column)
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = _as_number(value)
    if number is None:
        raise _unexpected(table, row, column, "a number")
    return number


def order_in(table: RawTable, row: RawRow) -> int | None:
    """Return the place at which an output was shown, from 1."""
    number = optional_number(table, row, "order")
    if number is None:
        return None
    if number < 1 or not number.is_integer():
        raise _unexpected(table, row, "order", "a whole number from 1")
    return int(number)


def scale_in(table: RawTable, row: RawRow) -> Scale | None:
    """Return a scale such as "1..5 by 1"."""
    text = optional_text(table, row, "scale")
    if text is None or not text.strip():
        return None
    try:
        return Scale.parse(text)
    except DataError as error:
        msg = f"{table.place(row)}: {error}"
        raise DataError(msg) from None


def time_in(table: RawTable, row: RawRow) -> float | None:
    """Return seconds since 1970, from a number or from a date and time (ISO 8601; UTC unless it names a zone)."""
    value = row.cells.get("time")
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    number = _as_number(value)
    if number is not None:
        return number
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(_with_zone(value))
        return (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
    except (OverflowError, TypeError, ValueError):
        raise _unexpected(table, row, "time", "seconds since 1970 or a time such as 2024-05-06T09:00:00Z") from None


def _with_zone(value: Any) -> str:
    if isinstance(value, date):
        return value.isoformat()
    text = str(value).strip()
    return f"{text[:-1]}+00:00" if text[-1:] in "zZ" else text  # Python 3.10 does not know the Z


def _as_number(value: Any) -> float | None:
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value.strip()):
            return None
    elif isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):  # beyond what fits, or a Decimal that is no number
        return None
    return number if math.isfinite(number) else None


def _unexpected(table: RawTable, row: RawRow, column: str, wanted: str) -> DataError:
    return DataError(f"{table.place(row)}: expected {wanted} for {column!r}, found {row.cells.get(column)!r:.60}")
