"""The sources of the corpus in French, a part at a time, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from plainwright.files import atomic_write
from plainwright.rewriter.pivot import PivotModels
from plainwright.tables import read_json

__all__ = ["read_translated", "translated"]

_PART = 2_000


def translated(
    texts: Sequence[str],
    models: PivotModels,
    folder: Path,
    *,
    threads: int,
    progress: Callable[[int, int], None],
) -> int:
    """Translate each text, keep what is done in a folder, and return how many there are."""
    folder.mkdir(exist_ok=True)
    done = 0
    for path, some in _parts(texts, folder):
        if not path.is_file():
            found = [" ".join(pieces) for pieces in models.translate(some, threads=threads)]
            with atomic_write(path) as stream:
                json.dump(found, stream, ensure_ascii=False)
        done += len(some)
        progress(done, len(texts))
    return done


def read_translated(texts: Sequence[str], folder: Path) -> dict[str, list[str]]:
    """Return the pieces of each text in French, as `translated` kept them."""
    found: dict[str, list[str]] = {}
    for path, some in _parts(texts, folder):
        found |= {text: french.split(" ") for text, french in zip(some, read_json(path), strict=True)}
    return found


def _parts(texts: Sequence[str], folder: Path) -> Iterator[tuple[Path, list[str]]]:
    wanted = sorted(set(texts), key=lambda text: (len(text), text))
    for number, first in enumerate(range(0, len(wanted), _PART)):
        yield folder / f"{number:04}.json", wanted[first : first + _PART]
