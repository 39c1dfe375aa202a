"""What every page has in common: one self-contained document that loads nothing.

Style and script stand inline, and a content security policy admits exactly these by their digests, so that
text which slipped through as markup could still neither run nor load anything.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

__all__ = ["compose"]


def compose(
    template: str, *, styles: Sequence[str], scripts: Sequence[str] = (), asks_server: bool = False, **context: object
) -> str:
    """Fill a template of this package with the named style sheets and scripts, and the context.

    With `asks_server`, the script may ask the server that the page came from, and nobody else.
    """
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    from plainwright.report import names, svg

    environment = Environment(
        loader=FunctionLoader(_asset), autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters.update(show=names.show, typeset=names.typeset)
    environment.globals.update(svg=svg, Markup=Markup)
    style, code = "".join(map(_asset, styles)), "\n".join(map(_asset, scripts)) or None
    page = environment.get_template(template).render(
        style=Markup(style), script=Markup(code or ""), policy=_policy(style, code, asks_server=asks_server), **context
    )
    # File names may carry bytes that are no UTF-8; such a character must not make the page unwritable.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return resources.files("plainwright.report").joinpath(name).read_text("utf-8")


def _policy(style: str, script: str | None, *, asks_server: bool) -> str:
    rules = ["default-src 'none'", f"style-src '{_digest(style)}'"]
    if script is not None:
        rules.append(f"script-src '{_digest(script)}'")
    if asks_server:
        rules.append("connect-src 'self'")
    return "; ".join([*rules, "base-uri 'none'", "form-action 'none'"])


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
