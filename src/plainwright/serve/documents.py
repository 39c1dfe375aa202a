"""Documents over HTTP: a file comes in, and the same file in plainer words goes out.

Nothing is kept between requests. Who reviewed the edits of a document sends it again with the numbers of the groups
that were refused; the same document with the same settings gives the same groups.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from plainwright.documents import (
    Change,
    Document,
    Format,
    Tracking,
    changed_document,
    default_date,
    format_of,
    parse_document,
)
from plainwright.documents.reading import HEAD
from plainwright.rewrite.choices import other_words
from plainwright.rewrite.documents import SimplifiedBlock
from plainwright.rewriter.finding import Level
from plainwright.serve.api import Phrases, Strength, json_lines, work_of
from plainwright.serve.review import ReviewData
from plainwright.serve.wording import request_problem
from plainwright.web.replies import Refusal

__all__ = ["DOCUMENT_PATHS", "DocumentRequest", "document_routes"]

DOCUMENT_PATHS = ("/v1/documents", "/review/document")
_GAP = "\n\n"  # between blocks where they are shown as one text


class DocumentRequest(msgspec.Struct, forbid_unknown_fields=True):
    """What is asked for behind the address; the document is the body."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=255)]
    level: Level | None = None
    strength: Strength | None = None
    max_grade: float | None = None
    keep: Phrases = []
    refused: list[int] = []
    chosen: list[Annotated[str, msgspec.Meta(pattern=r"^[0-9]+:")]] = []
    track_changes: bool = False
    comments: bool = False


def _asked(request: Request) -> DocumentRequest:
    given = request.query_params
    found: dict[str, object] = {name: given[name] for name in given if given[name] != "" and name != "keep"}
    found["keep"] = given.getlist("keep")
    for name in ("refused", "chosen"):
        if isinstance(listed := found.get(name), str):
            found[name] = listed.split(",")
    try:
        return msgspec.convert(found, DocumentRequest, strict=False)
    except msgspec.ValidationError as error:
        raise Refusal(400, "malformed", f"the address: {request_problem(error)}") from None


async def _read(request: Request, asked: DocumentRequest) -> tuple[Format, Document]:
    data: bytes = request.state.body
    work = work_of(request)
    name = PurePath(asked.name.replace("\\", "/")).name or "document"
    known = format_of(name, data[:HEAD])
    document = await work.done(lambda: parse_document(data, known, name))
    characters, limit = sum(len(block.text) for block in document.blocks), work.settings.characters
    if characters > limit:
        sentence = f"the document has {characters:,} characters of text; at most {limit:,} are taken at once"
        raise Refusal(413, "large", sentence)
    return known, document


def _steps(request: Request, asked: DocumentRequest, document: Document) -> AsyncIterator[list[SimplifiedBlock]]:
    return work_of(request).simplified(
        document.blocks, level=asked.level, strength=asked.strength, max_grade=asked.max_grade, keep=asked.keep
    )


async def _documents(request: Request) -> Response:
    asked = _asked(request)
    known, document = await _read(request, asked)
    if (asked.track_changes or asked.comments) and not known.tracks:
        sentence = f"tracked changes and comments are for Word and OpenDocument texts; this is {known.title}"
        raise Refusal(400, "input", sentence)
    blocks = [own async for step in _steps(request, asked, document) for own in step]
    changes = [own.changes for own in _accepted(blocks, asked)]
    written = await work_of(request).done(lambda: _changed(document, changes, known, asked))
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(_result_name(asked.name, known))}"}
    return Response(written, media_type="application/octet-stream", headers=headers)


def _accepted(blocks: Sequence[SimplifiedBlock], asked: DocumentRequest) -> list[SimplifiedBlock]:
    """Decide on groups by the numbers that a review gives them: in the order of their first edits."""
    refused, chosen = frozenset(asked.refused), dict(_chosen(one) for one in asked.chosen)
    accepted, before = [], 0
    for block in blocks:
        groups = list(dict.fromkeys(edit.group for edit in block.result.edits))
        numbered = dict(enumerate(groups, start=before))
        undone = {group for number, group in numbered.items() if number in refused}
        words = {group: chosen[number] for number, group in numbered.items() if number in chosen}
        for group, text in words.items():
            _check_choice(block, group, text)
        left = block.without(undone) if undone else block
        accepted.append(left.choosing(words) if words else left)
        before += len(groups)
    return accepted


def _chosen(one: str) -> tuple[int, str]:
    number, _, text = one.partition(":")
    return int(number), text


def _check_choice(block: SimplifiedBlock, group: int, text: str) -> None:
    """Refuse words that the review did not offer."""
    offered = other_words([edit for edit in block.result.edits if edit.group == group], block.result.text)
    if text not in offered:
        names = ", ".join(offered) or "nothing"
        raise Refusal(
            400, "input", f"`chosen`: expected one of the other words of an edit ({names}), found {text!r:.60}"
        )


def _changed(document: Document, changes: Sequence[Sequence[Change]], known: Format, asked: DocumentRequest) -> bytes:
    tracking = None
    if asked.track_changes or asked.comments:
        tracking = Tracking(
            author="plainwright", date=default_date(), tracked=asked.track_changes, comments=asked.comments
        )
    return changed_document(document, changes, known, tracked=tracking, markdown=True)


def _result_name(name: str, known: Format) -> str:
    path = PurePath(PurePath(name.replace("\\", "/")).name)
    return f"{path.stem}.plain{path.suffix if known.writable else '.md'}"


async def _review(request: Request) -> Response:
    """The edits of a document for the writer's page."""
    asked = _asked(request)
    _, document = await _read(request, asked)
    data = ReviewData(work_of(request).glossary)

    def shown(step: Sequence[SimplifiedBlock]) -> list[object]:
        parts = (own.result for own in step)
        apart = [replace(part, source=part.source + _GAP, text=part.text + _GAP) for part in parts]
        return [data.add(apart, [own.block for own in step])]

    lines = json_lines(_steps(request, asked, document), shown)
    return StreamingResponse(lines, media_type="application/x-ndjson")


document_routes: list[Any] = [
    Route("/v1/documents", _documents, methods=["POST"]),
    Route("/review/document", _review, methods=["POST"]),
]
