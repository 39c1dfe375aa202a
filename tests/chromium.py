"""A real browser for the tests marked `browser`; they are skipped, with the reason, where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
)


def program() -> str | None:
    """Where Chromium is; the one without a window takes half of the time, so it comes first."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser")
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def chromium() -> Iterator[Any]:
    """Debian's Chromium, driven by playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: make test-all installs it")
    executable = program()
    if executable is None:
        pytest.skip("needs chromium: make test-all installs it")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=executable, args=list(SWITCHES))
        yield browser
        browser.close()


def follow(page: Any, selector: str) -> None:
    """Click on what leads to another page, and wait until all of that is there; a click alone does not."""
    with page.expect_navigation():
        page.click(selector)
