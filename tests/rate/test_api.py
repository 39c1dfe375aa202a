"""The description of what the server answers to: whole, without dangling references, and the same as the routes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from starlette.routing import BaseRoute, Mount, Route

from plainwright.rate.api import describe
from plainwright.rate.store.database import Database
from plainwright.rate.web.app import create_app


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"]
        yield from (found for part in value.values() for found in references(part))
    elif isinstance(value, list):
        yield from (found for part in value for found in references(part))


def operations(description: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def routes_of(routes: list[BaseRoute], before: str = "") -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, Mount):
            yield from routes_of(list(route.routes), before + route.path)
        elif isinstance(route, Route):
            path = re.sub(r"\{(\w+):\w+\}", r"{\1}", before + route.path)
            yield from ((path, method.lower()) for method in (route.methods or ()) if method != "HEAD")


def test_every_reference_leads_somewhere() -> None:
    description = describe()
    known = {f"#/components/schemas/{name}" for name in description["components"]["schemas"]}
    found = set(references(description))
    assert found <= known
    assert "#/components/schemas/Batch" in found
    assert json.loads(json.dumps(description)) == description


def test_operations_have_names_of_their_own_and_all_their_parameters() -> None:
    names = []
    for path, _, operation in operations(describe()):
        names.append(operation["operationId"])
        in_path = [found["name"] for found in operation.get("parameters", []) if found["in"] == "path"]
        assert in_path == re.findall(r"\{(\w+)\}", path)
    assert len(names) == len(set(names))


def test_whatever_changes_something_needs_the_token_or_is_json() -> None:
    for path, method, operation in operations(describe()):
        if method == "post" and not path.endswith("/events"):
            ((_, body),) = operation["requestBody"]["content"].items()
            name = body["schema"]["$ref"].rpartition("/")[2]
            assert "csrf" in describe()["components"]["schemas"][name]["required"]


def test_only_the_way_in_is_open_to_everybody() -> None:
    open_doors = {path for path, _, operation in operations(describe()) if not operation["security"]}
    assert open_doors == {"/", "/healthz", "/static/{name}", "/join/{token}", "/erased", "/organiser/login"}


def test_the_description_has_the_routes_of_the_server(study_database: Database) -> None:
    described = {(path, method) for path, method, _ in operations(describe())}
    app = create_app(study_database, prefix="/study")
    served = {(path.removeprefix("/study") or "/", method) for path, method in routes_of(list(app.routes))}
    assert served == described
