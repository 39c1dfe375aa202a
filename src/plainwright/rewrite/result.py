"""What simplifying gives: the text, its sentences, every edit and the reasons for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from plainwright.extras import extra_for
from plainwright.rewrite.marked import marked_html
from plainwright.rewrite.types import Edit, Span
from plainwright.text.edits import apply_edits, undo_edits

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

    def without(self, groups: Set[int]) -> SimplifiedText:
        """Return the same with some groups of edits undone; the rest still reads."""
        undone = {number for number, edit in enumerate(self.edits) if edit.group in groups}
        if not undone:
            return self
        left = undo_edits(self.edits, undone)
        sentences = []
        at = taken = 0
        for sentence in self.sentences:
            start = self.source.index(sentence.source, at)
            at = start + len(sentence.source)
            kept = sum(edit.group not in groups for edit in sentence.edits)
            own = left[taken : taken + kept]
            taken += kept
            text = _in_sentence(self.source, (start, at), own) if kept < len(sentence.edits) else sentence.text
            sentences.append(replace(sentence, text=text, edits=own))
        return SimplifiedText(source=self.source, text=apply_edits(self.source, left), sentences=tuple(sentences))

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


def _in_sentence(text: str, span: Span, edits: Sequence[Edit]) -> str:
    """One sentence of a text with its edits, the last of which may take the space after it along."""
    start, end = span
    reach = max([end, *(edit.source_span[1] for edit in edits)])
    return apply_edits(text[start:reach], [edit.shifted(-start, 0) for edit in edits])
