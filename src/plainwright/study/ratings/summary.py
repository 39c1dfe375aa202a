"""What is in a table of ratings, and what is missing: the first look before any number is believed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from plainwright.study.ratings.standard import zero_variance_raters
from plainwright.study.ratings.table import Ratings, check_ratings, first_few

__all__ = ["AspectSummary", "Summary", "summarise"]

_SHOWN = 5  # names in a sentence before "and … more"
_FEW_ITEMS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AspectSummary:
    """One aspect; an output is what a system made of an item."""

    aspect: str
    ratings: int
    items: int
    systems: int
    raters: int
    scale: str | None  # None: no row states one; several are separated by commas
    lowest: float
    mean: float
    highest: float
    fewest: int  # ratings of an output that was rated at all
    most: int
    outputs: int  # that were rated by anybody
    unrated: int  # pairs of an item and a system, both of which occur, that nobody rated


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts a whole table; each of its `notes` is a sentence to know before computing with it."""

    ratings: int
    items: int
    systems: int
    raters: int
    aspects: tuple[AspectSummary, ...]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


def summarise(ratings: Ratings) -> Summary:
    """Count, and look for what would stand in the way of a study."""
    check_ratings(ratings, "summarise")
    return Summary(
        ratings=len(ratings),
        items=len(ratings.items),
        systems=len(ratings.systems),
        raters=len(ratings.raters),
        aspects=tuple(_aspect(ratings.where(aspect=aspect), aspect) for aspect in ratings.aspects),
        notes=tuple(_notes(ratings)),
    )


def _aspect(part: Ratings, aspect: str) -> AspectSummary:
    per_output = Counter((row.item, row.system) for row in part)
    scores = [row.score for row in part]
    scales = dict.fromkeys(str(row.scale) for row in part if row.scale is not None)
    return AspectSummary(
        aspect=aspect,
        ratings=len(part),
        items=len(part.items),
        systems=len(part.systems),
        raters=len(part.raters),
        scale=", ".join(scales) or None,
        lowest=min(scores),
        mean=sum(scores) / len(scores),
        highest=max(scores),
        fewest=min(per_output.values()),
        most=max(per_output.values()),
        outputs=len(per_output),
        unrated=len(part.items) * len(part.systems) - len(per_output),
    )


def _notes(ratings: Ratings) -> Iterator[str]:
    yield from _size_notes(ratings)
    yield from _gap_notes(ratings)
    yield from _rater_notes(ratings)
    yield from _text_notes(ratings)


def _size_notes(ratings: Ratings) -> Iterator[str]:
    if len(ratings.items) < _FEW_ITEMS:
        yield f"{len(ratings.items)} of the {_FEW_ITEMS} items that an interval over items needs at least."
    if len(ratings.systems) == 1:
        yield f"One system ({ratings.systems[0]}): systems cannot be compared, and no metric correlates with them."
    if len(ratings.raters) == 1:
        yield f"One rater ({ratings.raters[0]}): agreement cannot be computed."
    for aspect in ratings.aspects:
        scales = dict.fromkeys(str(row.scale) for row in ratings if row.aspect == aspect and row.scale is not None)
        if len(scales) > 1:
            yield f"Several scales of {aspect} ({', '.join(scales)}): its raw scores cannot be compared, z-scores can."
    unscaled = sum(row.scale is None for row in ratings)
    if unscaled:
        yield f"{_counted(unscaled, 'rating')} without a scale: scores outside of it cannot be found; give --scale."


def _gap_notes(ratings: Ratings) -> Iterator[str]:
    by_gaps: dict[str, list[str]] = {}  # aspects with the same gaps share a sentence
    for aspect in ratings.aspects:
        part = ratings.where(aspect=aspect)
        rated = {(row.item, row.system) for row in part}
        missing = Counter(system for item in part.items for system in part.systems if (item, system) not in rated)
        if missing:
            shown = first_few([f"{system} ({count})" for system, count in missing.most_common()], _SHOWN)
            gaps = f"{_counted(missing.total(), 'output')}, by system: {shown}."
            by_gaps.setdefault(gaps, []).append(aspect)
    yield from (f"Nobody rated {', '.join(aspects)} of {gaps}" for gaps, aspects in by_gaps.items())


def _rater_notes(ratings: Ratings) -> Iterator[str]:
    outputs = {(row.item, row.system) for row in ratings}
    seen = Counter(rater for rater, _, _ in {(row.rater, row.item, row.system) for row in ratings})
    fewest, most = min(ratings.raters, key=seen.__getitem__), max(ratings.raters, key=seen.__getitem__)
    if seen[fewest] < len(outputs):
        yield (
            f"Not every rater rated every output: of {len(outputs):,} from {seen[fewest]:,} ({fewest}) "
            f"to {seen[most]:,} ({most})."
        )
    flat = zero_variance_raters(ratings)
    once = [f"{entry.rater} ({entry.aspect})" for entry in flat if entry.ratings == 1]
    same = [
        f"{entry.rater} ({entry.aspect}: {entry.score:g}, {entry.ratings} times)" for entry in flat if entry.ratings > 1
    ]
    if once:
        yield f"Seen only once, so z is 0 and says nothing: {first_few(once, _SHOWN)}."
    if same:
        yield f"Always gave the same score, so z is 0 and says nothing: {first_few(same, _SHOWN)}."


def _text_notes(ratings: Ratings) -> Iterator[str]:
    for kind, texts in (
        ("source", [row.source for row in ratings]),
        ("output", [row.output for row in ratings]),
    ):
        absent = sum(text is None for text in texts)
        if absent == len(texts):
            yield f"No {kind} texts, which metrics need."
        elif absent:
            yield f"{_counted(absent, 'rating')} without the text of the {kind}."
    wordings: dict[str, set[str]] = {}
    for row in ratings:
        if row.source is not None:
            wordings.setdefault(row.item, set()).add(row.source)
    several = [item for item, texts in wordings.items() if len(texts) > 1]
    if several:
        yield f"More than one wording of the source: {_counted(len(several), 'item')} ({first_few(several, _SHOWN)})."


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
