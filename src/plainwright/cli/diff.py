"""A text with its changes in place, word by word, as `git diff --word-diff` shows them.

Where there is colour, what went is red and struck through and what came is green; elsewhere both stand in marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from plainwright.escaping import printable

if TYPE_CHECKING:
    from plainwright.rewrite import SimplifiedText

__all__ = ["Diff", "word_diff"]

Diff = Annotated[bool, typer.Option("--diff", help="Show the text with each change in place.")]


def word_diff(result: SimplifiedText, *, colour: bool) -> str:
    """The source with what went and what came in its place; what did not change stands as it is."""

    def shown(text: str) -> str:
        return printable(text, layout=True) if colour else text

    pieces: list[str] = []
    at = 0
    for edit in result.edits:
        start, end = edit.source_span
        pieces += [shown(result.source[at:start]), _gone(shown(edit.source_text), colour=colour)]
        pieces.append(_come(shown(edit.target_text), colour=colour))
        at = end
    return "".join([*pieces, shown(result.source[at:])])


def _gone(text: str, *, colour: bool) -> str:
    if not text:
        return ""
    return typer.style(text, fg="red", strikethrough=True) if colour else f"[-{text}-]"


def _come(text: str, *, colour: bool) -> str:
    if not text:
        return ""
    return typer.style(text, fg="green") if colour else f"{{+{text}+}}"
