"""Table 5 of Xu et al. (2016): how near our cells come to the printed ones, and that each difference has a cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.errors import UnknownNameError
from plainwright.reproduce import Block, Cell, reproduce

# Xu et al. (2016), Table 5, copied from the paper apart from the table in the package: FK, BLEU, iBLEU, FKBLEU, SARI.
PAPER = {
    "Normal Wikipedia": (12.88, 99.05, 78.41, 62.48, 26.05),
    "Simple Wikipedia": (11.25, 66.75, 53.53, 61.75, 38.42),
    "Mechanical Turk": (10.80, 100.0, 74.31, 73.60, 43.71),
    "PBMT-R": (11.10, 63.12, 48.91, 59.00, 33.77),
    "SBMT (PPDB + BLEU)": (12.88, 99.05, 78.41, 62.48, 26.05),
    "SBMT (PPDB + FKBLEU)": (10.75, 74.48, 58.10, 66.68, 34.18),
    "SBMT (PPDB + SARI)": (10.90, 72.36, 58.15, 66.57, 37.91),
}
COLUMNS = ("FK", "BLEU", "iBLEU", "FKBLEU", "SARI")


@pytest.fixture(scope="module")
def table(data_dir: Path) -> Block:
    [block] = reproduce("xu2016-table5", data=data_dir).blocks
    return block


def test_the_published_values_are_those_of_the_paper(table: Block) -> None:
    assert table.columns == COLUMNS
    assert {row: tuple(table.cell(row, column).paper for column in COLUMNS) for row in table.rows} == PAPER


@pytest.mark.parametrize("row", ["PBMT-R", "SBMT (PPDB + FKBLEU)"])
def test_sari_of_two_systems_is_exact(table: Block, row: str) -> None:
    assert round(table.cell(row, "SARI").ours, 2) == PAPER[row][4]


def test_sari_of_the_best_system_is_within_a_hundredth(table: Block) -> None:
    assert abs(table.cell("SBMT (PPDB + SARI)", "SARI").difference) <= 0.01


# The bounds of issue 2 for SARI and FK; for the others what was found, so that no change makes them worse unseen.
@pytest.mark.parametrize("row", PAPER)
@pytest.mark.parametrize(("column", "bound"), [("FK", 0.01), ("BLEU", 0.0), ("iBLEU", 0.10), ("FKBLEU", 0.08)])
def test_every_cell_is_within_its_bound(table: Block, row: str, column: str, bound: float) -> None:
    assert abs(table.cell(row, column).difference) <= bound


def test_every_cell_that_differs_has_a_cause_and_no_other(table: Block) -> None:
    for cell in table.cells:
        assert bool(cell.note) == (cell.difference != 0), cell


def test_every_column_says_how_it_is_computed(table: Block) -> None:
    assert tuple(table.methods) == COLUMNS
    assert all(table.methods.values())


def test_the_difference_is_that_of_the_printed_digits() -> None:
    # 33.774 prints as 33.77: no difference, although the full numbers differ.
    assert Cell(row="r", column="c", paper=33.77, ours=33.774).difference == 0
    assert Cell(row="r", column="c", paper=37.91, ours=37.9163).difference == 0.01
    assert str(Cell(row="r", column="c", paper=1.0, ours=0.9999).difference) == "0.0"  # never minus zero


def test_an_unknown_table_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean xu2016-table5"):
        reproduce("xu2016-tabel5")
