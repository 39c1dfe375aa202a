"""Many raters at once, as far as a server can tell: each opens pages, thinks, moves, scores, finishes, goes on.

They speak HTTP over loopback only, with a client small enough to leave the processor to the server. Like the script
of the page, a rater who gets no answer sends the same events again, with the same keys, until the server is back.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import secrets
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

_CSRF = re.compile(r'<meta name="csrf-token" content="([^"]+)"')
_DATA = re.compile(r'<script type="application/json" id="task-data">(.*?)</script>', re.DOTALL)
_TASK = re.compile(r"/task/([A-Za-z0-9_-]+)$")
_PATIENCE = 120.0  # seconds; a server that is silent for so long has failed


class ServerSilentError(Exception):
    """The server did not come back."""


@dataclass(slots=True)
class Record:
    """What all raters together have seen."""

    acknowledged: list[tuple[str, str]] = field(default_factory=list)  # assignment and key of events
    unsure: set[str] = field(default_factory=set)  # keys that were sent, with no answer or none that tells
    events: list[float] = field(default_factory=list)  # seconds until the answer
    pages: list[float] = field(default_factory=list)
    finished: int = 0
    retries: int = 0
    refusals: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class Browser:
    """One connection that is kept, and cookies."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._cookies: dict[str, str] = {}

    async def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> Reply:
        """One exchange; a broken connection is an OSError."""
        if self._streams is not None and self._streams[0].at_eof():
            self.close()  # the server let it go while nobody spoke
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", f"Content-Length: {len(body)}"]
        if self._cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()))
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode() + body)
            return await asyncio.wait_for(self._reply(reader), _PATIENCE)
        except (OSError, EOFError, TimeoutError, asyncio.TimeoutError) as error:
            self.close()
            raise ConnectionError(str(error)) from error

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _reply(self, reader: asyncio.StreamReader) -> Reply:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        for line in head[1:-2]:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                cookie, _, content = value.strip().partition(";")[0].partition("=")
                self._cookies[cookie] = content
            headers[name.lower()] = value.strip()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection") == "close":
            self.close()
        return Reply(int(head[0].split()[1]), headers, body)


class Rater:
    """One of many: joins by a link, then rates."""

    def __init__(self, port: int, link: str, record: Record, *, think: float, seed: int) -> None:
        self._browser = Browser(port)
        self._link = urlsplit(link).path
        self._record = record
        self._think = think
        self._random = random.Random(seed)
        self._csrf = ""
        self._keys = (f"{secrets.token_urlsafe(9)}-{number:06d}" for number in itertools.count())

    async def work(self, enough: asyncio.Event) -> None:
        """Rate until it is enough, or nothing is left."""
        try:
            await self._join()
            while not enough.is_set():
                path, page = await self._open("/work")
                task = _TASK.search(path)
                if task is None:
                    if "/feedback" in path:
                        continue
                    return
                await self._rate(task[1], page, enough)
        finally:
            self._browser.close()

    async def _join(self) -> None:
        """Through the link and whatever pages a study puts before the first task: each has one form to send."""
        path, page = await self._open(self._link)
        for _ in range(5):
            if _TASK.search(path) or path.endswith("/done"):
                return
            form = urlencode({"csrf": self._csrf, "agree": "yes"}).encode()
            reply = await self._send("POST", path, form, "application/x-www-form-urlencoded")
            path, page = await self._follow(path, reply)
        msg = f"no task after the link, but {path}: {page[:200]}"
        raise AssertionError(msg)

    async def _rate(self, task: str, page: str, enough: asyncio.Event) -> None:
        found = _DATA.search(page)
        assert found, f"no data on the page of a task: {page[:300]}"
        data = json.loads(found[1])
        cards, version = [card["id"] for card in data["cards"]], data["work"]["version"]
        todo: deque[dict[str, Any]] = deque(self._deeds(cards))
        while todo and not enough.is_set():
            await asyncio.sleep(self._random.expovariate(1 / self._think) if self._think else 0)
            version, finished = await self._post(task, version, todo.popleft())
            self._record.finished += finished

    def _deeds(self, cards: list[str]) -> list[dict[str, Any]]:
        """What a rater does on a page of Rank & Rate: look, score each card, move some, sort, finish."""
        deeds: list[dict[str, Any]] = [{"kind": "show"}]
        for card in self._random.sample(cards, len(cards)):
            deeds.append({"kind": "score", "card": card, "aspect": "overall", "value": self._random.randrange(101)})
            if self._random.random() < 0.3:
                group = self._random.choice(["split", "deletion", "paraphrase"])
                deeds.append({"kind": "move", "card": card, "group": group, "place": 0})
        deeds += [{"kind": "sort", "group": group} for group in ("split", "deletion", "paraphrase")]
        return [*deeds, {"kind": "finish", "confirmed": True}]

    async def _post(self, task: str, version: int, event: dict[str, Any]) -> tuple[int, bool]:
        key = next(self._keys)
        sent = {"key": key, "at": int(time.time() * 1000), "event": event}
        body = json.dumps({"base": version, "events": [sent]}).encode()
        self._record.unsure.add(key)
        reply = await self._send("POST", f"/task/{task}/events", body, "application/json")
        if reply.status != 503:  # which says that it may not have been kept
            self._record.unsure.discard(key)
        if reply.status != 200:
            self._record.refusals.append(f"{event['kind']}: {reply.status} {reply.text[:200]}")
            return version, False
        self._record.acknowledged.append((task, key))
        work = json.loads(reply.body)["work"]
        return work["version"], work["finished"]

    async def _open(self, path: str) -> tuple[str, str]:
        return await self._follow(path, await self._send("GET", path))

    async def _follow(self, path: str, reply: Reply) -> tuple[str, str]:
        for _ in range(6):
            if reply.status not in (302, 303, 307):
                break
            path = urlsplit(reply.headers["location"]).path
            reply = await self._send("GET", path)
        assert reply.status == 200, f"{path}: {reply.status} {reply.text[:200]}"
        if token := _CSRF.search(reply.text):
            self._csrf = token[1]
        return path, reply.text

    async def _send(self, method: str, path: str, body: bytes = b"", kind: str = "") -> Reply:
        """Until there is an answer; the time of the try that got it is recorded."""
        headers = {"Content-Type": kind, "X-CSRF-Token": self._csrf} if kind else {}
        given_up = time.monotonic() + _PATIENCE
        while True:
            start = time.perf_counter()
            try:
                reply = await self._browser.request(method, path, body, headers)
            except OSError as error:
                if time.monotonic() > given_up:
                    raise ServerSilentError(path) from error
                self._record.retries += 1
                await asyncio.sleep(0.2)
                continue
            taken = time.perf_counter() - start
            (self._record.events if path.endswith("/events") else self._record.pages).append(taken)
            return reply


async def rate_together(
    port: int, links: list[str], record: Record, enough: asyncio.Event, *, think: float, arriving: float, seed: int = 1
) -> None:
    """All raters come within `arriving` seconds and rate until it is enough."""

    async def come(number: int, link: str) -> None:
        await asyncio.sleep(arriving * number / max(1, len(links)))
        await Rater(port, link, record, think=think, seed=seed + number).work(enough)

    await asyncio.gather(*(come(number, link) for number, link in enumerate(links)))


def percentile(values: list[float], share: float) -> float:
    """The nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
