"""Corpora by name: cards, look-up, loading, checking, downloading.

`load("turkcorpus/test")` gives sources and references, `load_outputs("xu2016/outputs")` what systems made
of them. Only `fetch` ever touches the network.
"""

from __future__ import annotations

from plainwright.corpora.card import Card, Corpus, FileEntry, Upstream
from plainwright.corpora.lookup import FileStatus, cache_directory, directories, find, locate, verify
from plainwright.corpora.reading import load, load_outputs
from plainwright.corpora.registry import cards, get, names

__all__ = [
    "Card",
    "Corpus",
    "FileEntry",
    "FileStatus",
    "Upstream",
    "cache_directory",
    "cards",
    "directories",
    "find",
    "get",
    "load",
    "load_outputs",
    "locate",
    "names",
    "verify",
]
