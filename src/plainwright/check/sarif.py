"""Findings as SARIF 2.1.0, which code hosts and editors show beside the lines they are about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from plainwright import __version__
from plainwright.check.files import CheckedFile
from plainwright.check.result import RuleCard
from plainwright.check.types import Finding

__all__ = ["to_sarif"]

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def to_sarif(files: Sequence[CheckedFile], *, failing: Sequence[str] = ()) -> dict[str, object]:
    """Return one run over all files; findings of the rules in `failing` are errors, others are warnings."""
    cards = {card.rule: card for file in files for card in file.report.rules}
    numbers = {rule: number for number, rule in enumerate(cards)}
    driver = {
        "name": "plainwright",
        "version": __version__,
        "rules": [_rule(card) for card in cards.values()],
    }
    results = [
        _result(file, number, finding, numbers[finding.rule], failing)
        for file in files
        for number, finding in enumerate(file.report.findings)
    ]
    run = {"tool": {"driver": driver}, "columnKind": "utf16CodeUnits", "results": results}
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(card: RuleCard) -> dict[str, object]:
    return {
        "id": card.rule,
        "shortDescription": {"text": card.meaning},
        "help": {"text": f"{card.meaning} Source: {card.source}."},
        "helpUri": card.link,
        "defaultConfiguration": {"level": "warning"},
    }


def _uri(name: str) -> str:
    """The name of a file as the standard has it: relative to where the command ran, unless it is absolute."""
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())


def _result(file: CheckedFile, number: int, finding: Finding, rule: int, failing: Sequence[str]) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": {"uri": _uri(file.name)}}
    location: dict[str, object] = {"physicalLocation": physical}
    if file.source is None:
        location["logicalLocations"] = [{"name": f"paragraph {file.paragraph(finding)}"}]
    else:
        region = file.lines.region(*file.spans[number], utf16=True)
        physical["region"] = {
            "startLine": region.line,
            "startColumn": region.column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
        }
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "error" if finding.rule in failing else "warning",
        "message": {"text": finding.advice},
        "locations": [location],
    }
