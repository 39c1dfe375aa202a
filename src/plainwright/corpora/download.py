"""Download a corpus: resumable, verified, never half a file under its final name.

Bytes arrive in `NAME.part` beside their destination. The file is renamed only when size and SHA-256 of the
published form, and of the form we read, are as the card says; whatever interrupts a download leaves a `.part`
that the next call continues. A lock per data directory keeps two downloads from writing the same `.part`.
"""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn
from urllib.parse import urlsplit

from plainwright import __version__
from plainwright.corpora.card import GITHUB, Card, FileEntry, Upstream
from plainwright.corpora.lookup import cache_directory, check, find, way_out
from plainwright.corpora.prepare import STEPS, content
from plainwright.corpora.registry import resolve
from plainwright.errors import DataError, FetchError
from plainwright.files import try_lock

__all__ = ["MIRROR_VARIABLE", "Fetched", "Progress", "fetch"]

MIRROR_VARIABLE = "PLAINWRIGHT_MIRROR"
LOCK = ".plainwright-fetch.lock"

# Called with the file under way, the bytes done and the bytes to do in the whole call.
Progress = Callable[[str, int, int], None]

_CHUNK = 1 << 16
_LOCK_WAIT = 600.0  # seconds; longer than any file of the registry takes on a slow line
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_PASSING = {408, 425, 429, 500, 502, 503, 504}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Says what became of one file in `fetch`."""

    entry: FileEntry
    path: Path
    downloaded: bool  # False: an intact copy was there already


class _PassingError(Exception):
    """A failure that may be gone at the next attempt."""


def fetch(
    corpus: str | Card,
    *,
    directory: str | Path | None = None,
    base_url: str | None = None,
    progress: Progress | None = None,
    force: bool = False,
    timeout: float = 30.0,
    attempts: int = 4,
    pause: float = 0.5,
) -> tuple[Fetched, ...]:
    """Download the files of a corpus that are not on this machine yet.

    `directory` is where they go, by default the user's cache directory; when it is given, copies elsewhere do
    not count. `base_url` stands for raw.githubusercontent.com (default: `$PLAINWRIGHT_MIRROR`). `force`
    downloads intact files too. `timeout` and `pause` are in seconds; the pause doubles after each attempt.
    """
    card = resolve(corpus)
    base = _checked_base(base_url or os.environ.get(MIRROR_VARIABLE) or GITHUB)
    home = cache_directory() if directory is None else Path(directory)
    present = {} if force else _present(card, home, anywhere=directory is None)
    wanted = [(entry, _upstream(card, entry, home)) for entry in card.files if entry.path not in present]
    transfer = _Transfer(card, home, base, progress, timeout, attempts, pause)
    transfer.total = sum(upstream.bytes for _, upstream in wanted)
    for entry, upstream in wanted:
        present[entry.path] = transfer.run(entry, upstream, force=force)
    return tuple(present[entry.path] for entry in card.files)


def _checked_base(base: str) -> str:
    try:
        parts = urlsplit(base)
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fine = False
    if not fine or any(character.isspace() for character in base):
        msg = f"mirror {base!r}: expected the start of an address such as {GITHUB}"
        raise DataError(msg)
    return base


def _present(card: Card, home: Path, *, anywhere: bool) -> dict[str, Fetched]:
    """Intact copies by path. A damaged copy is replaced at home; one that hides home must go first."""
    present = {}
    for entry in card.files:
        path = find(entry) if anywhere else home / entry.path
        if path is None or not path.is_file():
            continue
        problem = check(entry, path)
        if not problem:
            present[entry.path] = Fetched(entry=entry, path=path, downloaded=False)
        elif path != home / entry.path:
            way = way_out(card, entry, path)
            msg = f"{path}: {problem}; it would be found before a fresh copy in {home}, so {way}"
            raise FetchError(msg)
    return present


def _upstream(card: Card, entry: FileEntry, home: Path) -> Upstream:
    if entry.upstream is not None:
        return entry.upstream
    if entry.origin.endswith("(converted)"):
        why = f"it is a table converted from {entry.origin.removesuffix(' (converted)')}"
    else:
        why = f"no copy of {entry.origin} is pinned"
    msg = (
        f"{card.name}: {entry.path} cannot be downloaded, {why}; "
        f"put a copy with SHA-256 {entry.sha256} at {home / entry.path}"
    )
    raise FetchError(msg)


class _Transfer:
    """The downloads of one call."""

    def __init__(
        self,
        card: Card,
        home: Path,
        base: str,
        progress: Progress | None,
        timeout: float,
        attempts: int,
        pause: float,
    ) -> None:
        self.card = card
        self.home = home
        self.base = base
        self.progress = progress
        self.timeout = timeout
        self.attempts = attempts
        self.pause = pause
        self.total = 0
        self.finished = 0  # bytes of the files that are complete

    def run(self, entry: FileEntry, upstream: Upstream, *, force: bool) -> Fetched:
        """Download one file, unless another process did so while we waited for it."""
        target = self.home / entry.path
        with self._disk(target, upstream.bytes):
            target.parent.mkdir(parents=True, exist_ok=True)
        with self._locked():
            downloaded = force or not target.is_file() or bool(check(entry, target))
            if downloaded:
                part = target.with_name(target.name + ".part")
                data = self._download(entry, upstream, part)
                self._install(entry, upstream, target, part, data)
        self.finished += upstream.bytes
        self._report(entry, 0)
        return Fetched(entry=entry, path=target, downloaded=downloaded)

    def _report(self, entry: FileEntry, done: int) -> None:
        if self.progress is not None:
            self.progress(entry.path, self.finished + done, self.total)

    def _download(self, entry: FileEntry, upstream: Upstream, part: Path) -> bytes:
        """The published bytes. A continued `.part` that turns out wrong is dropped and fetched anew, once."""
        url = upstream.url(self.base)
        while True:
            continued = part.exists()
            self._persist(entry, upstream, url, part)
            data = part.read_bytes()
            found = hashlib.sha256(data).hexdigest()
            if found == upstream.sha256:
                return data
            part.unlink()
            if not continued:
                msg = (
                    f"{url}: expected SHA-256 {upstream.sha256}, found {found}; the download was removed, "
                    "try again or use another mirror"
                )
                raise FetchError(msg)

    def _persist(self, entry: FileEntry, upstream: Upstream, url: str, part: Path) -> None:
        for attempt in range(1, self.attempts + 1):
            try:
                self._transfer(entry, upstream, url, part)
            except _PassingError as error:
                if attempt == self.attempts:
                    kept = part.stat().st_size if part.exists() else 0
                    keeps = f", the {kept:,} bytes that arrived are kept" if kept else ""
                    tried = f"{attempt} attempts made; run the same command later{keeps}, or use --mirror"
                    msg = f"{url}: {error}, {tried}"
                    raise FetchError(msg) from error.__cause__
                time.sleep(self.pause * 2 ** (attempt - 1))
            else:
                return

    def _transfer(self, entry: FileEntry, upstream: Upstream, url: str, part: Path) -> None:
        """One request: continue the `.part` where it ends, or start it."""
        done = part.stat().st_size if part.exists() else 0
        if done > upstream.bytes:
            part.unlink()
            done = 0
        self._report(entry, done)
        if done == upstream.bytes:
            return
        with self._opened(url, part, done) as response:
            if response.status != 206:
                done = 0  # the server sends the whole file
            if (announced := response.length) is not None and done + announced != upstream.bytes:
                _wrong_size(url, upstream, f"{done + announced:,}", part)
            with self._disk(part, upstream.bytes, continues=True):
                stream = part.open("ab" if done else "wb", buffering=0)
            with stream:
                while chunk := _read(response):
                    if done + len(chunk) > upstream.bytes:
                        _wrong_size(url, upstream, "more", part)
                    with self._disk(part, upstream.bytes, continues=True):
                        _write_all(stream, chunk)
                    done += len(chunk)
                    self._report(entry, done)
        if done < upstream.bytes:
            msg = f"the connection ended after {done:,} of {upstream.bytes:,} bytes"
            raise _PassingError(msg)

    @contextmanager
    def _opened(self, url: str, part: Path, done: int) -> Iterator[http.client.HTTPResponse]:
        headers = {"User-Agent": f"plainwright/{__version__}"}
        if done:
            headers["Range"] = f"bytes={done}-"
        try:
            response = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=self.timeout)
        except urllib.error.HTTPError as error:
            error.close()
            _refused(url, error, part)
        except (OSError, http.client.HTTPException) as error:
            _unreachable(url, error)
        with response:
            begins = f"bytes {done}-"
            if response.status == 206 and not response.headers.get("Content-Range", "").startswith(begins):
                part.unlink()
                msg = "the server sent another part of the file than was asked for"
                raise _PassingError(msg)
            yield response

    def _install(self, entry: FileEntry, upstream: Upstream, target: Path, part: Path, data: bytes) -> None:
        """Give the verified file its name, after the step that turns it into the form we read."""
        if not entry.prepare:
            with self._disk(target, upstream.bytes):
                part.replace(target)
            return
        prepared = STEPS[entry.prepare](data)
        found = hashlib.sha256(content(entry.path, prepared)).hexdigest()
        if found != entry.sha256:
            part.unlink()
            msg = f"{target}: expected SHA-256 {entry.sha256} after step {entry.prepare!r}, found {found}"
            raise FetchError(msg)
        fresh = target.with_name(target.name + ".new")
        try:
            with self._disk(target, len(prepared)), fresh.open("wb", buffering=0) as stream:
                _write_all(stream, prepared)
            fresh.replace(target)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        part.unlink()

    @contextmanager
    def _disk(self, path: Path, size: int, *, continues: bool = False) -> Iterator[None]:
        """Turn what goes wrong while writing `size` bytes into a `FetchError`."""
        try:
            yield
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            if error.errno in _NO_SPACE:
                kept = path.stat().st_size if continues and path.exists() else 0
                msg = (
                    f"{path}: {reason}, {size - kept:,} more bytes are needed; make room and run "
                    "the same command again to continue, or choose another place with --directory"
                )
            else:
                msg = f"{path}: cannot be written ({reason}); choose another place with --directory"
            raise FetchError(msg) from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._disk(self.home, 0):
            stream = (self.home / LOCK).open("ab")
        with stream:
            deadline = time.monotonic() + _LOCK_WAIT
            while not try_lock(stream):
                if time.monotonic() > deadline:
                    msg = f"{self.home}: another download holds it since {_LOCK_WAIT:.0f} s; end that one"
                    raise FetchError(msg)
                time.sleep(0.05)
            yield


def _refused(url: str, error: urllib.error.HTTPError, part: Path) -> NoReturn:
    answer = f"the server answered {error.code} {error.reason}".rstrip()
    if error.code == 416:
        part.unlink(missing_ok=True)
        raise _PassingError(answer) from error
    if error.code in _PASSING:
        raise _PassingError(answer) from error
    msg = f"{url}: {answer}; the file has moved or the mirror does not have it, name another with --mirror"
    raise FetchError(msg) from error


def _wrong_size(url: str, upstream: Upstream, found: str, part: Path) -> NoReturn:
    part.unlink(missing_ok=True)
    msg = f"{url}: expected {upstream.bytes:,} bytes, found {found}; it was removed, use another mirror"
    raise FetchError(msg)


def _unreachable(url: str, error: Exception) -> NoReturn:
    reason = getattr(error, "reason", None) or error
    if isinstance(reason, ssl.SSLCertVerificationError):
        msg = f"{url}: the server's certificate is not trusted ({reason.verify_message})"
        raise FetchError(msg) from error
    raise _PassingError(_network(reason)) from error


def _read(response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read(_CHUNK)
    except http.client.IncompleteRead as error:
        return error.partial
    except (OSError, http.client.HTTPException) as error:
        raise _PassingError(_network(error)) from error


def _network(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return "the server did not answer in time"
    if isinstance(reason, OSError) and reason.strerror:
        return reason.strerror.lower()
    return f"{type(reason).__name__}: {reason}" if isinstance(reason, Exception) else str(reason)


def _write_all(stream: IO[bytes], data: bytes) -> None:
    view = memoryview(data)  # an unbuffered write may take only a part, on a full disk for one
    while view:
        view = view[stream.write(view) :]
