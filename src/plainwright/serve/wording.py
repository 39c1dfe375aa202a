"""What is wrong with a request, in words for people: the library that decodes it speaks of objects and enums."""

from __future__ import annotations

import re

from plainwright.rewriter.finding import LEVELS

__all__ = ["request_problem"]

_MISSING = re.compile(r"missing required field `(\w+)`")
_CHOICE = re.compile(r"Invalid enum value ('.*') - at `\$\.(\w+)`")  # the level is the only choice there is


def request_problem(error: Exception) -> str:
    """Return what is wrong, without a capital at the start, and the way out."""
    message = str(error)
    if found := _MISSING.search(message):
        return f"`{found[1]}` is missing; /v1/openapi.json says what to send"
    if found := _CHOICE.search(message):
        return f"`{found[2]}`: expected one of {', '.join(LEVELS)}, found {found[1]}"
    is_abbreviation = message[1:2].isupper()  # JSON
    return message if is_abbreviation else message[:1].lower() + message[1:]
