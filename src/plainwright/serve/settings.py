"""What a server offers, and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError
from plainwright.rewriter.finding import Level

__all__ = ["ServeSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Says which model answers, and how much a request may ask for."""

    model: Path | None = None
    level: Level = "plain"
    strength: float = 0.0
    words: tuple[Path, ...] = ()
    wordnet: Path | None = None  # a directory; None: where it is usually installed
    characters: int = 200_000  # of a text
    document_bytes: int = 20 * 1024 * 1024  # of a document
    seconds: float = 60.0  # for a request
    per_minute: int = 120  # requests from one address, unless that is this machine
    workers: int = 2  # texts that are worked on at once
    keys: Path | None = None  # a file of keys; without it, everybody may ask
    origins: tuple[str, ...] = ()  # other sites whose pages may ask
    https: bool = False
    proxy: bool = False

    def __post_init__(self) -> None:
        for name in ("characters", "document_bytes", "seconds", "per_minute", "workers"):
            if getattr(self, name) <= 0:
                msg = f"{name} must be above 0; got {getattr(self, name)}"
                raise DataError(msg)

    @property
    def body_limit(self) -> int:
        """Bytes of a request: a character may take three bytes, and each of them three again in a form."""
        return 64 * 1024 + 9 * self.characters
