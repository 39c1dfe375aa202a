"""What travels through the pipeline: sentences, edits, proposals, verdicts; and who handles them.

Edits are the one currency. Whatever a proposer is inside, the difference between its proposal and the source is a list
of edits; judges price them, and any of them can be undone. Edits that only make sense together share a group, and
groups are what judges price.
"""

from __future__ import annotations

import bisect
import operator
import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, overload, runtime_checkable

from plainwright.rewrite.protect import Protection
from plainwright.text import Token, ptb_tokenize
from plainwright.text.edits import TextEdit, apply_edits, edits_between, undo_edits

__all__ = [
    "Chooser",
    "Edit",
    "Evidence",
    "HasAlternatives",
    "Judge",
    "Proposal",
    "Proposals",
    "Proposer",
    "Sentence",
    "Shortlist",
    "Span",
    "Verdict",
    "tokenised",
    "without_surrogates",
]

Span = tuple[int, int]
_SURROGATE = re.compile("[\ud800-\udfff]")
_DEFAULT_PROTECTION = Protection()


def without_surrogates(text: str) -> str:
    """The text with a mark for each lone surrogate, which is no character; places stay the same."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def tokenised(text: str) -> str:
    """Return the words of a text in lower case, separated by spaces: what token-based metrics read."""
    return " ".join(token.text.lower() for token in ptb_tokenize(without_surrogates(text)))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it stands: where it starts in its text, which of its tokens must survive, what it may risk."""

    text: str
    start: int
    tokens: Sequence[Token]
    fixed: frozenset[int] = frozenset()  # numbers of the protected tokens
    tags: Sequence[str] = ()  # parts of speech, if the pipeline has a tagger
    memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)  # what judges worked out already
    protection: Protection = field(default=_DEFAULT_PROTECTION, repr=False)  # by which `fixed` was found
    spent: float = 0.0  # of its risk budget, by earlier passes
    alone: tuple[Span, ...] = ()  # where in its text nobody may change anything, such as quotations

    def protecting(self, tokens: Set[int]) -> Sentence:
        """Return the same sentence with more tokens protected."""
        return replace(self, fixed=self.fixed | tokens)

    @property
    def tokens_alone(self) -> frozenset[int]:
        """The numbers of the tokens that stand where nobody may change anything."""
        starts, ends = [token.start for token in self.tokens], [token.end for token in self.tokens]
        return frozenset(
            number
            for start, end in self.alone
            for number in range(bisect.bisect_right(ends, start), bisect.bisect_left(starts, end))
        )

    @property
    def words(self) -> list[str]:
        """The tokens in lower case."""
        return [token.text.lower() for token in self.tokens]


class Evidence(Protocol):
    """Says why an edit was made: a rule, the reason for a split, a model's score."""

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form; the key `kind` says what it is."""
        ...


@runtime_checkable
class HasAlternatives(Protocol):
    """Is evidence that can list what else could have been written."""

    def with_alternatives(self, number: int) -> Evidence:
        """Return the evidence with at most so many alternatives."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit(TextEdit):
    """Records one change of a text, in characters before and after, with who made it and why."""

    origin: str = ""  # the name of the proposer
    evidence: tuple[Evidence, ...] = ()
    final: bool = False  # whether later passes leave alone what it wrote

    def with_alternatives(self, number: int) -> Edit:
        """Return the same edit with at most so many alternatives, where its evidence knows any."""
        evidence = (e.with_alternatives(number) if isinstance(e, HasAlternatives) else e for e in self.evidence)
        return replace(self, evidence=tuple(evidence)) if self.evidence else self

    def shifted(self, source: int, target: int, groups: int = 0) -> Edit:
        """Return the same edit in a longer text, in which so many groups stand before its own."""
        return replace(
            self,
            source_span=(self.source_span[0] + source, self.source_span[1] + source),
            target_span=(self.target_span[0] + target, self.target_span[1] + target),
            group=self.group + groups,
        )

    def followed_by(self, gap: str, left: str) -> Edit:
        """Return the edit with the white space after it, of which `left` remains."""
        return replace(
            self,
            source_span=(self.source_span[0], self.source_span[1] + len(gap)),
            target_span=(self.target_span[0], self.target_span[1] + len(left)),
            source_text=self.source_text + gap,
            target_text=self.target_text + left,
        )

    def to_dict(self) -> dict[str, object]:
        """Return the JSON form."""
        return {
            "kind": self.kind,
            "source_span": list(self.source_span),
            "target_span": list(self.target_span),
            "source": self.source_text,
            "target": self.target_text,
            "group": self.group,
            "origin": self.origin,
            "evidence": [evidence.to_dict() for evidence in self.evidence],
        }


class Proposal:
    """One way to put a sentence; its edits are worked out when they are first asked for."""

    def __init__(
        self,
        sentence: Sentence,
        text: str,
        *,
        score: float = 0.0,
        origin: str = "",
        edits: Sequence[Edit] | None = None,
        curated: bool = False,
    ) -> None:
        self.sentence = sentence
        self.curated = curated  # of entries that people wrote and checked, so nobody need judge their meaning
        self.score = score
        self.origin = origin
        self._text = text
        self._edits = None if edits is None else tuple(edits)

    def __repr__(self) -> str:
        return f"Proposal({self.text!r}, score={self.score:.3f}, origin={self.origin!r})"

    @property
    def text(self) -> str:
        """The sentence as it would be written."""
        return self._text

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What differs from the source, in order; spans are those of the sentence."""
        if self._edits is None:
            self._edits = tuple(
                Edit(
                    kind=edit.kind,
                    source_span=edit.source_span,
                    target_span=edit.target_span,
                    source_text=edit.source_text,
                    target_text=edit.target_text,
                    group=edit.group,
                    origin=self.origin,
                )
                for edit in edits_between(self.sentence.text, self.text)
            )
        return self._edits

    @property
    def groups(self) -> int:
        """How many groups the edits form; `Edit.group` is below it."""
        return 1 + max((edit.group for edit in self.edits), default=-1)

    @property
    def tokenised(self) -> str:
        """The words in lower case, separated by spaces: what token-based metrics read."""
        return tokenised(self.text)

    def explained(self, *, alternatives: int) -> tuple[Edit, ...]:
        """Return the edits with so many alternatives to each, where their evidence knows any."""
        return tuple(edit.with_alternatives(alternatives) for edit in self.edits)

    @property
    def changes(self) -> int:
        """How many groups of edits change something."""
        return len({edit.group for edit in self.edits})

    def source_tokens(self, group: int) -> Span:
        """Return from which token of the sentence to which the edits of a group reach."""
        spans = [edit.source_span for edit in self.edits if edit.group == group]
        start, end = min((span[0] for span in spans), default=0), max((span[1] for span in spans), default=0)
        touched = [n for n, token in enumerate(self.sentence.tokens) if token.end > start and token.start < end]
        return (touched[0], touched[-1] + 1) if touched else (0, 0)

    def written(self, group: int) -> tuple[str, ...]:
        """Return the tokens that a group writes, in lower case."""
        texts = (edit.target_text for edit in self.edits if edit.group == group)
        return tuple(token.text.lower() for text in texts for token in ptb_tokenize(without_surrogates(text)))

    def touching(self, tokens: Set[int]) -> frozenset[int]:
        """Return the groups with an edit that takes one of these tokens out of the sentence or writes it otherwise."""
        touched = set()
        for edit in self.edits:
            start, end = edit.source_span
            inside = (self.sentence.tokens[n] for n in tokens)
            own = [token.text for token in inside if token.end > start and token.start < end]
            if any(edit.target_text.count(text) < edit.source_text.count(text) for text in own):
                touched.add(edit.group)
        return frozenset(touched)

    def without(self, groups: Set[int]) -> Proposal:
        """The same proposal with some groups of edits undone; the rest still reads."""
        undone = {number for number, edit in enumerate(self.edits) if edit.group in groups}
        if not undone:
            return self
        text = apply_edits(self.sentence.text, self.edits, without=undone)
        kept = undo_edits(self.edits, undone)
        return Proposal(self.sentence, text, score=self.score, origin=self.origin, edits=kept, curated=self.curated)


class Proposals(Sequence[Proposal]):
    """The proposals for one sentence, best first; `note` says why there are none."""

    def __init__(self, proposals: Iterable[Proposal] = (), *, note: str = "") -> None:
        self._proposals: Sequence[Proposal] = tuple(proposals)
        self.note = note

    def __len__(self) -> int:
        return len(self._proposals)

    @overload
    def __getitem__(self, rank: int) -> Proposal: ...
    @overload
    def __getitem__(self, rank: slice) -> Sequence[Proposal]: ...
    def __getitem__(self, rank: int | slice) -> Proposal | Sequence[Proposal]:
        return self._proposals[rank]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Says what a judge thinks of a proposal: what each group of edits risks, and which must not stay at all."""

    risks: tuple[float, ...]
    forbidden: frozenset[int] = frozenset()
    risk: float = 0.0  # of the proposal as a whole, beyond its groups

    def joined(self, other: Verdict) -> Verdict:
        """Both judges' opinions: risks add up, and what either forbids is forbidden."""
        return Verdict(
            tuple(map(operator.add, self.risks, other.risks)),
            self.forbidden | other.forbidden,
            self.risk + other.risk,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlist:
    """Lists the proposals of one sentence that a chooser may take, best first."""

    sentence: Sentence
    proposals: Sequence[Proposal]
    passage: int = 0  # sentences of one text have the same number
    references: Sequence[str] | None = field(default=None)  # of the whole text, from elsewhere


@runtime_checkable
class Proposer(Protocol):
    """Suggests other ways to put sentences."""

    name: str

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> Sequence[Sequence[Proposal]]:
        """At most `limit` proposals for each sentence, best first; none of them touches a protected token."""
        ...


@runtime_checkable
class Judge(Protocol):
    """Prices or forbids edits; it never writes."""

    name: str

    def judge(self, batch: Sequence[tuple[Sentence, Sequence[Proposal]]]) -> Sequence[Sequence[Verdict]]:
        """Return a verdict on every proposal of every sentence."""
        ...


@runtime_checkable
class Chooser(Protocol):
    """Takes one proposal of each shortlist."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def wants(self) -> int:
        """How many proposals it likes to see."""
        ...

    def choose(self, batch: Sequence[Shortlist]) -> Sequence[int]:
        """Return the position of the best proposal in each."""
        ...
