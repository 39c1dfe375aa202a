"""What a corpus is: its card, its files and the loaded text.

A card says everything that is known of a corpus without its text: counts, licence, citation, and for each
file the size and SHA-256 of the form that we read (`FileEntry`) and of the published one (`Upstream`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import quote

__all__ = ["GITHUB", "Card", "Corpus", "FileEntry", "Kind", "Role", "Text", "Upstream"]

Kind = Literal["set", "outputs", "ratings", "words"]
Role = Literal["source", "reference", "output", "table", "ratings", "words"]
Text = Literal["raw", "tokenised-lower", "tokenised-cased"]

GITHUB = "https://raw.githubusercontent.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """Names one published file, pinned to a commit."""

    repository: str  # "owner/name"
    commit: str
    path: str
    bytes: int
    sha256: str

    def url(self, base: str = GITHUB) -> str:
        """Return where to download it; a mirror keeps the layout owner/name/commit/path below its own base."""
        return f"{base.rstrip('/')}/{self.repository}/{self.commit}/{quote(self.path)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """Describes one file of a corpus, as it lies in a data directory."""

    path: str  # relative to the data directory, with "/"
    role: Role
    bytes: int  # of the text: for names ending in .gz, after decompression
    sha256: str  # likewise
    lines: int | None = None  # None where it was never counted
    system: str | None = None  # for role "output"
    reference: int | None = None  # for role "reference": 0, 1, …
    upstream: Upstream | None = None  # None: nobody publishes this form at a pinned place
    prepare: str = ""  # what turns the published bytes into ours, see `plainwright.corpora.prepare`
    origin: str = ""  # "owner/name: path" of what it was made from


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Describes a corpus without its text."""

    name: str
    kind: Kind
    title: str
    segments: int | None  # None where it was never counted; for ratings: sentences rated
    references: int
    licence: str  # SPDX identifier or a plain statement
    citation: str  # BibTeX
    text: Text | None  # None for ratings without text, and for lists of words
    files: tuple[FileEntry, ...]
    of: str | None = None  # the set that outputs or ratings belong to
    also_of: tuple[str, ...] = ()  # other sets with the same segments, which outputs may be scored on
    aliases: tuple[str, ...] = ()
    note: str = ""
    columns: tuple[str, ...] = ()  # of a "table" file: "id", "source" and one "reference" per reference
    split_mark: str = ""  # in references and outputs, between sentences; loading turns it into a space
    lower: bool = False  # lower-cased on loading, because its files disagree about case
    head: bool = False  # only the first `segments` lines of its files

    @property
    def non_commercial(self) -> bool:
        """Whether the licence forbids commercial use."""
        return "-NC" in self.licence

    @property
    def fetchable(self) -> bool:
        """Whether `fetch` can get every file."""
        return all(entry.upstream is not None for entry in self.files)

    @property
    def bytes(self) -> int:
        """Size of all files as text."""
        return sum(entry.bytes for entry in self.files)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "aliases": list(self.aliases),
            "kind": self.kind,
            "title": self.title,
            "of": self.of,
            "also_of": list(self.also_of),
            "segments": self.segments,
            "references": self.references,
            "text": self.text,
            "licence": self.licence,
            "non_commercial": self.non_commercial,
            "fetchable": self.fetchable,
            "note": self.note,
            "citation": self.citation,
            "files": [_entry_dict(entry) for entry in self.files],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Holds a loaded set, with one entry per segment everywhere."""

    name: str
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]  # references[i] belongs to segment i
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # outputs that come with this set
    text: Text

    def __len__(self) -> int:
        return len(self.sources)


def _entry_dict(entry: FileEntry) -> dict[str, Any]:
    upstream = entry.upstream
    return {
        "path": entry.path,
        "role": entry.role,
        "system": entry.system,
        "reference": entry.reference,
        "lines": entry.lines,
        "bytes": entry.bytes,
        "sha256": entry.sha256,
        "origin": entry.origin,
        "prepare": entry.prepare,
        "upstream": None
        if upstream is None
        else {"url": upstream.url(), "bytes": upstream.bytes, "sha256": upstream.sha256},
    }
