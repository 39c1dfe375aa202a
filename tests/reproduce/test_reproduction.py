"""Reproductions of any shape: what a cell says of itself, and how blocks look as text."""

from __future__ import annotations

import json

import pytest

from plainwright import corpora
from plainwright.reproduce import REPRODUCTIONS, Block, Cell, Finding, Reproduction, Sampling
from plainwright.reproduce.render import to_text
from plainwright.study.estimate import Interval


def toy(*blocks: Block, **fields: object) -> Reproduction:
    defaults = {"name": "toy", "title": "A toy table", "citation": "Nobody (2000)", "notes": ()}
    return Reproduction(**{**defaults, **fields}, blocks=blocks)  # type: ignore[arg-type]


def correlation(row: str, paper: float, ours: float, **fields: object) -> Cell:
    intervals = {"inputs": Interval(-0.25, 0.5), "systems": Interval(-1.0, 1.0, undefined=3)}
    return Cell(row=row, column="S", paper=paper, ours=ours, intervals=intervals, **fields)  # type: ignore[arg-type]


LIST = Block(
    title="Two metrics",
    cells=(
        correlation("BLEU", -0.59, -0.589, p_value=0.08, paper_p="0.08"),
        correlation("SARI", 0.52, -0.1, p_value=0.4, paper_p="0.1", note="another scorer"),
        correlation("FK", 0.0, 0.004, p_value=1e-9, paper_p="0.5"),
    ),
    methods={"BLEU": "as ever"},
    signs=True,
)


def lines_of(*blocks: Block, **fields: object) -> list[str]:
    return to_text(toy(*blocks, **fields)).splitlines()


def fields_of(*blocks: Block) -> list[list[str]]:
    return [line.split() for line in lines_of(*blocks)]


def test_whole_numbers_are_compared_as_printed() -> None:
    cell = Cell(row="r", column="c", paper=68, ours=68.4, digits=0)
    assert cell.difference == 0


@pytest.mark.parametrize(
    ("paper", "ours", "same"),
    [(0.1, 0.9, True), (-0.1, 0.1, False), (0.0, 0.004, True), (0.0, 0.006, False), (0.1, 0.001, False)],
)
def test_signs_are_those_of_the_printed_digits(paper: float, ours: float, same: bool) -> None:
    assert Cell(row="r", column="c", paper=paper, ours=ours).same_sign is same


def test_a_cell_without_a_published_number_has_no_difference_and_no_sign() -> None:
    cell = Cell(row="r", column="c", paper=None, ours=1.0)
    assert (cell.difference, cell.same_sign) == (None, None)
    assert Block(cells=(cell,), signs=True).sign_agreement == (0, 0)
    assert ["r", "1.00"] in fields_of(Block(cells=(cell,)))  # no empty columns if the whole block is ours
    beside = Cell(row="s", column="c", paper=1.0, ours=1.0)
    assert ["r", "-", "1.00", "-"] in fields_of(Block(cells=(cell, beside)))


def test_a_grid_has_one_line_a_row_and_gaps_where_the_paper_has_none() -> None:
    cells = (
        Cell(row="one", column="a", paper=1.5, ours=1.25),
        Cell(row="two", column="a", paper=2, ours=2),
        Cell(row="two", column="b", paper=70, ours=71, digits=0, note="rounding"),
    )
    lines = lines_of(Block(cells=cells))
    assert "one    1.50   1.25  -0.25" in lines
    assert "two    2.00   2.00  +0.00       70     71     +1" in lines
    assert "  b: rounding (two +1)" in lines


def test_a_list_has_one_line_a_cell_with_intervals_p_values_signs_and_a_letter_for_the_cause() -> None:
    lines, fields = lines_of(LIST), fields_of(LIST)
    intervals = ["[-0.25", "+0.50]", "[-1.00", "+1.00]"]
    assert ["BLEU", "S", "-0.59", "0.08", "-0.59", "0.08", "+0.00", *intervals, "same"] in fields
    assert ["SARI", "S", "0.52", "0.1", "-0.10", "0.4", "-0.62", *intervals, "OTHER", "a"] in fields
    assert ["FK", "S", "0.00", "0.5", "0.00", "<1e-05", "+0.00", *intervals, "same"] in fields
    assert "  a: another scorer" in lines
    assert "Same sign as in the paper: 2 of 3 cells." in lines
    assert "Intervals of 95% for ours, by what is resampled: inputs, systems." in lines


def test_a_list_shows_only_columns_that_are_filled() -> None:
    text = to_text(toy(Block(cells=(Cell(row="tau", column="all", paper=0.149, ours=0.155, digits=3, n=60),))))
    assert "          paper   ours    diff   n\ntau  all  0.149  0.155  +0.006  60" in text


def test_protocol_findings_and_notes_are_shown_in_140_columns() -> None:
    long = "word " * 60
    lines = lines_of(LIST, protocol=(long,), findings=(Finding("BLEU is bad", long),), notes=(long,))
    assert max(map(len, lines)) <= 140
    assert "Choices that the paper leaves open, fixed before our numbers were looked at" in lines
    assert "  The paper: BLEU is bad" in lines


def test_more_causes_than_letters_still_have_labels() -> None:
    cells = tuple(Cell(row=str(i), column="c", paper=0.0, ours=1.0, note=f"cause {i}", n=1) for i in range(28))
    assert "  ab: cause 27" in lines_of(Block(cells=cells))


def test_json_leaves_out_what_does_not_apply() -> None:
    plain = Block(cells=(Cell(row="r", column="c", paper=1.0, ours=2.0),))
    document = json.loads(json.dumps(toy(LIST, plain, sampling=Sampling(seed=7, resamples=5)).to_dict()))
    listed, grid = document["blocks"]
    assert listed["signs"] == {"same": 2, "of": 3}
    assert listed["cells"][0]["intervals"]["systems"] == {
        "low": -1.0,
        "high": 1.0,
        "confidence": 0.95,
        "undefined_resamples": 3,
    }
    assert grid["cells"][0].keys() == {"row", "column", "paper", "ours", "difference", "note"}
    assert (document["seed"], document["resamples"]) == (7, 5)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_every_reproduction_names_corpora_that_are_registered(name: str) -> None:
    needs = REPRODUCTIONS[name].needs
    assert needs or name == "xu2016-table1"  # whose rules stand in the paper
    assert set(needs) <= set(corpora.names())
