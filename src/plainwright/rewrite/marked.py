"""A simplified text as HTML: what is new is marked, what it stands for shows on hover."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from plainwright.rewrite.types import Edit

__all__ = ["marked_html"]

_BOX = "white-space:pre-wrap;line-height:1.6"
_NEW = "background:#d7f5dd;color:#0b3d17;text-decoration:none;border-radius:2px;cursor:help"
_GONE = "background:#fde0dd;color:#67000d;border-radius:2px;cursor:help"


def marked_html(source: str, edits: Sequence[Edit]) -> str:
    """Return the text that the edits make of the source, as HTML."""
    pieces: list[str] = []
    at = 0
    for edit in edits:
        start, end = edit.source_span
        pieces.append(escape(source[at:start]))
        why = "; ".join(map(str, edit.evidence))
        title = escape(f"{edit.kind}: {edit.source_text.strip()}{f' ({why})' if why else ''}", quote=True)
        if edit.target_text.strip():
            pieces.append(f'<ins style="{_NEW}" title="{title}">{escape(edit.target_text)}</ins>')
        else:
            pieces.append(f'{escape(edit.target_text)}<del style="{_GONE}" title="{title}">⌫</del>')
        at = end
    return f'<div style="{_BOX}">{"".join(pieces)}{escape(source[at:])}</div>'
