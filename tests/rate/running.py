"""A study made by `rate init` and served by `rate serve`, in a process of its own that can be killed; what it kept."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from tests.rate.load import Record
from tests.rate.studies import small_study

from plainwright.rate.material import Item
from plainwright.rate.store import log, people, schema
from plainwright.rate.store.database import Database

_PLAINWRIGHT = (sys.executable, "-m", "plainwright")
_READY = 30.0  # seconds


def make_study(folder: Path, *, items: int, outputs: int, raters_per_item: int, database: str | None = None) -> None:
    """`rate init` in `folder`, on files written there; `database` in place of SQLite beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    _, made = small_study(items=items, outputs=outputs)
    (folder / "source.txt").write_text("".join(f"{item.source}\n" for item in made), encoding="utf-8")
    given = []
    for system in map(_system, range(outputs)):
        lines = (f"{_text(item, system)}\n" for item in made)
        (folder / f"{system}.txt").write_text("".join(lines), encoding="utf-8")
        given.append(f"{system}={system}.txt")
    command = [*_PLAINWRIGHT, "rate", "init", "study.toml", "--source", "source.txt", "--outputs", *given]
    stored = [] if database is None else ["--database", database]
    subprocess.run(
        [*command, "--raters", str(raters_per_item), *stored],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
        timeout=300,
    )


def invite(database_url: str, raters: int) -> list[str]:
    """The paths of as many personal links."""
    database = Database.open(database_url)
    now = time.time()
    with database.writing() as connection:
        added = [people.add_rater(connection, f"rater {number}", now) for number in range(1, raters + 1)]
        tokens = [people.invite(connection, rater_id=new.id, uses=1, expires=now + 86400, now=now) for new in added]
    database.close()
    return [f"/join/{token}" for token in tokens]


class Server:
    """The server of a study; the port stays the same however often it is started."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()

    def start(self) -> None:
        """Until it answers."""
        command = [*_PLAINWRIGHT, "rate", "serve", "study.toml", "--port", str(self.port)]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=self._folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        deadline = time.monotonic() + _READY
        while not self._answers():
            ended = self._process.poll()
            assert ended is None, f"the server ended with {ended}: {self.log}"
            assert time.monotonic() < deadline, f"the server does not answer: {self.log}"
            time.sleep(0.05)

    def kill(self) -> None:
        """At once, as the machine's power would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Politely."""
        self._end(signal.SIGTERM)

    @property
    def log(self) -> str:
        return (self._folder / "server.log").read_text(encoding="utf-8", errors="replace")

    @property
    def seconds(self) -> float:
        """Of the processor, used so far."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _end(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(_READY)
            self._process = None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """The server of the study in `folder`, stopped at the end."""
    server = Server(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


async def kill_repeatedly(server: Server, record: Record, times: int, *, events: int) -> None:
    """Kill it and start it again, at moments that nobody can foresee, about so many events from one to the next."""
    for _ in range(times):
        await _more(record, random.randint(1, 2 * events))
        server.kill()
        await asyncio.to_thread(server.start)
    await _more(record, events)


async def _more(record: Record, events: int) -> None:
    """Until so many more were acknowledged."""
    wanted = len(record.acknowledged) + events
    while len(record.acknowledged) < wanted:
        await asyncio.sleep(random.uniform(0.001, 0.05))


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """What the log has of what raters were told it has."""

    kept: int
    lost: int  # acknowledged, and not there
    doubled: int
    foreign: int  # there, and never sent
    problems: tuple[str, ...]  # of the audit

    @property
    def sound(self) -> bool:
        return not (self.lost or self.doubled or self.foreign or self.problems)


def counted(database_url: str, record: Record) -> Count:
    """The log compared with what raters remember."""
    database = Database.open(database_url)
    with database.reading() as connection:
        kept = Counter(connection.execute(select(schema.events.c.key)).scalars())
        problems = log.audit(connection)
    database.close()
    acknowledged = {key for _, key in record.acknowledged}
    return Count(
        kept=kept.total(),
        lost=len(acknowledged - set(kept)),
        doubled=sum(count > 1 for count in kept.values()),
        foreign=len(set(kept) - acknowledged - record.unsure),
        problems=tuple(problems),
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _system(number: int) -> str:
    return chr(ord("a") + number)


def _text(item: Item, system: str) -> str:
    return next(card.text for card in item.cards if any(made.system == system for made in card.candidates))
