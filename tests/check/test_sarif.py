"""SARIF 2.1.0: what the standard asks for, and columns in UTF-16."""

from __future__ import annotations

import json

import pytest

from plainwright.check.files import CheckedFile, check_document
from plainwright.check.render import to_sarif_text
from plainwright.documents import format_named, parse_document


def checked(text: str, name: str) -> CheckedFile:
    document = parse_document(text.encode(), format_named("text"), name)
    return check_document(document, name, select=["hard-word", "filler"])


@pytest.fixture
def run() -> dict:
    files = [checked("😀 We commence.\n\nBasically so.", "a letter.txt"), checked("We commence.", "b.txt")]
    document = json.loads(to_sarif_text(files, failing=["filler"]))
    assert document["version"] == "2.1.0"
    assert document["$schema"].endswith("sarif-schema-2.1.0.json")
    [run] = document["runs"]
    return run


def test_columns_are_utf_16_and_this_is_said(run: dict) -> None:
    assert run["columnKind"] == "utf16CodeUnits"
    location = run["results"][0]["locations"][0]["physicalLocation"]
    # The smile is one character and two units.
    assert location["region"] == {"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 15}


def test_each_result_points_to_its_rule_and_its_file(run: dict) -> None:
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["hard-word", "filler", "hard-word"]
    files = [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]]
    assert files == ["a%20letter.txt", "a%20letter.txt", "b.txt"]
    assert run["results"][0]["message"]["text"] == "commence → start"


def test_rules_to_fail_on_are_errors(run: dict) -> None:
    assert [result["level"] for result in run["results"]] == ["warning", "error", "warning"]
