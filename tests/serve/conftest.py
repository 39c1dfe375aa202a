"""A server with a small model written by hand, on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("msgspec")

from tests.rate.serving import served
from tests.toy_model import write_model

from plainwright.serve.app import create_app
from plainwright.serve.settings import ServeSettings
from plainwright.serve.work import Work

RULES = """\
[JJ] ||| principal ||| main ||| good=3 ||| 0-0
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
