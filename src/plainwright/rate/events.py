"""Everything that a rater can do on a page, as strict messages: what does not fit exactly is refused.

A page sends a `Batch`. Each event has a key of its own, made by the page: an event that arrives twice is kept once.
`base` is the version that the page knows, the number of events before; if it is behind, another tab was faster.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from plainwright.rate.material import Edit
from plainwright.study.operations import Operation

__all__ = [
    "LONGEST_TEXT",
    "Batch",
    "Comment",
    "Event",
    "Finish",
    "Hide",
    "Mark",
    "Move",
    "Prefer",
    "Redo",
    "Reopen",
    "Score",
    "Sent",
    "Show",
    "Sort",
    "Undo",
    "Write",
]

_ID = r"^[A-Za-z0-9_-]+$(?!\n)"  # "$" alone lets a line break follow
CardId = Annotated[str, Meta(min_length=1, max_length=32, pattern=_ID)]
AspectName = Annotated[str, Meta(min_length=1, max_length=64)]
LONGEST_TEXT = 10_000  # characters of what a rater writes
Group = Operation | Literal["all"]  # "all" where a study does not group


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=str.lower):
    """The tag of an event is its name in lower case."""


class Score(_Event, frozen=True):
    """Give an output a score, or take it back (None)."""

    card: CardId
    aspect: AspectName
    value: Annotated[float, Meta(ge=-1000, le=1000)] | None


class Move(_Event, frozen=True):
    """Put an output at a place of a group, counted from 0 after it was taken out of where it was."""

    card: CardId
    group: Group
    place: Annotated[int, Meta(ge=0, le=1000)]


class Sort(_Event, frozen=True):
    """Order a group by score, the best first; those without a score keep their order and come last."""

    group: Group


class Mark(_Event, frozen=True):
    """The edits of an output as the rater sees them, all of them."""

    card: CardId
    edits: Annotated[list[Edit], Meta(max_length=400)]


class Prefer(_Event, frozen=True):
    """Of two outputs, the better one; None for neither."""

    aspect: AspectName
    card: CardId | None


class Comment(_Event, frozen=True):
    """What the rater wants to say about this page; replaces what was said before."""

    text: Annotated[str, Meta(max_length=2000)]


class Write(_Event, frozen=True):
    """What the rater has written so far, all of it; `unchanged` says that the source is as it should be."""

    text: Annotated[str, Meta(max_length=LONGEST_TEXT)]
    unchanged: bool = False


class Undo(_Event, frozen=True):
    """Take back the last change of the answers."""


class Redo(_Event, frozen=True):
    """Take back the last `Undo`."""


class Show(_Event, frozen=True):
    """The page is in sight: time runs."""


class Hide(_Event, frozen=True):
    """The page is out of sight, or the rater paused."""


class Finish(_Event, frozen=True):
    """The rater is done with this page; `confirmed` if contradictions were seen and meant."""

    confirmed: bool = False


class Reopen(_Event, frozen=True):
    """The rater wants to change a finished page."""


Event = Score | Move | Sort | Mark | Prefer | Comment | Write | Undo | Redo | Show | Hide | Finish | Reopen


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event on its way."""

    key: Annotated[str, Meta(min_length=16, max_length=64, pattern=_ID)]
    at: Annotated[int, Meta(ge=0, le=1 << 53)]  # milliseconds since 1970 by the rater's clock
    event: Event


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends at once; all of it is kept, or nothing."""

    base: Annotated[int, Meta(ge=0, le=1 << 31)]
    events: Annotated[list[Sent], Meta(min_length=1, max_length=50)]
