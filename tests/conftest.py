"""What all tests share: where the corpora are, one browser, and the rules as the engine of `simplify`."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from tests.chromium import chromium

from plainwright import registry
from plainwright.rewriter.finding import REWRITER_VARIABLE

# What tests expect of `simplify` are results of the rules; those of the rewriter set this to theirs, or take it away.
os.environ[REWRITER_VARIABLE] = "none"
# Tests run beside each other on all cores; with a thread for every core, too, libraries mostly wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")


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


def pytest_collection_finish() -> None:
    """Whatever thousands of tests are made of stays to the end; garbage need not be looked for in it."""
    gc.freeze()


def pytest_unconfigure() -> None:
    """Python itself may look for garbage when it ends, so that the native core does not take it for leaked."""
    gc.unfreeze()


@pytest.fixture(scope="session")
def whole_corpora(pytestconfig: pytest.Config) -> bool:
    """Whether every text of the corpora is to be read, or a part of them is enough."""
    return bool(pytestconfig.getoption("--whole-corpora"))


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """A function that installs a package which offers these entry points, for the time of a test."""

    def write(group: str, **points: str) -> None:
        folder = tmp_path / "installed" / "strangers-1.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1\n")
        lines = [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
        (folder / "entry_points.txt").write_text("\n".join(lines))
        monkeypatch.syspath_prepend(folder.parent)
        registry._entry_points.cache_clear()

    yield write
    registry._entry_points.cache_clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    # playwright runs once in a process, so all tests share what it drives
    with chromium() as browser:
        yield browser


# Examples must not fail because the machine is busy; the number of examples stays the default.
settings.register_profile("plainwright", deadline=None)
settings.load_profile("plainwright")
