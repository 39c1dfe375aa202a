"""What simplifying gives: the text, its sentences, every edit and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plainwright.extras import extra_for
from plainwright.rewrite.marked import marked_html
from plainwright.rewrite.types import Edit

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["SimplifiedSentence", "SimplifiedText"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedSentence:
    """Holds one sentence before and after; `others` are further candidates, best first."""

    source: str
    text: str
    score: float | None  # None if it was not decoded
    edits: tuple[Edit, ...]
    others: tuple[str, ...] = ()
    note: str = ""  # why it was left alone

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
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
    """Holds a text after simplification."""

    source: str
    text: str
    sentences: tuple[SimplifiedSentence, ...]

    @classmethod
    def joined(cls, parts: Iterable[SimplifiedText]) -> SimplifiedText:
        """Join consecutive parts to one text."""
        sources: list[str] = []
        texts: list[str] = []
        sentences: list[SimplifiedSentence] = []
        before = after = groups = 0
        for part in parts:
            for sentence in part.sentences:
                edits = tuple(edit.shifted(before, after, groups) for edit in sentence.edits)
                sentences.append(replace(sentence, edits=edits))
            sources.append(part.source)
            texts.append(part.text)
            before, after = before + len(part.source), after + len(part.text)
            groups += 1 + max((edit.group for edit in part.edits), default=-1)
        return cls(source="".join(sources), text="".join(texts), sentences=tuple(sentences))

    @property
    def edits(self) -> tuple[Edit, ...]:
        """All edits, in order."""
        return tuple(edit for sentence in self.sentences for edit in sentence.edits)

    def __repr__(self) -> str:
        return f"SimplifiedText({self.text!r:.60}, {len(self.edits)} edits)"

    def _repr_html_(self) -> str:
        """The text with its edits marked, for notebooks; what stood there before shows on hover."""
        return marked_html(self.source, self.edits)

    def to_pandas(self) -> DataFrame:
        """Return a table of the edits, one row each."""
        with extra_for("a table of edits", "pandas"):
            import pandas
        columns = ("kind", "source_text", "target_text", "source_span", "target_span", "origin")
        rows = [{name: getattr(edit, name) for name in columns} for edit in self.edits]
        reasons = [" · ".join(map(str, edit.evidence)) for edit in self.edits]
        return pandas.DataFrame(rows, columns=list(columns)).assign(why=reasons)

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        sentences = [sentence.to_dict() for sentence in self.sentences]
        return {"source": self.source, "text": self.text, "sentences": sentences}
