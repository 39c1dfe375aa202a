"""`/v1`: texts in plainer words, what makes them hard, and scores, as JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from plainwright import __version__
from plainwright.check import check_text
from plainwright.check.passage import sentence_count
from plainwright.documents import Block
from plainwright.rewrite import SimplifiedText
from plainwright.rewrite.documents import SimplifiedBlock
from plainwright.rewrite.paragraphs import paragraphs
from plainwright.rewrite.types import without_surrogates
from plainwright.rewriter.finding import Level
from plainwright.serve.evaluation import EvaluateRequest, check_size, scores
from plainwright.serve.openapi import description
from plainwright.serve.wording import request_problem
from plainwright.serve.work import Work
from plainwright.text import readability_counts_lines
from plainwright.web.bodies import json_body
from plainwright.web.replies import Refusal, json_reply

__all__ = [
    "CheckRequest",
    "SimplifyRequest",
    "Strength",
    "api_routes",
    "check_length",
    "json_lines",
    "read_request",
    "text_steps",
    "work_of",
]

Phrases = Annotated[list[Annotated[str, msgspec.Meta(max_length=200)]], msgspec.Meta(max_length=1000)]
Strength = Annotated[float, msgspec.Meta(ge=-1, le=1)]
Struct = TypeVar("Struct", bound=msgspec.Struct)


class SimplifyRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A text to put into plainer words."""

    text: str
    level: Level | None = None
    strength: Strength | None = None
    max_grade: float | None = None
    keep: Phrases = []
    stream: bool = False


class CheckRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A text to look at."""

    text: str
    keep: Phrases = []
    sentence_words: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 25


def work_of(request: Request) -> Work:
    """Return what simplifies for the application."""
    work: Work = request.app.state.work
    return work


def read_request(request: Request, kind: type[Struct]) -> Struct:
    """Decode the body of a request, or refuse it with what is wrong."""
    try:
        return msgspec.json.decode(json_body(request), type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refusal(400, "malformed", f"the body is not what this address takes: {request_problem(error)}") from None


def check_length(text: str, limit: int) -> None:
    """Refuse a text that is too long."""
    if len(text) > limit:
        raise Refusal(413, "large", f"the text has {len(text):,} characters; at most {limit:,} are taken at once")


def text_steps(work: Work, asked: SimplifyRequest) -> AsyncIterator[list[SimplifiedBlock]]:
    """Yield the paragraphs of the text that somebody asks for in plainer words, some at a time."""
    return work.simplified(
        [Block(own, "paragraph") for own in paragraphs([asked.text])],
        level=asked.level,
        strength=asked.strength,
        max_grade=asked.max_grade,
        keep=asked.keep,
    )


async def _simplify(request: Request) -> Response:
    asked, work = read_request(request, SimplifyRequest), work_of(request)
    check_length(asked.text, work.settings.characters)
    steps = text_steps(work, asked)
    if asked.stream:
        lines = json_lines(steps, lambda step: [own.result.to_dict() for own in step])
        return StreamingResponse(lines, media_type="application/x-ndjson")
    parts = [own.result async for step in steps for own in step]
    grade = {"before": _grade([part.source for part in parts]), "after": _grade([part.text for part in parts])}
    return json_reply({**SimplifiedText.joined(parts).to_dict(), "grade": grade, "version": __version__})


async def json_lines(
    steps: AsyncIterator[Sequence[SimplifiedBlock]], shown: Callable[[Sequence[SimplifiedBlock]], Iterable[object]]
) -> AsyncIterator[bytes]:
    """Yield what is shown of every step as lines of JSON; the last line says how it ended."""
    try:
        async for step in steps:
            yield b"".join(msgspec.json.encode(own) + b"\n" for own in shown(step))
        yield b'{"done":true}\n'
    except Refusal as refusal:  # the answer has begun with 200, so this is where it can be told
        yield msgspec.json.encode({"error": {"reason": refusal.reason, "message": refusal.sentence}}) + b"\n"


async def _check(request: Request) -> Response:
    asked, work = read_request(request, CheckRequest), work_of(request)
    check_length(asked.text, work.settings.characters)
    text = without_surrogates(asked.text)
    report = await work.done(lambda: check_text(text, keep=asked.keep, sentence_words=asked.sentence_words))
    return json_reply({**report.to_dict(), "version": __version__})


async def _evaluate(request: Request) -> Response:
    asked, work = read_request(request, EvaluateRequest), work_of(request)
    check_size(asked, work.settings.characters)
    return json_reply(await work.done(lambda: scores(asked)))


async def _openapi(request: Request) -> Response:
    structs: dict[str, type[msgspec.Struct]] = {
        "simplify": SimplifyRequest,
        "check": CheckRequest,
        "evaluate": EvaluateRequest,
    }
    return json_reply(description(structs, characters=work_of(request).settings.characters))


def _grade(texts: Sequence[str]) -> float:
    """The Flesch-Kincaid grade of paragraphs together, as `check` counts; 0 without words."""
    words, syllables = readability_counts_lines(map(without_surrogates, texts))[:, 1:3].sum(axis=0).tolist()
    sentences = sum(map(sentence_count, texts))
    return round(0.39 * words / sentences + 11.8 * syllables / words - 15.59, 2) if words and sentences else 0.0


api_routes: list[Any] = [
    Route("/v1/simplify", _simplify, methods=["POST"]),
    Route("/v1/check", _check, methods=["POST"]),
    Route("/v1/evaluate", _evaluate, methods=["POST"]),
    Route("/v1/openapi.json", _openapi),
]
