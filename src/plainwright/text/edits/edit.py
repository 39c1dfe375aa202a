"""An edit, and how edits are applied and undone."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from plainwright.arguments import check_instances, check_text
from plainwright.errors import DataError

__all__ = ["EditKind", "Span", "TextEdit", "apply_edits", "undo_edits"]

EditKind = Literal["replace", "delete", "insert", "reorder", "split", "join"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """`source_text` at `source_span` of the source became `target_text` at `target_span` of the output.

    The kind says what happened to the words. A deletion may have a target text, and an insertion a source text: what
    the change made of a kept neighbour, as in "However, he" and "He". Edits that share a `group` are one change in
    several places.
    """

    kind: EditKind
    source_span: Span
    target_span: Span
    source_text: str
    target_text: str
    group: int


AnyEdit = TypeVar("AnyEdit", bound=TextEdit)


def apply_edits(source: str, edits: Iterable[TextEdit], *, without: Set[int] = frozenset()) -> str:
    """Apply all edits to the source, but those at the positions in `without` and all that share a group with them."""
    check_text(source, "apply_edits", "source")
    edits = _checked(edits, "apply_edits")
    pieces = []
    done = 0
    for number, edit in enumerate(undo_edits(edits, without) if without else edits):
        start, end = edit.source_span
        if start < done or source[start:end] != edit.source_text:
            where = f"edit {number}: expected {edit.source_text!r} at characters {start} to {end} of the source"
            found = "which an edit before it has taken" if start < done else f"found {source[start:end]!r}"
            msg = f"{where}, {found}; apply edits in order to the text that they were made for"
            raise DataError(msg)
        pieces += [source[done:start], edit.target_text]
        done = end
    return "".join([*pieces, source[done:]])


def undo_edits(edits: Iterable[AnyEdit], undone: Set[int]) -> tuple[AnyEdit, ...]:
    """Leave out the edits at these positions and their groups; spans are those in the text that remains."""
    edits = _checked(edits, "undo_edits")
    if not all(0 <= position < len(edits) for position in undone):
        msg = f"positions of edits are 0 to {len(edits) - 1}; got {sorted(undone)}"
        raise DataError(msg)
    groups = {edits[position].group for position in undone}
    remaining = []
    shift = 0
    for edit in edits:
        if edit.group in groups:
            shift += len(edit.source_text) - len(edit.target_text)
        else:
            start, end = edit.target_span
            remaining.append(replace(edit, target_span=(start + shift, end + shift)) if shift else edit)
    return tuple(remaining)


def _checked(edits: Iterable[AnyEdit], function: str) -> tuple[AnyEdit, ...]:
    given = tuple(edits) if isinstance(edits, Iterable) and not isinstance(edits, str) else edits
    check_instances(given, TextEdit, function, "edits", "TextEdits, as edits_between returns them")
    return given
