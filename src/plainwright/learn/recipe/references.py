"""References in the text of a recipe: `{inputs.meteor}`, `{stages.rules}`, `{stages.lm.arpa}`, `{out}`, `{out.arpa}`.

A path may go on behind a reference, up to a comma, a colon or the end: `{inputs.data}/turk/tune.tsv:1-500`. Doubled
braces stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, cast

from plainwright.errors import DataError

__all__ = ["NAME", "Reference", "Template"]

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")

_TOKEN = re.compile(
    rf"\{{(?P<kind>inputs|stages|out)(?:\.(?P<name>{NAME.pattern}))?(?:\.(?P<output>{NAME.pattern}))?\}}"
    r"(?P<tail>/[^{}:,]*)?"
    r"|(?P<double>\{\{|\}\})|(?P<text>[^{}]+)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Refers to an input, to the result of a stage, or (`out`) to where the stage itself shall write."""

    kind: Literal["inputs", "stages", "out"]
    name: str = ""  # empty in {out}
    output: str = ""  # of a stage that saves several
    tail: str = ""  # "/" and the rest of a path

    @property
    def label(self) -> str:
        """As it is called in messages: inputs.data/turk/tune.tsv."""
        return ".".join(part for part in (self.kind, self.name, self.output) if part) + self.tail

    def __str__(self) -> str:
        head = self.label.removesuffix(self.tail) if self.tail else self.label
        return f"{{{head}}}{self.tail}"


@dataclass(frozen=True, slots=True)
class Template:
    """Holds text with references in it."""

    parts: tuple[str | Reference, ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Tell references from text."""
        parts: list[str | Reference] = []
        place = 0
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None:
                raise _no_reference(text, place)
            parts.append(_part(token, text))
            place = token.end()
        return cls(tuple(parts))

    @property
    def references(self) -> tuple[Reference, ...]:
        """In the order of the text."""
        return tuple(part for part in self.parts if isinstance(part, Reference))

    def fill(self, replace: Callable[[Reference], str]) -> str:
        """Return the text with something in place of each reference."""
        return "".join(part if isinstance(part, str) else replace(part) for part in self.parts)

    def __str__(self) -> str:
        return "".join(
            str(part) if isinstance(part, Reference) else part.replace("{", "{{").replace("}", "}}")
            for part in self.parts
        )


def _part(token: re.Match[str], text: str) -> str | Reference:
    if token["text"] is not None:
        return token["text"]
    if token["double"] is not None:
        return token["double"][0]
    kind = cast("Literal['inputs', 'stages', 'out']", token["kind"])
    reference = Reference(kind=kind, name=token["name"] or "", output=token["output"] or "", tail=token["tail"] or "")
    if (kind == "stages" or not reference.output) and (kind == "out" or reference.name):
        return reference
    raise _no_reference(text, token.start())


def _no_reference(text: str, place: int) -> DataError:
    return DataError(
        f"expected {{inputs.NAME}}, {{stages.NAME}}, {{out}} or doubled braces, found {text[place : place + 40]!r}"
    )
