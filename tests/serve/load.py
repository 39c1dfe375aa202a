"""Many clients of `plainwright serve` at once, good ones and bad ones, over loopback."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.rate.load import Browser

from plainwright.models import find
from plainwright.rewriter.finding import REWRITER_VARIABLE

DEFAULT_MODEL = find("default")

_SUBJECTS = ("The committee", "Our office", "A neighbour", "The new director", "Every applicant", "The harbour master")
_VERBS = ("will commence the work", "utilises two rooms", "has to ascertain the cost", "must submit the form", "walked")
_ENDS = (
    "prior to lunch",
    "in the event of rain",
    "with a view to saving time",
    "on Monday",
    "in close proximity to it",
)
_GIANT = 64 * 2**20  # bytes that a bad client tries to send


@dataclass(frozen=True, slots=True)
class ServeProcess:
    """A server in a process of its own."""

    pid: int
    port: int

    @property
    def megabytes(self) -> float:
        """Memory that it holds now."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found is not None
        return int(found[1]) / 1024

    @property
    def seconds(self) -> float:
        """Processor time that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(*options: object) -> Iterator[ServeProcess]:
    """`plainwright serve` on a free port, while the block runs."""
    command = [sys.executable, "-m", "plainwright", "serve", "--port", "0", *map(str, options)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", REWRITER_VARIABLE: "none"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as server:
        try:
            assert server.stdout is not None
            lines = (re.search(r"http://127\.0\.0\.1:(\d+)/", line) for line in server.stdout)
            found = next(filter(None, lines), None)
            assert found is not None, "the server ended"
            yield ServeProcess(server.pid, int(found[1]))
        finally:
            server.terminate()


def write_list_model(folder: Path) -> Path:
    """The model that comes with plainwright, without splitting: its list of words alone."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in DEFAULT_MODEL.iterdir():
        if file.name != "model.toml":
            (folder / file.name).symlink_to(file)
    settings = (DEFAULT_MODEL / "model.toml").read_text(encoding="utf-8")
    changed = settings.replace('[["syntax"], ["wordlist"], ["syntax"]]', '[["wordlist"]]')
    assert changed != settings
    (folder / "model.toml").write_text(changed, encoding="utf-8")
    return folder


@dataclass(slots=True)
class Record:
    """What all good clients together have seen."""

    times: list[float] = field(default_factory=list)  # seconds until the answer
    errors: list[str] = field(default_factory=list)


async def ask_together(port: int, record: Record, enough: asyncio.Event, *, clients: int, think: float) -> None:
    """Clients that each simplify short texts until it is enough, and think for so many seconds between two."""
    await asyncio.gather(*(_ask(port, record, enough, think, seed) for seed in range(clients)))


async def _ask(port: int, record: Record, enough: asyncio.Event, think: float, seed: int) -> None:
    chance, browser = random.Random(seed), Browser(port)
    await asyncio.sleep(chance.random() * think)  # not all at once
    while not enough.is_set():
        text = _text(chance)
        body = json.dumps({"text": text}).encode()
        start = time.monotonic()
        try:
            reply = await browser.request("POST", "/v1/simplify", body, {"Content-Type": "application/json"})
            record.times.append(time.monotonic() - start)
            if reply.status != 200 or json.loads(reply.body)["source"] != text:
                record.errors.append(f"{reply.status} {reply.text[:200]}")
        except (OSError, ValueError, KeyError) as error:
            record.errors.append(repr(error))
        if think:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(enough.wait(), chance.expovariate(1 / think))
    browser.close()


def _text(chance: random.Random) -> str:
    """A sentence that nobody has asked for yet; every other one can be split."""
    subject, verb, end = (chance.choice(part) for part in (_SUBJECTS, _VERBS, _ENDS))
    room = f"in room {chance.randrange(10**6)}"
    return chance.choice([f"{subject} {verb} {end} {room}.", f"{subject}, which met {room}, {verb} {end}."])


async def misbehave(port: int, outcomes: Counter[str], enough: asyncio.Event, *, slow: int, giant: int) -> None:
    """Clients that send a byte now and then, and clients that send far too much, again and again."""
    dripping = (_repeated(_drip, "slow", port, outcomes, enough) for _ in range(slow))
    flooding = (_repeated(own, "giant", port, outcomes, enough) for own in [_announce, _flood] * giant)
    await asyncio.gather(*dripping, *flooding)


async def _repeated(way, name: str, port: int, outcomes: Counter[str], enough: asyncio.Event) -> None:
    while not enough.is_set():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(OSError):
            await way(writer, enough)
        outcomes[f"{name}: {await _status(reader, enough)}"] += 1
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        await asyncio.sleep(0.2)


async def _status(reader: asyncio.StreamReader, enough: asyncio.Event) -> str:
    """What the server answered, if it did not just hang up."""
    try:
        line = await asyncio.wait_for(reader.readline(), 0.5 if enough.is_set() else 60)
    except asyncio.TimeoutError:  # an OSError, too, from Python 3.11 on
        return "still waiting"
    except OSError:
        return "closed"
    return line.split()[1].decode() if line else "closed"


_HEAD = "POST /v1/simplify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


async def _drip(writer: asyncio.StreamWriter, enough: asyncio.Event) -> None:
    writer.write(f"{_HEAD}Content-Length: 100000\r\n\r\n".encode())
    while not enough.is_set() and not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.5)


async def _announce(writer: asyncio.StreamWriter, enough: asyncio.Event) -> None:
    writer.write(f"{_HEAD}Content-Length: {_GIANT}\r\n\r\n".encode())
    await writer.drain()


async def _flood(writer: asyncio.StreamWriter, enough: asyncio.Event) -> None:
    """In chunks, so that nobody knows how much is still to come."""
    writer.write(f"{_HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    for _ in range(_GIANT // 0x10000):
        if writer.is_closing():
            return
        writer.write(piece)
        await writer.drain()
