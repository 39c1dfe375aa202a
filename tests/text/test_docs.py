"""What docs/text.md shows is what happens."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_examples_of_the_page_on_text_run() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "text.md"
    failed, attempted = doctest.testfile(str(page), module_relative=False)
    assert attempted > 10
    assert failed == 0
