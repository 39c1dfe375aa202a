"""Parts by name: those that come with the package, those a program registers, and those an installed package offers.

A package offers a part through an entry point, say in its `pyproject.toml`:

    [project.entry-points."plainwright.proposers"]
    words = "my_package:Words"

It is loaded when its name is first asked for. A name has one part: what comes with the package or was registered wins
over an entry point, and a warning says that the entry point is ignored.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from plainwright.errors import DataError, PlainwrightWarning, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Registry"]

Part = TypeVar("Part")


class Registry(Generic[Part]):
    """Holds the parts of one kind; `group` is the group of entry points that adds to them.

    `reserved` are names whose parts are made elsewhere; nobody else can take them.
    """

    def __init__(
        self, kind: str, group: str, parts: Mapping[str, Part] | None = None, *, reserved: Collection[str] = ()
    ) -> None:
        self._kind = kind
        self._group = group
        self._reserved = tuple(reserved)
        self._from_packages: set[str] = set()
        self.parts: dict[str, Part] = dict(parts or {})  # that are loaded

    def register(self, name: str, part: Part) -> Part:
        """Add a part; a name that is taken is an error, so that nobody replaces another's part unseen."""
        if name in self._reserved or self.parts.get(name, part) is not part:
            msg = f"{self._kind} {name!r} is registered already; give yours another name"
            raise DataError(msg)
        self.parts[name] = part
        return part

    def __contains__(self, name: str) -> bool:
        return name in self.parts or name in self._offered()

    def __getitem__(self, name: str) -> Part:
        self.warn_if_ignored(name)
        if name not in self.parts:
            offered = self._offered()
            if name not in offered or name in self._reserved:
                listing = f"choose among {', '.join(sorted(self.names()))}"
                raise UnknownNameError.suggest(self._kind, name, self.names(), listing=listing)
            self.parts[name] = self._loaded(offered[name])
            self._from_packages.add(name)
        return self.parts[name]

    def names(self) -> list[str]:
        """Return all names: those that are loaded in their order, reserved ones, then those of entry points."""
        return list(dict.fromkeys((*self.parts, *self._reserved, *sorted(self._offered()))))

    def warn_if_ignored(self, name: str) -> None:
        """Warn that an entry point has the name of a part that wins over it."""
        point = self._offered().get(name)
        if point is None or name in self._from_packages or not (name in self.parts or name in self._reserved):
            return
        part = self.parts.get(name)
        if point.value != f"{getattr(part, '__module__', '')}:{getattr(part, '__qualname__', '')}":
            msg = f"{self._entry(point)} is ignored, because another one has that name; rename the entry point"
            warnings.warn(PlainwrightWarning(msg), stacklevel=3)

    def _offered(self) -> Mapping[str, EntryPoint]:
        return _entry_points(self._group)

    def _loaded(self, point: EntryPoint) -> Part:
        try:
            part: Part = point.load()
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            msg = f"{self._entry(point)} cannot be loaded ({reason}); repair or uninstall the package that offers it"
            raise DataError(msg) from error
        return part

    def _entry(self, point: EntryPoint) -> str:
        return f"{self._kind} {point.name!r} of {point.value!r}"


@functools.cache  # looking through all installed packages takes 10 ms
def _entry_points(group: str) -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}
