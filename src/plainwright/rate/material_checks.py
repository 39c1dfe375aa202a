"""Whether sources, outputs and references can be rated: one sentence for what cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainwright.errors import DataError, LengthMismatchError, ReferenceShapeError
from plainwright.rate.settings import Settings

__all__ = ["check_material", "check_sources"]

_OURS = ("control-source", "control-reference", "control-degraded")
_LONGEST_NAME = 200
_LONGEST_TEXT = 10_000  # characters; what is longer is no sentence, and nobody would rate it


def check_material(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str | None]],
    settings: Settings,
    references: Sequence[Sequence[str]] | None,
    names: Sequence[str],
) -> None:
    """DataError for the first thing that cannot be rated, or that the settings ask for and is not there."""
    if not sources or not outputs:
        msg = f"expected sources and outputs to rate, found no {'source' if not sources else 'system'}"
        raise DataError(msg)
    for system, lines in outputs.items():
        if not (system.strip() and system.isprintable() and len(system) <= _LONGEST_NAME):
            msg = f"expected the name of a system, in printable characters, found {system!r:.60}"
            raise DataError(msg)
        if system != (plain := " ".join(system.split())):
            # Tables of ratings are read with single spaces, and two names could become one.
            msg = (
                f"expected the name of a system with single spaces, and none around it, found {system!r}; say {plain!r}"
            )
            raise DataError(msg)
        if system in _OURS:
            msg = f"expected the name of a system, found {system!r}, which is ours; give it another"
            raise DataError(msg)
        _check_length(f"outputs of {system!r}", lines, sources)
    _check_length("names", names, sources)
    _check_texts("source", sources)
    for system, lines in outputs.items():
        _check_texts(f"output of {system!r}", lines)
    for name, *own in zip(names, *outputs.values(), strict=True):
        if all(text is None for text in own):
            msg = f"item {name!r}: expected at least one output, found none; leave the item out"
            raise DataError(msg)
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        msg = f"expected names of items that differ, found {twice!r} twice"
        raise DataError(msg)
    if settings.controls.reference:
        _check_references(sources, references)


def check_sources(sources: Sequence[str]) -> None:
    """DataError for the first source for which nobody could write anything."""
    if not sources:
        msg = "expected sources to write for, found none"
        raise DataError(msg)
    _check_texts("source", sources)
    for number, source in enumerate(sources, start=1):
        if not any(map(str.isalnum, source)):
            msg = f"source, line {number}: expected words to simplify, found {source!r:.60}; leave the line out"
            raise DataError(msg)


def _check_length(what: str, lines: Sequence[object], sources: Sequence[str]) -> None:
    if len(lines) != len(sources):
        msg = f"{what}: expected one for each of {len(sources)} sources, found {len(lines)}"
        raise LengthMismatchError(msg)


def _check_texts(what: str, texts: Sequence[str | None]) -> None:
    for number, text in enumerate(texts, start=1):
        if text is not None and len(text) > _LONGEST_TEXT:
            msg = f"{what}, line {number}: expected at most {_LONGEST_TEXT:,} characters to rate, found {len(text):,}"
            raise DataError(msg)
    empty = [number for number, text in enumerate(texts, start=1) if text is not None and not text.strip()]
    if empty:
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        msg = (
            f"{what}, line {empty[0]}{more}: expected text to rate, found an empty line; leave the item out everywhere"
        )
        raise DataError(msg)


def _check_references(sources: Sequence[str], references: Sequence[Sequence[str]] | None) -> None:
    if references is None:
        msg = "controls.reference: expected references, found none; give --references, or set it to false"
        raise ReferenceShapeError(msg)
    _check_length("references", references, sources)
    for number, own in enumerate(references, start=1):
        if not own or not own[0].strip():
            msg = f"references, line {number}: expected text to rate, found none; or set controls.reference to false"
            raise ReferenceShapeError(msg)
