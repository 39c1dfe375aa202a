"""Reports in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plainwright.evaluation.result import Evaluation
from plainwright.report import render


@pytest.fixture
def open_html(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page from a file; at the end of the test it must have been silent and alone."""
    contexts, troubles = [], []

    def watch(request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            troubles.append(f"request: {request.url}")

    def open_page(html: str, fragment: str = "", **options: Any) -> Any:
        path = tmp_path / "report.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(**{"reduced_motion": "reduce", **options}))
        page = contexts[-1].new_page()
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.on("request", watch)
        page.goto(path.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def open_report(open_html: Callable[..., Any]) -> Callable[..., Any]:
    """Opens the report on an evaluation."""

    def open_page(evaluation: Evaluation, fragment: str = "", **options: Any) -> Any:
        return open_html(render(evaluation), fragment, **options)

    return open_page
