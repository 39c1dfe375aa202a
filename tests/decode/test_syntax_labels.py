"""The input's own labels, by a parser: they let the rules of a model take words that stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.toy_model import write_model

from plainwright.decode import SyntaxLabels
from plainwright.decode import syntax as module
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError, MissingExtraError
from plainwright.rewrite import load
from plainwright.text.syntax import Analysis, parse_analysis

RULES = "[NP] ||| [NP,1] 's population ||| the people of [NP,1] ||| good=3 ||| \n"
TOWN = "the old town 's population grew\tDT JJ NN POS NN VBD\t2 2 4 2 5 5\tdet amod poss case nsubj ROOT"


class FakeParser:
    """Knows one sentence."""

    asked = 0

    def parse_tokens(self, split: Sequence[Sequence[str]], *, longest: int) -> Iterator[Analysis | None]:
        for tokens in split:
            FakeParser.asked += 1
            known = parse_analysis(TOWN)
            yield known if known and tuple(tokens) == known.tokens and len(tokens) <= longest else None


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeParser]:
    monkeypatch.setattr(module, "check_english_model", lambda *_, **__: None)
    monkeypatch.setattr(module, "Parser", FakeParser)
    FakeParser.asked = 0
    return FakeParser


def test_every_short_span_has_its_label_whatever_its_case(fake):
    [labels] = SyntaxLabels().analyses([["The", "old", "Town", "'s", "population", "grew"]])
    assert {(0, 3, "NP"), (2, 3, "NN"), (0, 5, "NP"), (0, 6, "S")} < set(labels)
    assert all(label != "X" for _, _, label in labels)


def test_a_sentence_that_the_parser_leaves_out_has_no_labels(fake):
    assert SyntaxLabels().analyses([["so", "what"], []]) == [[], []]


def test_a_sentence_is_parsed_once(fake):
    labels = SyntaxLabels()
    first = labels.analyses([["a"], ["b"], ["a"]])
    assert labels.analyses([["a"], ["b"], ["A"]]) == first
    assert fake.asked == 2


def test_memory_does_not_grow_without_end(fake, monkeypatch):
    monkeypatch.setattr(module, "_KEPT", 2)
    labels = SyntaxLabels()
    assert labels.analyses([["a"], ["b"], ["c"]]) == labels.analyses([["c"], ["b"], ["a"]])
    assert labels.analyses([["d"], ["a"]]) == [[], []]


def test_a_model_with_syntax_fills_gaps_of_its_rules(fake, tmp_path: Path):
    simplifier = load(write_model(tmp_path / "m", RULES, syntax=True), engine="rules")
    assert simplifier.simplify("The old town's population grew").text == "The people of the old town grew"
    plain = load(write_model(tmp_path / "n", RULES), engine="rules")
    assert plain.simplify("The old town's population grew").text == "The old town's population grew"


def test_syntax_is_true_or_false(tmp_path: Path):
    with pytest.raises(DataError, match=r"settings.syntax: expected true or false, found 3"):
        _ = ModelBundle.load(write_model(tmp_path / "m", RULES, syntax=3)).syntax


def test_a_parser_that_is_not_installed_is_named_with_its_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("plainwright.text.parser.find_spec", lambda _: None)
    monkeypatch.setattr("plainwright.text.parser.check_extra", lambda *_, **__: None)
    with pytest.raises(MissingExtraError, match=r"labels of the input .*plainwright\[syntax\]"):
        load(write_model(tmp_path / "m", RULES, syntax=True), engine="rules")


@pytest.mark.slow  # loads spaCy, which only `make test-all` installs
def test_the_real_parser_lets_rules_of_the_paper_fire(tmp_path: Path):
    pytest.importorskip("spacy")
    model = write_model(tmp_path / "m", RULES + "[RB] ||| solely ||| only ||| good=2 ||| 0-0\n", syntax=True)
    text = "The small village's population lives solely from fishing."
    simplified = load(model, engine="rules").simplify(text)
    assert simplified.text == "The people of the small village lives only from fishing."
