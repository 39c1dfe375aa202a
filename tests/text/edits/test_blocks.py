"""The shortest difference in words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from plainwright.text.edits import word_blocks

WORDS = st.lists(st.sampled_from("abcd"), max_size=12)


def test_blocks_by_hand() -> None:
    source, output = ["the", "old", "cat", "sat", "down"], ["the", "cat", "sat", "here"]
    assert [
        (kind, source[i.start : i.stop], output[j.start : j.stop]) for kind, i, j in word_blocks(source, output)
    ] == [
        ("equal", ["the"], ["the"]),
        ("delete", ["old"], []),
        ("equal", ["cat", "sat"], ["cat", "sat"]),
        ("replace", ["down"], ["here"]),
    ]
    assert word_blocks([], []) == []


@given(WORDS, WORDS)
def test_blocks_cover_both_lists_with_the_fewest_changes(source: list[str], output: list[str]) -> None:
    blocks = word_blocks(source, output)
    assert [i for block in blocks for i in block.source] == list(range(len(source)))
    assert [j for block in blocks for j in block.output] == list(range(len(output)))
    for kind, i, j in blocks:
        assert (source[i.start : i.stop] == output[j.start : j.stop]) == (kind == "equal")
    changed = sum(max(len(i), len(j)) for kind, i, j in blocks if kind != "equal")
    assert changed == Levenshtein.distance(source, output)
