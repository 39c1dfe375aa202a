"""What simplifying gives: the text, its sentences, every edit, and the rules behind it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from plainwright.rewrite.surface import ChangeKind

__all__ = ["AppliedRule", "Edit", "RuleCandidate", "SimplifiedSentence", "SimplifiedText"]


@dataclass(frozen=True, slots=True)
class RuleCandidate:
    """What a rule's source may become, with the score that the weights give to the rule alone."""

    label: str
    target: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedRule:
    """A rule that was used; `candidates` are all rules of its source, best first, itself among them."""

    label: str
    source: str
    target: str
    score: float
    candidates: tuple[RuleCandidate, ...]

    def __str__(self) -> str:
        return f"[{self.label}] {self.source} → {self.target or '(nothing)'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One change, in characters of the whole text before and after."""

    kind: ChangeKind
    source_span: tuple[int, int]
    target_span: tuple[int, int]
    source_text: str
    target_text: str
    rules: tuple[AppliedRule, ...]  # innermost first; none if only an article followed its word

    def shifted(self, source: int, target: int) -> Edit:
        """The same edit in a longer text."""
        return replace(
            self,
            source_span=(self.source_span[0] + source, self.source_span[1] + source),
            target_span=(self.target_span[0] + target, self.target_span[1] + target),
        )

    def to_dict(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "kind": self.kind,
            "source_span": list(self.source_span),
            "target_span": list(self.target_span),
            "source": self.source_text,
            "target": self.target_text,
            "rules": [asdict(rule) for rule in self.rules],
        }


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
