"""LENS as the utility of reranking and as the objective of tuning, with a tiny model: the real path, small numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests import in_process
from tests.lens.tiny import save_tiny_model
from tests.toy_model import write_model

from plainwright.decode.bundle import ModelBundle
from plainwright.lens.metric import LENS
from plainwright.lens.model import LensModel
from plainwright.rewrite import Simplifier, chooser, load
from plainwright.tune import PRO, KBest, MinimumRisk, Objective, TuningSet, tune

RULES = """\
[JJ] ||| principal ||| main ||| good=3 bad=0 ||| 0-0
[JJ] ||| principal ||| chief ||| good=2 bad=1 ||| 0-0
[VB] ||| purchased ||| bought ||| good=3 bad=0 ||| 0-0
[VB] ||| purchased ||| sold ||| good=2.5 bad=1 ||| 0-0
[NN] ||| feline ||| cat ||| good=1 bad=0 ||| 0-0
"""
TEXT = "He purchased the principal feline."


@pytest.fixture(scope="module")
def lens(tmp_path_factory: pytest.TempPathFactory) -> LensModel:
    return save_tiny_model(tmp_path_factory.mktemp("lens") / "tiny", pair_features=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("toy"), RULES)


@pytest.fixture(scope="module")
def simplifier(folder: Path) -> Simplifier:
    return load(folder)


def candidates(simplifier: Simplifier, text: str) -> list[str]:
    [sentence] = simplifier.simplify(text, n_best=100).sentences
    return [sentence.text, *sentence.others]


def test_mbr_takes_the_highest_mean_over_the_pseudo_references(simplifier: Simplifier, lens: LensModel) -> None:
    metric = LENS(model=lens)
    moved = 0
    for text in (TEXT, "The principal car was purchased.", "A feline purchased a mat.", "She is principal of a mat."):
        texts = candidates(simplifier, text)
        means = [np.mean([metric.sentence_score(text, own, [one]).value for one in texts[:8]]) for own in texts]
        chosen = chooser("mbr", utility=metric, sharpness=0)
        result = simplifier.simplify(text, rerank=chosen).text
        assert result == texts[int(np.argmax(np.round(means, 9)))]
        moved += result != texts[0]
    assert moved  # or this would test nothing


def test_a_metric_takes_its_highest_value_with_the_best_others(simplifier: Simplifier, lens: LensModel) -> None:
    metric = LENS(model=lens)
    texts = candidates(simplifier, TEXT)
    values = [metric.sentence_score(TEXT, own, [one for one in texts if one != own][:8]).value for own in texts]
    chosen = chooser("metric", utility=metric)
    assert simplifier.simplify(TEXT, rerank=chosen).text == texts[int(np.argmax(np.round(values, 9)))]


@pytest.mark.parametrize("rerank", ["mbr", "metric"])
def test_the_command_does_the_same_with_any_threads(
    simplifier: Simplifier, folder: Path, lens: LensModel, rerank: str
) -> None:
    expected = simplifier.simplify(TEXT, rerank=rerank, utility=LENS(model=lens)).text  # type: ignore[arg-type]
    for threads in (1, 3):
        options = ("-m", folder, "--rerank", rerank, "--utility", "lens", "--lens-model", lens.directory)
        done = in_process.run("simplify", *options, "--threads", threads, text=TEXT)
        assert (done.stdout, done.stderr) == (expected, "")


@pytest.mark.parametrize("optimiser", [PRO(), MinimumRisk(sharpness=2.0)])
def test_tuning_to_lens_raises_it(optimiser: PRO | MinimumRisk, lens: LensModel) -> None:
    sources = tuple(f"{name} purchased the principal feline." for name in ("He", "She", "Ann", "Bob"))
    references = tuple((source.replace("purchased", "bought").replace("principal", "main"),) for source in sources)

    def decode(weights: np.ndarray, given: tuple[str, ...], *, best_only: bool) -> list[KBest]:
        features = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # kept, deleted, replaced
        order = np.argsort(-features @ weights, kind="stable")
        lists = []
        for source in given:
            texts = (source, source.split()[0], source.replace("purchased", "bought"))
            lists.append(KBest(texts=tuple(texts[i] for i in order), features=features[order]))
        return lists

    objective = Objective([(1.0, LENS(model=lens))])
    metric = LENS(model=lens)
    given = TuningSet(sources=sources, references=references)
    ways = [sources, [source.split()[0] for source in sources], [s.replace("purchased", "bought") for s in sources]]
    values = [metric.corpus_score(sources, texts, references).value for texts in ways]
    worst, best = int(np.argmin(values)), int(np.argmax(values))
    start = np.eye(3)[worst]
    result = tune(
        decode,  # type: ignore[arg-type]
        given,
        objective=objective,
        optimiser=optimiser,
        features=("kept", "deleted", "replaced"),
        weights=start.tolist(),
        iterations=4,
        patience=None,
    )
    assert int(np.argmax(result.weights)) == best
    assert max(item.tuning_value for item in result.iterations) == pytest.approx(values[best] / 100)


@pytest.mark.parametrize(("objective", "optimiser"), [("lens", "pro"), ("lens", "risk"), ("0.5*lens+0.5*sari", "risk")])
def test_the_command_tunes_to_lens(
    folder: Path, lens: LensModel, tmp_path: Path, objective: str, optimiser: str
) -> None:
    rows = [f"{name} purchased the principal feline.\t{name} bought the main cat.\n" for name in ("He", "She", "Ann")]
    (tmp_path / "set.tsv").write_text("".join(rows), encoding="utf-8")
    options = ("set.tsv", "--model", folder, "--objective", objective, "--optimiser", optimiser)
    few = ("--candidates", 9, "--iterations", 2, "--lens-model", lens.directory)
    for threads in (1, 2):
        done = in_process.run("tune", *options, *few, "-o", f"tuned{threads}", "--threads", threads, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"\t{objective} " in done.stdout.splitlines()[-1]
    one, two = (ModelBundle.load(tmp_path / f"tuned{threads}") for threads in (1, 2))
    assert one.weights == two.weights


@pytest.mark.parametrize("command", ["simplify", "tune"])
def test_a_model_that_is_missing_is_told_before_the_work(folder: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "set.tsv").write_text("A b .\tA c .\n", encoding="utf-8")
    options = {
        "simplify": ("set.tsv", "-m", folder, "--rerank", "mbr", "--utility", "lens", "-o", "out"),
        "tune": ("set.tsv", "--model", folder, "--objective", "lens", "-o", "out"),
    }
    done = in_process.run(command, *options[command], "--lens-model", "nowhere", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nowhere: expected the directory of a LENS model, found nothing" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set.tsv"]
