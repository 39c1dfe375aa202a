"""Tables 1 and 7 of Maddela et al. (2023): sizes of SimpEval, and how three ways of rating rank six systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.metrics import SelfBLEU
from plainwright.reproduce import Reproduction, Sampling, reproduce
from plainwright.study.ratings import read_ratings


@pytest.fixture(scope="module")
def ranked(data_dir: Path) -> Reproduction:
    return reproduce("lens2023-table7", data=data_dir, sampling=Sampling(resamples=200))


def test_the_sizes_are_those_that_the_paper_names(data_dir: Path) -> None:
    result = reproduce("lens2023-table1", data=data_dir)
    # Sections 1 and 3.1: 12K ratings on 2.4K outputs of 24 systems; 1,080 on 360; 38.5 and 19.7 tokens.
    assert {cell.paper for cell in result.cells} >= {12_000, 2400, 24, 1080, 360, 38.5, 19.7}
    assert all(cell.difference == 0 for cell in result.cells)


def test_the_ranks_follow_from_the_means(ranked: Reproduction) -> None:
    means, ranks = ranked.blocks[:2]
    for method in ranks.columns:
        by_mean = sorted(means.rows, key=lambda system: -means.cell(system, method).ours)  # type: ignore[operator]
        by_rank = sorted(ranks.rows, key=lambda system: ranks.cell(system, method).ours)  # type: ignore[arg-type]
        assert by_mean == by_rank


def test_a_mean_is_that_of_the_file(ranked: Reproduction, data_dir: Path) -> None:
    scores = [row.score for row in read_ratings("simpeval/2022", data=data_dir) if row.system == "T5-3B"]
    assert ranked.blocks[0].cell("T5-3B", "Rank & Rate").ours == pytest.approx(sum(scores) / len(scores))


def test_aspects_of_likert_are_put_on_one_scale(ranked: Reproduction, data_dir: Path) -> None:
    rows = [row for row in read_ratings("simpeval/simplikert_2022", data=data_dir) if row.system == "Muss"]
    scores = [row.score + 3 * (row.aspect == "simplicity") for row in rows]
    assert ranked.blocks[0].cell("Muss", "Likert").ours == pytest.approx(sum(scores) / len(scores))


def test_taus_count_the_pairs_that_have_the_same_order(ranked: Reproduction) -> None:
    # By hand from the ranks: DA exchanges two pairs with Rank & Rate, Likert one, so (13 - 2) / 15 and (14 - 1) / 15.
    taus = {cell.row: cell.ours for cell in ranked.blocks[2].cells}
    assert taus["Rank & Rate, DA"] == pytest.approx(11 / 15)
    assert taus["Rank & Rate, Likert"] == pytest.approx(13 / 15)
    assert taus["DA, Likert"] == pytest.approx(9 / 15)
    assert "the same order to 12 of 15 pairs" in ranked.findings[0].answer


def test_the_alphas_of_the_paper_stand_beside_ours(ranked: Reproduction) -> None:
    assert [cell.paper for cell in ranked.blocks[3].cells] == [0.32, 0.25, 0.23]


def test_self_bleu_is_the_metric_of_that_name(ranked: Reproduction, data_dir: Path) -> None:
    texts = {
        row.item: (row.source, row.output)
        for row in read_ratings("simpeval/2022", data=data_dir)
        if row.system == "Muss"
    }
    sources, outputs = zip(*texts.values(), strict=True)
    expected = SelfBLEU(lowercase=True).corpus_score(sources, outputs, None).value
    assert ranked.block(ranked.blocks[4].title).cell("Muss", "self-BLEU").ours == pytest.approx(expected)


def test_every_mean_and_tau_has_an_interval(ranked: Reproduction) -> None:
    for block in (ranked.blocks[0], ranked.blocks[2], ranked.blocks[4]):
        assert all(cell.intervals["sources"].low <= cell.ours <= cell.intervals["sources"].high for cell in block.cells)
