"""The options of `simplify` about tracked changes and comments in office documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.cli.showing import Showing

if TYPE_CHECKING:
    from datetime import datetime

    from plainwright.documents import Format, Tracking

__all__ = ["Author", "Comments", "Date", "TrackChanges", "tracking_of"]

TrackChanges = Annotated[
    bool,
    typer.Option(
        "--track-changes", help="In Word and OpenDocument texts: keep every change for you to accept or refuse."
    ),
]
Comments = Annotated[
    bool,
    typer.Option("--comments", help="In Word and OpenDocument texts: give the reason in a comment on each change."),
]
Author = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Author of tracked changes and comments. Default: plainwright.",
        show_default=False,
    ),
]
Date = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Their date, such as 2026-03-04 or 2026-03-04T05:06Z. Default: $SOURCE_DATE_EPOCH, or now.",
        show_default=False,
    ),
]

_AUTHOR = "plainwright"


def tracking_of(
    inputs: Sequence[Path],
    formats: Sequence[Format | None],
    *,
    shown: Showing,
    track_changes: bool,
    comments: bool,
    author: str | None,
    date: str | None,
) -> Tracking | None:
    """Return how changes are kept; None if results are to be clean. Options that do not fit are errors."""
    from plainwright.documents import Tracking, default_date
    from plainwright.errors import DataError

    option = "--track-changes" if track_changes else "--comments"
    if not track_changes and not comments:
        for name, value in (("--author", author), ("--date", date)):
            if value is not None:
                msg = f"{name} needs --track-changes or --comments"
                raise DataError(msg)
        return None
    for file, known in zip(inputs, formats, strict=True):
        if known is None or not known.tracks:
            found = "plain text" if known is None else known.title
            msg = f"{option}: expected Word documents (.docx) or OpenDocument texts (.odt), found {found} in {file}"
            raise DataError(msg)
    if not shown.result_only:
        msg = f"{option}: expected nothing but the result with it, found an option that shows changes"
        raise DataError(msg)
    if author is not None and not author.strip():
        msg = "--author: expected a name, found none"
        raise DataError(msg)
    return Tracking(
        author=(author or _AUTHOR).strip(),
        date=default_date() if date is None else _parsed(date),
        tracked=track_changes,
        comments=comments,
    )


def _parsed(date: str) -> datetime:
    from datetime import datetime, timezone

    from plainwright.errors import DataError

    try:
        # Python 3.10 does not know the Z.
        found = datetime.fromisoformat(f"{date[:-1]}+00:00" if date.endswith(("Z", "z")) else date)
        return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).astimezone(timezone.utc)
    except (ValueError, OverflowError):
        msg = f"--date: expected a date such as 2026-03-04 or 2026-03-04T05:06Z, found {date!r}"
        raise DataError(msg) from None
