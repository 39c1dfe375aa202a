"""Pictures of the writer's pages for the documentation: docs/images/changes.png.

    python tools/writer_screenshots.py

Needs `make test-all`'s browser. Look at the pictures before you commit them.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.chromium import chromium

import plainwright
from plainwright.report.rewriting import render_rewriting

IMAGES = ROOT / "docs" / "images"
EXAMPLE = ROOT / "examples" / "paragraph.txt"


def changes(browser: Any, folder: Path) -> None:
    """The page of `simplify --html`, with one edit refused and a split chosen."""
    parts = plainwright.load().stream([EXAMPLE.read_text(encoding="utf-8")])
    (folder / "changes.html").write_text(render_rewriting(parts, name=EXAMPLE.name), encoding="utf-8")
    page = browser.new_context(viewport={"width": 1100, "height": 820}, reduced_motion="reduce").new_page()
    page.goto((folder / "changes.html").as_uri())
    page.locator("#review-table .come", has_text="start").click()
    page.keyboard.press("r")
    page.locator("#review-table .come", has_text="Visitors").click()
    page.screenshot(path=IMAGES / "changes.png")


if __name__ == "__main__":
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        changes(browser, Path(folder))
