"""Table 2 of Maddela et al. (2023): pairs counted again the slow way, and what the published digits can come from."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.metrics import SARI
from plainwright.reproduce import Block, Reproduction, Sampling, reproduce
from plainwright.reproduce.lens2023 import METRICS, attainable, published_z
from plainwright.study.ratings.raw import RawRow, RawTable

STATED_1, STATED_2, RELEASED, ALL_SIX, WITHOUT_WRITER = range(5)
AGREEMENT = 5
OVERLAP = tuple(name for name, row in METRICS.items() if row.metric is not None)  # what needs no model


@pytest.fixture(scope="module")
def table(data_dir: Path) -> Reproduction:
    return computed(data_dir, Sampling(resamples=200))


def computed(data_dir: Path, sampling: Sampling) -> Reproduction:
    return reproduce("lens2023-table2", data=data_dir, sampling=sampling, metrics=OVERLAP)


@pytest.mark.parametrize(
    ("tau", "pairs", "expected"),
    [
        (0.333, 3, True),  # two of three pairs: (2 - 1) / 3
        (0.5, 3, False),  # 3 pairs give -1, -0.333, 0.333 and 1
        (0.5, 4, True),
        (0.149, 329, True),  # 49 / 329 = 0.14894
        (0.149, 151, False),  # 21 / 151 = 0.139, 23 / 151 = 0.152
    ],
)
def test_which_taus_a_number_of_pairs_can_give(tau: float, pairs: int, expected: bool) -> None:
    assert attainable(tau, pairs) is expected


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_every_split_of_pairs_is_attainable(split: tuple[int, int]) -> None:
    pairs, concordant = split
    assert attainable(round((2 * concordant - pairs) / pairs, 3), pairs)


def test_published_z_scores_by_item_system_and_rating() -> None:
    columns = ("original_id", "system", "rating_1", "rating_2", "rating_1_zscore", "rating_2_zscore")
    rows = [("7", "a", 1, 2, 0.1, 0.2), ("7", "b", 1, 2, 0.3, 0.4), ("9", "b", 1, 2, 0.7, 0.8)]
    made = RawTable(
        name="toy",
        columns=columns,
        rows=tuple(RawRow(at, dict(zip(columns, row, strict=True))) for at, row in enumerate(rows)),
    )
    expected = [[[0.1, 0.2], [0.3, 0.4]], [[np.nan, np.nan], [0.7, 0.8]]]
    np.testing.assert_array_equal(published_z(made), expected)


def test_the_published_values_are_those_of_the_text(table: Reproduction) -> None:
    # Introduction and section 3.1 (alphas); section 6.2 for the last two.
    printed = {"SARI": 0.149, "BERTScore": 0.112, "LENS": 0.331}
    for block in table.blocks[:AGREEMENT]:
        assert {cell.row: cell.paper for cell in block.cells if cell.paper is not None} == printed
        assert all(cell.column == "all" for cell in block.cells if cell.paper is not None)
    assert [cell.paper for cell in table.blocks[AGREEMENT].cells] == [0.70, 0.32, 0.25, 0.23]


@pytest.mark.parametrize(
    ("protocol", "pairs"),
    [
        (STATED_1, (14, 60, 151)),
        (STATED_2, (12, 61, 145)),
        (RELEASED, (63, 258, 329)),
        (ALL_SIX, (34, 161, 361)),
        (WITHOUT_WRITER, (28, 111, 248)),
    ],
)
def test_every_number_says_on_how_many_pairs_it_rests(
    table: Reproduction, protocol: int, pairs: tuple[int, ...]
) -> None:
    block = table.blocks[protocol]
    for metric in ("SARI", "BLEU", "FKGL", "-LD"):
        assert tuple(block.cell(metric, column).n for column in ("paraphrase", "split", "all")) == pairs


def test_pairs_and_tau_counted_the_slow_way(table: Reproduction, data_dir: Path) -> None:
    first, second = "Human 1 Writing", "Human 2 Writing"
    for protocol, writer, left_out in (
        (STATED_1, first, first),
        (STATED_2, second, second),
        (RELEASED, first, None),
        (ALL_SIX, first, None),
        (WITHOUT_WRITER, first, first),
    ):
        for column in ("paraphrase", "split", "all"):
            concordant, pairs = _slow_counts(data_dir, protocol, writer, left_out, column)
            cell = table.blocks[protocol].cell("SARI", column)
            assert cell.n == pairs
            assert cell.ours == pytest.approx((2 * concordant - pairs) / pairs)


def _slow_counts(data_dir: Path, protocol: int, writer: str, left_out: str | None, column: str) -> tuple[int, int]:
    """Concordant and all pairs under a protocol."""
    with (data_dir / "simpeval/simpeval_2022.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    references = {row["original_id"]: row["generation"] for row in rows if row["system"] == writer}
    kinds = {"paraphrase": "Paraphrases", "split": "Splittings"}
    sari = SARI(tokenizer="13a")
    concordant = pairs = 0
    for one, other in combinations([row for row in rows if row["system"] != left_out], 2):
        if one["original_id"] != other["original_id"]:
            continue
        same_kind = one["sentence_type"] == other["sentence_type"]
        if protocol == RELEASED and not same_kind:
            continue
        if column != "all" and not (same_kind and one["sentence_type"] == kinds[column]):
            continue
        differences = [float(one[f"rating_{k}"]) - float(other[f"rating_{k}"]) for k in (1, 2, 3)]
        if order := _order(differences, protocol):
            scores = [
                sari.sentence_score(row["original"], row["generation"], [references[row["original_id"]]]).value
                for row in (one, other)
            ]
            pairs += 1
            concordant += (scores[0] - scores[1]) * order > 0
    return concordant, pairs


def _order(differences: list[float], protocol: int) -> int:
    """1 if the first is better, -1 if the second, 0 if the pair does not count."""
    needed = 2 if protocol == RELEASED else 3
    least = 5
    if protocol in (ALL_SIX, WITHOUT_WRITER):
        least = 0
        if abs(sum(differences) / 3) <= 5:
            return 0
    votes = [0 if abs(difference) <= least else 1 if difference > 0 else -1 for difference in differences]
    return next((sign for sign in (1, -1) if votes.count(sign) >= needed), 0)


def test_every_tau_has_an_interval_around_it(table: Reproduction) -> None:
    for block in table.blocks[:AGREEMENT]:
        for cell in block.cells:
            if cell.ours is not None:
                assert cell.ours in cell.intervals["sources"]


def test_sari_of_the_released_protocol_is_one_pair_from_the_paper(table: Reproduction) -> None:
    cell = table.blocks[RELEASED].cell("SARI", "all")
    assert cell.ours is not None
    assert cell.n is not None
    assert abs(cell.ours - 49 / 329) == pytest.approx(2 / cell.n)


def test_only_the_released_protocol_can_give_the_published_digits(table: Reproduction) -> None:
    [finding] = [finding for finding in table.findings if "all raters agree" in finding.claim]
    assert "145 pairs can give none; 151 pairs can give none" in finding.answer
    assert "329 pairs can give SARI 0.149, BERTScore 0.112, LENS 0.331" in finding.answer


def test_alphas_of_section_3_are_near_the_papers(table: Reproduction) -> None:
    agreement: Block = table.blocks[AGREEMENT]
    for name, ratings in (("SimpEval_past", 12000), ("SimpEval_2022", 1080)):
        cell = agreement.cell(name, "published z-scores")
        assert cell.difference is not None
        assert abs(cell.difference) <= 0.01
        assert cell.n == ratings
        assert cell.paper in cell.intervals["sources"]


def test_what_differs_has_a_cause_and_what_is_missing_a_reason(table: Reproduction) -> None:
    for cell in table.cells:
        assert bool(cell.note) == (cell.difference not in (None, 0) or cell.ours is None), cell


def test_the_choices_are_listed_and_the_seed_decides(table: Reproduction, data_dir: Path) -> None:
    assert any("Stated protocol" in choice for choice in table.protocol)
    again = computed(data_dir, Sampling(resamples=200))
    assert again.to_dict() == table.to_dict()
    other = computed(data_dir, Sampling(resamples=200, seed=1))
    assert [cell.ours for cell in other.cells] == [cell.ours for cell in table.cells]
    assert [cell.intervals for cell in other.cells] != [cell.intervals for cell in table.cells]
