"""Look a card up by name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from plainwright.arguments import check_instance, check_text
from plainwright.corpora.card import Card, FileEntry, Kind, Upstream
from plainwright.corpora.table import read_cards
from plainwright.errors import UnknownNameError

__all__ = ["cards", "get", "names", "resolve"]

FACTS = Path(__file__).with_name("files.tsv")
COLUMNS = (
    "path",
    "bytes",
    "lines",
    "sha256",
    "prepare",
    "repository",
    "commit",
    "upstream_path",
    "upstream_bytes",
    "upstream_sha256",
)


def cards(*, kind: Kind | None = None) -> tuple[Card, ...]:
    """Return all cards, or those of one kind."""
    return tuple(card for card in _cards() if kind is None or card.kind == kind)


def names(*, kind: Kind | None = None) -> tuple[str, ...]:
    """Return all registered names, without aliases."""
    return tuple(card.name for card in cards(kind=kind))


def get(name: str) -> Card:
    """The card called `name`; aliases work too."""
    check_text(name, "corpora.get", "name")
    known = _by_name()
    try:
        return known[name]
    except KeyError:
        listing = "run `plainwright corpora list` to see all"
        raise UnknownNameError.suggest(kind="corpus", name=name, known=known, listing=listing) from None


def resolve(corpus: str | Card) -> Card:
    """Return a card, given as itself or by name."""
    check_instance(corpus, (Card, str), "corpora", "a corpus", "its name or its Card")
    return corpus if isinstance(corpus, Card) else get(corpus)


@cache
def _by_name() -> dict[str, Card]:
    return {name: card for card in _cards() for name in (card.name, *card.aliases)}


@cache
def _cards() -> tuple[Card, ...]:
    facts = _facts()

    def entry(path: str, **labels: Any) -> FileEntry:
        return FileEntry(path=path, **facts[path], **labels)

    return tuple(read_cards(entry))


def _facts() -> dict[str, dict[str, Any]]:
    header, *rows = FACTS.read_text(encoding="utf-8").splitlines()
    assert tuple(header.split("\t")) == COLUMNS
    facts = {}
    for row in rows:
        (
            path,
            size,
            lines,
            sha256,
            prepare,
            repository,
            commit,
            upstream_path,
            upstream_size,
            upstream_sha256,
        ) = row.split("\t")
        upstream = None
        if commit:
            upstream = Upstream(
                repository=repository,
                commit=commit,
                path=upstream_path,
                bytes=int(upstream_size),
                sha256=upstream_sha256,
            )
        facts[path] = {
            "bytes": int(size),
            "lines": int(lines) if lines else None,
            "sha256": sha256,
            "prepare": prepare,
            "upstream": upstream,
            "origin": f"{repository}: {upstream_path}",
        }
    return facts
