"""Style sheets and scripts: read once, kept in memory, and named by their content so that browsers may keep them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

__all__ = ["Asset", "load_assets"]

_TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
_IMPORT = re.compile(rb'from "\./([a-z_]+\.js)"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """One file of the folder `static`."""

    name: str  # "rate.css"
    public: str  # "rate.0f3a91c2d4b7.css": other content, other address
    media_type: str
    body: bytes


def load_assets() -> Mapping[str, Asset]:
    """All files of the folder `static` by their plain name."""
    folder = resources.files("plainwright.rate.web").joinpath("static")
    files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.name.endswith(tuple(_TYPES))}
    assets: dict[str, Asset] = {}
    for name in sorted(files):
        _add(name, files, assets)
    return assets


def _add(name: str, files: Mapping[str, bytes], assets: dict[str, Asset]) -> Asset:
    """Add a file after those that it imports, which it must name as browsers know them."""
    if name not in assets:

        def public_name(found: re.Match[bytes]) -> bytes:
            return b'from "./%b"' % _add(found[1].decode(), files, assets).public.encode()

        assets[name] = _asset(name, _IMPORT.sub(public_name, files[name]))
    return assets[name]


def _asset(name: str, body: bytes) -> Asset:
    stem, dot, suffix = name.rpartition(".")
    digest = hashlib.sha256(body).hexdigest()[:12]
    return Asset(name=name, public=f"{stem}.{digest}.{suffix}", media_type=_TYPES[dot + suffix], body=body)
