"""All commands as a recipe sees them: which there are, their options, and whether values are right."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer
from typer.main import get_command

from plainwright.cli.options import expand_multiple
from plainwright.cli.usage import UsageError, usage_message
from plainwright.errors import DataError, UnknownNameError
from plainwright.learn.recipe import Option, Parsed

__all__ = ["CommandLine"]

_NOT_IN_RECIPES = [("learn", "run")]


class CommandLine:
    """The commands of an application."""

    program = (sys.executable, "-m", "plainwright.cli.stage")

    def __init__(self, app: typer.Typer) -> None:
        self._top = get_command(app)

    def find(self, words: Sequence[str]) -> Command:
        """The command called so."""
        command: Any = self._top
        for number, word in enumerate(words):
            known = getattr(command, "commands", {})
            if word not in known or tuple(words[: number + 1]) in _NOT_IN_RECIPES:
                names = [name for name in known if (*words[:number], name) not in _NOT_IN_RECIPES]
                listing = f"there are {', '.join(names)}" if names else "it has no commands of its own"
                kind = "command of `" + " ".join(["plainwright", *words[:number]]) + "`:"
                raise UnknownNameError.suggest(kind, word, names, listing=listing)
            command = known[word]
        if hasattr(command, "commands"):
            shown = " ".join(["plainwright", *words])
            msg = f"expected a command, found a group of them; `{shown}` has {', '.join(command.commands)}"
            raise DataError(msg)
        return Command(command)


class Command:
    """One command, asked without being run."""

    def __init__(self, command: Any) -> None:
        self._command = command

    @property
    def options(self) -> Mapping[str, Option]:
        """By their long names, without dashes."""
        found = {}
        for parameter in self._parameters("option"):
            option = Option(
                name=_name(parameter),
                takes_value=not getattr(parameter, "is_flag", False),
                repeatable=bool(getattr(parameter, "multiple", False)),
                negative=next((name.removeprefix("--") for name in parameter.secondary_opts), ""),
            )
            found[option.name] = option
        return found

    def parse(self, arguments: Sequence[str]) -> Parsed:
        """Check arguments as the command does before it starts."""
        try:
            context = self._command.make_context(self._command.name, expand_multiple(arguments))
        except UsageError as error:
            raise DataError(usage_message(error)) from None
        files, texts, defaults = [], [], {}
        for parameter in self._command.params:
            value, name = context.params.get(parameter.name), _name(parameter)
            source = context.get_parameter_source(parameter.name)
            if source is None or source.name != "COMMANDLINE":
                defaults[name] = _plain(value)
                continue
            for item in value if isinstance(value, list | tuple) else [value]:
                if isinstance(item, Path) or getattr(getattr(parameter, "type", None), "name", "") == "path":
                    files.append((name, str(item)))
                elif isinstance(item, str):
                    texts.append((name, item))
        return Parsed(files=tuple(files), texts=tuple(texts), defaults=defaults)

    def _parameters(self, kind: str) -> Iterator[Any]:
        return (parameter for parameter in self._command.params if parameter.param_type_name == kind)


def _name(parameter: Any) -> str:
    """Of an option as on the command line, of an argument as its help shows it."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).strip("[]…. ")
    return str(max(parameter.opts, key=len)).removeprefix("--")


def _plain(value: Any) -> str:
    """The same for nothing, an empty list and an empty tuple, between which versions of the parser waver."""
    items = value if isinstance(value, list | tuple) else [] if value is None else [value]
    return " ".join(map(str, items))
