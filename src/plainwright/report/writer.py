"""The writer's page: a text to type or paste, and the review of what became of it."""

from __future__ import annotations

from plainwright import __version__
from plainwright.documents import FORMATS
from plainwright.report import page

__all__ = ["render_writer"]

_LEVELS = (("light", "hard words only"), ("plain", "shorter sentences, too"), ("easy", "short sentences"))

_STRENGTHS = {0.0: "usual", 0.5: "bolder", 1.0: "boldest"}


def render_writer(*, level: str, strength: float, glossary: bool) -> str:
    """The page as one document that asks its server alone; `level` and `strength` are what is chosen at first.

    `glossary` says whether the server knows what words mean.
    """
    strengths = {strength: f"as this server does ({strength:g})", **_STRENGTHS}
    return page.compose(
        "writer.html.jinja",
        styles=("page.css", "controls.css", "rewriting.css", "writer.css"),
        scripts=("tools.js", "rewriting.js", "rewriting_page.js", "protecting.js", "glossary.js", "writer.js"),
        asks_server=True,
        title="Plainer English",
        version=__version__,
        results="writing",
        navigation=False,
        facts=(),
        levels=_LEVELS,
        chosen=level,
        strengths=sorted(strengths.items()),
        bold=strength,
        glossary=glossary,
        suffixes=",".join(suffix for known in FORMATS for suffix in known.suffixes),
    )
