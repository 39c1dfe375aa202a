"""From files of outputs to what raters see: one card for each distinct output, grouped, its edits marked; controls.

Outputs are identical if they differ in nothing but white space; they share a card, and its ratings count for all who
made it. A degraded copy has words dropped and others in wrong places: no careful rater prefers it to its original.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence

from plainwright.errors import DataError, LengthMismatchError, ReferenceShapeError
from plainwright.rate.highlight import find_edits
from plainwright.rate.material import Candidate, Card, Item
from plainwright.rate.settings import Expectation, Settings, TrainingItem
from plainwright.study.operations import operation
from plainwright.text.corruptions import drop_words, generator_of, scramble_words

__all__ = ["build_items", "degraded_copy", "units_of"]

_SYSTEM_OF = {"source": "control-source", "reference": "control-reference", "degraded": "control-degraded"}
_TRAINING_SYSTEM = "training"

_DROPPED, _SCRAMBLED = 0.2, 0.4  # of the words; enough for a sentence that is no English any more
_LEAST_WORDS = 4  # of an output to damage: "He slept." has nothing that could be put in disorder
_ATTEMPTS = 12
_LONGEST_NAME = 200
_LONGEST_TEXT = 10_000  # characters; what is longer is no sentence, and nobody would rate it

_Made = tuple[str, Candidate]  # an output and who made it


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
    _check_material(sources, outputs, settings, references, names)
    made = [_made(place, sources, outputs, settings, references, rows or {}) for place in range(len(sources))]
    for place, copy in _degraded(sources, made, names, settings):
        made[place].append(copy)
    training = [_training_item(item, number, settings) for number, item in enumerate(settings.training, start=1)]
    built = [
        Item(name=name, source=source, cards=_cards(source, own, settings, collapse=collapse))
        for name, source, own in zip(names, sources, made, strict=True)
    ]
    if not any(units_of(item, settings) for item in built):
        msg = "expected outputs to compare, found only identical ones; give another system"
        raise DataError(msg)
    return (*training, *built)


def units_of(item: Item, settings: Settings) -> tuple[tuple[int, ...], ...]:
    """The places of the cards that a page shows, for each page that the item needs."""
    places = range(len(item.cards))
    if settings.form == "pairwise":
        pairs = itertools.combinations(places, 2)
        return tuple(pair for pair in pairs if _worth_comparing(item.cards[pair[0]], item.cards[pair[1]]))
    if settings.form == "rank" or settings.cards_per_page == "all":
        return (tuple(places),)
    return tuple((place,) for place in places)


def degraded_copy(text: str, seed: int, *, taken: Sequence[str] = ()) -> str | None:
    """A version of the text that is clearly worse and none of those `taken`; None of a text that is too short for it.

    Of several attempts it is the one with the fewest neighbouring words left together.
    """
    if len(_words(text)) < _LEAST_WORDS:
        return None
    rng = generator_of(text, seed)
    attempts = [scramble_words(drop_words(text, _DROPPED, rng), _SCRAMBLED, rng) for _ in range(_ATTEMPTS)]
    known = [_folded(other) for other in (text, *taken)]
    usable = [attempt for attempt in attempts if _folded(attempt) not in known]
    return min(usable, key=lambda attempt: _pairs_kept(text, attempt), default=None)


def _check_material(
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str | None]],
    settings: Settings,
    references: Sequence[Sequence[str]] | None,
    names: Sequence[str],
) -> None:
    if not sources or not outputs:
        msg = f"expected sources and outputs to rate, found no {'source' if not sources else 'system'}"
        raise DataError(msg)
    for system, lines in outputs.items():
        if not (system.strip() and system.isprintable() and len(system) <= _LONGEST_NAME):
            msg = f"expected the name of a system, in printable characters, found {system!r:.60}"
            raise DataError(msg)
        if system in _SYSTEM_OF.values():
            msg = f"expected the name of a system, found {system!r}, which is ours; give it another"
            raise DataError(msg)
        _check_length(f"outputs of {system!r}", lines, sources)
    _check_length("names", names, sources)
    _check_texts("source", sources)
    for system, lines in outputs.items():
        _check_texts(f"output of {system!r}", lines)
    for name, *own in zip(names, *outputs.values(), strict=True):
        if all(text is None for text in own):
            msg = f"item {name!r}: expected at least one output, found none; leave the item out"
            raise DataError(msg)
    if len(set(names)) != len(names):
        twice = next(name for name in names if list(names).count(name) > 1)
        msg = f"expected names of items that differ, found {twice!r} twice"
        raise DataError(msg)
    if settings.controls.reference:
        _check_references(sources, references)


def _check_length(what: str, lines: Sequence[object], sources: Sequence[str]) -> None:
    if len(lines) != len(sources):
        msg = f"{what}: expected one for each of {len(sources)} sources, found {len(lines)}"
        raise LengthMismatchError(msg)


def _check_texts(what: str, texts: Sequence[str | None]) -> None:
    for number, text in enumerate(texts, start=1):
        if text is not None and len(text) > _LONGEST_TEXT:
            msg = f"{what}, line {number}: expected at most {_LONGEST_TEXT:,} characters to rate, found {len(text):,}"
            raise DataError(msg)
    empty = [number for number, text in enumerate(texts, start=1) if text is not None and not text.strip()]
    if empty:
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        msg = (
            f"{what}, line {empty[0]}{more}: expected text to rate, found an empty line; leave the item out everywhere"
        )
        raise DataError(msg)


def _check_references(sources: Sequence[str], references: Sequence[Sequence[str]] | None) -> None:
    if references is None:
        msg = "controls.reference: expected references, found none; give --references, or set it to false"
        raise ReferenceShapeError(msg)
    _check_length("references", references, sources)
    for number, own in enumerate(references, start=1):
        if not own or not own[0].strip():
            msg = f"references, line {number}: expected text to rate, found none; or set controls.reference to false"
            raise ReferenceShapeError(msg)


def _made(
    place: int,
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str | None]],
    settings: Settings,
    references: Sequence[Sequence[str]] | None,
    rows: Mapping[str, Sequence[int]],
) -> list[_Made]:
    """All that is shown for one source but degraded copies."""
    made = [
        (text, Candidate(system=system, row=rows[system][place] if rows else None))
        for system, lines in outputs.items()
        if (text := lines[place]) is not None
    ]
    if settings.controls.source:
        made.append((sources[place], Candidate(system=_SYSTEM_OF["source"], control="source")))
    if settings.controls.reference and references is not None:
        made.append((references[place][0], Candidate(system=_SYSTEM_OF["reference"], control="reference")))
    return made


def _degraded(
    sources: Sequence[str], made: Sequence[Sequence[_Made]], names: Sequence[str], settings: Settings
) -> list[tuple[int, _Made]]:
    """Damaged copies of outputs, for the share of the items that the settings ask for."""
    share = settings.controls.degraded
    wanted = int(share * len(made) + 0.5)
    if share and not wanted:
        msg = (
            f"controls.degraded: expected a share of at least {0.5 / len(made):.2g} of {len(made)} items, "
            f"found {share:g}, which is not one item"
        )
        raise DataError(msg)
    chance = random.Random(f"degraded {settings.seed}")
    order = chance.sample(range(len(made)), len(made))
    copies = ((place, _damaged(made[place], names[place], settings.seed, sources[place])) for place in order)
    found = list(itertools.islice(((place, copy) for place, copy in copies if copy is not None), wanted))
    if len(found) < wanted:
        msg = (
            f"controls.degraded: expected {wanted} items with an output of {_LEAST_WORDS} words or more to damage, "
            f"found {len(found)}; set a lower share"
        )
        raise DataError(msg)
    return sorted(found, key=lambda pair: pair[0])


def _damaged(made: Sequence[_Made], name: str, seed: int, source: str) -> _Made | None:
    """A copy of one of the outputs that keep most of the source: damage shows in what was good English before."""
    own = [(text, maker.system) for text, maker in made if maker.control is None]
    likest = sorted(own, key=lambda output: -_kept_of(source, output[0]))
    half = (len(likest) + 1) // 2
    chance = random.Random(f"damaged {seed} {name}")
    for text, system in (*chance.sample(likest[:half], half), *likest[half:]):
        copy = degraded_copy(_plain(text), seed, taken=[source, *(other for other, _ in made)])
        if copy is not None:
            return copy, Candidate(system=_SYSTEM_OF["degraded"], control="degraded", of=system)
    return None


def _kept_of(source: str, output: str) -> float:
    """The share of an output's neighbouring words that were neighbours in the source."""
    return _pairs_kept(source, output) / max(1, len(_words(output)) - 1)


def _training_item(item: TrainingItem, number: int, settings: Settings) -> Item:
    cards = tuple(
        _card(item.source, output.text, (Candidate(system=_TRAINING_SYSTEM),), settings, expectation=output)
        for output in item.outputs
    )
    return Item(name=f"training-{number}", source=item.source, cards=cards, training=True)


def _cards(source: str, made: Sequence[_Made], settings: Settings, *, collapse: bool) -> tuple[Card, ...]:
    """The text of a card is that of its first maker, to the letter."""
    found: dict[str | int, tuple[str, list[Candidate]]] = {}
    for number, (text, maker) in enumerate(made):
        found.setdefault(_plain(text) if collapse else number, (text, []))[1].append(maker)
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


def _worth_comparing(first: Card, second: Card) -> bool:
    """A degraded copy is compared with its original only: that is what it is for."""
    for copy, other in ((first, second), (second, first)):
        origins = {maker.of for maker in copy.candidates if maker.control == "degraded"}
        if origins:
            return bool(origins & {maker.system for maker in other.candidates})
    return True


def _plain(text: str) -> str:
    return " ".join(text.split())


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalnum, word))]


def _folded(text: str) -> list[str]:
    """Words alone: a copy that differs in a comma or a capital is no other text."""
    return ["".join(filter(str.isalnum, word)) for word in _words(text.casefold())]


def _pairs_kept(text: str, attempt: str) -> int:
    words = _words(text)
    pairs = set(itertools.pairwise(words))
    return sum(pair in pairs for pair in itertools.pairwise(_words(attempt)))
