"""A server with a small model written by hand, on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx2 as httpx
import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("msgspec")

from tests.rate.serving import served
from tests.small_wordnet import write_glosses
from tests.toy_model import write_model

from plainwright.serve.app import create_app
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
[NN] ||| residence ||| house ||| good=3 ||| 0-0
[NN] ||| residence ||| home ||| good=2 ||| 0-0
[VB] ||| purchase ||| buy ||| good=3 ||| 0-0
[JJ] ||| ample ||| enough ||| good=-1 ||| 0-0
[IN] ||| in order to ||| to ||| good=3 ||| 2-0
"""
LIMIT = 5000  # characters that this server takes


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory):
    return write_model(tmp_path_factory.mktemp("model"), RULES)


@pytest.fixture(scope="module")
def client(model) -> Iterator[httpx.Client]:
    work = Work(ServeSettings(model=model, characters=LIMIT))
    with served(create_app(work)) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client
    work.close()


@pytest.fixture
def work(model, tmp_path) -> Iterator[Work]:
    (tmp_path / "wordnet").mkdir()
    wordnet = write_glosses(tmp_path / "wordnet")
    work = Work(ServeSettings(model=model, characters=100_000, wordnet=wordnet))
    yield work
    work.close()


@pytest.fixture
def open_page(browser: Any, work: Work) -> Iterator[Callable[..., Any]]:
    """Opens the page; at the end of the test it must have been silent, and have asked its own server alone."""
    contexts, troubles = [], []
    with served(create_app(work)) as address:

        def open_one(**options: Any) -> Any:
            contexts.append(browser.new_context(**{"reduced_motion": "reduce", **options}))
            page = contexts[-1].new_page()
            page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
            page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
            page.on("request", lambda own: own.url.startswith((address, "blob:")) or troubles.append(own.url))
            page.on(
                "console",
                lambda message: (
                    any(status in message.text for status in ("400", "413")) or troubles.append(message.text)
                ),
            )
            page.goto(address)
            return page

        yield open_one
        for context in contexts:
            context.close()
    assert troubles == []
