"""The groups of Rank & Rate (Maddela et al., 2023, section 6.1): which operation an output is mostly about.

Several sentences make a split. Of the rest, what keeps less than half of the characters, or only leaves words out, is
a deletion. Everything else is a paraphrase, the unchanged source included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, get_args

from plainwright.text import split_sentences, tokenize

if TYPE_CHECKING:
    from plainwright.study.scores import RatedOutputs

__all__ = ["OPERATIONS", "Operation", "operation", "operations_of"]

Operation = Literal["paraphrase", "deletion", "split"]
OPERATIONS: tuple[Operation, ...] = get_args(Operation)

_SHORT = 0.5  # of the source; the paper says "compression ratio" and does not say in what unit


def operation(source: str, output: str) -> Operation:
    """Return the group of one output.

    >>> operation("He rested , because he was tired .", "He was tired . He rested .")
    'split'
    >>> operation("He rested , because he was tired .", "He rested .")
    'deletion'
    >>> operation("He rested , because he was tired .", "He slept , because he was tired .")
    'paraphrase'
    """
    if len(split_sentences(output)) > 1:
        return "split"
    if len(output.strip()) < _SHORT * len(source.strip()) or _only_leaves_out(_words(source), _words(output)):
        return "deletion"
    return "paraphrase"


def operations_of(outputs: RatedOutputs) -> dict[tuple[str, str], Operation]:
    """The group of every rated output by item and system; outputs without a source have none."""
    return {
        (item, system): operation(source, text)
        for item, source, row in zip(outputs.items, outputs.sources, outputs.outputs, strict=True)
        for system, text in zip(outputs.systems, row, strict=True)
        if source is not None and text is not None
    }


def _words(text: str) -> list[str]:
    """Lower-cased, without punctuation: a comma that is gone does not make a deletion."""
    return [word for word in tokenize(text, lowercase=True).split() if any(map(str.isalnum, word))]


def _only_leaves_out(source: Sequence[str], output: Sequence[str]) -> bool:
    """Whether the output is the source with at least one word left out, the others in their order."""
    left = iter(source)
    return len(output) < len(source) and all(word in left for word in output)
