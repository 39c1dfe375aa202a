"""The proposer `substitution`: which candidates it takes, what it leaves alone, and what it says of its choice."""

from __future__ import annotations

import pytest
from tests.rewrite.word_lists import tagger
from tests.substitution.tiny import save_tiny_substitution, score

from plainwright.errors import DataError
from plainwright.rewrite import Pipeline, Protection, Simplifier
from plainwright.rewrite.propose.substitution import SubstitutionProposer
from plainwright.rewrite.registry import make_proposer

TEXT = "She purchased the car for them in May."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save_tiny_substitution(tmp_path_factory.mktemp("substitution") / "tiny")


@pytest.fixture
def simplifier(folder):
    return Simplifier(Pipeline([SubstitutionProposer(str(folder))], tagger=tagger()))


def simplified(directory, text, **options):
    return Simplifier(Pipeline([SubstitutionProposer(str(directory))], tagger=tagger())).simplify(text, **options)


def test_the_likeliest_candidate_of_each_place_is_written_in_its_form(simplifier):
    # "bought" is worth more than "got", "mat" more than "cat" (tests/substitution/tiny.py).
    assert simplifier.simplify(TEXT).text == "She bought the mat for them in May."


def test_what_is_not_likely_enough_stays(tmp_path):
    directory = save_tiny_substitution(tmp_path / "tiny", threshold=0.9)
    assert simplified(directory, TEXT).text == "She bought the car for them in May."


def test_the_threshold_can_be_set(folder):
    careful = make_proposer("substitution", {"directory": str(folder), "threshold": 0.99})
    assert Simplifier(Pipeline([careful], tagger=tagger())).simplify(TEXT).text == TEXT
    with pytest.raises(DataError, match="does not take the options limit"):
        make_proposer("substitution", {"limit": 1})


def test_an_edit_says_how_likely_it_is_right_and_what_else_there_was(simplifier):
    first, _ = simplifier.simplify(TEXT, alternatives=1).edits
    [evidence] = first.evidence
    assert evidence.to_dict() == {
        "kind": "substitution",
        "hard": "purchased",
        "plain": "bought",
        "score": round(score("bought", "purchased"), 4),
        "alternatives": [{"target": "got", "score": round(score("g", "purchased"), 4)}],
    }
    assert str(evidence) == "purchased → bought, right in this sentence to 92%"
    assert first.origin == "substitution"


def test_protected_words_names_and_quotations_stay(simplifier):
    kept = Protection(keep=["car"])
    assert simplifier.simplify(TEXT, protection=kept).text == "She bought the car for them in May."
    quoted = "They said “she purchased the car for us” and left."
    assert simplifier.simplify(quoted).text == quoted


def test_what_is_no_prose_is_left_alone(simplifier):
    for text in ("purchased car", "x = purchased(car); // the car of the cat"):
        assert simplifier.simplify(text).text == text


def test_undoing_an_edit_gives_its_words_back(simplifier):
    sentence = simplifier.simplify(TEXT).sentences[0]
    assert [edit.source_text for edit in sentence.edits] == ["purchased", "car"]
    assert sentence.source == TEXT


def test_the_result_does_not_depend_on_threads(simplifier):
    texts = [TEXT, "He purchased the cat and the car of the man.", "It was there."] * 5
    assert simplifier.simplify_all(texts, threads=3) == [simplifier.simplify(text).text for text in texts]
