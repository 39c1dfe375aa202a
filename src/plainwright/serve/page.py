"""The writer's page, and the address that its script asks."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route

from plainwright.report.writer import render_writer
from plainwright.serve.api import SimplifyRequest, check_length, json_lines, read_request, text_steps, work_of
from plainwright.serve.review import ReviewData

__all__ = ["page_routes"]

# The page itself says what it may run and ask, by digests; only this cannot be said there.
_POLICY = {"content-security-policy": "frame-ancestors 'none'"}


async def _page(request: Request) -> Response:
    settings = work_of(request).settings
    glossary = work_of(request).glossary is not None
    page = render_writer(level=settings.level, strength=settings.strength, glossary=glossary)
    return HTMLResponse(page, headers=_POLICY)


async def _review(request: Request) -> Response:
    asked, work = read_request(request, SimplifyRequest), work_of(request)
    check_length(asked.text, work.settings.characters)
    shown = ReviewData(work.glossary)
    lines = json_lines(text_steps(work, asked), lambda step: [shown.add([own.result for own in step])])
    return StreamingResponse(lines, media_type="application/x-ndjson")


page_routes: list[Any] = [Route("/", _page), Route("/review", _review, methods=["POST"])]
