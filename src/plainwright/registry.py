"""Parts by name: those that come with the package, those a program registers, and those an installed package offers.

A package offers a part through an entry point, say in its `pyproject.toml`:

    [project.entry-points."plainwright.proposers"]
    words = "my_package:Words"

It is loaded when its name is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from plainwright.errors import DataError, UnknownNameError

__all__ = ["Registry"]

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """Parts of one kind; `group` is the group of entry points that adds to them."""

    def __init__(self, kind: str, group: str, parts: Mapping[str, Part] | None = None) -> None:
        self._kind = kind
        self._group = group
        self.parts: dict[str, Part] = dict(parts or {})  # that are loaded

    def register(self, name: str, part: Part) -> Part:
        """Add a part; a name that is taken is an error, so that nobody replaces another's part unseen."""
        if self.parts.get(name, part) is not part:
            msg = f"{self._kind} {name!r} is registered already; give yours another name"
            raise DataError(msg)
        self.parts[name] = part
        return part

    def __contains__(self, name: str) -> bool:
        return name in self.parts or name in self._offered()

    def __getitem__(self, name: str) -> Part:
        if name not in self.parts:
            offered = self._offered()
            if name not in offered:
                listing = f"choose among {', '.join(self.names())}"
                raise UnknownNameError.suggest(self._kind, name, self.names(), listing=listing)
            self.parts[name] = self._loaded(offered[name])
        return self.parts[name]

    def names(self) -> list[str]:
        """All names, those of entry points among them."""
        return sorted({*self.parts, *self._offered()})

    def _offered(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self._group)}

    def _loaded(self, point: EntryPoint) -> Part:
        try:
            part: Part = point.load()
        except Exception as error:
            msg = f"{self._kind} {point.name!r} of {point.value!r} cannot be loaded ({type(error).__name__}: {error})"
            raise DataError(msg) from error
        return part
