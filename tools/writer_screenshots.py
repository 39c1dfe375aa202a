"""Pictures of the writer's pages for the documentation: docs/images/changes.png and writer.png.

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
from tests.rate.serving import served

import plainwright
from plainwright.report.rewriting import render_rewriting
from plainwright.serve.app import create_app
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

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


def writer(browser: Any) -> None:
    """The page that `serve` has, with a text that came back."""
    work = Work(ServeSettings())
    page = browser.new_context(viewport={"width": 1100, "height": 1100}, reduced_motion="reduce").new_page()
    with served(create_app(work)) as address:
        page.goto(address)
        page.fill("#source", EXAMPLE.read_text(encoding="utf-8").strip())
        page.fill("#keep", "seating")
        page.click("#start")
        page.locator("#progress", has_text="Done").wait_for()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=IMAGES / "writer.png")
    work.close()


if __name__ == "__main__":
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        changes(browser, Path(folder))
        writer(browser)
