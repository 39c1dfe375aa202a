"""What simplifying gives: the text, its sentences, every edit and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from plainwright.rewrite.types import Edit

__all__ = ["SimplifiedSentence", "SimplifiedText"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedSentence:
    """One sentence before and after; `others` are further candidates, best first."""

    source: str
    text: str
    score: float | None  # None if it was not decoded
    edits: tuple[Edit, ...]
    others: tuple[str, ...] = ()
    note: str = ""  # why it was left alone

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "source": self.source,
            "text": self.text,
            "score": self.score,
            "others": list(self.others),
            "note": self.note,
            "edits": [edit.to_dict() for edit in self.edits],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedText:
    """A text after simplification."""

    source: str
    text: str
    sentences: tuple[SimplifiedSentence, ...]

    @classmethod
    def joined(cls, parts: Iterable[SimplifiedText]) -> SimplifiedText:
        """One text of consecutive parts."""
        sources: list[str] = []
        texts: list[str] = []
        sentences: list[SimplifiedSentence] = []
        before = after = 0
        for part in parts:
            for sentence in part.sentences:
                edits = tuple(edit.shifted(before, after) for edit in sentence.edits)
                sentences.append(replace(sentence, edits=edits))
            sources.append(part.source)
            texts.append(part.text)
            before, after = before + len(part.source), after + len(part.text)
        return cls(source="".join(sources), text="".join(texts), sentences=tuple(sentences))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, in order."""
        return tuple(edit for sentence in self.sentences for edit in sentence.edits)

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        sentences = [sentence.to_dict() for sentence in self.sentences]
        return {"source": self.source, "text": self.text, "sentences": sentences}
