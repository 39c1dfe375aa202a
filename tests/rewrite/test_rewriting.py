"""The rewriter in the pipeline: what its judges refuse falls back to other candidates, to the rules, to the source."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.rewriter.tiny import SENTENCE, write_tiny_rewriter

import plainwright
from plainwright.errors import ModelMissingError, PlainwrightError
from plainwright.rewrite import Pipeline, Proposal, Protection, Sentence, Simplifier
from plainwright.rewrite.judge.fidelity import Fidelity
from plainwright.rewrite.propose.whole import WholeProposal, is_prose
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewriter.finding import REWRITER_VARIABLE

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "The physician may purchase 12 books in Paris."


class Written:
    """Proposes what was written beforehand, as a rewriter would, so many at a time as it is asked for."""

    name = "written"
    asks_for_more = 3

    def __init__(self, *texts: str) -> None:
        self._texts = texts
        self.asked: list[int] = []

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        self.asked.append(limit)
        return [[Proposal(one, text, origin=self.name) for text in self._texts[:limit]] for one in sentences]


def simplified(proposer: Written) -> str:
    return Simplifier(Pipeline([proposer], judges=[Fidelity()])).simplify(SOURCE).text


def test_a_rewrite_that_keeps_its_promises_is_taken_at_once() -> None:
    proposer = Written("The doctor may buy 12 books in Paris.")
    assert simplified(proposer) == "The doctor may buy 12 books in Paris."
    assert proposer.asked == [1]


def test_a_refused_rewrite_falls_back_to_the_next_candidate() -> None:
    proposer = Written(
        "The doctor buys 12 books in Paris.", "Perhaps he buys 11.", "The doctor may buy 12 books in Paris."
    )
    assert simplified(proposer) == "The doctor may buy 12 books in Paris."
    assert proposer.asked == [1, 3]


def test_without_any_that_may_stay_the_sentence_stays_as_it_was() -> None:
    assert simplified(Written("The doctor buys 12 books in Paris.", "Perhaps he buys 11.")) == SOURCE


def test_a_rewrite_that_loses_a_protected_word_is_undone_as_a_whole() -> None:
    [sentence] = sentences_of(SOURCE, Protection(keep=("physician",)))
    lost = WholeProposal(sentence, "The doctor may buy 12 books in Paris.", origin="test")
    kept = WholeProposal(sentence, "In Paris the physician may buy 12 books.", origin="test")
    assert lost.touching(sentence.fixed) == {0}
    assert kept.touching(sentence.fixed) == frozenset()
    assert lost.without({0}).text == SOURCE


@pytest.mark.parametrize(
    "text",
    [
        "Opening hours",
        "ALL PASSENGERS MUST LEAVE THE TRAIN",
        "for (i = 0; i < n; i++) { total += prices[i]; }",
        "| Name | Age | Town of birth |",
        "Der Arzt hat das Buch gestern gekauft.",
        "x = compute(a, b) and return it",
    ],
)
def test_what_is_no_english_prose_is_left_alone(text: str) -> None:
    assert not is_prose(text)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_rewriter(tmp_path_factory.mktemp("rewriter") / "tiny")


def test_the_rewriter_is_asked_first_and_then_the_rules(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REWRITER_VARIABLE, str(tiny))
    simplifier = plainwright.load(engine="rewriter")
    assert [proposer.name for proposer in simplifier.pipeline.proposers] == ["rewriter", "scfg"]
    assert "fidelity" in [judge.name for judge in simplifier.pipeline.judges]
    # What the tiny rewriter writes is refused, so the rules have their turn.
    assert simplifier.simplify(SOURCE).text == plainwright.load(engine="rules").simplify(SOURCE).text
    assert [one.name for one in pickle.loads(pickle.dumps(simplifier)).pipeline.proposers] == ["rewriter", "scfg"]


@pytest.fixture(scope="module")
def speaking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rewriter that writes SENTENCE, whatever it reads."""
    return write_tiny_rewriter(tmp_path_factory.mktemp("rewriter") / "speaking", says_sentence=True)


HARD = "A cat sat upon the mat, and a dog ran away."
WITH_RULES = "A cat sat on the mat, and a dog ran away."  # what the rules of the default model make of it


def test_the_model_that_ships_uses_the_rewriter_where_there_is_one(
    speaking: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    assert plainwright.simplify(HARD) == WITH_RULES  # kept open, and yet the next call sees the rewriter
    monkeypatch.setenv(REWRITER_VARIABLE, str(speaking))
    assert [proposer.name for proposer in plainwright.load().pipeline.proposers] == ["rewriter", "scfg"]
    assert plainwright.simplify(HARD) == SENTENCE
    assert plainwright.simplify(HARD, engine="rules") == WITH_RULES


def test_a_model_that_names_no_rewriter_keeps_to_its_rules(speaking: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REWRITER_VARIABLE, str(speaking))
    example = plainwright.load(ROOT / "examples" / "model")
    assert [proposer.name for proposer in example.pipeline.proposers] == ["scfg"]


def names_of(simplifier: Simplifier) -> list[list[str]]:
    """The proposers of each pass."""
    passes = getattr(simplifier.pipeline, "passes", (simplifier.pipeline,))
    return [[proposer.name for proposer in one.proposers] for one in passes]


def test_where_nobody_put_a_rewriter_nobody_hears_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    monkeypatch.delenv(REWRITER_VARIABLE, raising=False)
    simplifier = plainwright.load()
    assert names_of(simplifier) == [["syntax"], ["wordlist"], ["syntax"]]
    assert simplifier.note == ""


def test_whoever_wants_no_rewriter_says_so_once_and_hears_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    monkeypatch.setenv(REWRITER_VARIABLE, "none")
    simplifier = plainwright.load()
    assert names_of(simplifier) == [["syntax"], ["wordlist"], ["syntax"]]
    assert simplifier.note == ""
    with pytest.raises(ModelMissingError, match=r"found 'none'; unset it to use the installed one"):
        plainwright.load(engine="rewriter")


def test_the_rules_are_asked_too_where_boldness_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    assert names_of(plainwright.load(strength=0.5)) == [["syntax"], ["wordlist"], ["syntax"], ["scfg"]]
    assert names_of(plainwright.load(strength=-0.5)) == [["syntax"], ["wordlist"], ["syntax"]]


def test_without_the_parser_sentences_stay_whole_and_one_line_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)
    monkeypatch.setattr("plainwright.text.parser._MODELS", ("a_model_that_is_not_installed",))
    simplifier = plainwright.load()
    assert names_of(simplifier) == [["wordlist"]]
    assert simplifier.note == (
        "left out: splitting sentences needs a_model_that_is_not_installed; install it with "
        "`pip install 'plainwright[syntax]'`, or do without (--proposers wordlist)"
    )
    assert simplifier.simplify("He came prior to lunch.").text == "He came before lunch."


def model_with_a_rewriter(directory: Path) -> Path:
    shutil.copytree(ROOT / "examples" / "model", directory)
    table = (directory / "model.toml").read_text(encoding="utf-8")
    (directory / "model.toml").write_text(f'{table}\n[pipeline]\nproposers = ["rewriter", "scfg"]\n', encoding="utf-8")
    return directory


def test_a_model_that_names_the_rewriter_does_without_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(REWRITER_VARIABLE, raising=False)
    monkeypatch.setattr("plainwright.models.folder", lambda: None)
    model = model_with_a_rewriter(tmp_path / "model")
    simplifier = plainwright.load(model)
    assert [proposer.name for proposer in simplifier.pipeline.proposers] == ["scfg"]
    assert simplifier.note.startswith("left out: no rewriter is installed; name the directory")
    with pytest.raises(ModelMissingError, match="no rewriter is installed"):
        plainwright.load(model, engine="rewriter")


def test_an_engine_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(PlainwrightError, match=r"'magic'.*choose among best, split, rewriter, rules, prompt"):
        plainwright.load(engine="magic")  # type: ignore[arg-type]


def test_the_command_says_once_that_the_rewriter_is_missing(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(f"{SOURCE}\n\n{SOURCE}\n", encoding="utf-8")
    model = model_with_a_rewriter(tmp_path / "model")
    environment = {name: value for name, value in os.environ.items() if name != REWRITER_VARIABLE}

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "plainwright", "simplify", str(text), "--model", str(model), *options]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert run().stderr.count("no rewriter is installed") == 1
    assert run("--engine", "rules").stderr == ""
    environment[REWRITER_VARIABLE] = str(tmp_path / "missing")
    failed = run("--engine", "rewriter")
    assert failed.returncode == 2
    assert str(tmp_path / "missing") in failed.stderr
