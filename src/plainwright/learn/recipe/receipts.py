"""What is known of a finished stage: from what it was made, how, at what cost, and what it saved."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from plainwright.files import atomic_write
from plainwright.learn.recipe.digests import Content

__all__ = ["Receipt", "Saved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """Describes a file or directory in the work folder."""

    file: str
    sha256: str
    bytes: int

    @property
    def content(self) -> Content:
        """What it held when it was made."""
        return Content(self.sha256, self.bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Written when a stage is done; a stage without one was never finished."""

    stage: str
    key: str  # digest of the ingredients
    ingredients: Mapping[str, Any]  # all that decides what is saved
    reads: Mapping[str, str]  # what was read, and its digest; for people and for explanations
    command: tuple[str, ...]
    saved: Mapping[str, Saved]
    seconds: float
    cpu_seconds: float | None  # None where the system does not tell
    peak_bytes: int | None  # likewise
    printed: tuple[str, ...] = field(default_factory=tuple)

    @property
    def bytes(self) -> int:
        """Of all that was saved."""
        return sum(saved.bytes for saved in self.saved.values())

    def write(self, path: Path) -> None:
        """Write the receipt as JSON."""
        with atomic_write(path) as stream:
            json.dump(asdict(self), stream, indent=1, ensure_ascii=False)
            stream.write("\n")

    @classmethod
    def read(cls, path: Path) -> Receipt | None:
        """The receipt, or None if there is none that can be read: the stage is run again then."""
        try:
            table = json.loads(path.read_text(encoding="utf-8"))
            saved = {name: Saved(**row) for name, row in table.pop("saved").items()}
            receipt = cls(saved=saved, **table)
            return receipt if receipt._is_sound() else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def _is_sound(self) -> bool:
        texts = (self.stage, self.key, *(text for saved in self.saved.values() for text in (saved.file, saved.sha256)))
        numbers = (self.seconds, self.bytes)
        tables = (self.ingredients, self.reads)
        return (
            all(isinstance(text, str) for text in texts)
            and all(isinstance(number, int | float) for number in numbers)
            and all(isinstance(table, dict) for table in tables)
        )
