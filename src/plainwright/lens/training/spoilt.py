"""More examples: texts spoilt on purpose, with a target below that of what was spoilt.

Figure 2 of Maddela et al. (2023) asks that a metric prefer a text to its copy with words dropped, words scrambled or a
period in the middle. People rated few such texts, so a model may never learn it; these examples tell it. Their targets
are no ratings: they are the mean z-score of outputs that repeat the source (or a reference) in the training part, less
a margin. They train, and never judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from plainwright.lens.training.data import Example, same_words
from plainwright.text.corruptions import drop_words, generator_of, scramble_words, split_in_middle

__all__ = ["CORRUPTIONS", "Corruptions", "Spoilt", "spoilt_examples", "spoilt_targets"]

Corruptions = Literal["none", "sources", "references", "both"]
CORRUPTIONS: tuple[Corruptions, ...] = get_args(Corruptions)

_DROPPED, _SCRAMBLED = 0.10, 0.05  # shares of the words, as in Figure 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoilt:
    """Holds a perturbed text, which nobody rated."""

    group: str  # the source, as folds know it
    like: Literal["source", "reference"]  # what was spoilt
    source: str
    output: str
    references: tuple[str, ...]


def spoilt_examples(examples: Sequence[Example], corruptions: Corruptions, *, seed: int) -> list[Spoilt]:
    """Make three perturbed copies of every source, and of one of its references, as far as they are asked for."""
    found: list[Spoilt] = []
    for group, example in {same_words(example.source): example for example in examples}.items():
        references = example.references
        if corruptions in ("sources", "both"):
            found += _copies(group, "source", example.source, example.source, references, seed)
        if corruptions in ("references", "both") and len(references) > 1:
            chosen = int(generator_of(example.source, seed).integers(len(references)))
            others = (*references[:chosen], *references[chosen + 1 :])
            found += _copies(group, "reference", example.source, references[chosen], others, seed)
    return found


def spoilt_targets(spoilt: Sequence[Spoilt], examples: Sequence[Example], *, margin: float) -> npt.NDArray[np.float64]:
    """Return the targets, from the examples of the training part alone."""
    everything = [example.z for example in examples]
    level = {
        like: float(np.mean([example.z for example in examples if example.like == like] or everything))
        for like in ("source", "reference")
    }
    return np.array([level[text.like] - margin for text in spoilt])


def _copies(
    group: str,
    like: Literal["source", "reference"],
    source: str,
    text: str,
    references: tuple[str, ...],
    seed: int,
) -> list[Spoilt]:
    rng = generator_of(text, seed)
    copies = (drop_words(text, _DROPPED, rng), scramble_words(text, _SCRAMBLED, rng), split_in_middle(text))
    return [
        Spoilt(group=group, like=like, source=source, output=copy, references=references)
        for copy in dict.fromkeys(copies)
        if copy != text
    ]
