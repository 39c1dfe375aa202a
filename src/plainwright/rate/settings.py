"""What a study is: the form that raters fill in, its questions, its controls; read from `study.toml`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from plainwright.study.ratings import Scale

__all__ = [
    "Aspect",
    "CardsPerPage",
    "Contradictions",
    "Controls",
    "Expectation",
    "Settings",
    "Splitting",
    "TrainingItem",
    "Writing",
]

Contradictions = Literal["allow", "confirm", "refuse"]  # what `finish` does with scores against the order
CardsPerPage = Literal["one", "all"]
Splitting = Literal["allow", "refuse", "require"]  # of a sentence that raters write anew


@dataclass(frozen=True, slots=True, kw_only=True)
class Aspect:
    """One question about an output."""

    name: str  # as in the results: "overall", "fluency" …
    question: str
    scale: Scale
    labels: tuple[str, ...] = ()  # of every step; on a scale without steps, of points evenly spread from low to high


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """What is rated only to know how well raters rate."""

    source: bool = False  # the unchanged source is one of the outputs
    reference: bool = False  # so is what a person wrote, if references were given
    degraded: float = 0.0  # share of items with a damaged copy of one of the outputs
    repeats: float = 0.0  # share of a rater's units that come a second time


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """An output of a training item, with what a careful rater would say of it."""

    text: str
    low: float  # of its first aspect
    high: float
    why: str  # shown to the rater afterwards


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingItem:
    """An item that every rater sees first, with feedback."""

    source: str
    outputs: tuple[Expectation, ...] = ()  # none where raters write; then what follows
    replaced: tuple[str, ...] = ()  # words or phrases that a good text no longer has
    kept: tuple[str, ...] = ()  # words or phrases that it must still have
    sentences: int = 0  # that it has at least
    example: str = ""  # of a good text, shown to the rater afterwards
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Limits of what raters write, checked when they finish; what keeps them is a reference."""

    shortest: float = 0.5  # words, as a share of those of the source
    longest: float = 1.5
    fewest_changes: int = 1  # words that must differ from those of the source
    splitting: Splitting = "allow"
    most_lost: int | None = None  # content words of the source that may be missing; None: words need not be kept
    most_added: int | None = None  # content words that the source does not have
    allow_unchanged: bool = True  # raters may say that the source is as simple as it can be, or cannot be split

    @property
    def keeps_words(self) -> bool:
        """Whether the words of the source stay, and only sentences are split."""
        return self.most_lost is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A whole study, but for what is rated."""

    title: str
    form: str  # its name, see `forms.registry`
    aspects: tuple[Aspect, ...]  # those of the form unless study.toml has its own
    raters_per_unit: int = 3
    units_per_rater: int = 0  # main units, without training and repeats; 0: as many as there are
    seed: int = 2023
    groups: bool = True  # of forms with an order: by operation; otherwise one list
    edits: bool = True  # highlight them
    contradictions: Contradictions = "confirm"
    cards_per_page: CardsPerPage = "one"  # of forms that only score; others show what they need
    lease_hours: float = 24.0  # after so long without an event, an unfinished unit may go to somebody else
    pass_share: float = 0.0  # of training outputs within their range, below which a rater is not let on
    controls: Controls = field(default_factory=Controls)
    training: tuple[TrainingItem, ...] = ()
    review: bool = False  # after the training, raters wait until the organiser lets them on
    writing: Writing | None = None  # of forms whose raters write
    instructions: str = ""  # Markdown
    consent: str = ""  # Markdown; empty: no consent page
