"""Where a request comes from, as the nearest proxy knows it, and whether a page of ours sent it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.types import Scope

from plainwright.errors import DataError
from plainwright.web.replies import Refusal

__all__ = ["SAFE_METHODS", "address_of", "check_origin", "check_prefix", "host_of"]

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")  # which change nothing

_PREFIX = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")


def host_of(headers: Mapping[str, str], *, proxy: bool) -> str:
    """The host that the browser asked for."""
    forwarded = headers.get("x-forwarded-host", "") if proxy else ""
    return forwarded.split(",")[0].strip() or headers.get("host", "")


def address_of(scope: Scope, *, proxy: bool) -> str:
    """Where a request comes from; of a list of proxies, what the nearest one saw, which nobody else can forge."""
    # Some proxies add a line of their own below one that the client may have sent.
    forwarded = ",".join(Headers(scope=scope).getlist("x-forwarded-for")) if proxy else ""
    nearest = forwarded.split(",")[-1].strip()
    client = scope.get("client")
    return nearest or (client[0] if client else "-")


def check_origin(headers: Headers, *, https: bool, proxy: bool) -> None:
    """Browsers say where a request comes from; what comes from another site is refused whatever else it has."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if site is not None:
        same = site == "same-origin"
    elif origin is not None:
        scheme, _, host = origin.partition("://")
        same = host == host_of(headers, proxy=proxy) and scheme in (("https",) if https else ("http", "https"))
    else:
        same = True  # no browser of the last years; the token decides
    if not same:
        raise Refusal(403, "origin", "the request came from another site; go on from our own page")


def check_prefix(prefix: str) -> str:
    """A prefix as "" or "/study"."""
    tidy = "/" + prefix.strip("/") if prefix.strip("/") else ""
    if not _PREFIX.fullmatch(tidy):
        message = f"prefix {prefix!r}: expected a path such as /study, of letters, digits and . _ ~ -"
        raise DataError(message)
    return tidy
