"""The description of `/v1` for programs that make clients (OpenAPI 3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from plainwright import __version__

__all__ = ["description"]

_SUMMARIES = {
    "simplify": "Put a text into plainer words, every edit with its reason.",
    "check": "Say what makes a text hard to read.",
    "evaluate": "Score the outputs of a system, every score with its signature.",
}
_ANSWERS = {
    "simplify": {
        "source": {"type": "string"},
        "text": {"type": "string"},
        "grade": {"type": "object", "properties": {"before": {"type": "number"}, "after": {"type": "number"}}},
        "sentences": {"type": "array", "items": {"type": "object"}},
        "version": {"type": "string"},
    },
    "check": {
        "words": {"type": "integer"},
        "grade": {"type": ["number", "null"]},
        "level": {"type": ["string", "null"]},
        "findings": {"type": "array", "items": {"type": "object"}},
        "sentences": {"type": "array", "items": {"type": "object"}},
        "version": {"type": "string"},
    },
    "evaluate": {
        "segments": {"type": "integer"},
        "systems": {"type": "array", "items": {"type": "object"}},
        "warnings": {"type": "array", "items": {"type": "string"}},
        "version": {"type": "string"},
    },
}
_REFUSALS = {
    "400": "the body is malformed, or cannot be used",
    "413": "the text is too long",
    "429": "too many requests in a minute",
    "503": "too many requests are under way, or the text took too long",
}


def description(requests: Mapping[str, type[msgspec.Struct]], *, characters: int) -> dict[str, Any]:
    """Describe the paths whose requests are given by name."""
    schemas, components = msgspec.json.schema_components(
        tuple(requests.values()), ref_template="#/components/schemas/{name}"
    )
    paths = {f"/v1/{name}": {"post": _operation(name, schema)} for name, schema in zip(requests, schemas, strict=True)}
    health = {"get": {"summary": "Say that the server answers.", "responses": {"200": {"description": "It does."}}}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "plainwright",
            "version": __version__,
            "description": f"Plainer English. Spans count code points, of which a text has at most {characters:,}.",
        },
        "paths": {**paths, "/v1/documents": {"post": _document()}, "/health": health},
        "components": {"schemas": {**components, "Error": _error()}},
    }


def _document() -> dict[str, Any]:
    """Describe what takes a file and gives a file back."""
    whole = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    listed = {"type": "array", "items": {"type": "string"}}
    fields = {
        "name": ({"type": "string"}, "name of the file, whose suffix says its format"),
        "level": ({"enum": ["light", "plain", "easy"]}, "how far to go"),
        "strength": ({"type": "number", "minimum": -1, "maximum": 1}, "from careful to bold"),
        "max_grade": ({"type": "number"}, "sentences up to this grade stay"),
        "keep": (listed, "words and phrases to leave alone"),
        "refused": ({"type": "string"}, "numbers of groups of edits that are left out, separated by commas"),
        "chosen": ({"type": "string"}, "other words that a review offered, as 3:home,7:big by the numbers of groups"),
        "track_changes": ({"type": "boolean"}, "keep changes for the reader to accept or refuse"),
        "comments": ({"type": "boolean"}, "say why in comments"),
    }
    return {
        "summary": "Put a document into plainer words, in the format that it came in.",
        "operationId": "document",
        "parameters": [
            {"name": name, "in": "query", "required": name == "name", "schema": schema, "description": what}
            for name, (schema, what) in fields.items()
        ],
        "requestBody": {"required": True, "content": whole},
        "responses": {"200": {"description": "The document.", "content": whole}, **_refusals()},
    }


def _refusals() -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {status: {"description": why, "content": content} for status, why in _REFUSALS.items()}


def _operation(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    answer = {"type": "object", "properties": _ANSWERS[name]}
    return {
        "summary": _SUMMARIES[name],
        "operationId": name,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "responses": {
            "200": {"description": "The result.", "content": {"application/json": {"schema": answer}}},
            **_refusals(),
        },
    }


def _error() -> dict[str, Any]:
    fields = {"reason": {"type": "string"}, "message": {"type": "string"}}
    return {"type": "object", "properties": {"error": {"type": "object", "properties": fields}}}
