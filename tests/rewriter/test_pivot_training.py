"""Two translation models become a rewriter: it goes on where it was stopped, and mistakes are one sentence."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests import in_process
from tests.rewriter.tiny_marian import write_pivot_recipe

pytest.importorskip("torch", reason="training needs the extra train")
pytest.importorskip("ctranslate2", reason="training needs the extra train")
pytest.importorskip("sentencepiece", reason="training needs the extra train")
from plainwright.errors import DataError
from plainwright.rewriter.controls import Controls
from plainwright.rewriter.finding import reads_by_way_of_french
from plainwright.rewriter.pivot import PivotRewriter
from plainwright.rewriter.training.corpus import read_corpus
from plainwright.rewriter.training.kinds import learn, read_any_recipe, status_of
from plainwright.rewriter.training.pivot.batches import PackedBatch, PackedPair, as_packed_arrays, most_written
from plainwright.rewriter.training.pivot.recipe import PivotRecipe
from plainwright.rewriter.training.run import Outcome
from plainwright.tables import read_toml


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_pivot_recipe(tmp_path_factory.mktemp("recipe"))


@pytest.fixture(scope="module")
def outcome(recipe: Path, training_in_this_process: None) -> Outcome:
    return learn(read_any_recipe(recipe), recipe.parent / "work")


def logged(work: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (work / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_recipe_that_names_a_translator_is_of_this_kind(recipe: Path) -> None:
    assert isinstance(read_any_recipe(recipe), PivotRecipe)


def test_the_loss_falls_and_the_result_rewrites_what_it_learnt(outcome: Outcome, recipe: Path) -> None:
    losses = [line["held_out_loss"] for line in logged(recipe.parent / "work") if "held_out_loss" in line]
    assert losses[-1] < losses[0] / 3
    assert reads_by_way_of_french(outcome.rewriter)
    rewriter = PivotRewriter(outcome.rewriter)
    [[rewrite]] = rewriter.rewrite(["The dog purchased it."], candidates=1)
    assert rewrite.text.startswith("The ")
    assert len(rewrite.before) == len(rewrite.after)
    assert all(value <= 0 for value in (*rewrite.log_probabilities, *rewrite.before, *rewrite.after))
    assert (rewriter.name, rewriter.version, rewriter.digest) == ("tiny", "1", outcome.facts["digest"])
    assert f"| digest | {rewriter.digest} |" in (outcome.rewriter / "CARD.md").read_text(encoding="utf-8")
    assert read_toml(outcome.rewriter / "rewriter.toml")["rewriter"]["digest"] == rewriter.digest


def test_what_is_exported_computes_what_the_training_computed(outcome: Outcome, recipe: Path) -> None:
    rows = [row for row in read_corpus(read_any_recipe(recipe).corpus).rows if row.held_out]
    judged = PivotRewriter(outcome.rewriter).judge([(row.source, row.target) for row in rows], controls=Controls())
    values = [value for one in judged for value in one.log_probabilities]
    # CTranslate2 rounds matrices and what they are multiplied with to 8 bits, which moves a network of this size most.
    untrained = logged(recipe.parent / "work")[0]["held_out_loss"]
    loss = -sum(values) / len(values)
    assert abs(loss - outcome.facts["held_out_loss"]) < untrained / 6


def test_a_second_run_does_nothing(recipe: Path, outcome: Outcome) -> None:
    loaded = read_any_recipe(recipe)
    assert learn(loaded, recipe.parent / "work").made == ()
    assert all(status_of(loaded, recipe.parent / "work").done.values())


def test_the_command_says_how_far_it_is(recipe: Path, outcome: Outcome) -> None:
    command = ["learn", "rewriter", str(recipe), "--work", str(recipe.parent / "work"), "--status", "--json"]
    done = json.loads(in_process.run(*command).stdout)["done"]
    assert done == dict.fromkeys(("french", "data", "train", "average", "export"), True)


@pytest.mark.slow
def test_a_training_that_was_killed_ends_at_the_same_weights(tmp_path: Path) -> None:
    path = write_pivot_recipe(tmp_path, processes=2, steps=30, decay_steps=10)
    command = [sys.executable, "-m", "plainwright", "learn", "rewriter", str(path), "--quiet", "--work"]
    with subprocess.Popen([*command, str(tmp_path / "killed")], start_new_session=True) as process:
        for _ in range(6000):
            if (tmp_path / "killed" / "last.pt").exists() or process.poll() is not None:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert not (tmp_path / "killed" / "train.json").exists()
    for name in ("killed", "whole"):
        subprocess.run([*command, str(tmp_path / name)], check=True, timeout=300)
    for name in ("averaged.npy", "rewriter/writer.bin.z", "rewriter/translator.bin.z", "rewriter/vocabulary.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_pairs_in_a_row_see_only_themselves() -> None:
    pairs = (PackedPair((5, 6, 0), (9, 7), (8, 0)), PackedPair((4, 0), (9, 7), (3, 2, 0)))
    arrays = as_packed_arrays(PackedBatch(16, (pairs,)))
    assert arrays.sources[0, :5].tolist() == [5, 6, 0, 4, 0]
    assert arrays.written[0, :7].tolist() == [9, 7, 8, 9, 7, 3, 2]
    assert arrays.targets.tolist() == [8, 0, 3, 2, 0]  # what is asked for is not learnt
    assert arrays.learnt[0].nonzero()[0].tolist() == [1, 2, 4, 5, 6]
    assert arrays.crosses[0, 2].nonzero()[0].tolist() == [0, 1, 2]
    assert arrays.crosses[0, 3].nonzero()[0].tolist() == [3, 4]
    assert arrays.writes[0, 5].nonzero()[0].tolist() == [3, 4, 5]
    assert arrays.written.shape == (1, most_written(16))


def test_one_mistake_is_one_sentence(tmp_path: Path) -> None:
    path = write_pivot_recipe(tmp_path)
    with pytest.raises(DataError, match=r"pytorch_model\.bin: expected the SHA-256 0000"):
        learn(read_any_recipe(path, {"base.writer_sha256": "0" * 64}), tmp_path / "work")
    with pytest.raises(DataError, match=r"writer_sha256: expected 64 hexadecimal digits, found 'abc'"):
        read_any_recipe(path, {"base.writer_sha256": "abc"})
    with pytest.raises(DataError, match=r"nowhere/pytorch_model\.bin: expected the weights of a translation model"):
        learn(read_any_recipe(path, {"base.translator": "nowhere"}), tmp_path / "work")
    (tmp_path / "writer" / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"writer: expected a Marian model as transformers writes it"):
        learn(read_any_recipe(path), tmp_path / "work")


def test_a_file_that_is_damaged_is_an_error(outcome: Outcome, tmp_path: Path) -> None:
    import shutil

    for name in ("writer.bin.z", "english.spm"):
        copy = tmp_path / name.partition(".")[0]
        shutil.copytree(outcome.rewriter, copy)
        size = (copy / name).stat().st_size
        (copy / name).write_bytes(b"\0" * size)
        with pytest.raises(DataError, match=name.replace(".", r"\.")):
            PivotRewriter(copy)


def test_texts_that_are_empty_or_too_long_have_no_rewrite(outcome: Outcome) -> None:
    rewriter = PivotRewriter(outcome.rewriter)
    assert rewriter.rewrite(["", "word " * 2000], candidates=1) == [[], []]


def test_values_do_not_depend_on_neighbours_or_threads(outcome: Outcome) -> None:
    rewriter = PivotRewriter(outcome.rewriter)
    texts = [f"The {noun} {verb} it." for noun in ("cat", "dog", "king") for verb in ("purchased", "utilised", "used")]
    together = rewriter.rewrite(texts, candidates=2, threads=3)
    for text, own in zip(texts, together, strict=True):
        [alone] = rewriter.rewrite([text], candidates=2)
        assert [one.text for one in alone] == [one.text for one in own]
        for one, other in zip(alone, own, strict=True):
            assert one.after == pytest.approx(other.after, abs=1e-4)
            assert math.isclose(one.score, other.score, abs_tol=1e-4)
