"""Table 1 of Xu et al. (2016): every rule of the table is applied where it should be."""

from __future__ import annotations

from plainwright.reproduce import reproduce

# Read in the sentences: what each rule has to make of its own.
OUTPUTS = (
    "it is only theirs",
    "our goal is clear",
    "they left without unnecessary haste",
    "the plan was carried out",
    "bees contribute greatly to farms",
    "it is widely accepted that sleep helps",
    "she likes the way tea is served",
    "half of the people of norway skis",
    "the new law of peru is strict",
)


def test_each_of_the_nine_rules_is_applied_once() -> None:
    result = reproduce("xu2016-table1")
    assert [(cell.column, cell.ours) for cell in result.cells] == [
        *[("lexical", 1)] * 3,
        *[("phrasal", 1)] * 3,
        *[("syntactic", 1)] * 3,
    ]
    assert "[NP] [NNP,1] 's [JJ,2] legislation → the [JJ,2] law of [NNP,1]" in result.blocks[0].rows


def test_the_sentences_say_what_they_should() -> None:
    notes = reproduce("xu2016-table1").notes
    assert tuple(note.split(" → ")[1] for note in notes if " → " in note) == OUTPUTS
