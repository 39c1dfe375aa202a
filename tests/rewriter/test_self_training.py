"""Self-training: judges choose among the model's own rewrites, and training goes on with them beside written ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests import in_process
from tests.rewriter.tiny_base import write_recipe

pytest.importorskip("gguf", reason="training needs the extra train")
pytest.importorskip("torch", reason="training needs the extra train")
from plainwright.errors import DataError
from plainwright.rewriter.training import self_training
from plainwright.rewriter.training.candidates import Candidate, Sampler
from plainwright.rewriter.training.corpus import Row, read_corpus
from plainwright.rewriter.training.pairs import Pairs
from plainwright.rewriter.training.recipe import SelfTraining, read_recipe
from plainwright.rewriter.training.rewards import make_reward
from plainwright.rewriter.training.run import Outcome, learn_rewriter, stages_of
from plainwright.rewriter.training.self_training import make_judge, merged_pairs, new_sentences
from plainwright.rewriter.training.vocabulary import SmallVocabulary

SECTION = """[self]
texts = ["new.txt"]
sentences = 40
candidates = 3
judge = ""
reward = "score"
share = 0.5
steps = 4
rate = 0.001
warm_up = 1
"""


def write_whole(folder: Path) -> Path:
    # Sentences that the corpus has not; nouns and verbs are those of tiny_base.py, so the model can write them.
    lines = [
        f"The {noun} utilised it and the {other} purchased it." for noun in ("cat", "dog") for other in "abcdefghij"
    ]
    (folder / "new.txt").write_text("\n".join([*lines, "Too short.", lines[0]]) + "\n", encoding="utf-8")
    return write_recipe(folder, further=SECTION, steps=40, precision='"float32"', average=1)


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("self"))


@pytest.fixture(scope="module")
def outcome(recipe: Path, training_in_this_process: None) -> Outcome:
    return learn_rewriter(read_recipe(recipe), recipe.parent / "work")


def section(path: Path, **changes: str) -> SelfTraining:
    found = read_recipe(path, {f"self.{name}": value for name, value in changes.items()}).self_training
    assert found is not None
    return found


def test_training_goes_on_with_the_chosen_pairs(outcome: Outcome, recipe: Path) -> None:
    assert outcome.made == ("vocabulary", "data", "train", "average", "self", "export")
    assert outcome.facts["self_sentences"] == 20
    folder = recipe.parent / "work" / "self"
    chosen = [json.loads(line) for line in (folder / "chosen.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(chosen) == 20
    assert outcome.facts["self_pairs"] == sum(target is not None for target in chosen) > 0
    pairs = list(Pairs.read(folder / "pairs.npz"))
    learnt = sum(not pair.held_out for pair in pairs)
    assert learnt == 2 * min(outcome.facts["self_pairs"], outcome.facts["pairs"])  # half of them are its own
    assert len(pairs) - learnt == outcome.facts["held_out"]
    assert "pairs of its own" in (outcome.rewriter / "CARD.md").read_text(encoding="utf-8")


def test_a_run_that_was_stopped_ends_at_the_same_weights(
    outcome: Outcome, recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(self_training, "_BLOCK", 8)
    draw, calls, kept = Sampler.draw, list[int](), list[int]()

    def stopping(self: Sampler, sources: Any, **options: Any) -> Any:
        calls.append(len(sources))
        kept.append((tmp_path / "work" / "self" / "chosen.jsonl").read_bytes().count(b"\n"))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return draw(self, sources, **options)

    monkeypatch.setattr(Sampler, "draw", stopping)
    copy = write_whole(tmp_path)
    # Texts and base are the same, the compressed corpus has another time in it.
    (tmp_path / "corpus" / "tiny.tsv.gz").write_bytes((recipe.parent / "corpus" / "tiny.tsv.gz").read_bytes())
    with pytest.raises(KeyboardInterrupt):
        learn_rewriter(read_recipe(copy), tmp_path / "work")
    with (tmp_path / "work" / "self" / "chosen.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('"cut o')
    assert learn_rewriter(read_recipe(copy), tmp_path / "work").made == ("self", "export")
    assert calls == [8, 8, 8, 4]  # the second block twice, the first once
    assert kept == [0, 8, 8, 16]  # lines on the disk, which a kill at that moment leaves
    for name in ("self/chosen.jsonl", "self/averaged.npy", "rewriter/rewriter.weights"):
        assert (tmp_path / "work" / name).read_bytes() == (recipe.parent / "work" / name).read_bytes(), name


def test_sentences_are_new_and_drawn_by_the_seed(recipe: Path) -> None:
    everything = new_sentences(section(recipe), set())
    assert len(everything) == len(set(everything)) == 20
    assert new_sentences(section(recipe, sentences="5"), set()) == everything[:5]
    assert new_sentences(section(recipe, seed="2"), set()) != everything
    assert set(new_sentences(section(recipe), set(everything[:3]))) == set(everything[3:])
    with pytest.raises(DataError, match="found none that are new"):
        new_sentences(section(recipe), set(everything))


def test_judges_forbid_and_the_reward_or_the_model_chooses() -> None:
    source = "He did not purchase 3 cows."
    texts = {"He bought 3 cows.": -0.1, "He did not buy 3 cows.": -0.3, "He did not get 3 cows.": -0.2, source: -0.01}
    candidates = [Candidate(text, (1,), score) for text, score in texts.items()]
    fidelity = make_judge("fidelity")  # a negation that is lost
    assert self_training._chosen(source, candidates, fidelity, None) == "He did not get 3 cows."
    more = [*candidates, Candidate("He did not buy 3 cows!", (1,), -0.9)]
    assert self_training._chosen(source, more, fidelity, make_reward("bleu")) == "He did not buy 3 cows."
    assert self_training._chosen(source, candidates[:1], fidelity, None) is None
    assert self_training._chosen(source, candidates[3:], make_judge(""), None) is None  # a copy teaches nothing
    assert make_judge("plainwright.rewrite.judge.fidelity:broken_promise") is fidelity


def test_a_share_is_kept_whichever_side_is_short(outcome: Outcome, recipe: Path) -> None:
    vocabulary = SmallVocabulary.read(recipe.parent / "work")
    written = Pairs.read(recipe.parent / "work" / "pairs.npz")
    rows = [Row("plain", f"The cat utilised {n}.", f"The cat used {n}.", held_out=False) for n in range(40)]
    held_out = sum(pair.held_out for pair in written)
    # 28 or so are written: at a share of a half all of them and as many own ones; at a fifth of 5 own ones, 20 written.
    others = len(written) - held_out
    assert len(merged_pairs(written, rows, vocabulary, section(recipe))) == held_out + 2 * others
    assert len(merged_pairs(written, rows[:5], vocabulary, section(recipe, share="0.2"))) == held_out + 25
    assert len(merged_pairs(written, rows, vocabulary, section(recipe, share="1"))) == held_out + 40
    with pytest.raises(DataError, match="expected pairs that the judges let pass, found none"):
        merged_pairs(written, [], vocabulary, section(recipe))


def test_no_source_of_the_corpus_is_rewritten(recipe: Path) -> None:
    known = {row.source for row in read_corpus(read_recipe(recipe).corpus).rows}
    assert known.isdisjoint(new_sentences(section(recipe), known))


def test_risk_comes_after_it(recipe: Path) -> None:
    both = read_recipe(recipe, {"risk.steps": "1", "risk.reward": "bleu"})
    assert stages_of(both) == ("vocabulary", "data", "train", "average", "self", "risk", "export")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"self.texts": "[]"}, "self.texts: expected files with sentences to rewrite"),
        ({"self.share": "0"}, "self.share: expected a finite number from 0.01 to 1"),
        ({"self.judge": "faith"}, "self.judge: expected fidelity or package.module:function, found 'faith'"),
        ({"self.reward": "lense"}, "did you mean lens"),
    ],
)
def test_a_mistake_is_one_sentence(recipe: Path, tmp_path: Path, changes: dict[str, str], message: str) -> None:
    options = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    done = in_process.run("learn", "rewriter", recipe, "--work", tmp_path / "work", *options, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
