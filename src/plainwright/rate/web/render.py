"""From templates to pages. Whatever comes from a study is escaped; only our own Markdown output counts as markup."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from plainwright import __version__
from plainwright.rate.web.assets import Asset
from plainwright.rate.web.script_data import script_data
from plainwright.report.names import typeset

__all__ = ["environment_for", "markdown", "page"]


def environment_for(*, prefix: str, title: str, assets: Mapping[str, Asset]) -> Environment:
    """The templates of a study.

    They know `study_title`, `prefix`, `url(path)`, `asset(name)` and `version`; `page` adds `csrf`, `here` (the path
    without prefix), `rater` and `organiser` (those of the session, or None).
    """
    environment = Environment(
        loader=PackageLoader("plainwright.rate.web"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        auto_reload=False,
    )
    environment.filters.update(number=lambda value: f"{value:g}".replace("-", "−"), typeset=typeset)
    environment.globals.update(
        study_title=title,
        prefix=prefix,
        version=__version__,
        url=lambda path: prefix + path,
        asset=lambda name: f"{prefix}/static/{assets[name].public}",
        script_data=script_data,
    )
    return environment


def page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A whole page as an answer to `request`."""
    session = getattr(request.state, "session", None)
    site = request.app.state.site
    organiser = session.organiser if session else None
    text = site.templates.get_template(template).render(
        csrf=getattr(request.state, "csrf", ""),
        here=request.scope["path"].removeprefix(site.prefix),
        rater=session.rater if session else None,
        organiser=organiser,
        displaced=site.database.displaced() if organiser else "",
        **values,
    )
    # A lone surrogate in the text of a study must not make its page unsendable.
    return HTMLResponse(text.encode("utf-8", "replace"), status_code=status)


def markdown(text: str) -> tuple[str, Markup]:
    """The heading that a text begins with ("" if it does not), and the rest as markup.

    HTML in it is shown as text, and links with a scheme that could run code are no links. Headings in the rest begin
    with the second rank, because the first one belongs to the page.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    heading = ""
    if len(tokens) >= 3 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        heading, tokens = _plain(tokens[1]), tokens[3:]
    lowest = min((int(token.tag[1]) for token in tokens if token.type == "heading_open"), default=2)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2 - min(2, lowest))}"
        for part in token.children or ():
            if part.type == "link_open":
                part.attrSet("rel", "noopener noreferrer")
    # Safe: the parser escapes text and attributes, and passes no HTML through.
    return heading, Markup(parser.renderer.render(tokens, parser.options, {}))


def _plain(token: Token) -> str:
    return "".join(part.content for part in token.children or () if part.type in ("text", "code_inline"))
