"""`plainwright learn judge` on an encoder of random weights: real stages, real files, real export, at a tiny size."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace

import numpy as np
import pytest
from tests.in_process import run
from tests.judge.tiny import digests, pair_tokenizer

from plainwright.errors import DataError
from plainwright.judge import ASPECTS, JudgeModel, RiskCurve
from plainwright.judge.training.ratings import Block, Rating, examples_of, read_blocks
from plainwright.judge.training.recipe import read_recipe
from plainwright.judge.training.report import agreement

COLUMNS = ("id", "system", "source", "output", *ASPECTS, "cause", *(f"{name}_again" for name in ASPECTS))
RECIPE = """
[recipe]
name = "tiny"
[encoder]
folder = "encoder"
max_pieces = 64
[ratings]
tables = ["ratings.tsv"]
held_out = 0.2
calibration = 0.2
[weights]
spoilt = 2
[train]
passes = 15
rate = 5e-3
precision = "float32"
threads = 1
save_every = 5
"""


def write_ratings(path, sources=60, seed=3):
    """Each source with a good rewrite, which has an easy word, and a spoilt one, in which "car" became "cat"."""
    chance = random.Random(seed)
    lines = ["\t".join(COLUMNS)]
    for number in range(sources):
        source = f"{chance.choice(['he', 'she'])} purchased the car {number} ."
        rows = [
            ("plain", source.replace("purchased", "bought"), (95, 98, 80, 85), "-"),
            ("rules", source.replace("purchased", "got a"), (70, 40, 60, 40), "grammar"),
            ("spoilt", source.replace("purchased", "bought").replace("car", "cat"), (20, 98, 80, 10), "sense"),
        ]
        for letter, (system, output, scores, cause) in zip("abx", rows, strict=True):
            cells = [f"R{number}{letter}", system, source, output, *map(str, scores), cause, "", "", "", ""]
            lines.append("\t".join(cells))
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def recipe_file(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.lens.local import save_local_folder

    folder = tmp_path_factory.mktemp("recipe")
    save_local_folder(folder / "encoder")
    pair_tokenizer().save(str(folder / "encoder" / "tokenizer.json"))
    write_ratings(folder / "ratings.tsv")
    (folder / "judge.toml").write_text(RECIPE)
    return folder / "judge.toml"


@pytest.fixture(scope="module")
def trained(recipe_file, tmp_path_factory):
    pytest.importorskip("onnxscript")
    from plainwright.judge.training.run import learn_judge

    work = tmp_path_factory.mktemp("work")
    return work, learn_judge(read_recipe(recipe_file), work)


@pytest.mark.slow
def test_a_recipe_makes_a_judge_that_says_how_well_it_reads(trained):
    work, outcome = trained
    assert outcome.made == ("train", "export", "report")
    judge = JudgeModel(outcome.judge)
    source = "he purchased the car 5 ."
    good, spoilt, stranger = judge.scores(
        [source] * 3, ["he bought the car 5 .", "he bought the cat 5 .", "a mat sat in the cat ."]
    )
    assert good[0] > spoilt[0] + 20
    assert good[3] > max(spoilt[3], stranger[3]) + 20
    held_out = outcome.facts["held_out"]
    assert held_out["pearson"]["meaning"] > 0.8
    assert held_out["kendall"]["overall"] > 0.8
    assert held_out["auc_damaged"] > 0.9
    number, share = held_out["errors"]["sense"]
    assert (number, share) == (held_out["errors"]["all"][0], 1.0)
    card = (outcome.judge / "CARD.md").read_text()
    assert "| sense |" in card
    assert "Damaged against whole, AUC" in card
    assert work / "judge" == outcome.judge


@pytest.mark.slow
def test_rounding_to_8_bits_moves_scores_by_little_and_is_told(trained):
    _, outcome = trained
    assert set(outcome.facts["rounding"]) == set(ASPECTS)
    assert all(0 <= points < 10 for points in outcome.facts["rounding"].values())
    assert outcome.facts["held_out_exact"]["pearson"]["meaning"] == pytest.approx(
        outcome.facts["held_out"]["pearson"]["meaning"], abs=0.1
    )


def test_before_rounding_a_long_pair_is_the_mean_of_its_windows_too(recipe_file):
    import torch

    from plainwright.judge.training.network import open_network
    from plainwright.judge.training.run import exact_scores

    network, tokenizer = open_network(recipe_file.parent / "encoder", max_pieces=20, seed=1)
    network.eval()
    long, short = "he sat in the mat . she bought the car . a cat sat .", "he sat ."
    windows = tokenizer.windows(long, long)
    assert len(windows) > 1
    with torch.inference_mode():
        each = [torch.sigmoid(network(*map(torch.from_numpy, window.inputs.values()))).numpy()[0] for window in windows]
    first, _, last = exact_scores(network, tokenizer, [long, short, long], [long, short, long])
    # The mean by length, window by window, as JudgeModel has it.
    assert first == pytest.approx(100 * np.average(each, axis=0, weights=list(map(len, windows))), abs=1e-3)
    assert last == pytest.approx(first, abs=1e-3)


@pytest.mark.slow
def test_a_real_graph_gives_the_same_value_in_any_company_and_on_any_number_of_threads(trained):
    judge = JudgeModel(trained[1].judge)
    outputs = [f"he bought the car {'and the mat ' * (number % 9)}." for number in range(30)]
    sources = ["he purchased the car ."] * len(outputs)
    alone = np.array([judge.scores(sources[:1], [output])[0] for output in outputs])
    assert np.array_equal(judge.scores(sources, outputs, threads=3), alone)
    assert np.array_equal(judge.scores(sources, outputs[::-1])[::-1], alone)


@pytest.mark.slow
def test_a_training_that_was_stopped_ends_at_the_same_bytes(trained, recipe_file, tmp_path):
    from plainwright.judge.training import loop
    from plainwright.judge.training.run import learn_judge

    work, outcome = trained
    recipe, whole = read_recipe(recipe_file), loop.train
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "train", lambda job, **options: (whole(job, until=7), 1 / 0))
        with pytest.raises(ZeroDivisionError):
            learn_judge(recipe, tmp_path)
    assert learn_judge(recipe, tmp_path).facts == outcome.facts
    assert digests(tmp_path / "judge") == digests(work / "judge")
    assert learn_judge(recipe, tmp_path).made == ()
    # Another name changes the directory, and no weights.
    assert learn_judge(replace(recipe, name="other"), tmp_path).made == ("report",)


@pytest.mark.slow
def test_a_state_of_other_settings_is_refused(trained, recipe_file, tmp_path):
    from plainwright.judge.training.run import learn_judge

    shutil.copy(trained[0] / "last.pt", tmp_path / "last.pt")
    with pytest.raises(DataError, match=r"last\.pt: expected the state of this recipe, found one of other ratings"):
        learn_judge(read_recipe(recipe_file, {"train.seed": "2"}), tmp_path)
    (tmp_path / "last.pt").write_bytes(b"x")
    with pytest.raises(DataError, match=r"last\.pt: expected the state of a training, found something else"):
        learn_judge(read_recipe(recipe_file), tmp_path)


@pytest.mark.slow
def test_the_command_tells_how_far_it_is_and_what_came_of_it(trained, recipe_file, tmp_path):
    shown = run("learn", "judge", recipe_file, "--work", trained[0], "--status")
    assert "report\tdone" in shown.stdout, shown.stderr
    document = json.loads(run("learn", "judge", recipe_file, "--work", trained[0], "--json", "-q").stdout)
    assert document["made"] == []
    assert "made error" in run("learn", "judge", recipe_file, "--work", trained[0], "-q").stdout
    fresh = run("learn", "judge", recipe_file, "--work", tmp_path, "--status", "--json")
    assert json.loads(fresh.stdout)["done"] == {"train": False, "export": False, "report": False}


def tables_of(tmp_path, *lines):
    (tmp_path / "ratings.tsv").write_text("\n".join(("\t".join(COLUMNS), *lines)) + "\n")
    (tmp_path / "judge.toml").write_text(RECIPE)
    return read_recipe(tmp_path / "judge.toml").ratings


def test_sources_are_held_out_whole_and_stay_so(tmp_path):
    write_ratings(tmp_path / "ratings.tsv")
    (tmp_path / "judge.toml").write_text(RECIPE)
    ratings = read_recipe(tmp_path / "judge.toml").ratings
    before = {block.source: block.part for block in read_blocks(ratings)}
    assert set(before.values()) == {"train", "calibrate", "held out"}
    with (tmp_path / "ratings.tsv").open("a") as stream:
        stream.write("\t".join(["N", "rules", "new .", "newer .", "1", "2", "3", "4", "-", "3", "2", "3", "4"]) + "\n")
    after = {block.source: block for block in read_blocks(ratings)}
    assert {source: after[source].part for source in before} == before
    [again] = after["new ."].ratings
    assert again.scores == (2, 2, 3, 4)  # by hand: the mean of two readings, 1 and 3
    spoilt = [one.weight for block in after.values() for one in block.ratings if one.system == "spoilt"]
    assert set(spoilt) == {2.0}


@pytest.mark.parametrize("weights", ["re = 2\nrewriter = 3", "rewriter = 3\nre = 2"])
def test_the_longest_beginning_of_a_name_decides_its_weight_in_any_order(tmp_path, weights):
    write_ratings(tmp_path / "ratings.tsv")
    table = (tmp_path / "ratings.tsv").read_text().replace("\tplain\t", "\trewriter plain\t")
    (tmp_path / "ratings.tsv").write_text(table.replace("\trules\t", "\tregular\t"))
    (tmp_path / "judge.toml").write_text(RECIPE.replace("spoilt = 2", weights))
    blocks = read_blocks(read_recipe(tmp_path / "judge.toml").ratings)
    found = {(one.system, one.weight) for block in blocks for one in block.ratings}
    assert found == {("rewriter plain", 3), ("regular", 2), ("spoilt", 1)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x\ty", "ratings.tsv:2: expected 13 cells separated by tabs, found 2"),
        ("i\ts\ta\tb\t1\t2\t101\t4\t-\t\t\t\t", "ratings.tsv:2: expected simplicity as a whole number from 0 to 100"),
        ("i\ts\t \tb\t1\t2\t3\t4\t-\t\t\t\t", "ratings.tsv:2: expected a source and an output, found an empty one"),
        ("i\ts\ta\tb\t1\t2\t3\t4\t-\t\t\t\t", "expected sources for .* found none; rate more"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused(tmp_path, line, message):
    with pytest.raises(DataError, match=message):
        read_blocks(tables_of(tmp_path, line))


def test_a_missing_column_is_named(tmp_path):
    ratings = tables_of(tmp_path)
    (tmp_path / "ratings.tsv").write_text("source\toutput\n")
    with pytest.raises(DataError, match="found none called system"):
        read_blocks(ratings)


def test_beside_the_ratings_a_copy_and_a_stranger_are_learnt(tmp_path):
    (tmp_path / "judge.toml").write_text(RECIPE)
    training = read_recipe(tmp_path / "judge.toml").training
    block = Block("one", "train", (Rating("uno", (1.0, 2.0, 3.0, 4.0), "rules", "-", 1.0),))
    other = Block("two", "train", (Rating("due", (90.0, 80.0, 70.0, 60.0), "rules", "-", 1.0),))
    rated, copy, stranger = examples_of(block, [other], training, random.Random(1))
    assert rated.scores == (1, 2, 3, 4)
    assert (copy.output, copy.scores) == ("one", (100, 100, 50, 50))
    assert (stranger.output, stranger.scores[:2], stranger.scores[3]) == ("due", (0, 80), 0)
    assert np.isnan(stranger.scores[2])
    alone = replace(training, copies=0, strangers=0)
    assert len(examples_of(block, [other], alone, random.Random(1))) == 1


def test_figures_of_agreement_by_hand():
    good, bad, worse = ((90.0, 90.0, 80.0, 80.0), (30.0, 90.0, 70.0, 20.0), (20.0, 90.0, 60.0, 10.0))
    ratings = (Rating("g", good, "plain", "-", 1), Rating("b", bad, "spoilt", "number", 1))
    blocks = [Block("s", "held out", ratings), Block("t", "held out", (*ratings, Rating("w", worse, "rules", "-", 1)))]
    scores = np.array([good, bad, bad, good, worse])
    found = agreement(blocks, scores, RiskCurve(intercept=0.0, meaning=-1.0, grammar=0.0))
    # Of four pairs within a source three are in order; between "b" and "w" that holds too: 3 right, 1 wrong.
    assert found.kendall["overall"] == pytest.approx((3 - 1) / 4)
    assert found.kendall["grammar"] is None  # all are the same
    assert found.pearson["grammar"] is None
    # Two whole ones against three damaged ones: four wins in risk, two of them made of ties, of six.
    assert found.auc_damaged == pytest.approx(4 / 6)
    assert found.errors == {"all": (2, 0.5), "number": (2, 0.5)}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"train.rate": "x"}, "train.rate: expected a finite number"),
        ({"train.speed": "1"}, "train.speed: no such setting"),
        ({"ratings.tables": "[]"}, "ratings.tables: expected tables of ratings"),
    ],
)
def test_a_wrong_recipe_is_refused(tmp_path, change, message):
    (tmp_path / "judge.toml").write_text(RECIPE)
    with pytest.raises(DataError, match=message):
        read_recipe(tmp_path / "judge.toml", change)


def test_the_recipe_that_comes_with_the_project_can_be_read():
    recipe = read_recipe("recipes/judge.toml")
    assert recipe.encoder == "minilm"
    assert len(read_blocks(recipe.ratings)) > 300
