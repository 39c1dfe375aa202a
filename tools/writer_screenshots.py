"""Pictures of the writer's pages for the documentation: docs/images/changes.png and writer.png.

    python tools/writer_screenshots.py

Needs `make test-all`'s browser and WordNet (`apt-get install wordnet-base`, or its directory as argument).
Look at the pictures before you commit them.
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
HARD = "\n\nThe caretaker will reimburse anyone who paid for the trellis and the awnings."


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


def writer(browser: Any, wordnet: Path | None) -> None:
    """The page that `serve` has, with a text that came back, a protected word and a glossary."""
    work = Work(ServeSettings(wordnet=wordnet))
    page = browser.new_context(viewport={"width": 1100, "height": 1500}, reduced_motion="reduce").new_page()
    with served(create_app(work)) as address:
        page.goto(address)
        page.fill("#source", EXAMPLE.read_text(encoding="utf-8").strip() + HARD)
        page.click("#start")
        page.locator("#progress", has_text="Done").wait_for()
        page.locator("#review-table .word", has_text="seating").click()
        page.click("#glossary summary")
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=IMAGES / "writer.png")
    work.close()


if __name__ == "__main__":
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        changes(browser, Path(folder))
        writer(browser, Path(sys.argv[1]) if len(sys.argv) > 1 else None)
