"""Outputs: from names and files to lines of text that belong to a set.

Whatever would silently give a wrong number stops here, with the file, what was expected and the way out.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from plainwright.arguments import as_texts, check_instance
from plainwright.errors import (
    DataError,
    LengthMismatchError,
    PlainwrightError,
    ReferenceShapeError,
    UnknownNameError,
)
from plainwright.evaluation.sets import EvaluationSet, counted, refuse_empty
from plainwright.files import read_lines

if TYPE_CHECKING:
    from plainwright.corpora.card import Card

__all__ = ["Outputs", "check_outputs", "checked_outputs", "read_outputs"]

_NEAR = 0.7  # of difflib; at its usual 0.6 an ending such as .txt alone makes short names alike


class Outputs(dict[str, tuple[str, ...]]):
    """Output lines by system name, and which of them are registered: released text, known by its digest."""

    def __init__(self) -> None:
        super().__init__()
        self.registered: set[str] = set()


def read_outputs(named: Sequence[str] | None, target: EvaluationSet, *, data: Path | None = None) -> Outputs:
    """Read outputs from files, NAME=FILE, "-", registered systems or collections; None: all systems of the set.

    A registered system is called by its name, or as COLLECTION:NAME where two collections of the set have that name.
    """
    outputs = Outputs()
    check_instance(target, EvaluationSet, "read_outputs", "target", "an EvaluationSet, as load_set returns it")
    if named is None:
        outputs.update(target.systems)
        outputs.registered.update(target.systems if target.name is not None else ())
        return outputs
    for item in as_texts(named, "read_outputs", "named"):
        found, registered = _read_output(item, target, data)
        for name, lines in found.items():
            # The name of a file may hold bytes that are no text and could not be printed.
            shown = name.encode("utf-8", "replace").decode("utf-8")
            free = _free_name(shown, item, outputs)
            outputs[free] = tuple(lines)
            if registered:
                outputs.registered.add(free)
    return outputs


def check_outputs(
    outputs: Mapping[str, Sequence[str]],
    target: EvaluationSet,
    *,
    allow_empty: bool = False,
    allow_reference: bool = False,
    may_be_empty: Collection[str] = (),
) -> list[str]:
    """Refuse outputs that do not belong to the set, hold nothing, or are one of its references.

    Empty lines of the systems in `may_be_empty` are no error; the warnings that are returned tell of them.
    """
    warnings = []
    for name, lines in checked_outputs(outputs, target, "check_outputs").items():
        if len(lines) != target.segments:
            raise _size_error(name, len(lines), target)
        if name in may_be_empty and not allow_empty:
            warnings += _empty_warning(name, lines)
        elif not allow_empty:
            refuse_empty(lines, f"output {name!r}", "pass --allow-empty to score it as it is")
        if target.references is not None and not allow_reference:
            _refuse_reference(name, lines, target.references, target.sources)
    return warnings


def checked_outputs(
    outputs: Mapping[str, Sequence[str]], target: EvaluationSet, function: str
) -> dict[str, tuple[str, ...]]:
    """The outputs with their lines as tuples; what is no list of strings by system is refused."""
    check_instance(target, EvaluationSet, function, "target", "an EvaluationSet, as load_set returns it")
    expected = "a mapping from the name of each system to its list of strings"
    check_instance(outputs, Mapping, function, "outputs", expected)
    return {name: tuple(as_texts(lines, function, f"outputs[{name!r}]")) for name, lines in outputs.items()}


def _size_error(name: str, found: int, target: EvaluationSet) -> DataError:
    if target.sources is None and target.references is not None and {len(g) for g in target.references} == {found}:
        msg = (
            f"references look transposed: output {name!r} has {found} lines, and there are {found} reference files "
            f"of {target.segments} lines; give one file per reference, each with {found} lines"
        )
        return ReferenceShapeError(msg)
    msg = (
        f"output {name!r} has {counted(found, 'line')}, {target.label} has {counted(target.segments, 'segment')}; "
        "give one line per segment, in the same order"
    )
    return LengthMismatchError(msg)


def _refuse_reference(
    name: str,
    lines: Sequence[str],
    references: Sequence[Sequence[str]],
    sources: Sequence[str] | None,
) -> None:
    if sources is not None and list(lines) == list(sources):
        return  # copying the input is a baseline; that a reference copies too is no mistake
    for number in range(min(map(len, references))):
        if all(line == group[number] for line, group in zip(lines, references, strict=True)):
            msg = (
                f"output {name!r} equals reference {number} in every line, so its scores mean nothing; "
                "name the output file, or pass --allow-reference to score a human against all references"
            )
            raise DataError(msg)


def _read_output(item: str, target: EvaluationSet, data: Path | None) -> tuple[Mapping[str, Sequence[str]], bool]:
    """Lines by system name, and whether they are registered."""
    if item == "-":
        return {"stdin": read_lines("-")}, False
    path = Path(item)
    if path.exists():
        return {path.name.removesuffix(".gz").removesuffix(".txt") or path.name: read_lines(path)}, False
    if item in target.systems:
        return {item: target.systems[item]}, target.name is not None
    if item == "source" and target.sources is not None:
        return {item: target.sources}, False  # the baseline that every system should beat
    name, equals, file = item.partition("=")
    if equals and name and file:
        if file != "-" and not Path(file).exists():
            raise _missing_file(file, _near_files(file))
        return {name: read_lines(file)}, False
    from plainwright import corpora

    if item in corpora.names(kind="outputs"):
        _refuse_other_set(item, target)
        return corpora.load_outputs(item, data=data), True
    collection, colon, system = item.partition(":")
    if colon and collection in corpora.names(kind="outputs"):
        _refuse_other_set(collection, target)
        return {system: _system(collection, system, data)}, True
    if holders := [name for name, systems in _collections_of(target).items() if item in systems]:
        if len(holders) > 1:
            ways = " or ".join(f"{name}:{item}" for name in holders)
            msg = f"{item!r} is the name of a system in several collections of {target.label}; say which: {ways}"
            raise DataError(msg)
        return {item: _system(holders[0], item, data)}, True
    raise _unknown_output(item, target)


def _system(collection: str, system: str, data: Path | None) -> tuple[str, ...]:
    """Return the lines of one system of a collection."""
    from plainwright import corpora

    known = _systems(corpora.get(collection))
    if system not in known:
        listing = f"systems of {collection}: {', '.join(known)}"
        raise UnknownNameError.suggest(kind="system", name=system, known=known, listing=listing)
    return tuple(corpora.load_outputs(collection, data=data)[system])


def _systems(card: Card) -> list[str]:
    return [entry.system for entry in card.files if entry.system is not None]


def _collections_of(target: EvaluationSet) -> dict[str, list[str]]:
    """Return the registered collections that may be scored on a set, each with its systems."""
    from plainwright import corpora

    cards = corpora.cards(kind="outputs") if target.name is not None else ()
    return {card.name: _systems(card) for card in cards if target.name in (card.of, *card.also_of)}


def _refuse_other_set(collection: str, target: EvaluationSet) -> None:
    from plainwright import corpora

    card = corpora.get(collection)
    of = card.of
    if target.name is None or of is None or target.name in map(_registered_name, (of, *card.also_of)):
        return
    msg = (
        f"{collection} holds outputs for {of}, and {target.name} has other segments or another preparation; "
        f"evaluate {of} instead"
    )
    raise DataError(msg)


def _registered_name(name: str) -> str:
    from plainwright import corpora

    return corpora.get(name).name


def _unknown_output(item: str, target: EvaluationSet) -> PlainwrightError:
    from plainwright import corpora

    own = [*target.systems, *(["source"] if target.sources is not None else [])]
    collections = (
        _collections_of(target) if target.name is not None else dict.fromkeys(corpora.names(kind="outputs"), ())
    )
    known = [*own, *collections, *(system for systems in collections.values() for system in systems)]
    files = _near_files(item)
    if "/" in item or "." in item:
        return _missing_file(item, [*files, *difflib.get_close_matches(item, known, n=3, cutoff=_NEAR)])
    listing = f"systems of {target.label}: {', '.join(own)}" if target.systems else "give a file, NAME=FILE or source"
    return UnknownNameError.suggest(kind="output file or system", name=item, known=[*files, *known], listing=listing)


def _missing_file(file: str, near: Sequence[str]) -> DataError:
    return DataError(f"{file}: no such file" + (f"; did you mean {' or '.join(near)}?" if near else ""))


def _near_files(file: str) -> list[str]:
    """Files in the same folder that are called almost the same."""
    path = Path(file)
    try:
        names = sorted(other.name for other in path.parent.iterdir() if other.is_file())
    except (OSError, ValueError):  # no such folder, or no name that a folder can have
        return []
    return [str(path.with_name(name)) for name in difflib.get_close_matches(path.name, names, n=3, cutoff=_NEAR)]


def _free_name(name: str, item: str, taken: Mapping[str, object]) -> str:
    if name not in taken:
        return name
    given = "=" in item and not Path(item).exists()
    longer = str(Path(item).parent / name)
    if not given and longer not in taken:
        return longer
    msg = f"two outputs are called {name!r}; give each its own name, as in --outputs first=FILE second=FILE"
    raise DataError(msg)


def _empty_warning(name: str, lines: Sequence[str]) -> list[str]:
    empty = [number for number, line in enumerate(lines, start=1) if not line.strip()]
    if not empty:
        return []
    shown = f"line {empty[0]}" if len(empty) == 1 else f"{len(empty)} lines, the first is line {empty[0]}"
    return [f"output {name!r} was released with nothing in {shown}; scored as it is"]
