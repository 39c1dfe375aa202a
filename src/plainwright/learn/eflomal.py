"""eflomal (Östling and Tiedemann 2016) as aligner, for those who installed it.

Its licence is GPL-3, so we never need it. It samples, and its results differ from run to run.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from plainwright import _core
from plainwright.errors import MissingExtraError

__all__ = ["align_with_eflomal"]

Points = list[tuple[int, int]]


def align_with_eflomal(
    sources: Sequence[str], targets: Sequence[str], heuristic: str, *, max_tokens: int
) -> Iterator[str]:
    """Return lines of points; empty ones for pairs with an empty side, and for those that are too long."""
    try:
        aligner = importlib.import_module("eflomal").Aligner()
    except ImportError:
        msg = "eflomal is not installed; `pip install eflomal` (GPL-3), or leave --aligner out"
        raise MissingExtraError(msg) from None
    lengths = [(len(source.split()), len(target.split())) for source, target in zip(sources, targets, strict=True)]
    kept = [i for i, sizes in enumerate(lengths) if min(sizes) > 0 and max(sizes) <= max_tokens]
    links: dict[int, tuple[Points, Points]] = {}
    if kept:
        with tempfile.TemporaryDirectory() as directory:
            files = [Path(directory) / name for name in ("forward", "backward")]
            aligner.align(
                (" ".join(sources[i].split()) + "\n" for i in kept),
                (" ".join(targets[i].split()) + "\n" for i in kept),
                links_filename_fwd=str(files[0]),
                links_filename_rev=str(files[1]),
            )
            both = [path.read_text(encoding="utf-8").split("\n") for path in files]
        links = {i: (_points(forward), _points(backward)) for i, forward, backward in zip(kept, *both, strict=False)}
    for i, sizes in enumerate(lengths):
        points = _core.symmetrise(*sizes, *links[i], heuristic) if i in links else []
        yield " ".join(f"{source}-{target}" for source, target in points)


def _points(line: str) -> Points:
    pairs = (point.split("-") for point in line.split())
    return [(int(source), int(target)) for source, target in pairs]
