"""The writer's page: a text to type or paste, and the review of what became of it."""

from __future__ import annotations

from plainwright import __version__
from plainwright.documents import FORMATS
from plainwright.report import page

__all__ = ["render_writer"]

_LEVELS = (("light", "hard words only"), ("plain", "shorter sentences, too"), ("easy", "short sentences"))


def render_writer(*, level: str) -> str:
    """The page as one document that asks its server alone; the `level` is the one that is chosen at first."""
    return page.compose(
        "writer.html.jinja",
        styles=("page.css", "controls.css", "rewriting.css", "writer.css"),
        scripts=("tools.js", "rewriting.js", "rewriting_page.js", "writer.js"),
        asks_server=True,
        title="Plainer English",
        version=__version__,
        results="writing",
        navigation=False,
        facts=(),
        levels=_LEVELS,
        chosen=level,
        suffixes=",".join(suffix for known in FORMATS for suffix in known.suffixes),
    )
