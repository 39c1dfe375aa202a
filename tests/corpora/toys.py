"""A real HTTP server with the misbehaviour of real ones, and cards over small files written by hand."""

import hashlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from plainwright.corpora import Card, FileEntry, Upstream

COMMIT = "0" * 40


class Server:
    """Serves `files` by path; `script` holds one behaviour for each coming request, then all goes well."""

    def __init__(self):
        self.files = {}
        self.script = []
        self.requests = []  # (path, Range header or None)
        self.ranges = True
        self.stalled = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.answer(self)

            def log_message(self, *arguments):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def close(self):
        self.stalled.set()
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()

    def answer(self, handler):
        path = unquote(handler.path)
        asked = handler.headers.get("Range")
        self.requests.append((path, asked))
        behaviour = self.script.pop(0) if self.script else "fine"
        if isinstance(behaviour, int):
            handler.send_error(behaviour)
            return
        if behaviour == "stall":
            self.stalled.wait(10)
            return
        if path not in self.files:
            handler.send_error(404)
            return
        data = self.files[path]
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.ranges else 0
        if start >= len(data):
            handler.send_error(416)
            return
        body = data[start:]
        handler.send_response(206 if asked and self.ranges else 200)
        if asked and self.ranges:
            shown = start + 1 if behaviour == "wrong range" else start
            handler.send_header("Content-Range", f"bytes {shown}-{len(data) - 1}/{len(data)}")
        if behaviour != "no length":
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[: len(body) // 2] if behaviour == "drop" else body)


def digest(data):
    return hashlib.sha256(data).hexdigest()


def make_entry(path, data, *, published=None, prepare="", upstream_path=None, pinned=True, **labels):
    """An entry for `data`, published as `published` bytes under `upstream_path`."""
    published = data if published is None else published
    upstream = Upstream(
        repository="some/one",
        commit=COMMIT,
        path=upstream_path or path,
        bytes=len(published),
        sha256=digest(published),
    )
    return FileEntry(
        path=path,
        bytes=len(data),
        sha256=digest(data),
        prepare=prepare,
        upstream=upstream if pinned else None,
        origin=f"some/one: {upstream.path}",
        **{"role": "source", **labels},
    )


def make_card(*entries, **changes):
    return Card(
        **{
            "name": "toy/test",
            "kind": "set",
            "title": "A toy",
            "segments": 2,
            "references": 1,
            "licence": "CC0-1.0",
            "citation": "@misc{toy}",
            "text": "raw",
            "files": entries,
            **changes,
        }
    )


def publish(server, card, contents):
    """Put the published bytes of each entry on the server."""
    for entry, data in zip(card.files, contents, strict=True):
        upstream = entry.upstream
        server.files[f"/{upstream.repository}/{upstream.commit}/{upstream.path}"] = data
