"""Everything that decides what is learnt, but for the data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from typing import Any

from plainwright.arguments import check_choice
from plainwright.errors import DataError, UnknownNameError
from plainwright.lens.training.boosting import Boosting
from plainwright.lens.training.fits import MEMBERS, Member
from plainwright.lens.training.folds import FoldsBy
from plainwright.lens.training.heads import HeadSettings
from plainwright.lens.training.loop import BATCHES, Schedule
from plainwright.lens.training.spoilt import CORRUPTIONS, Corruptions
from plainwright.lens.training.tuning import PRECISIONS, Tuning

__all__ = ["TrainingSettings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSettings:
    """Says what is trained, on which folds, and how."""

    encoder: str = "minilm"
    members: tuple[Member, ...] = MEMBERS
    features: bool = True  # beside H in the head
    seeds: int = 5  # heads, and sets of trees, that are averaged
    folds: int = 5
    folds_by: FoldsBy = "source"
    fold: int | None = None  # the only one to train without, from 0; None: each in turn, and in the end none
    head: HeadSettings = field(default_factory=HeadSettings)
    schedule: Schedule = field(default_factory=lambda: Schedule(patience=4))
    boosting: Boosting = field(default_factory=Boosting)
    fewer: tuple[int, ...] = (1, 3)  # numbers of references beside which each output is seen as well
    corruptions: Corruptions = "none"
    margin: float = 0.5  # by which a spoilt text is worth less than what was spoilt
    spoilt_weight: float = 1.0  # of a spoilt text beside a rated one
    tuning: Tuning | None = None  # of the encoder; None: it stays as it is
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [name for name in self.members if name not in MEMBERS]
        if unknown or not self.members:
            listing = f"choose among {', '.join(MEMBERS)}"
            raise UnknownNameError.suggest(
                kind="member", name=unknown[0] if unknown else "", known=MEMBERS, listing=listing
            )
        check_choice(self.corruptions, CORRUPTIONS, "choice of corruptions")
        check_choice(self.schedule.batches, BATCHES, "choice of batches")
        if self.tuning is not None:
            check_choice(self.tuning.precision, PRECISIONS, "precision")
        self._check_fold()
        if any(count < 1 for count in self.fewer):
            msg = f"expected numbers of references from 1, got {', '.join(map(str, self.fewer))}"
            raise DataError(msg)
        if self.seeds < 1:
            msg = f"expected at least 1 seed, got {self.seeds}"
            raise DataError(msg)

    def _check_fold(self) -> None:
        if self.fold is None:
            return
        if not 0 <= self.fold < self.folds:
            msg = f"expected a fold from 0 to {self.folds - 1}, got {self.fold}"
            raise DataError(msg)
        if self.folds_by != "source" or len(self.members) > 1:
            msg = (
                "one fold alone is dealt by source and has one member, since it cannot tell how much several count; "
                f"got folds by {self.folds_by} and {', '.join(self.members)}"
            )
            raise DataError(msg)

    def flat(self) -> dict[str, str | int | float | bool]:
        """Return all of them under simple names, for people and for files."""
        flat: dict[str, str | int | float | bool] = {}
        for entry in fields(self):
            value = getattr(self, entry.name)
            if entry.name in ("head", "schedule", "boosting", "tuning") and value is not None:
                flat.update({f"{entry.name}_{name}": _plain(part) for name, part in asdict(value).items()})
            else:
                flat[entry.name] = _plain(value)
        return flat


def _plain(value: Any) -> Any:
    if value is None:
        return "none"
    return ",".join(map(str, value)) if isinstance(value, tuple) else value
