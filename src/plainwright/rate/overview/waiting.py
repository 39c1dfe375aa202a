"""Raters who wait for the organiser to read their training, and what they did there."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from plainwright.rate.overview.record import pages_of
from plainwright.rate.overview.status import overview_of
from plainwright.rate.store.assignment import training_result

__all__ = ["TrainedRater", "waiting_raters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedRater:
    """A rater after the training."""

    rater: str  # as in the results
    label: str  # the organiser's own note
    within: int  # answers as a careful rater would give them
    outputs: int
    texts: tuple[tuple[str, str], ...]  # sources with what was written for them, where raters write

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "texts": [{"source": source, "text": text} for source, text in self.texts]}


def waiting_raters(connection: Connection, now: float) -> tuple[TrainedRater, ...]:
    """Return those who wait at `now`, in the order in which they came."""
    waiting = [rater for rater in overview_of(connection, now).raters if rater.state == "waiting"]
    found = []
    for rater in waiting:
        result = training_result(connection, rater.id)
        texts = tuple(
            (page.source, page.text)
            for page in pages_of(connection, rater.id)
            if page.training and page.text is not None
        )
        found.append(
            TrainedRater(
                rater=rater.public, label=rater.label, within=result.within, outputs=result.outputs, texts=texts
            )
        )
    return tuple(found)
