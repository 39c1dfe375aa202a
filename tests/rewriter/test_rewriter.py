"""A rewriter runs: guesses change nothing, nor do threads or neighbours; damaged directories are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.rewriter.tiny import write_tiny_rewriter

from plainwright.errors import DataError, ModelMissingError

pytest.importorskip("onnxruntime")
from plainwright.rewriter import decoding
from plainwright.rewriter.controls import Controls, measured, step_of
from plainwright.rewriter.finding import REWRITER_VARIABLE, find_rewriter
from plainwright.rewriter.model import Rewriter

TEXTS = ["The cat sat on the mat.", "The dog ran and the cat sat.", "It was a big dog and a big cat on the mat."]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_rewriter(tmp_path_factory.mktemp("rewriter") / "tiny")


@pytest.fixture(scope="module")
def decoder(directory: Path) -> decoding.Decoder:
    return decoding.Decoder(directory / "rewriter.onnx", end=1)


def prompts(count: int) -> list[decoding.Prompt]:
    return [
        decoding.Prompt((0, 2, 3, 4, 2 + n, 5, 6, 2, 3, 17), 30, seed=None if n % 2 else n, temperature=0.9)
        for n in range(count)
    ]


def test_guessing_ahead_writes_what_going_step_by_step_writes(
    decoder: decoding.Decoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead = decoder.generate(prompts(6))
    monkeypatch.setattr(decoding, "_GUESSES", (0,))
    assert [one.ids for one in ahead] == [one.ids for one in decoder.generate(prompts(6))]


def test_neighbours_and_threads_change_nothing(decoder: decoding.Decoder) -> None:
    alone = [decoder.generate([prompt])[0] for prompt in prompts(6)]
    assert decoder.generate(prompts(6), threads=3) == alone


def test_what_was_written_is_as_likely_when_it_is_read_again(decoder: decoding.Decoder) -> None:
    [prompt, *_] = prompts(1)
    [written] = decoder.generate([prompt])
    again = decoder.judged(prompt, written.ids)
    assert again.log_probabilities[: len(written.ids)] == pytest.approx(
        written.log_probabilities[: len(written.ids)], abs=0.02
    )


def test_tokens_of_controls_are_never_written(directory: Path) -> None:
    rewriter = Rewriter(directory)
    for rewrites in rewriter.rewrite(TEXTS, candidates=4):
        assert all("<begin>" not in one.text and "<17>" not in one.text for one in rewrites)


def test_the_same_text_gets_the_same_rewrites(directory: Path) -> None:
    first, again = Rewriter(directory), Rewriter(directory)
    assert first.rewrite(TEXTS, candidates=3, threads=2) == again.rewrite(TEXTS, candidates=3)
    assert first.rewrite(TEXTS[:1], candidates=3) == again.rewrite(TEXTS, candidates=3)[:1]
    assert first.digest == again.digest


def test_a_text_that_is_too_long_or_empty_is_left_alone(directory: Path) -> None:
    assert Rewriter(directory).rewrite(["", "The cat" * 40]) == [[], []]


@pytest.mark.parametrize("name", ["rewriter.weights", "tokenizer.json", "rewriter.onnx"])
def test_a_file_that_was_cut_off_is_an_error(directory: Path, tmp_path: Path, name: str) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in directory.iterdir():
        data = file.read_bytes()
        (copy / file.name).write_bytes(data[: len(data) // 2] if file.name == name else data)
    with pytest.raises(DataError, match="install or make the rewriter again"):
        Rewriter(copy)


def test_a_directory_that_is_no_rewriter_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "rewriter.toml").write_text('[rewriter]\nname = "x"\nversion = "1"\n', encoding="utf-8")
    with pytest.raises(DataError, match=r"files\.graph: expected the name of a file beside it"):
        Rewriter(tmp_path)


def test_the_variable_names_the_rewriter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(REWRITER_VARIABLE, str(tmp_path))
    assert find_rewriter() == tmp_path


def test_without_a_rewriter_the_message_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(REWRITER_VARIABLE, raising=False)
    monkeypatch.setattr("plainwright.models.folder", lambda: None)
    with pytest.raises(ModelMissingError, match=r"\$PLAINWRIGHT_REWRITER.*--engine rules"):
        find_rewriter()


def test_controls_are_ratios_to_the_source() -> None:
    ratios = measured("The cat sat on the mat.", "The cat sat on the mat.")
    assert ratios == {"length": 1, "similarity": 1, "rank": 1, "depth": 1}
    split = measured("The cat sat on the mat and the dog ran away.", "The cat sat on the mat. The dog ran away.")
    assert split["depth"] == 6 / 11  # words of the longest sentence of each
    assert step_of("length", 0.3) == 0
    assert step_of("length", 5.0) == 11


@pytest.mark.parametrize("wrong", [{"level": "hard"}, {"length": -1}, {"depth": 3}])
def test_controls_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(DataError, match=next(iter(wrong))):
        Controls(**wrong)  # type: ignore[arg-type]
