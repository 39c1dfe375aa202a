"""Who changed a document and when, for formats that keep changes for their reader to accept or refuse."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Protocol

from plainwright.documents.types import Change, Document
from plainwright.errors import DataError

__all__ = ["TrackedDocument", "Tracking", "default_date"]

_EPOCH = "SOURCE_DATE_EPOCH"  # https://reproducible-builds.org/specs/source-date-epoch/


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracking:
    """Says in whose name changes are made, and whether they are tracked, explained in comments, or both."""

    author: str
    date: datetime
    tracked: bool = True
    comments: bool = False

    @property
    def timestamp(self) -> str:
        """The date as documents have it: UTC, to the second."""
        return self.date.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def comment(self, change: Change, old: str) -> str:
        """Return what a comment on a change says; "" if there is none. A clean document also says what was there."""
        if not self.comments:
            return ""
        if self.tracked or not old.strip():
            return change.reason
        return f"{change.reason} (before: “{old.strip()}”)" if change.reason else f"before: “{old.strip()}”"


class TrackedDocument(Document, Protocol):
    """Is a document that can keep changes for its reader to accept or refuse."""

    def changed(self, changes: Sequence[Sequence[Change]], *, tracked: Tracking | None = None) -> bytes:
        """Return the document with the changes of each block, clean if `tracked` is None."""
        ...


def default_date() -> datetime:
    """Return $SOURCE_DATE_EPOCH if it is set, so that results can be made again, and else the present."""
    value = os.environ.get(_EPOCH)
    if not value:
        return datetime.now(timezone.utc)
    try:
        return datetime.fromtimestamp(int(value), timezone.utc)
    except (ValueError, OverflowError, OSError):
        msg = f"{_EPOCH}: expected seconds since 1970, found {value!r}"
        raise DataError(msg) from None
