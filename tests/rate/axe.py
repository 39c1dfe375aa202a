"""Whether everybody can use a page, as far as a program can tell (WCAG 2.2 AA and good practice, by axe)."""

from __future__ import annotations

from typing import Any

import pytest

_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(page: Any) -> list[str]:
    """What axe finds; the context of the page has to be made with `bypass_csp`."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"runOnly": {"type": "tag", "values": _RULES}}).response["violations"]
    return [f"{rule['id']}: {node['target']} {node['failureSummary']}" for rule in found for node in rule["nodes"]]
