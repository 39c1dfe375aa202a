"""What tests of the writer's page share."""

from __future__ import annotations

from typing import Any

TEXT = "They purchase 🙂 it.\n\nThe principal gate <b>is</b> red. They purchase more.\n"


def finish(page: Any) -> None:
    page.locator("#progress", has_text="Done").wait_for()


def result(page: Any) -> str:
    return page.evaluate("review.rewriting.text()")


def review_of(page: Any, text: str) -> None:
    page.fill("#source", text)
    page.click("#start")
    finish(page)
