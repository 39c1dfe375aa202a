"""Corpora by name: cards, look-up, loading, checking, downloading.

`load("turkcorpus/test")` gives sources and references, `load_outputs("xu2016/outputs")` what systems made
of them. Only `fetch` ever touches the network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plainwright.corpora.card import Card, Corpus, FileEntry, Upstream
from plainwright.corpora.lookup import FileStatus, cache_directory, directories, find, locate, verify
from plainwright.corpora.reading import load, load_outputs, load_words
from plainwright.corpora.registry import cards, get, names

if TYPE_CHECKING:
    from plainwright.corpora.download import Fetched, fetch

__all__ = [
    "Card",
    "Corpus",
    "Fetched",
    "FileEntry",
    "FileStatus",
    "Upstream",
    "cache_directory",
    "cards",
    "directories",
    "fetch",
    "find",
    "get",
    "load",
    "load_outputs",
    "load_words",
    "locate",
    "names",
    "verify",
]


def __getattr__(name: str) -> Any:
    # Downloading needs urllib and ssl, which would triple the time that importing this package takes.
    if name in ("Fetched", "fetch"):
        from plainwright.corpora import download

        return getattr(download, name)
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)
