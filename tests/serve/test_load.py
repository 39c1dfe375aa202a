"""The command on a real port: many clients at once, long texts beside short ones, a clean stop."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
from tests import in_process
from tests.asynchronous import run_async

CLIENTS, SECONDS = 50, 6


@pytest.fixture
def server(model) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The process of `plainwright serve`, and its address."""
    command = [sys.executable, "-m", "plainwright", "serve", "--port", "0", "--model", str(model)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        shown = [process.stdout.readline() for _ in range(4)]
        address = re.search(r"http://\S+", shown[0])[0]
        assert shown == [
            f"To write:      {address}\n",
            f"For programs:  {address}v1/openapi.json\n",
            f"For editors:   {address}v2 (as a LanguageTool server)\n",
            "Stop with Ctrl+C.\n",
        ]
        yield process, address
        process.kill()


def test_the_command_says_where_it_is_and_stops_in_order(server):
    process, address = server
    assert httpx.get(f"{address}health").json()["status"] == "ok"
    assert "<title>Plainer English</title>" in httpx.get(address).text
    process.send_signal(signal.SIGTERM)
    assert process.stdout.read() == "Stopped.\n"
    process.wait(20)
    assert process.returncode == 0


def test_a_port_in_use_is_one_sentence(client, model):
    port = str(client.base_url.port)
    done = in_process.run("serve", "--port", port, "--model", str(model), text="")
    assert done.returncode == 2
    assert done.stderr.startswith(f"plainwright: 127.0.0.1:{port}: something is served there already; choose")


def resident(process: subprocess.Popen[str]) -> float:
    """Megabytes of memory that a process has."""
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4096 / 1e6


async def ask(address: str, end: float, replies: list[tuple[int, float]]) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        while (start := time.monotonic()) < end:
            reply = await client.post("/v1/simplify", json={"text": "They purchase the principal gate."})
            assert "buy the main" in reply.json()["text"]
            replies.append((reply.status_code, time.monotonic() - start))


async def load(address: str) -> list[tuple[int, float]]:
    replies: list[tuple[int, float]] = []
    end = time.monotonic() + SECONDS
    await asyncio.gather(*(ask(address, end, replies) for _ in range(CLIENTS)))
    return replies


@pytest.mark.slow
def test_fifty_clients_get_their_answers_and_memory_stays(server):
    process, address = server
    if not Path(f"/proc/{process.pid}/statm").exists():
        pytest.skip("needs /proc")
    run_async(load(address))
    before = resident(process)
    replies = run_async(load(address))
    times = sorted(seconds for _, seconds in replies)
    print(f"{len(times) / SECONDS:.0f} requests/s, p95 {1000 * times[int(0.95 * len(times))]:.0f} ms")
    assert {status for status, _ in replies} == {200}
    assert resident(process) - before < 5


@pytest.mark.slow
def test_long_texts_keep_no_short_one_waiting(server):
    long = ("They purchase the principal gate. " * 20 + "\n\n") * 200

    async def together(address: str) -> tuple[float, float]:
        async with httpx.AsyncClient(base_url=address, timeout=120) as client:
            start = time.monotonic()
            many = [asyncio.create_task(client.post("/v1/simplify", json={"text": long})) for _ in range(6)]
            await asyncio.sleep(0.1)
            await client.post("/v1/simplify", json={"text": "They purchase it."})
            short = time.monotonic() - start
            await asyncio.gather(*many)
            return short, time.monotonic() - start

    short, whole = run_async(together(server[1]))
    print(f"short {short:.2f} s, all {whole:.2f} s")
    assert short < whole / 2
