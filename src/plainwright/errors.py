"""Every error that plainwright raises on purpose.

    PlainwrightError
    ├── DataError                what the user gave cannot be used (also a ValueError)
    │   ├── ArgumentTypeError    a function was given another kind of thing than it takes (also a TypeError)
    │   ├── LengthMismatchError  two things that go together differ in length
    │   └── ReferenceShapeError  references transposed, missing or ragged
    ├── UnknownNameError         no such corpus, metric, variant … (also a LookupError)
    ├── CorpusMissingError       a known corpus whose files are not on this machine
    ├── ModelMissingError        no model was named and none is installed
    ├── FetchError               a download failed, was damaged or did not fit
    ├── StageError               a stage of a recipe failed
    ├── StorageError             the database of a rating study cannot be read or written now
    ├── AccessError              a link, session or password of a rating study that does not open this door
    ├── RefusedError             what a rating page sent cannot be kept
    │   ├── ClosedError          because the page takes nothing more: study closed, rater gone, page given to another
    │   └── StaleError           another tab or device of the same rater was faster
    └── MissingExtraError        an optional part is not installed (also an ImportError)

`PlainwrightWarning` says that something was left out and the work went on.

Messages are one sentence: where, what was expected, what was found, the way out. Lower case, no full stop.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "AccessError",
    "ArgumentTypeError",
    "ClosedError",
    "CorpusMissingError",
    "DataError",
    "FetchError",
    "LengthMismatchError",
    "MissingExtraError",
    "ModelMissingError",
    "PlainwrightError",
    "PlainwrightWarning",
    "ReferenceShapeError",
    "RefusedError",
    "StageError",
    "StaleError",
    "StorageError",
    "UnknownNameError",
]


class PlainwrightError(Exception):
    """Base of all errors raised on purpose; the command line prints it and exits with status 2."""


class PlainwrightWarning(UserWarning):
    """Something was left out and the work went on; the command line prints it once."""


class DataError(PlainwrightError, ValueError):
    """What the user gave cannot be used."""


class ArgumentTypeError(DataError, TypeError):
    """A function was given another kind of thing than it takes; the message says what it takes."""


class LengthMismatchError(DataError):
    """Two things that go together differ in length."""


class ReferenceShapeError(DataError):
    """References are transposed, missing or ragged."""


class UnknownNameError(PlainwrightError, LookupError):
    """A name that is not registered; the message suggests the nearest ones."""

    @classmethod
    def suggest(cls, kind: str, name: object, known: Iterable[str], *, listing: str) -> UnknownNameError:
        """Build the error for an unknown `kind` called `name`; `listing` says where all names are shown."""
        near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5) if isinstance(name, str) else []
        hint = f"did you mean {' or '.join(near)}?" if near else listing
        return cls(f"unknown {kind} {name!r}; {hint}")


class CorpusMissingError(PlainwrightError):
    """A registered corpus whose files are not on this machine."""


class ModelMissingError(PlainwrightError):
    """No model was named and none is installed."""


class FetchError(PlainwrightError):
    """A download failed, was damaged or did not fit."""


class StageError(PlainwrightError):
    """A stage of a recipe failed; the message says why, in the words of its command."""


class StorageError(PlainwrightError):
    """The database of a rating study cannot be read or written now: no space, no server, locked, damaged."""


class AccessError(PlainwrightError):
    """A link, a session or a password of a rating study does not open this door."""


class RefusedError(PlainwrightError):
    """What a rating page sent cannot be kept."""


class ClosedError(RefusedError):
    """A rating page takes nothing more: the study is closed, the rater left, or the page went to somebody else."""


class StaleError(RefusedError):
    """Another tab or device of the same rater was faster."""


class MissingExtraError(PlainwrightError, ImportError):
    """An optional part is not installed; the message names the extra to install."""
