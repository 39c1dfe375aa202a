"""The shortest difference of two lists of words, where no more than that is asked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, NamedTuple, cast

from plainwright.arguments import check_instance

__all__ = ["Block", "word_blocks"]


class Block(NamedTuple):
    """Names words in a row that are equal, or that became others; by their numbers."""

    kind: Literal["equal", "replace", "delete", "insert"]
    source: range
    output: range


def word_blocks(source: Sequence[Hashable], output: Sequence[Hashable]) -> list[Block]:
    """Return blocks that cover both lists, with the fewest words replaced, deleted or inserted (Levenshtein, 1966)."""
    from rapidfuzz.distance import Levenshtein

    for words, name in ((source, "source"), (output, "output")):
        check_instance(words, Sequence, "word_blocks", name, "a list of words")

    return [
        Block(
            cast(Literal["equal", "replace", "delete", "insert"], block.tag),
            range(block.src_start, block.src_end),
            range(block.dest_start, block.dest_end),
        )
        for block in Levenshtein.opcodes(source, output)
    ]
