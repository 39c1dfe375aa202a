"""Table 3 of Xu et al. (2016): the paper's candidates and the word itself, ranked."""

from __future__ import annotations

from pathlib import Path

import pytest

from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError
from plainwright.grammar.packed import pack_blocks
from plainwright.reproduce import Reproduction, reproduce

# Copied from the paper apart from the table in the package, first, last and the words themselves.
PRINTED = {
    "principal → key": (4.515, 1),
    "principal → principal": (2.885, 6),
    "principal → keynote": (-0.795, 12),
    "able-bodied → valid": (6.435, 1),
    "able-bodied → able-bodied": (3.372, 4),
    "able-bodied → non-disabled": (-2.207, 7),
}


@pytest.fixture(scope="module")
def table(data_dir: Path) -> Reproduction:
    return reproduce("xu2016-table3", data=data_dir)


@pytest.mark.parametrize("row", PRINTED)
def test_the_published_scores_and_ranks_are_those_of_the_paper(table: Reproduction, row: str) -> None:
    released = table.blocks[0]
    assert (released.cell(row, "score").paper, released.cell(row, "rank").paper) == PRINTED[row]


def test_all_candidates_of_both_words_are_ranked_and_every_difference_has_a_cause(table: Reproduction) -> None:
    released = table.blocks[0]
    for word, number in (("principal", 12), ("able-bodied", 7)):
        ranks = [released.cell(row, "rank").ours for row in released.rows if row.startswith(f"{word} →")]
        assert ranks == list(range(1, number + 1))
    assert all(bool(cell.note) == bool(cell.difference) for cell in released.cells)


def test_the_authors_weights_need_fourteen_features_that_only_ppdb_has(table: Reproduction) -> None:
    method = table.blocks[0].methods["score"]
    assert "x 28 features" in method
    assert {"p(e|f)", "AGigaSim", "GoogleNgramSim", "Lex(f|e)"} <= set(method.split("missing: ")[1].split(", "))


def test_a_model_ranks_its_own_rules_and_no_change(data_dir: Path, tmp_path: Path) -> None:
    lines = ["[JJ] ||| able-bodied ||| fit ||| Good=2 ||| 0-0", "[NN] ||| able-bodied ||| healthy ||| Good=-1 ||| 0-0"]
    pack_blocks([("rules", "\n".join(lines).encode())], tmp_path / "rules.pack")
    weights = {"Good": 1.0, "IdentityRule": 0.5}
    bundle = ModelBundle(
        name="toy", version="1", licence="none", grammars=("rules.pack",), language_model=None, weights=weights
    )
    bundle.create(tmp_path / "model", grammars=[tmp_path / "rules.pack"])
    result = reproduce("xu2016-table3", data=data_dir, model=tmp_path / "model")
    block = result.blocks[-1]
    assert {row: block.cell(row, "score").ours for row in block.rows} == {
        "able-bodied → fit": 2.0,
        "able-bodied → able-bodied": 0.5,
        "able-bodied → healthy": -1.0,
    }
    assert block.cell("able-bodied → healthy", "rank").paper == 3
    assert block.cell("able-bodied → fit", "rank").paper is None
    assert "The model has no rule for principal." in result.notes
    assert "above able-bodied itself: fit." in result.findings[-1].answer


def test_a_model_is_refused_where_no_rules_are_ranked() -> None:
    with pytest.raises(DataError, match=r"xu2016-table5 ranks no rules; .* only for xu2016-table3"):
        reproduce("xu2016-table5", model=Path("mine"))
