"""What public functions take: each says so in one sentence where it is given something else.

Checks stand at the door of a function, because what Python or the native core says from inside of it names neither
the function nor the argument.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NoReturn

from plainwright.errors import ArgumentTypeError, UnknownNameError

__all__ = [
    "as_texts",
    "check_choice",
    "check_instance",
    "check_instances",
    "check_path",
    "check_paths",
    "check_text",
    "described",
    "not_text",
    "refuse",
]

_STRINGS = frozenset({str})


def check_text(value: object, function: str, parameter: str, *, way_out: str = "") -> None:
    """Refuse what is no string."""
    if not isinstance(value, str):
        several = isinstance(value, Iterable) and not isinstance(value, bytes | Mapping)
        refuse(value, function, parameter, "a string", way_out or ("call it once for each" if several else ""))


def as_texts(values: Iterable[str], function: str, parameter: str) -> list[str]:
    """The strings as a list; a single string is refused, because its characters would count as strings."""
    expected = "a list of strings"
    if isinstance(values, str):
        refuse(values, function, parameter, expected, "put it into a list")
    if isinstance(values, bytes | Mapping) or not isinstance(values, Iterable):
        refuse(values, function, parameter, expected)
    if hasattr(values, "columns"):  # a data frame, of which list() would give the names of the columns
        refuse(values, function, parameter, expected, "pass one of its columns")
    found = list(values)
    place = not_text(found)
    if place is not None:
        msg = f"{function} takes {parameter} as {expected}, got {described(found[place])} at position {place}"
        raise ArgumentTypeError(msg)
    return found


def not_text(values: Iterable[object]) -> int | None:
    """The first position without a string; asking the types first takes almost no time where all is well."""
    if _STRINGS.issuperset(map(type, values)):
        return None
    return next((place for place, value in enumerate(values) if not isinstance(value, str)), None)


def check_path(value: object, function: str, parameter: str) -> None:
    """Refuse what names no file."""
    if not isinstance(value, str | os.PathLike):
        refuse(value, function, parameter, "a path")


def check_paths(values: object, function: str, parameter: str) -> None:
    """Refuse what are no names of files; a single one is refused, because its characters would count as names."""
    if isinstance(values, str | bytes | os.PathLike | Mapping) or not isinstance(values, Iterable):
        refuse(values, function, parameter, "a list of paths", "put it into a list" if isinstance(values, str) else "")


def check_instance(value: object, kind: type | tuple[type, ...], function: str, parameter: str, expected: str) -> None:
    """Refuse what is no instance of a class; `expected` says what is, and how to get one."""
    if not isinstance(value, kind):
        refuse(value, function, parameter, expected)


def check_instances(values: object, kind: type, function: str, parameter: str, expected: str) -> None:
    """Refuse what is no list, or has something else in it than instances of a class."""
    if isinstance(values, str | kind) or not isinstance(values, Sequence):
        refuse(values, function, parameter, f"a list of {expected}")
    for place, value in enumerate(values):
        if not isinstance(value, kind):
            msg = f"{function} takes {parameter} as a list of {expected}, got {described(value)} at position {place}"
            raise ArgumentTypeError(msg)


def check_choice(value: object, choices: Collection[str], kind: str, *, listing: str = "choose one of") -> None:
    """Refuse a name that is none of `choices`, with the nearest of them, or `listing` and all if none is near."""
    if not isinstance(value, str) or value not in choices:
        raise UnknownNameError.suggest(kind, value, choices, listing=f"{listing} {', '.join(choices)}")


def refuse(value: object, function: str, parameter: str, expected: str, way_out: str = "") -> NoReturn:
    """Say what a function takes and what it was given instead."""
    ending = f"; {way_out}" if way_out else ""
    msg = f"{function} takes {parameter} as {expected}, got {described(value)}{ending}"
    raise ArgumentTypeError(msg)


def described(value: object) -> str:
    """Return what a value is, for messages: "a list", "None"."""
    if value is None:
        return "None"
    name = "string" if isinstance(value, str) else type(value).__name__
    if name == "bytes":
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' or name == 'ndarray' else 'a'} {name}"
