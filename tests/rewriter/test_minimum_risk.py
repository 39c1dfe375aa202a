"""Minimum-risk training: its gradient is that of the paper's formula, it raises the reward, and it can be stopped."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import in_process
from tests.rewriter.tiny_base import write_recipe

pytest.importorskip("gguf", reason="training needs the extra train")
pytest.importorskip("torch", reason="training needs the extra train")
import torch

from plainwright.errors import DataError
from plainwright.files import file_digest
from plainwright.rewriter.training import minimum_risk, run
from plainwright.rewriter.training.base import Sizes
from plainwright.rewriter.training.batches import Example
from plainwright.rewriter.training.corpus import corpus_files
from plainwright.rewriter.training.minimum_risk import Group, RiskSource, objective, target_losses
from plainwright.rewriter.training.network import Network
from plainwright.rewriter.training.recipe import Risk, read_recipe
from plainwright.rewriter.training.rewards import make_reward
from plainwright.rewriter.training.run import Outcome, learn_rewriter, stages_of, training_status
from plainwright.stages import digest_of

SECTION = """[risk]
reward = "bleu"
candidates = 4
temperature = 2.0
sources = 4
refresh = 4
steps = 10
rate = 0.003
warm_up = 2
"""
# StoppedError so early that much is left to learn.
FEW = {"steps": 12, "decay_steps": 4, "average": 1, "precision": '"float32"'}


def settings(**changes: Any) -> Risk:
    values: dict[str, Any] = {"reward": "bleu", "texts": (), "gamma": 0.3, "sharpness": 1.0, "candidates": 3}
    values |= {"temperature": 1.0, "sources": 1, "refresh": 1, "steps": 1, "rate": 0.1, "warm_up": 1, "seed": 1}
    return Risk(**(values | changes))


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_recipe(tmp_path_factory.mktemp("risk"), further=SECTION, **FEW)


@pytest.fixture(scope="module")
def outcome(recipe: Path, training_in_this_process: None) -> Outcome:
    return learn_rewriter(read_recipe(recipe), recipe.parent / "work")


def logged(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_objective_is_that_of_the_paper() -> None:
    # By hand: candidates with probabilities 0.2 and 0.1 have 2/3 and 1/3 of the chance; costs 0.3 and 0.9 make 0.5.
    losses = torch.tensor([4.0, -math.log(0.2), -math.log(0.1)])
    group = Group((1,), (2, 3), ((4,), (5,)), (0.3, 0.9))
    assert objective(losses, group, settings()).item() == pytest.approx(0.3 * 4.0 / 2 + 0.7 * 0.5)
    assert objective(losses, group, settings(gamma=0, sharpness=0)).item() == pytest.approx(0.6)  # all as probable
    alone = Group((1,), (2, 3), (), ())
    assert objective(losses[:1], alone, settings()).item() == pytest.approx(0.6)  # nothing but the likelihood


@pytest.fixture(scope="module")
def network() -> tuple[Network, dict[str, Any]]:
    sizes = Sizes(layers=1, width=16, heads=2, key_heads=1, head_width=8, inner=16, theta=10_000.0, epsilon=1e-5)
    shapes = {"embeddings": (12, 16), "norm": (16,), "0.n1": (16,), "0.n2": (16,), "0.qkv": (32, 16)}
    shapes |= {"0.o": (16, 16), "0.gu": (32, 16), "0.d": (16, 16)}
    draw = torch.Generator().manual_seed(3)
    weights = {name: torch.randn(shape, generator=draw).mul_(0.5) for name, shape in shapes.items()}
    return Network.build(sizes, frozen_layers=0, written=12, positions=32), weights


EXAMPLES = [Example((1, 2), target) for target in ((3, 4, 0), (5, 0), (6, 7, 8, 0), (9, 3, 0))]
GROUP = Group((1, 2), EXAMPLES[0].target, tuple(example.target for example in EXAMPLES[1:]), (0.1, 0.9, 0.4))


def test_each_candidate_is_as_likely_as_it_is_alone(network: tuple[Network, dict[str, Any]]) -> None:
    net, weights = network
    together = target_losses(net, weights, EXAMPLES, 2, 8)
    alone = [target_losses(net, weights, [example], 1, 8).item() for example in EXAMPLES]
    assert together.tolist() == pytest.approx(alone, rel=1e-5)


@pytest.mark.parametrize("gamma", [0.0, 0.3, 1.0])
def test_the_gradient_equals_finite_differences(network: tuple[Network, dict[str, Any]], gamma: float) -> None:
    net, begun = network
    weights = {name: value.clone().requires_grad_(True) for name, value in begun.items()}

    def value(of: dict[str, Any]) -> Any:
        return objective(target_losses(net, of, EXAMPLES, 2, 8), GROUP, settings(gamma=gamma))

    value(weights).backward()
    gradients = {name: one.grad for name, one in weights.items()}
    length = math.sqrt(sum(float(one.square().sum()) for one in gradients.values()))
    step = 1e-2 / length  # along the gradient, where the slope is its length
    with torch.no_grad():
        ahead, behind = (
            value({name: begun[name] + sign * step * gradients[name] for name in begun}).item() for sign in (1, -1)
        )
    assert (ahead - behind) / (2 * step) == pytest.approx(length**2, rel=0.01)


def test_training_raises_the_reward(outcome: Outcome, recipe: Path) -> None:
    rewards = [line["reward"] for line in logged(recipe.parent / "work" / "risk") if "reward" in line]
    assert len(rewards) == 3  # rounds of 4, 4 and 2 steps
    assert rewards[-1] > rewards[0] + 0.05
    assert outcome.made == ("vocabulary", "data", "train", "average", "risk", "export")
    assert outcome.facts["risk_steps"] == 10
    assert "steps of minimum-risk training | 10" in (outcome.rewriter / "CARD.md").read_text(encoding="utf-8")


class StoppedError(Exception):
    """Somebody stopped the training."""


def test_a_training_that_was_stopped_ends_at_the_same_weights(
    outcome: Outcome, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    shutil.copytree(recipe.parent / "work", work, ignore=shutil.ignore_patterns("risk*", "export.json", "rewriter"))
    train = minimum_risk.train

    def stopping(job: Any, *arguments: Any, **options: Any) -> None:
        train(replace(job, until=min(job.until, 6)), *arguments, **options)
        if job.until == 8:  # the second round, of whose steps half are taken
            raise StoppedError

    monkeypatch.setattr(minimum_risk, "train", stopping)
    with pytest.raises(StoppedError):
        learn_rewriter(read_recipe(recipe), work)
    monkeypatch.undo()
    assert training_status(read_recipe(recipe), work).done["risk"] is False
    learn_rewriter(read_recipe(recipe), work)
    for name in ("risk/averaged.npy", "rewriter/rewriter.weights"):
        assert (work / name).read_bytes() == (recipe.parent / "work" / name).read_bytes(), name


def test_a_second_run_does_nothing_and_another_reward_begins_anew(outcome: Outcome, recipe: Path) -> None:
    assert learn_rewriter(read_recipe(recipe), recipe.parent / "work").made == ()
    before = np.load(recipe.parent / "work" / "risk" / "averaged.npy")
    other = learn_rewriter(read_recipe(recipe, {"risk.gamma": "1", "risk.steps": "2"}), recipe.parent / "work")
    assert other.made == ("risk", "export")
    assert (np.load(recipe.parent / "work" / "risk" / "averaged.npy") != before).any()


def test_without_the_section_nothing_is_another_training(tmp_path: Path) -> None:
    loaded = read_recipe(write_recipe(tmp_path, **FEW))
    corpus, training = loaded.corpus, loaded.training
    rows = {
        "files": [(path.name, file_digest(path)) for path in corpus_files(corpus)],
        "texts": [],
        "held_out": corpus.held_out,
        "share": corpus.share,
    }
    # How keys were made before there were further stages: trainings that began then go on.
    vocabulary = digest_of(1, loaded.base.sha256, rows, loaded.vocabulary.size, [])
    data = digest_of(vocabulary, "data")
    stable = digest_of(data, training.stable_part())
    train = digest_of(stable, training.schedule(), asdict(loaded.bits))
    average = digest_of(train, "average")
    export = digest_of(average, [loaded.name, loaded.version, loaded.licence, loaded.description], 2)
    expected = {"vocabulary": vocabulary, "data": data, "stable": stable, "train": train}
    assert run._keys(loaded) == expected | {"average": average, "export": export}
    assert stages_of(loaded) == run.STAGES


def test_sources_of_a_table_have_several_references(tmp_path: Path) -> None:
    path = tmp_path / "sources.tsv"
    path.write_text("It commenced.\tIt began.\tIt  started.\n", encoding="utf-8")
    assert list(minimum_risk.read_sources([path])) == [
        RiskSource("plain", "It commenced.", ("It began.", "It started."))
    ]
    path.write_text("It commenced.\tIt began.\nNothing else\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"sources\.tsv:2: expected a source and references, separated by tabs"):
        list(minimum_risk.read_sources([path]))


def test_a_reward_is_any_metric_that_judges_from_0_to_1() -> None:
    exact, other = make_reward("bleu").values("He utilised it.", ["HE used it .", "A cow."], ["He used it."])
    assert exact == pytest.approx(1)  # 13a tokens, without regard to case
    assert 0 <= other < 0.5
    agreed, alone = make_reward("bleu").consensus("He utilised it.", ["He used it.", "A cow sat there."])
    assert agreed == pytest.approx(alone, abs=0.1)
    with pytest.raises(DataError, match="describes texts and does not judge them"):
        make_reward("profile")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"risk.gamma": "2"}, "risk.gamma: expected a finite number from 0 to 1"),
        ({"risk.reward": "lense"}, "did you mean lens"),
        ({"risk.reward": "score"}, "risk.reward: expected a metric, such as lens or sari, found 'score'"),
        ({"risk.steps": ""}, "risk.steps: expected a whole number"),
        ({"risk.texts": '["none.tsv"]'}, "none.tsv: no such file"),
        ({"risk.stepps": "1"}, "risk.stepps: no such setting"),
    ],
)
def test_a_mistake_is_one_sentence(recipe: Path, tmp_path: Path, changes: dict[str, str], message: str) -> None:
    options = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    done = in_process.run("learn", "rewriter", recipe, "--work", tmp_path / "work", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
