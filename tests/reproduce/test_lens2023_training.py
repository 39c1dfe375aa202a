"""Table 6 and Figure 4 of Maddela et al. (2023) on toy models: which are compared, over what, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.lens.tiny import save_tiny_model

from plainwright.errors import DataError
from plainwright.lens.training.data import Example
from plainwright.reproduce import Reproduction, Sampling, reproduce
from plainwright.reproduce.lens2023_figure4 import highest_of_first
from plainwright.reproduce.lens2023_table6 import Measured, held_out, past_examples
from plainwright.reproduce.trained_models import Kind, TrainedModel, TrainedModels

FEW = Sampling(resamples=30)
SOURCES = [f"Sentence number {number} is hard." for number in range(10)]


def save_model(directory: Path, *, fold: int, k: str = "none", tuning: str = "none", **more: object) -> Path:
    settings = {"encoder": "tiny", "tuning": "none", "head_k": k, "fold": fold}
    if tuning != "none":
        settings = {"encoder": "tiny", "tuning_layers": tuning, "head_k": k, "fold": fold}
    given = {"companion": False, "trained_on": SOURCES[2:], "settings": settings, **more}
    save_tiny_model(directory, **given)
    shutil.rmtree(directory.with_name(f"{directory.name}-encoder"))
    return directory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for k in ("none", 3):
        for fold in range(2):
            save_model(tmp_path / f"k{k}-{fold}", fold=fold, k=k, seed=fold)
    return tmp_path


def test_models_are_gathered_by_kind_and_fold(folder: Path) -> None:
    trained = TrainedModels.read(folder)
    all_references, nearest = Kind("tiny", "frozen", "k = n"), Kind("tiny", "frozen", "top 3")
    assert {kind: list(folds) for kind, folds in trained.models.items()} == {all_references: [0, 1], nearest: [0, 1]}
    assert trained.places(nearest) == [2, 3]
    assert trained.places(nearest, folds=[1]) == [3]
    assert trained.pairs() == ((nearest, all_references),)


def test_the_kind_of_a_model_is_what_it_was_trained_with(tmp_path: Path) -> None:
    kinds = [
        TrainedModel.open(save_model(tmp_path / tuning, fold=0, tuning=tuning)).kind.label
        for tuning in ("none", "all", "4")
        if tuning != "all"
    ]
    assert kinds == ["tiny, frozen, k = n", "tiny, top 4 layers, k = n"]


def test_models_that_cannot_be_compared_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found none"):
        TrainedModels.read(tmp_path / "nowhere")
    shutil.copytree(folder / "k3-0", folder / "again")
    with pytest.raises(DataError, match="found a second"):
        TrainedModels.read(folder)
    other = save_model(tmp_path / "other" / "model", fold=0, companion=True)
    with pytest.raises(DataError, match="expected a model of one fold without features"):
        TrainedModel.open(other)


def test_what_a_model_says_is_kept_and_read_again(folder: Path) -> None:
    one = TrainedModel.open(folder / "k3-0")
    rated = [
        Example(item="1", system="a", source=SOURCES[0], output="It is hard.", references=("Hard.", "It is."), z=0.0),
        Example(item="2", system="a", source=SOURCES[1], output="It was.", references=("The cat sat.",), z=0.0),
    ]
    found = one.pairwise(rated)
    assert found.shape == (2, 2)
    assert np.isnan(found[1, 1])
    [kept] = (folder / "values").iterdir()
    stamp = kept.stat().st_mtime_ns
    np.testing.assert_array_equal(one.pairwise(rated), found)
    assert kept.stat().st_mtime_ns == stamp


def test_a_model_is_judged_on_sources_that_it_never_saw(folder: Path) -> None:
    one = TrainedModel.open(folder / "k3-0")
    examples = [
        Example(item=source, system="a", source=source.upper(), output="x", references=("y",), z=0.0)
        for source in SOURCES
    ]
    assert held_out(one, examples).tolist() == [0, 1]
    with pytest.raises(DataError, match="learnt from some sources"):
        held_out(one, examples[2:])


def test_differences_are_those_of_models_of_the_same_fold() -> None:
    values = np.array([0.1, 0.5, 0.2, 0.6])  # the second kind is 0.1 better in each fold, and folds differ by 0.4
    drawn = np.repeat(values[:, None], 50, axis=1)
    measured = Measured(name="all", values=values, drawn=drawn, n=7)
    assert measured.mean([2, 3]) == pytest.approx(0.4)
    apart, paired = measured.intervals([2, 3], seed=1), measured.intervals([2, 3], [0, 1], seed=1)
    assert apart["both"].high - apart["both"].low == pytest.approx(0.4)
    assert (paired["both"].low, paired["both"].high) == pytest.approx((0.1, 0.1))


def test_fewer_references_are_the_first_of_an_order() -> None:
    z = np.array([[1.0, 3.0, 2.0], [5.0, 4.0, np.nan]])
    orders = (np.array([2, 0, 1]), np.array([1, 0]))
    assert [highest_of_first(z, orders, count).tolist() for count in (1, 2, 3)] == [[2.0, 4.0], [2.0, 5.0], [3.0, 5.0]]


def test_the_folder_of_models_is_asked_for_and_only_where_it_is_used() -> None:
    with pytest.raises(DataError, match="--models DIR"):
        reproduce("lens2023-table6")
    with pytest.raises(DataError, match="only for lens2023-table6, lens2023-figure4"):
        reproduce("sulem2018-table1", models=Path("models"))


@pytest.fixture(scope="module")
def compared(data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Toy models of two folds and two kinds that claim to have learnt from SimpEval_past."""
    folder = tmp_path_factory.mktemp("models")
    sources = sorted({example.source for example in past_examples(data_dir)})
    for k in ("none", 3):
        for fold in range(2):
            trained_on = [source for at, source in enumerate(sources) if at % 20 != fold]
            save_model(folder / f"k{k}-{fold}", fold=fold, k=k, seed=fold + (k == 3), trained_on=trained_on)
    return folder


@pytest.fixture(scope="module")
def table(data_dir: Path, compared: Path) -> Reproduction:
    return reproduce("lens2023-table6", data=data_dir, sampling=FEW, models=compared)


@pytest.mark.slow
def test_table_6_has_taus_with_intervals_and_the_papers(table: Reproduction) -> None:
    released, stated, past, differences = table.blocks
    assert [cell.n for cell in released.cells[:3]] == [63, 258, 329]  # as in lens2023-table2
    assert [cell.n for cell in stated.cells[:3]] == [14, 60, 151]
    assert [cell.paper for cell in table.cells if cell.paper is not None] == [0.331, 0.331]
    assert set(released.cells[0].intervals) == {"sources", "both"}
    assert [cell.n for cell in past.cells] == [240, 240]  # ten sources of two folds, 24 systems
    assert {cell.n for cell in differences.cells} == {2}
    [claim] = [finding for finding in table.findings if "nearest references" in finding.claim]
    assert "tiny, frozen, top 3 less tiny, frozen, k = n: tau, released" in claim.answer


@pytest.mark.slow
def test_a_difference_is_that_of_the_rows(table: Reproduction) -> None:
    released, *_, differences = table.blocks
    rows = [released.cell(f"tiny, frozen, {k}", "all").ours for k in ("top 3", "k = n")]
    assert differences.cells[0].ours == pytest.approx(rows[0] - rows[1])


@pytest.mark.slow
def test_a_model_that_knows_the_test_is_refused(data_dir: Path, tmp_path: Path) -> None:
    from plainwright.study.ratings import read_ratings

    sources = {str(row.source) for row in read_ratings("simpeval/2022", data=data_dir)}
    save_model(tmp_path / "model", fold=0, trained_on=sorted(sources)[:1])
    with pytest.raises(DataError, match="one that knows the test"):
        reproduce("lens2023-table6", data=data_dir, sampling=FEW, models=tmp_path)


@pytest.mark.slow
def test_figure_4_has_every_number_of_references(data_dir: Path, compared: Path, monkeypatch) -> None:
    monkeypatch.setattr("plainwright.models.find", lambda name: compared / "knone-0")
    figure = reproduce("lens2023-figure4", data=data_dir, sampling=FEW, models=compared)
    past, simplicity, *ends = figure.blocks
    assert simplicity.columns == (*map(str, range(1, 9)), "1 less all")
    assert all(block.columns == ("1", "8", "1 less all") for block in ends)
    assert past.columns == (*map(str, range(1, 11)), "1 less all")
    row = "tiny, frozen, k = n"
    first, last, less = (simplicity.cell(row, column).ours for column in ("1", "8", "1 less all"))
    assert less == pytest.approx(first - last)
