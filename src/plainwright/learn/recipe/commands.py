"""What a recipe must know of the commands it names; the command line tells it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

__all__ = ["WITHOUT_EFFECT", "CommandShape", "Commands", "Option", "Parsed"]

# They change how fast a command is, where it works and what is seen meanwhile, never what it saves.
WITHOUT_EFFECT = frozenset({"checkpoint", "memory", "quiet", "temporary", "threads"})


@dataclass(frozen=True, slots=True)
class Option:
    """Describes an option of a command, by its long name without dashes."""

    name: str
    takes_value: bool
    repeatable: bool
    negative: str = ""  # the name of its opposite, if it has one


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """Holds a command with its values, none of them wrong."""

    files: tuple[tuple[str, str], ...]  # parameters and their values, of those that name files
    texts: tuple[tuple[str, str], ...]  # likewise, of other strings
    defaults: Mapping[str, str] = field(default_factory=dict)  # of parameters that were not given


class CommandShape(Protocol):
    """Describes a command that can be asked."""

    @property
    def options(self) -> Mapping[str, Option]:
        """By name."""
        ...

    def parse(self, arguments: Sequence[str]) -> Parsed:
        """Check arguments as the command would, without running it; a `DataError` says what is wrong."""
        ...


class Commands(Protocol):
    """Knows all commands."""

    @property
    def program(self) -> Sequence[str]:
        """What starts a process for a command; its words and arguments follow."""
        ...

    def find(self, words: Sequence[str]) -> CommandShape:
        """The command called so; an `UnknownNameError` if there is none."""
        ...
