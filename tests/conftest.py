"""What all tests share: where the corpora are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings


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


# Examples must not fail because the machine is busy; the number of examples stays the default.
settings.register_profile("plainwright", deadline=None)
settings.load_profile("plainwright")
