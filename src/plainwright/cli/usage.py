"""What the parser of the command line says when it finds something wrong."""

from __future__ import annotations

import re

import typer

__all__ = ["UsageError", "usage_message"]

# Every error of the parser. Typer has its own copy of click, or needs the real one; this is the class in both.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

_NOT_A_NUMBER = re.compile(r"^Invalid value for '(.+?)': ('.*') is not a valid (float|int)")


def usage_message(error: Exception) -> str:
    """The message of the parser, in the manner of all others."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if found := _NOT_A_NUMBER.search(message):
        example = " such as 8" if getattr(getattr(error, "param", None), "metavar", None) == "GRADE" else ""
        return f"{found[1]}: expected a {'whole ' * (found[3] == 'int')}number{example}, found {found[2]}"
    message = message.replace("Value error, ", "").replace(". Did you mean", "; did you mean").removesuffix(".")
    return str(message[:1].lower() + message[1:])
