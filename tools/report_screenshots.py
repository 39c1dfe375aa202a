"""Pictures of the report and of the study page for the documentation: docs/images/report*.png and study.png.

    python tools/report_screenshots.py

Needs `make test-all`'s browser. Look at the pictures before you commit them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.chromium import chromium

IMAGES = ROOT / "docs" / "images"
EXAMPLES = ROOT / "examples"
SET = ["--source", EXAMPLES / "source.txt", "--references", *sorted(EXAMPLES.glob("reference.?.txt"))]
OUTPUTS = ["--outputs", *(EXAMPLES / f"{name}.txt" for name in ("cautious", "careful", "hasty"))]
RATINGS = [EXAMPLES / "ratings.csv", "--references", EXAMPLES / "ratings.references.tsv"]


def made(page: Path, *arguments: object) -> Path:
    """Run plainwright, which writes the page."""
    command = [str(Path(sys.executable).parent / "plainwright"), *map(str, arguments), "-o", str(page)]
    subprocess.run(command, check=True, capture_output=True)
    return page


def opened(browser: Any, path: Path, width: int = 1100, height: int = 900) -> Any:
    """Open a page in a new window."""
    size = {"width": width, "height": height}
    page = browser.new_context(viewport=size, reduced_motion="reduce", color_scheme="light").new_page()
    page.goto(path.as_uri())
    return page


def report(browser: Any, folder: Path) -> None:
    """The summary and the first chart; then one sentence with its outputs."""
    path = made(folder / "report.html", "report", *SET, *OUTPUTS, "--title", "Three ways to simplify")
    page = opened(browser, path)
    page.screenshot(path=IMAGES / "report.png")
    page.locator("#sentences").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('#sentences').scrollIntoView()")
    page.screenshot(path=IMAGES / "report-sentences.png")


def study(browser: Any, folder: Path) -> None:
    """The top of the page about ratings."""
    page = opened(browser, made(folder / "study.html", "study", "report", *RATINGS))
    page.screenshot(path=IMAGES / "study.png")


if __name__ == "__main__":
    with chromium() as browser, tempfile.TemporaryDirectory() as name:
        report(browser, Path(name))
        study(browser, Path(name))
