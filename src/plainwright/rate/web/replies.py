"""Refusals: a sentence for the rater, a line in the log."""

from __future__ import annotations

import logging
import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from plainwright.rate.web.render import page
from plainwright.web.replies import Refusal, json_reply

__all__ = ["on_bug", "on_http_error", "on_refusal", "on_storage_error", "refusal_reply"]

_errors = logging.getLogger("plainwright.rate")
_security = logging.getLogger("plainwright.rate.security")

# What the heading of a page says about a status.
_HEADINGS = {
    400: "That could not be read",
    401: "Please open your link again",
    403: "This was not accepted",
    404: "There is nothing here",
    405: "This does not work here",
    408: "That took too long",
    409: "This has changed in the meantime",
    410: "This link no longer works",
    413: "That was too much at once",
    415: "That could not be read",
    422: "This was not accepted",
    429: "A moment, please",
    500: "Something went wrong on our side",
    501: "Something is not installed here",
    503: "The database does not answer",
}
_SENTENCES = {
    404: "The address may have been copied incompletely, or the page is not yours.",
    405: "The page was asked for in a way that it does not know.",
    503: "What you sent last may not be kept. Try again in a minute; if it stays like this, tell the organiser.",
    500: "Your answers up to here are kept. Try again in a minute; if it stays like this, tell the organiser.",
}
_TOKEN = re.compile(r"(/join/)[^/]+")


def refusal_reply(request: Request, refusal: Refusal) -> Response:
    """The answer to a refused request, as JSON for scripts and as a page for people; logged."""
    _log(request, refusal)
    reply: Response
    if _wants_json(request):
        reply = json_reply({"error": refusal.sentence, "reason": refusal.reason}, refusal.status)
    else:
        target, label = _way_on(request)
        heading = _HEADINGS.get(refusal.status, "This was not accepted")
        reply = page(
            request,
            "message.html.jinja",
            status=refusal.status,
            heading=heading,
            text=_as_sentence(refusal.sentence),
            target=target,
            label=label,
        )
    reply.headers.update(refusal.headers)
    return reply


def _way_on(request: Request) -> tuple[str | None, str]:
    """Where whoever was refused can go on, if we know who it is, and what to call it."""
    site, session = request.app.state.site, getattr(request.state, "session", None)
    if session and session.organiser:
        return site.url("/organiser"), "To the overview"
    if session and session.rater and session.rater.left is None:
        return site.url("/work"), "Go on with your work"
    return None, ""


async def on_refusal(request: Request, error: Exception) -> Response:
    """For handlers that raise `Refusal`."""
    assert isinstance(error, Refusal)
    return refusal_reply(request, error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """For what starlette itself refuses: unknown paths and methods."""
    assert isinstance(error, HTTPException)
    sentence = _SENTENCES.get(error.status_code, "This cannot be done.")
    reason = {404: "unknown", 405: "method"}.get(error.status_code, "refused")
    return refusal_reply(request, Refusal(error.status_code, reason, sentence, headers=error.headers))


async def on_storage_error(request: Request, error: Exception) -> Response:
    """For a database that is away, full or locked; only the organiser is told what we know of it."""
    _errors.error("%s", error)
    session = getattr(request.state, "session", None)
    sentence = str(error) if session and session.organiser else _SENTENCES[503]
    return refusal_reply(request, Refusal(503, "storage", sentence, headers={"retry-after": "5"}))


async def on_bug(request: Request, error: Exception) -> Response:
    """For errors of ours; the server logs the traceback."""
    return refusal_reply(request, Refusal(500, "bug", _SENTENCES[500]))


def _wants_json(request: Request) -> bool:
    if request.scope["path"].endswith("/events"):
        return True
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def _log(request: Request, refusal: Refusal) -> None:
    session = getattr(request.state, "session", None)
    rater = session.rater.public if session and session.rater else "-"
    # Tokens in paths are keys; what a stranger wrote into a path must not forge lines of the log.
    path = _TOKEN.sub(r"\1...", request.scope["path"])[:200]
    address = getattr(request.state, "address", "-")
    line = f"{refusal.status} {refusal.reason} {request.method} {path} rater={rater} address={address}"
    _security.warning("refused %s", line.encode("unicode_escape").decode("ascii"))


def _as_sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
