"""The human-evaluation findings on public ratings: derived aspects, chosen systems, numbers found the slow way."""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.study.rated import from_array

from plainwright.reproduce import Reproduction, Sampling, reproduce
from plainwright.reproduce.human_evaluation import spread_systems, with_adequacy
from plainwright.study.ratings import Rating, Ratings


@pytest.fixture(scope="module")
def result(data_dir: Path) -> Reproduction:
    return reproduce("human-evaluation", data=data_dir, sampling=Sampling(resamples=100))


def _rating(aspect: str, score: float, rater: str = "A") -> Rating:
    return Rating(item="1", system="s", rater=rater, aspect=aspect, score=score)


def test_adequacy_is_what_is_neither_added_nor_removed() -> None:
    ratings = Ratings((_rating("information added", 1), _rating("information removed", 2)))
    [made] = [row for row in with_adequacy(ratings) if row.aspect == "adequacy"]
    assert made.score == 2.5  # 4 - (1 + 2) / 2
    assert made.scale is not None
    assert made.score in made.scale


def test_a_rater_who_answered_one_of_the_two_has_no_adequacy() -> None:
    ratings = Ratings(
        (
            _rating("information added", 1),
            _rating("information removed", 3),
            _rating("information added", 1, rater="B"),
        )
    )
    assert [row.rater for row in with_adequacy(ratings) if row.aspect == "adequacy"] == ["A"]


def test_other_ratings_stay_as_they_are() -> None:
    ratings = Ratings((_rating("adequacy", 3), _rating("information added", 1)))
    assert with_adequacy(ratings) is ratings


def test_five_systems_are_spread_over_the_ranking() -> None:
    # Means 0, 10, 20 … 80 in the order 3, 1, 4 …: the first, the last, and every second between them.
    order = [3, 1, 4, 0, 5, 8, 2, 6, 7]
    scores = np.zeros((4, 9, 1))
    for place, system in enumerate(order):
        scores[:, system] = 10 * place
    chosen = spread_systems(from_array(scores).cube("simplicity"), 5)
    assert set(chosen.systems) == {f"system {order[place]}" for place in (0, 2, 4, 6, 8)}
    np.testing.assert_array_equal(sorted(chosen.means[0]), [0, 20, 40, 60, 80])


def test_fewer_systems_than_asked_are_all_taken_once() -> None:
    cube = from_array(np.arange(12.0).reshape(4, 3, 1)).cube("simplicity")
    assert spread_systems(cube, 5).systems == cube.systems


def test_published_numbers_are_those_of_the_paper(result: Reproduction) -> None:
    aspects, _, raters, _ = result.blocks
    printed = {(cell.row, cell.column.split(",")[0]): cell.paper for cell in aspects.cells}
    assert printed[("simplicity - adequacy", "R2")] == 0.21  # section 3.1
    assert printed[("adequacy - fluency", "R2")] == 0.07
    assert printed[("simplicity - fluency", "R2")] is None
    assert printed[("simplicity - adequacy", "r")] == pytest.approx(-(0.21**0.5))
    assert {cell.column: cell.paper for cell in raters.cells if cell.paper is not None} == {
        "1 rater": 0.92,  # section 3.2
        "2 raters": 0.95,
    }


def test_the_line_through_sulems_ratings_is_the_one_scipy_finds(result: Reproduction, data_dir: Path) -> None:
    scores: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with (data_dir / "sulem2018/human_ratings.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            scores[row["system"], row["sent_id"]].append((float(row["S"]), float(row["M"])))
    simplicity, adequacy = np.array([np.mean(pair, axis=0) for pair in scores.values()]).T
    expected = stats.linregress(simplicity, adequacy)
    cell = result.blocks[0].cell("simplicity - adequacy", "r, Sulem 2018, 3 raters")
    assert cell.ours == pytest.approx(expected.rvalue)
    assert cell.n == 70 * 28
    assert result.blocks[0].cell("simplicity - adequacy", "R2, Sulem 2018, 3 raters").p_value == pytest.approx(
        expected.pvalue
    )


def test_only_data_that_can_answer_are_asked(result: Reproduction) -> None:
    aspects, *curves = result.blocks
    assert not any("SimpEval" in cell.column for cell in aspects.cells)  # one score of quality
    for block in curves:
        assert {cell.row.split(",")[0] for cell in block.cells} == {"Sulem 2018", "SAMSA", "SimpEval_past"}
    assert any("ASSET has 15 raters but one output a sentence" in note for note in result.notes)


def test_every_finding_of_the_paper_gets_an_answer(result: Reproduction) -> None:
    assert len(result.findings) == 6
    by_claim = {finding.claim: finding.answer for finding in result.findings}
    [trade_off] = [answer for claim, answer in by_claim.items() if "negatively correlated" in claim]
    assert "holds on Sulem 2018" in trade_off
    assert "the other way round on ASSET" in trade_off
    [budget] = [answer for claim, answer in by_claim.items() if "100 ratings" in claim]
    assert budget.count("systems:") == 6


def test_what_differs_has_a_cause_and_nothing_else(result: Reproduction) -> None:
    for cell in result.cells:
        assert bool(cell.note) == bool(cell.difference), cell


def test_budgets_spend_what_there_is(result: Reproduction) -> None:
    spent = {cell.column for cell in result.blocks[3].cells if cell.row.startswith("SAMSA")}
    assert spent == {"100 x 1 rater", "50 x 2 raters", "33 x 3 raters", "25 x 4 raters", "20 x 5 raters"}


def test_more_sentences_never_agree_less_on_average(result: Reproduction) -> None:
    by_row: dict[str, list[float]] = defaultdict(list)
    for cell in result.blocks[1].cells:
        assert cell.ours is not None
        by_row[cell.row].append(cell.ours)
    for taus in by_row.values():
        assert np.diff(taus).min() > -0.02  # 100 samples a size leave some noise
