"""The parameters of `/v2/check`, taken as leniently as clients need it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from plainwright.web.replies import Refusal

__all__ = ["parameters_of", "rules_wanted"]

# A form has none of these bytes. LibreOffice 7.4 sends text as it is.
_UNENCODED = re.compile(rb"[\x00-\x20\x7f-\xff]")
_RAW_FORM = re.compile(r"(?:^|.*?&)(text|data)=(.*)(&language=[A-Za-z-]*(?:&[A-Za-z]+=[^&\s]*)*)$", re.DOTALL)


def parameters_of(request: Request) -> dict[str, str]:
    """Return what was sent in the body or, with GET, behind the address."""
    if request.method in ("GET", "HEAD"):
        return dict(request.query_params)
    body: bytes = request.state.body
    if _UNENCODED.search(body.strip()):
        return _unencoded(body.strip(b"\r\n") if b"=" in body else body)
    return dict(parse_qsl(body.decode("ascii").strip(), keep_blank_values=True))


def _unencoded(body: bytes) -> dict[str, str]:
    """Read a body whose text nobody encoded: it goes up to the language, whatever it has inside."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        raise Refusal(400, "malformed", "The text is not UTF-8") from None
    if found := _RAW_FORM.match(text):
        name, value, rest = found.groups()
        return {**dict(parse_qsl(rest.strip("&"))), name: value}
    return dict(parse_qsl(text, keep_blank_values=True))


def rules_wanted(parameters: Mapping[str, str], rule: str, category: str) -> bool:
    """Return whether a client wants to hear of a rule, by the rules and categories that it switched on and off."""

    def listed(name: str) -> list[str]:
        return [own.strip() for own in parameters.get(name, "").split(",") if own.strip()]

    enabled = rule in listed("enabledRules") or category in listed("enabledCategories")
    if parameters.get("enabledOnly") in ("true", "yes"):
        return enabled
    return enabled or not (rule in listed("disabledRules") or category in listed("disabledCategories"))
