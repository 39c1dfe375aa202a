"""How a reader would take a rewrite: what it looks at, what it learns from ratings, and what that decides."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.rewriter.tiny import write_tiny_rewriter

from plainwright.errors import DataError
from plainwright.learn.rewriter_risk import learn_rewriter_risk, read_ratings
from plainwright.rewrite import Pipeline, Proposal, Protection, RiskBudget, Sentence, Simplifier
from plainwright.rewrite.judge.rewrite_risk import RewriteRisk
from plainwright.rewrite.propose.rewriter import Rewritten
from plainwright.rewrite.propose.whole import WholeProposal
from plainwright.rewrite.sentences import sentences_of
from plainwright.rewriter.model import READER, Rewriter
from plainwright.rewriter.risk import FEATURES, Opinion, Regression, RewriteReader, features
from plainwright.tables import TableReader

SOURCE = "The physician terminated the treatment because Anna recovered."
LONG, SHORT = "{} with a big dog and a cat of it.", "The cat sat and a dog ran."
COLUMNS = "system\tsource\toutput\tmeaning\tgrammar\tsimplicity"


def row(text: str, sure: tuple[float, ...] = (-0.1, -0.1)) -> dict[str, float]:
    return features(SOURCE, text, sure, "plain")


def test_features_are_numbers_of_every_name() -> None:
    assert tuple(row("The doctor ended the treatment.")) == FEATURES
    assert all(math.isfinite(value) for value in features("", "", (), "easy").values())


def test_words_that_are_gone_and_new_count_by_their_stems() -> None:
    found = row("The physicians ended the treatments because Anna recovered.")
    assert (found["gone"], found["new"]) == (1, 1)  # terminated, ended
    assert row(SOURCE)["gone"] == row(SOURCE)["new"] == 0
    assert row("The doctor ended the treatment because she got better.")["names_gone"] == 1


def test_an_unsure_token_shows_however_sure_the_others_are() -> None:
    found = row(SOURCE, sure=(-0.01,) * 20 + (-3.0,))
    assert found["least_sure"] == -3.0
    assert found["second_least_sure"] == -0.01
    assert found["unsure"] == 1


def test_a_split_shows_in_the_number_and_length_of_sentences() -> None:
    found = row("Anna recovered. So the doctor ended the treatment.")
    assert found["sentences"] == 1
    assert found["longest_sentence"] == 6 / 8


def regression(intercept: float, **weights: float) -> Regression:
    return Regression(intercept, {name: weights.get(name, 0.0) for name in FEATURES})


def test_a_probability_is_that_of_a_logistic_regression() -> None:
    assert regression(0.0).probability(row(SOURCE)) == 0.5
    assert regression(1.0, new=-2.0).probability(row("Anna swims.")) == pytest.approx(1 / (1 + math.e))
    assert 0 < regression(-1e9).probability(row(SOURCE)) < 1e-9


def test_what_a_reader_thinks_is_kept_to_the_last_digit(tmp_path: Path) -> None:
    from plainwright.tables import write_tables

    reader = RewriteReader(regression(0.1, new=1 / 3), regression(-0.2, length=2 / 7))
    with (tmp_path / READER).open("w", encoding="utf-8") as stream:
        write_tables(stream, {"damaged": reader.damaged.table(), "easier": reader.easier.table()})
    assert RewriteReader.read(TableReader.read(tmp_path / READER)) == reader


def proposal(opinion: Opinion | None) -> WholeProposal:
    [sentence] = sentences_of(SOURCE, Protection())
    evidence = (Rewritten("plain", -0.1, opinion),)
    return WholeProposal(sentence, "Anna got well. So the doctor stopped.", origin="rewriter", evidence=evidence)


@pytest.mark.parametrize(
    ("opinion", "risks", "forbidden"),
    [
        (None, (0.0,), set()),
        (Opinion(0.04, 0.9), (0.04,), set()),
        (Opinion(0.04, 0.1), (0.04,), {0}),  # hardly easier: no risk is worth it
    ],
)
def test_the_judge_prices_a_rewrite_by_what_its_reader_thinks(
    opinion: Opinion | None, risks: tuple[float, ...], forbidden: set[int]
) -> None:
    own = proposal(opinion)
    [[verdict]] = RewriteRisk().judge([(own.sentence, [own])])
    assert verdict.risks == risks
    assert verdict.forbidden == forbidden


def test_an_impossible_threshold_is_an_error() -> None:
    with pytest.raises(DataError, match=r"least_easier: expected a probability from 0 to 1, found 2"):
        RewriteRisk(least_easier=2)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write_tiny_rewriter(tmp_path / "tiny")


def ratings_of(tiny: Path, path: Path) -> Path:
    """Rate rewrites by a rule that a regression can learn: damaged if long, easier if short."""
    draw = random.Random(1)
    words = ("the cat", "a dog", "the mat", "the big dog")
    rows = []
    for _ in range(300):
        source = f"The cat sat on {draw.choice(words)} and {draw.choice(words)} ran."
        long = draw.random() < 0.5
        output = LONG.format(source[:-1]) if long else SHORT
        meaning, simplicity = (20, 30) if long else (95, 90)
        rows.append(f"rewriter {draw.choice(['plain', 'light'])}\t{source}\t{output}\t{meaning}\t90\t{simplicity}")
    rows.append("rules\tThe cat sat.\tThe cat sat\t90\t90\t50")
    rows.append("rewriter plain\tThe cat sat.\tThe cat never sat.\t0\t90\t50")  # fidelity forbids it anyway
    path.write_text("\n".join([COLUMNS, *rows]) + "\n", encoding="utf-8")
    return path


def test_ratings_teach_a_reader_that_stands_beside_its_rewriter(tiny: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    assert Rewriter(tiny).reader is None
    result = learn_rewriter_risk([ratings_of(tiny, tmp_path / "ratings.tsv")], tiny)
    assert result.ratings == 300
    assert result.auc_damaged > 0.99
    assert [limit for limit, *_ in result.frontier][-1] == 1.0
    rewriter = Rewriter(tiny)
    source = "The cat sat on the mat and a dog ran."
    opinions = []
    for text in (LONG.format(source[:-1]), SHORT):
        assert rewriter.reader is not None
        sure = rewriter.judge(source, text).log_probabilities
        opinions.append(rewriter.reader.opinion(features(source, text, sure, "plain")))
    long, short = opinions
    assert long.damaged > 0.5 > short.damaged
    assert long.easier < 0.5 < short.easier


class Risky:
    """Proposes one rewrite, of which a reader thinks what it is told."""

    name = "risky"

    def __init__(self, opinion: Opinion) -> None:
        self._opinion = opinion

    def propose(self, sentences: Sequence[Sentence], *, limit: int, threads: int) -> list[list[Proposal]]:
        return [[proposal(self._opinion)] for _ in sentences]


@pytest.mark.parametrize(("risk", "changed"), [(0.15, True), (0.16, False)])
def test_a_rewrite_is_paid_from_the_budget_of_its_sentence(risk: float, changed: bool) -> None:
    pipeline = Pipeline([Risky(Opinion(risk, 0.9))], judges=[RewriteRisk()], budget=RiskBudget(0.15))
    assert (Simplifier(pipeline).simplify(SOURCE).text != SOURCE) is changed


def test_evidence_says_what_the_reader_thinks() -> None:
    evidence = Rewritten("plain", math.log(0.9), Opinion(0.04, 0.8))
    assert str(evidence) == "the rewriter at level plain, sure to 90%, risk 4%"
    assert evidence.to_dict() == {"kind": "rewrite", "level": "plain", "score": -0.1054, "risk": 0.04, "easier": 0.8}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("rewriter\ta\tb\t101\t5\t5", r":2: expected meaning as a whole number from 0 to 100, found '101'"),
        ("rewriter\ta\tb\t²\t5\t5", r":2: expected meaning as a whole number from 0 to 100, found '²'"),
        ("rewriter\ta\t \t50\t5\t5", r":2: expected a source and an output, found an empty one"),
        ("rewriter\ta\tb\t50\t5", r":2: expected 6 cells separated by tabs, found 5"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "ratings.tsv"
    path.write_text(f"{COLUMNS}\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=problem):
        list(read_ratings(path, system="rewriter"))


@pytest.mark.parametrize(("again", "damaged", "easier"), [("50\t90\t80", True, True), ("70\t90\t60", False, False)])
def test_two_readings_are_averaged(tmp_path: Path, again: str, damaged: bool, easier: bool) -> None:
    path = tmp_path / "ratings.tsv"
    columns = f"{COLUMNS}\tmeaning_again\tgrammar_again\tsimplicity_again"
    path.write_text(f"{columns}\nrewriter easy\ta\tb\t60\t90\t70\t{again}\n", encoding="utf-8")
    [rating] = read_ratings(path, system="rewriter")
    # By hand: meaning 55 or 65, damaged below 60; simplicity 75 or 65, easier from 75.
    assert (rating.level, rating.damaged, rating.easier) == ("easy", damaged, easier)


def test_ratings_of_few_sources_teach_nothing(tiny: Path, tmp_path: Path) -> None:
    source = "The cat sat on the mat."
    rows = (f"rewriter\t{source}\t{SHORT}\t{value}\t90\t{value}" for value in (20, 90) * 50)
    path = tmp_path / "ratings.tsv"
    path.write_text("\n".join([COLUMNS, *rows]) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"expected ratings of at least 8 sources, found 1; rate rewrites of more"):
        learn_rewriter_risk([path], tiny)


def test_a_table_without_ratings_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "ratings.tsv"
    path.write_text("source\toutput\nThe cat sat.\tA cat sat.\n", encoding="utf-8")
    with pytest.raises(DataError, match="found none called system"):
        list(read_ratings(path, system="rewriter"))


def test_too_few_ratings_teach_nothing(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "ratings.tsv"
    path.write_text(f"{COLUMNS}\nrewriter\tThe cat sat.\tA cat sat.\t90\t90\t90\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"at least 50 rewrites that are damaged .* rate more"):
        learn_rewriter_risk([path], tiny)
    assert not (tiny / READER).exists()
