"""From files of outputs to what raters see: one card for each distinct output, grouped, its edits marked; controls.

Outputs are identical if they differ in nothing but white space; they share a card, and its ratings count for all who
made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plainwright.errors import DataError
from plainwright.rate.degrading import Made, degraded_copies
from plainwright.rate.forms.registry import form_of
from plainwright.rate.highlight import find_edits
from plainwright.rate.material import Candidate, Card, Item
from plainwright.rate.material_checks import check_material, check_sources
from plainwright.rate.settings import Expectation, Settings, TrainingItem
from plainwright.study.operations import operation

__all__ = ["build_items", "build_sources", "units_of"]

_TRAINING_SYSTEM = "training"


def build_items(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str | None]],
    settings: Settings,
    references: Sequence[Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
    rows: Mapping[str, Sequence[int]] | None = None,
    *,
    collapse: bool = True,
) -> tuple[Item, ...]:
    """Training items, then one item for each source.

    `outputs[system][i]` is what a system made of source i, None for nothing; `references[i]` are those of source i,
    `names[i]` its name; `rows[system][i]` the row of a table that the output came from. Without `collapse`, identical
    outputs have a card each.
    """
    names = [str(number) for number in range(1, len(sources) + 1)] if names is None else names
    check_material(sources, outputs, settings, references, names)
    made = [_made(place, sources, outputs, settings, references, rows or {}) for place in range(len(sources))]
    for place, copy in degraded_copies(sources, made, names, settings):
        made[place].append(copy)
    training = [_training_item(item, number, settings) for number, item in enumerate(settings.training, start=1)]
    built = [
        Item(name=name, source=source, cards=_cards(source, own, settings, collapse=collapse))
        for name, source, own in zip(names, sources, made, strict=True)
    ]
    if not any(units_of(item, settings) for item in built):
        msg = "expected two different outputs of a sentence to compare, found none; give another system"
        raise DataError(msg)
    return (*training, *built)


def build_sources(sources: Sequence[str], settings: Settings) -> tuple[Item, ...]:
    """Training items, then one item without outputs for each source, for forms whose raters write."""
    check_sources(sources)
    training = [
        Item(name=f"training-{number}", source=item.source, cards=(), training=True)
        for number, item in enumerate(settings.training, start=1)
    ]
    return (*training, *(Item(name=str(number), source=source, cards=()) for number, source in enumerate(sources, 1)))


def units_of(item: Item, settings: Settings) -> tuple[tuple[int, ...], ...]:
    """The places of the cards that a page shows, for each page that the item needs."""
    return form_of(settings).units(item.cards, settings)


def _made(
    place: int,
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str | None]],
    settings: Settings,
    references: Sequence[Sequence[str]] | None,
    rows: Mapping[str, Sequence[int]],
) -> list[Made]:
    """All that is shown for one source but degraded copies."""
    made = [
        (text, Candidate(system=system, row=rows[system][place] if rows else None))
        for system, lines in outputs.items()
        if (text := lines[place]) is not None
    ]
    if settings.controls.source:
        made.append((sources[place], Candidate(system="control-source", control="source")))
    if settings.controls.reference and references is not None:
        made.append((references[place][0], Candidate(system="control-reference", control="reference")))
    return made


def _training_item(item: TrainingItem, number: int, settings: Settings) -> Item:
    cards = tuple(
        _card(item.source, output.text, (Candidate(system=_TRAINING_SYSTEM),), settings, expectation=output)
        for output in item.outputs
    )
    return Item(name=f"training-{number}", source=item.source, cards=cards, training=True)


def _cards(source: str, made: Sequence[Made], settings: Settings, *, collapse: bool) -> tuple[Card, ...]:
    """The text of a card is that of its first maker, to the letter."""
    found: dict[str | int, tuple[str, list[Candidate]]] = {}
    for number, (text, maker) in enumerate(made):
        found.setdefault(" ".join(text.split()) if collapse else number, (text, []))[1].append(maker)
    return tuple(_card(source, text, tuple(makers), settings) for text, makers in found.values())


def _card(
    source: str,
    text: str,
    makers: tuple[Candidate, ...],
    settings: Settings,
    *,
    expectation: Expectation | None = None,
) -> Card:
    edits = find_edits(source, text) if settings.edits else ()
    return Card(text=text, candidates=makers, group=operation(source, text), edits=edits, expectation=expectation)
