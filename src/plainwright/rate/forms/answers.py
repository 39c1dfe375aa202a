"""The state of one page for one rater: what was answered, and what is still missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from plainwright.rate.material import Edit

__all__ = ["Answers", "Contradiction", "Missing", "Work"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the rater has said so far."""

    groups: Mapping[str, tuple[str, ...]]  # cards by group, the best first; one group "all" where there are no groups
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by card, then aspect; none: not scored
    edits: Mapping[str, tuple[Edit, ...]] = field(default_factory=dict)  # of cards whose edits were corrected
    preferences: Mapping[str, str | None] = field(default_factory=dict)  # by aspect: a card, or None for neither
    comment: str = ""
    text: str = ""  # what was written, as it stands in the field
    unchanged: bool = False  # the source is as it should be, whatever stands in the field


@dataclass(frozen=True, slots=True)
class Missing:
    """A question without an answer."""

    card: str  # "" for a preference between two
    aspect: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two outputs of a group whose scores say the opposite of their order."""

    upper: str
    lower: str  # scored higher, but placed below


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A page as far as it has come."""

    version: int  # how many events there were
    answers: Answers
    finished: bool = False
    seconds: float = 0.0  # in sight, without long silences
    can_undo: bool = False
    can_redo: bool = False
    missing: tuple[Missing, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    problems: tuple[str, ...] = ()  # of what was written, in sentences
