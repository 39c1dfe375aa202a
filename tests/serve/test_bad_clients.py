"""Clients that send too slowly or too much, beside good ones, on a server in a process of its own."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path

import pytest
from tests.asynchronous import run_async
from tests.serve.load import Record, ask_together, misbehave, serving, write_list_model


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads memory from /proc")
def test_good_clients_are_answered_while_bad_ones_are_refused(tmp_path: Path) -> None:
    async def load(port: int, seconds: float) -> None:
        enough = asyncio.Event()
        good = asyncio.create_task(ask_together(port, record, enough, clients=20, think=0.1))
        bad = asyncio.create_task(misbehave(port, outcomes, enough, slow=5, giant=2))
        await asyncio.sleep(seconds)
        enough.set()
        await asyncio.gather(good, bad)

    record, outcomes = Record(), Counter[str]()
    with serving("--model", write_list_model(tmp_path / "model")) as server:
        run_async(load(server.port, 1))
        before = server.megabytes
        run_async(load(server.port, 3))
        assert server.megabytes < before + 50
    assert record.errors == []
    assert len(record.times) > 100
    assert outcomes["giant: 413"] > 10
    assert set(outcomes) <= {"giant: 413", "giant: still waiting", "slow: still waiting"}
