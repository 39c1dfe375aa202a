"""Parts by name: those that come with the package, those a program registers, and those an installed package offers.

A package offers a part through an entry point, say in its `pyproject.toml`:

    [project.entry-points."plainwright.proposers"]
    words = "my_package:Words"

It is loaded when its name is first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
        self._parts: dict[str, Part] = dict(parts or {})

    def register(self, name: str, part: Part) -> Part:
        """Add a part; a name that is taken is an error, so that nobody replaces another's part unseen."""
        if self._parts.get(name, part) is not part:
            msg = f"{self._kind} {name!r} is registered already; give yours another name"
            raise DataError(msg)
        self._parts[name] = part
        return part

    def __contains__(self, name: str) -> bool:
        return name in self._parts or name in self._offered()

    def __getitem__(self, name: str) -> Part:
        if name not in self._parts:
            offered = self._offered()
            if name not in offered:
                listing = f"choose among {', '.join(self.names())}"
                raise UnknownNameError.suggest(self._kind, name, self.names(), listing=listing)
            self._parts[name] = self._loaded(offered[name])
        return self._parts[name]

    def names(self) -> list[str]:
        """All names, those of entry points among them."""
        return sorted({*self._parts, *self._offered()})

    def registered(self) -> Iterable[tuple[str, Part]]:
        """The parts that are loaded, by name."""
        return self._parts.items()

    def _offered(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self._group)}

    def _loaded(self, point: EntryPoint) -> Part:
        try:
            part: Part = point.load()
        except Exception as error:
            msg = f"{self._kind} {point.name!r} of {point.value!r} cannot be loaded ({type(error).__name__}: {error})"
            raise DataError(msg) from error
        return part
