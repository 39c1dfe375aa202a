"""Keys for a server that not everybody may use.

A file holds a name and the SHA-256 digest of a key on each line; the key itself is shown once, when it is made. Keys
are random and long, so a plain digest is enough: there is nothing to guess.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from plainwright.errors import DataError
from plainwright.files import read_lines
from plainwright.web.replies import Refusal, Refuse

__all__ = ["KeyMiddleware", "KeyRing", "add_key"]

_NAME = re.compile(r"[\w.@-]{1,64}")
_LINE = re.compile(rf"({_NAME.pattern})\s+sha256:([0-9a-f]{{64}})")
_OPEN = ("/", "/health", "/v2/languages", "/v2/info", "/v2/maxtextlength", "/v2/healthcheck")  # no text goes there


class KeyRing:
    """The keys of a file; without a file, everybody may come in."""

    def __init__(self, digests: Mapping[str, str] | None = None) -> None:
        self._digests = None if digests is None else {name: bytes.fromhex(own) for name, own in digests.items()}

    @classmethod
    def read(cls, path: Path | None) -> KeyRing:
        """Read a file of keys."""
        if path is None:
            return cls()
        digests = {}
        for number, line in enumerate(read_lines(path), 1):
            if not line.strip() or line.startswith("#"):
                continue
            found = _LINE.fullmatch(line.strip())
            if found is None:
                msg = f"{path}:{number}: expected a name and sha256: with 64 digits; make keys with --new-key NAME"
                raise DataError(msg)
            digests[found[1]] = found[2]
        return cls(digests)

    def admits(self, key: str) -> bool:
        """Return whether a key is one of them."""
        if self._digests is None:
            return True
        digest = hashlib.sha256(key.encode("utf-8", "replace")).digest()
        return any(hmac.compare_digest(digest, own) for own in self._digests.values())


def add_key(path: Path, name: str) -> str:
    """Make a key, add its digest to a file, and return it."""
    if not _NAME.fullmatch(name):
        msg = f"--new-key: expected a name of letters, digits and . _ @ -, found {name!r:.80}"
        raise DataError(msg)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    KeyRing.read(path if path.exists() else None)
    if any(line.split()[:1] == [name] for line in before.splitlines()):
        msg = f"{path}: {name!r} has a key already; remove its line to make another"
        raise DataError(msg)
    key = secrets.token_urlsafe(24)
    digest = hashlib.sha256(key.encode()).hexdigest()
    gap = "" if not before or before.endswith("\n") else "\n"
    path.touch(mode=0o600)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{gap}{name} sha256:{digest}\n")
    return key


class KeyMiddleware:
    """Refuses requests without a key before their bodies are read; `/v2/check` looks for it in the body, too."""

    def __init__(self, app: ASGIApp, *, keys: KeyRing, refuse: Refuse) -> None:
        self._app = app
        self._keys = keys
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"] not in _OPEN and scope["method"] != "OPTIONS":
            scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
            admitted = self._keys.admits(given.strip() if scheme.lower() == "bearer" else "")
            scope.setdefault("state", {})["admitted"] = admitted
            if not admitted and scope["path"] != "/v2/check":
                headers = {"www-authenticate": "Bearer"}
                refusal = Refusal(401, "key", "this server needs a key: Authorization: Bearer KEY", headers=headers)
                await self._refuse(Request(scope), refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)
