"""Many raters at once, and a server that is killed under them: nothing acknowledged is lost, nothing is kept twice.

`benchmarks/bench_rate.py` does the same with 200 raters and twenty kills, and measures how long they wait.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.asynchronous import run_async
from tests.rate.load import Record, rate_together
from tests.rate.running import Server, counted, invite, kill_repeatedly, make_study, serving

pytestmark = pytest.mark.slow

RATERS, KILLS = 40, 5


def test_no_event_is_lost_or_doubled_while_the_server_is_killed(tmp_path: Path, database_url: str) -> None:
    make_study(tmp_path / "study", items=40, outputs=8, raters_per_item=RATERS, database=database_url)
    links = invite(database_url, RATERS)

    with serving(tmp_path / "study") as server:
        record = run_async(_rate(server, links))

    assert record.retries > 0, "the server was never missed"
    assert record.refusals == []
    count = counted(database_url, record)
    assert count.sound, count
    assert count.kept >= len(record.acknowledged) > RATERS


async def _rate(server: Server, links: list[str]) -> Record:
    record, enough = Record(), asyncio.Event()
    raters = asyncio.create_task(rate_together(server.port, links, record, enough, think=0.2, arriving=1.0))
    await kill_repeatedly(server, record, KILLS, events=50)
    enough.set()
    await raters
    return record
