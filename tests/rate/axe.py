"""Whether everybody can use a page, as far as a program can tell (WCAG 2.2 AA and good practice, by axe)."""

from __future__ import annotations

from typing import Any

import pytest

_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Only violations: what is right would be told in the same detail, and takes most of the time.
# One rule has to be asked for by name, that what is read on a button is part of what it is called (WCAG 2.5.3).
_OPTIONS: dict[str, Any] = {
    "runOnly": {"type": "tag", "values": _RULES},
    "rules": {"label-content-name-mismatch": {"enabled": True}},
    "resultTypes": ["violations"],
}
_NO_COLOURS = {"color-contrast": {"enabled": False}}


def violations(page: Any, *, colours: bool = True) -> list[str]:
    """What axe finds; the context of the page has to be made with `bypass_csp`. Contrast takes most of the time."""
    package = pytest.importorskip("axe_playwright_python.base")
    if not page.evaluate("'axe' in window"):
        page.evaluate(package.AXE_SCRIPT)
    options = _OPTIONS if colours else {**_OPTIONS, "rules": {**_OPTIONS["rules"], **_NO_COLOURS}}
    found = page.evaluate("async (options) => (await axe.run(document, options)).violations", options)
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
