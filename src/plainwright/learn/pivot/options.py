"""What can be set about pivoting, and what a run reports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from plainwright.errors import DataError

__all__ = ["MAX_LANGUAGES", "PhraseTable", "PivotOptions", "PivotReport"]

MAX_LANGUAGES = 60  # the languages behind a pair travel as bits of one 64-bit number

_FROM_ONE = (
    "min_evidence",
    "min_languages",
    "most",
    "max_translations",
    "max_phrases",
    "max_words",
    "min_seen",
    "threads",
)
_MEMORY = re.compile(r"[1-9][0-9]*(?:\.[0-9]+)?\s?(?:MB|GB|TB|MiB|GiB|TiB)")


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """Names a phrase table from English, and the language of its other side."""

    path: Path
    language: str

    @classmethod
    def parse(cls, text: str) -> PhraseTable:
        """Read `LANGUAGE=FILE`, or a file, whose name up to the first full stop is then the language."""
        name, equals, path = text.partition("=")
        if equals and not Path(text).exists():
            return cls(Path(path), name)
        return cls(Path(text), Path(text).name.partition(".")[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotOptions:
    """Says where to cut, and what to compute with; the results depend on the former only."""

    min_probability: float = 0.001  # of a rule
    min_evidence: int = 2  # occurrences of the translations that a pair shares
    min_languages: int = 1  # in which a pair shares a translation
    most: int = 20  # rules of one source
    min_link: float = 0.0001  # probability, either way, of a phrase and its translation
    max_translations: int = 50  # of one English phrase in one table
    max_phrases: int = 50  # English phrases of one translation
    max_words: int = 5
    length_ratio: float = 2.0
    identity: bool = False
    min_seen: int = 5  # occurrences in the monolingual text that make a context vector

    engine: str = "duckdb"
    master: str | None = None
    memory: str = "2GB"
    threads: int = 1
    temporary: Path | None = None
    settings: tuple[tuple[str, str], ...] = ()  # of Spark

    def check(self) -> None:
        """A `DataError` says which option is out of its range."""
        for name in ("min_probability", "min_link"):
            if not 0 < (value := getattr(self, name)) <= 1:
                _fail(name, "a probability above 0", value)
        for name in _FROM_ONE:
            if (value := getattr(self, name)) < 1:
                _fail(name, "a number from 1", value)
        if not self.length_ratio >= 1:
            _fail("length_ratio", "a number from 1", self.length_ratio)
        if not _MEMORY.fullmatch(self.memory):
            _fail("memory", "a size such as 2GB or 500MB", self.memory)
        if self.engine not in ("duckdb", "spark"):
            _fail("engine", "duckdb or spark", self.engine)
        if self.engine != "spark" and (self.master is not None or self.settings):
            _fail("master" if self.master is not None else "settings", "engine spark with it", self.engine)


@dataclass(frozen=True, slots=True, kw_only=True)
class PivotReport:
    """Counts how many there were of everything."""

    languages: tuple[str, ...]
    entries: int  # lines of the phrase tables
    links: int  # of these, what was joined
    joined: int  # rows of the join: pairs of phrases, once for each translation they share
    pairs: int  # unordered pairs of English phrases that were worth a rule in one direction at least
    rules: int
    with_similarity: int  # rules that have AGigaSim
    seconds: tuple[tuple[str, float], ...]  # by stage


def _fail(name: str, expected: str, found: object) -> None:
    msg = f"--{name.replace('_', '-')}: expected {expected}, found {found}"
    raise DataError(msg)
