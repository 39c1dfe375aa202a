"""Rated outputs beside fewer of their references."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from plainwright.lens.training.data import Example
from plainwright.lens.training.fewer import with_fewer_references

REFERENCES = tuple(f"reference {number}" for number in range(5))


def example(system: str = "a", source: str = "A source.", references: tuple[str, ...] = REFERENCES) -> Example:
    return Example(item="1", system=system, source=source, output=f"By {system}.", references=references, z=0.5)


@given(st.sets(st.integers(1, 8), max_size=4), st.integers(0, 1000))
def test_each_count_below_the_number_of_references_gives_one_example(counts: set[int], seed: int) -> None:
    found = with_fewer_references([example()], sorted(counts), seed=seed)
    assert sorted(one.count for one in found) == sorted(count for count in counts if count < len(REFERENCES))
    for one in found:
        assert set(one.example.references) < set(REFERENCES)
        assert len(set(one.example.references)) == one.count


def test_outputs_of_one_source_meet_the_same_references() -> None:
    first, second = with_fewer_references([example("a"), example("b")], [2], seed=7)
    assert (first.row, second.row) == (0, 1)
    assert first.example.references == second.example.references
    assert (second.example.system, second.example.output, second.example.z) == ("b", "By b.", 0.5)


def test_a_reference_that_is_missing_for_one_output_moves_no_other() -> None:
    [whole] = with_fewer_references([example()], [1], seed=3)
    others = tuple(text for text in REFERENCES if text not in whole.example.references)
    unchosen = others[0]
    [part] = with_fewer_references([example(references=tuple(t for t in REFERENCES if t != unchosen))], [1], seed=3)
    assert part.example.references == whole.example.references


def test_sources_draw_by_themselves() -> None:
    drawn = {with_fewer_references([example(source=f"S {n}.")], [1], seed=0)[0].example.references for n in range(40)}
    assert len(drawn) > 1
