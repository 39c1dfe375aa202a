"""Figures 2 and 3 of Xu et al. (2016): measures by hand, Table 7 as printed, correlations as scipy has them."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from plainwright import corpora
from plainwright.metrics import SARI
from plainwright.reproduce import Reproduction, Sampling, reproduce
from plainwright.reproduce.xu2016_figure2 import divergence

# Table 7, copied from the paper apart from the package: rho with Grammar, Meaning, Simplicity+, and the bounds of p.
TABLE_7 = {
    "FK": (-0.002, 0.136, 0.147),
    "BLEU, one": (0.366, 0.459, 0.151),
    "BLEU, all": (0.589, 0.701, 0.111),
    "iBLEU, one": (0.313, 0.397, 0.149),
    "iBLEU, all": (0.492, 0.609, 0.141),
    "FKBLEU, all": (0.349, 0.410, 0.235),
    "SARI, all": (0.342, 0.397, 0.343),
}
P_BOUNDS = {
    0.136: (0.005, 0.01),
    0.147: (0.005, 0.01),
    0.151: (0.001, 0.005),
    0.111: (0.01, 0.05),
    0.141: (0.005, 0.01),
}


@pytest.fixture(scope="module")
def second(data_dir: Path) -> Reproduction:
    return reproduce("xu2016-figure2", data=data_dir, sampling=Sampling(resamples=50))


@pytest.fixture(scope="module")
def third(data_dir: Path) -> Reproduction:
    return reproduce("xu2016-figure3", data=data_dir, sampling=Sampling(resamples=50))


def test_measures_by_hand() -> None:
    bleu = np.array([100.0, 100.0, 80.0, 60.0, 50.0, 40.0, 30.0, np.nan])
    sari = np.array([20.0, 70.0, 30.0, 40.0, 50.0, 60.0, 10.0, np.nan])
    found = divergence(bleu, sari)
    # Ranks of BLEU 6.5 6.5 5 4 3 2 1, of SARI 2 7 3 4 5 6 1: distances 4.5 0.5 2 0 2 4 0, a quarter of 7 is 1.75.
    assert found["apart, %"] == pytest.approx(100 * 4 / 7)
    # The third quartile of SARI is 55: of the two perfect sentences (20 and 70) one is above it.
    assert found["perfect and high, %"] == 50
    assert found["SARI of perfect, median"] == 45
    assert found["Spearman"] == pytest.approx(stats.spearmanr(bleu[:-1], sari[:-1]).statistic)


def test_without_a_perfect_sentence_there_is_no_share() -> None:
    found = divergence(np.array([10.0, 20.0, 30.0]), np.array([10.0, 20.0, 30.0]))
    assert np.isnan(found["perfect and high, %"])
    assert np.isnan(found["SARI of perfect, 95th"])
    assert found["apart, %"] == 0


@given(arrays(np.float64, (2, 12), elements=st.integers(0, 100).map(float)))
def test_ranks_alone_decide_how_far_apart_they_are(scores: np.ndarray) -> None:
    straight = divergence(scores[0], scores[1])
    bent = divergence(scores[0], scores[1] ** 3)
    assert straight["apart, %"] == bent["apart, %"]
    assert 0 <= straight["apart, %"] <= 100


@given(arrays(np.float64, (3, 2, 9), elements=st.integers(0, 100).map(float)))
def test_rows_do_not_touch_each_other(scores: np.ndarray) -> None:
    together = divergence(scores[:, 0], scores[:, 1])
    for at, (bleu, sari) in enumerate(scores):
        for measure, value in divergence(bleu, sari).items():
            np.testing.assert_allclose(together[measure][at], value)


def test_figure_2_has_the_papers_outputs_and_others(second: Reproduction) -> None:
    own, other = second.blocks
    assert own.rows == ("PBMT-R", "SBMT (PPDB + FKBLEU)", "SBMT (PPDB + SARI)", "Simple Wikipedia", "all four")
    assert other.rows == ("Sulem 2018", "SimpEval_past")
    assert {own.cell(row, "Spearman").n for row in own.rows} == {359, 4 * 359}
    assert other.cell("Sulem 2018", "Spearman").n == 27 * 70  # 28 systems without Identity
    for cell in second.cells:
        assert cell.ours is not None
        assert cell.intervals


def test_figure_2_scores_are_those_of_table_5(second: Reproduction, data_dir: Path) -> None:
    corpus = corpora.load("turkcorpus/test", data=data_dir)
    outputs = corpora.load_outputs("xu2016/outputs", data=data_dir)["SBMT-SARI"]
    sari = SARI().sentence_scores(corpus.sources, outputs, corpus.references)
    assert sari.mean() == pytest.approx(37.91, abs=0.01)  # Table 5
    perfect = second.blocks[0].cell("SBMT (PPDB + SARI)", "SARI of perfect, median").ours
    assert perfect is not None
    assert perfect < float(np.median(sari))  # what the figure shows


def test_figure_3_stands_beside_table_7(third: Reproduction) -> None:
    sulem = third.blocks[0]
    for metric, printed in TABLE_7.items():
        found = tuple(sulem.cell(metric, aspect).paper for aspect in ("Grammar", "Meaning", "Simplicity"))
        assert found == printed


def test_figure_3_correlations_are_scipys(third: Reproduction, data_dir: Path) -> None:
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    texts: dict[str, tuple[str, str]] = {}
    with (data_dir / "asset/human_ratings/human_ratings.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            scores[row["original_sentence_id"]][row["aspect"]].append(float(row["rating"]))
            texts[row["original_sentence_id"]] = row["original"], row["simplification"]
    references = corpora.load("turkcorpus/test.detok", data=data_dir).references
    sari = [
        SARI(tokenizer="13a").sentence_score(source, output, references[int(item)]).value
        for item, (source, output) in texts.items()
    ]
    asset = third.blocks[1]
    for aspect, name in (("Grammar", "fluency"), ("Meaning", "meaning"), ("Simplicity", "simplicity")):
        human = [np.mean(scores[item][name]) for item in texts]
        assert asset.cell("SARI, all", aspect).ours == pytest.approx(stats.spearmanr(sari, human).statistic)


def test_the_references_of_rated_outputs_belong_to_their_sources(data_dir: Path) -> None:
    # ASSET's ratings name TurkCorpus's sentences by number: a source must share most words with its line.
    corpus = corpora.load("turkcorpus/test.detok", data=data_dir)
    with (data_dir / "asset/human_ratings/human_ratings.csv").open(newline="", encoding="utf-8") as file:
        sources = {int(row["original_sentence_id"]): row["original"] for row in csv.DictReader(file)}
    for number, source in sources.items():
        words, others = (set(re.findall(r"\w+", text.lower())) for text in (source, corpus.sources[number]))
        assert len(words & others) >= len(words | others) / 2


def test_every_claim_is_decided_or_left_open_by_its_interval(third: Reproduction) -> None:
    claims = third.blocks[-1]
    for finding, label in zip(third.findings, claims.rows, strict=True):
        for part, cell in zip(
            finding.answer.split("; "), [cell for cell in claims.cells if cell.row == label], strict=True
        ):
            assert part.startswith(cell.column)
            assert (" open," in part) == (0.0 in cell.intervals["sources"])


def test_the_number_of_points_in_table_7_follows_from_its_p_values() -> None:
    def fits(n: int) -> bool:
        for rho, (low, high) in P_BOUNDS.items():
            # What is printed as rho may be half a unit of the last digit away.
            values = [_p(rho - 0.0005, n), _p(rho + 0.0005, n)]
            if min(values) >= high or max(values) < low:
                return False
        return True

    fitting = [n for n in range(50, 3000) if fits(n)]
    assert (fitting[0], fitting[-1], len(fitting)) == (356, 365, 10)


def _p(rho: float, n: int) -> float:
    return float(2 * stats.t.sf(abs(rho) * np.sqrt((n - 2) / (1 - rho**2)), n - 2))
