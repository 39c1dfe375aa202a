"""What travels between checks and those who ask for them: blocks of prose, findings, and the checks themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, Protocol

from plainwright.check.passage import Passage, Span

__all__ = ["TITLES", "Check", "Finding", "Prose", "Scope", "Settings"]

# What a check finds fault with: whole sentences, how they are built, or their words. Of two findings about the
# same words one is enough.
Scope = Literal["sentence", "structure", "wording"]

TITLES = frozenset(("heading", "cell", "caption"))  # kinds of blocks that are no sentences, so no grade counts them
_SHOWN = 48  # characters of what was found, in one line about it


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that makes a text harder than it need be, and where: code points of the text that was checked."""

    rule: str
    start: int
    end: int
    text: str
    message: str  # what is wrong; empty where the suggestions say it all
    suggestions: tuple[str, ...] = ()

    @property
    def advice(self) -> str:
        """What to do, in one line: the words and what to write for them, or the words and what is wrong."""
        words = " ".join(self.text.split())
        shown = f"{words[:_SHOWN].rstrip()} …" if len(words) > _SHOWN else words
        instead = f"{shown} → {' or '.join(self.suggestions)}" if self.suggestions else shown
        return f"{instead}: {self.message}" if self.message else instead

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "rule": self.rule,
            "span": [self.start, self.end],
            "text": self.text,
            "message": self.message,
            "suggestions": list(self.suggestions),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Says what checks allow."""

    sentence_words: int = 25  # GOV.UK: check any sentence with more than 25 words
    words: Sequence[Path] = ()  # lists of hard words beside our own
    keep: tuple[str, ...] = field(default=())  # words and phrases that are never found fault with


class Prose(Protocol):
    """Is a run of prose, as a block of a document is."""

    @property
    def text(self) -> str:
        """What a reader reads."""
        ...

    @property
    def kind(self) -> str:
        """What it is: "paragraph", "item", "heading", "cell" and so on."""
        ...

    @property
    def fixed(self) -> Sequence[Span]:
        """Spans of the text that are no prose: code, formulas, citations."""
        ...


class Check(Protocol):
    """Looks for one thing."""

    rule: ClassVar[str]  # its name, also on the command line
    meaning: ClassVar[str]  # what it finds, in one sentence
    source: ClassVar[str]  # whose advice it is, and whose limit
    link: ClassVar[str]  # where that can be read
    parses: ClassVar[bool]  # whether it needs sentences to be analysed
    scope: ClassVar[Scope]

    def findings(self, passage: Passage) -> Iterable[Finding]:
        """Yield what it finds, from left to right."""
        ...
