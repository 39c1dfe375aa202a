"""Answers other than pages: JSON, redirects, refusals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

__all__ = ["Refusal", "Refuse", "json_reply", "redirect"]


class Refusal(Exception):  # noqa: N818 - not an error of ours: an answer
    """A request that is answered with no."""

    def __init__(self, status: int, reason: str, sentence: str, *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.reason = reason  # one word for scripts: "stale", "refused", "closed", "malformed" …
        self.sentence = sentence  # for people
        self.headers = dict(headers or {})


Refuse = Callable[[Request, Refusal], Response]  # how an application words its refusals


class JsonReply(Response):
    """JSON by msgspec, which also knows dataclasses."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """To bytes."""
        return msgspec.json.encode(content, enc_hook=_plain)


def json_reply(content: Any, status: int = 200) -> Response:
    """An answer for a script."""
    return JsonReply(content, status)


def redirect(address: str) -> Response:
    """Go there with GET, whatever this request was."""
    return RedirectResponse(address, 303)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    message = f"{type(value)} cannot be sent"
    raise NotImplementedError(message)
