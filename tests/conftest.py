"""What all tests share: where the corpora are, and one browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from tests.chromium import chromium


def find_data() -> Path | None:
    """The directory of the shared corpora: $PLAINWRIGHT_DATA, else ../shared/data beside the checkout."""
    named = os.environ.get("PLAINWRIGHT_DATA")
    path = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return path if path.is_dir() else None


@pytest.fixture(scope="session")
def data_dir() -> Path:
    path = find_data()
    if path is None:
        pytest.skip("no corpora: set PLAINWRIGHT_DATA, or put them in ../shared/data")
    return path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole-corpora", action="store_true", help="slow tests read every text of the corpora, not a part of them"
    )


@pytest.fixture(scope="session")
def whole_corpora(pytestconfig: pytest.Config) -> bool:
    """Whether every text of the corpora is to be read, or a part of them is enough."""
    return bool(pytestconfig.getoption("--whole-corpora"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    # playwright runs once in a process, so all tests share what it drives
    with chromium() as browser:
        yield browser


# Examples must not fail because the machine is busy; the number of examples stays the default.
settings.register_profile("plainwright", deadline=None)
settings.load_profile("plainwright")
