"""Damaged copies of outputs, words dropped and others in wrong places: no careful rater prefers one to its original."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from plainwright.errors import DataError
from plainwright.rate.material import Candidate
from plainwright.rate.settings import Settings
from plainwright.text.corruptions import drop_words, generator_of, scramble_words

__all__ = ["Made", "degraded_copies", "degraded_copy"]

Made = tuple[str, Candidate]  # an output and who made it

_DROPPED, _SCRAMBLED = 0.2, 0.4  # of the words; enough for a sentence that is no English any more
_LEAST_WORDS = 4  # of an output to damage: "He slept." has nothing that could be put in disorder
_ATTEMPTS = 12


def degraded_copies(
    sources: Sequence[str], made: Sequence[Sequence[Made]], names: Sequence[str], settings: Settings
) -> list[tuple[int, Made]]:
    """Damaged copies of outputs, for the share of the items that the settings ask for: place of the item, copy."""
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


def _damaged(made: Sequence[Made], name: str, seed: int, source: str) -> Made | None:
    """A copy of one of the outputs that keep most of the source: damage shows in what was good English before."""
    own = [(text, maker.system) for text, maker in made if maker.control is None]
    likest = sorted(own, key=lambda output: -_kept_of(source, output[0]))
    half = (len(likest) + 1) // 2
    chance = random.Random(f"damaged {seed} {name}")
    for text, system in (*chance.sample(likest[:half], half), *likest[half:]):
        copy = degraded_copy(text, seed, taken=[source, *(other for other, _ in made)])
        if copy is not None:
            return copy, Candidate(system="control-degraded", control="degraded", of=system)
    return None


def _kept_of(source: str, output: str) -> float:
    """The share of an output's neighbouring words that were neighbours in the source."""
    return _pairs_kept(source, output) / max(1, len(_words(output)) - 1)


def degraded_copy(text: str, seed: int, *, taken: Sequence[str] = ()) -> str | None:
    """A version of the text that is clearly worse and none of those `taken`; None of a text that is too short for it.

    Of several attempts it is the one with the fewest neighbouring words left together.
    """
    if len(_words(text)) < _LEAST_WORDS:
        return None
    text = " ".join(text.split())
    rng = generator_of(text, seed)
    attempts = [scramble_words(drop_words(text, _DROPPED, rng), _SCRAMBLED, rng) for _ in range(_ATTEMPTS)]
    known = [_folded(other) for other in (text, *taken)]
    usable = [attempt for attempt in attempts if _folded(attempt) not in known]
    return min(usable, key=lambda attempt: _pairs_kept(text, attempt), default=None)


def _words(text: str) -> list[str]:
    return [word for word in text.split() if any(map(str.isalnum, word))]


def _folded(text: str) -> list[str]:
    """Words alone: a copy that differs in a comma or a capital is no other text."""
    return ["".join(filter(str.isalnum, word)) for word in _words(text.casefold())]


def _pairs_kept(text: str, attempt: str) -> int:
    words = _words(text)
    pairs = set(itertools.pairwise(words))
    return sum(pair in pairs for pair in itertools.pairwise(_words(attempt)))
