"""A judge's directory: its scores, long and empty texts, and what is said of files that are missing or damaged."""

from __future__ import annotations

import numpy as np
import pytest
from tests.judge.tiny import CURVE, MAX_PIECES, save_tiny_judge, score

from plainwright.errors import DataError, LengthMismatchError, MissingExtraError, ModelMissingError
from plainwright.judge import JudgeModel, find_judge, open_judge
from plainwright.judge.finding import JUDGE_VARIABLE, SETTINGS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_judge(tmp_path_factory.mktemp("judge") / "tiny")


@pytest.fixture(scope="module")
def judge(folder):
    return JudgeModel(folder)


def test_an_output_gets_four_scores_from_0_to_100(judge):
    [row] = judge.scores(["he bought a cat"], ["he bought a car"])
    # By hand, from the worth of "bought" and "car".
    assert row == pytest.approx([score(-2), score(), score(1), score(1 - 2)], abs=1e-4)


def test_only_words_of_the_output_are_counted_as_such(judge):
    same, other = judge.scores(["the cat sat", "the mat sat"], ["he sat", "he sat"])
    assert same == pytest.approx(other)


def test_a_score_is_the_same_in_any_company_and_on_any_number_of_threads(judge):
    outputs = ["he sat", "the car " * 30, "a cat", "he bought " * 9, "x", "", "the cat sat on the mat"] * 5
    sources = ["the cat sat on the mat"] * len(outputs)
    alone = np.array([judge.scores([source], [output])[0] for source, output in zip(sources, outputs, strict=True)])
    assert np.array_equal(judge.scores(sources, outputs), alone)
    assert np.array_equal(judge.scores(sources, outputs, threads=4), alone)
    assert np.array_equal(judge.scores(sources[::-1], outputs[::-1], threads=3)[::-1], alone)


def test_what_has_no_words_gets_0(judge):
    assert not judge.scores(["the cat", " ", "", "the cat"], ["", "the cat", "", "\n\t"]).any()
    assert judge.scores([], []).shape == (0, 4)


def test_long_texts_are_read_in_windows_with_what_became_of_each_part(judge):
    sentence = "he sat in the mat . "
    source = sentence * 12
    windows = judge.tokenizer.windows(source, source)
    assert len(windows) > 1
    assert all(len(window) <= MAX_PIECES for window in windows)
    # A copy stays a copy in every window, cut after a sentence: as many pieces of either text, and three around them.
    assert all(2 * int(window.types.sum() - 1) + 3 == len(window) for window in windows)
    # Two of twelve sentences have a car: in windows without one nothing is lost.
    [whole] = judge.scores([source], [source])
    [damaged] = judge.scores([source], [source.replace("mat", "car", 1)])
    assert whole[0] == pytest.approx(score(), abs=1e-4)
    assert score(-2) < damaged[0] < whole[0]


def test_judges_that_cut_windows_differently_have_different_digests(judge, tmp_path):
    other = JudgeModel(save_tiny_judge(tmp_path / "other", max_pieces=MAX_PIECES // 2))
    same = JudgeModel(save_tiny_judge(tmp_path / "same"))
    assert other.digest != judge.digest == same.digest


@pytest.mark.parametrize(("source", "output"), [("a", "the mat " * 80), ("the mat " * 80, "a"), ("é" * 300, "é" * 300)])
def test_windows_fit_whatever_the_lengths_are(judge, source, output):
    windows = judge.tokenizer.windows(source, output)
    assert all(len(window) <= MAX_PIECES for window in windows)


def test_other_scripts_and_markup_get_scores(judge):
    rows = judge.scores(["<b>der Hund</b>", "猫は座った"], ["le chien & <i>", "😀"])
    assert np.isfinite(rows).all()


def test_risk_is_a_curve_over_meaning_and_grammar(judge):
    [risk] = judge.risks(["he sat"], ["a cat"])
    meaning, grammar = score(), score(-3)
    # By hand: the logistic curve with the numbers of judge.toml.
    logit = CURVE["intercept"] + CURVE["meaning"] * meaning + CURVE["grammar"] * grammar
    assert risk == pytest.approx(1 / (1 + np.exp(-logit)), abs=1e-4)


def test_sources_and_outputs_must_be_as_many(judge):
    with pytest.raises(LengthMismatchError, match="found 1 sources and 2 outputs"):
        judge.scores(["a"], ["a", "b"])


def test_text_that_is_no_text_is_refused(judge):
    with pytest.raises(DataError, match="expected text to judge, found a lone surrogate"):
        judge.scores(["a"], ["\ud800"])


def test_without_a_judge_one_sentence_says_how_to_get_one(monkeypatch):
    monkeypatch.delenv(JUDGE_VARIABLE, raising=False)
    monkeypatch.setattr("plainwright.models.folder", lambda: None)
    with pytest.raises(ModelMissingError, match=r"no judge is installed; make one with .* \$PLAINWRIGHT_JUDGE"):
        find_judge()


def test_the_variable_names_a_judge(folder, monkeypatch):
    monkeypatch.setenv(JUDGE_VARIABLE, str(folder))
    assert open_judge() is open_judge(folder)


def test_a_missing_extra_is_named(folder, monkeypatch):
    monkeypatch.setattr("plainwright.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"the judge needs onnxruntime and tokenizers; .*plainwright\[judge\]"):
        JudgeModel(folder)


@pytest.mark.parametrize(
    ("file", "data", "message"),
    [
        ("judge.onnx", b"x", "expected .* bytes, found 1; install or make the judge again"),
        ("tokenizer.json", b"{}", "expected .* bytes, found 2; install or make the judge again"),
        (SETTINGS, b"[judge]\nformat = 2\n", "format: expected 1; a newer plainwright may read others, found 2"),
        (SETTINGS, b"\xff", "judge.toml"),
    ],
)
def test_damaged_files_are_named(tmp_path, file, data, message):
    directory = save_tiny_judge(tmp_path / "tiny")
    (directory / file).write_bytes(data)
    with pytest.raises(DataError, match=message):
        JudgeModel(directory)


def test_a_graph_of_the_right_size_that_is_none_is_refused(tmp_path):
    directory = save_tiny_judge(tmp_path / "tiny")
    graph = directory / "judge.onnx"
    graph.write_bytes(b"\0" * graph.stat().st_size)
    with pytest.raises(DataError, match=r"judge\.onnx: expected an ONNX graph"):
        JudgeModel(directory)


def test_a_directory_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match="nowhere"):
        JudgeModel(tmp_path / "nowhere")
