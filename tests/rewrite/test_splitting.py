"""Splitting as an option of `simplify`: alone, before other engines, and as far as grammar allows."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import plainwright
from plainwright.errors import DataError, MissingExtraError, UnknownNameError
from plainwright.rewrite import load

MODEL = Path(__file__).parents[2] / "examples" / "model"
LONG = "The committee will purchase the old mill in the spring, and the residents may use it as a residence for guests."
SPLIT = "The committee will purchase the old mill in the spring. The residents may use it as a residence for guests."
SHORT = "The shop opens at nine, and the café opens at ten."
PASSIVE = "The form must be signed by the applicant."


@pytest.mark.slow
def test_the_engine_split_splits_and_changes_no_word() -> None:
    pytest.importorskip("spacy")
    splitter = load(MODEL, engine="split")
    assert splitter.simplify(LONG).text == SPLIT
    assert splitter.simplify(PASSIVE).text == PASSIVE


@pytest.mark.slow
def test_split_goes_before_what_the_engine_does() -> None:
    pytest.importorskip("spacy")
    assert "and the residents" in load(MODEL, engine="rules").simplify(LONG).text
    assert load(MODEL, engine="rules", split="helpful").simplify(LONG).text == (
        "The committee will buy the old mill in the spring. The residents may use it as a home for guests."
    )


@pytest.mark.slow
def test_a_sentence_is_split_once_where_the_model_names_the_splitter_itself() -> None:
    pytest.importorskip("spacy")
    text = LONG.replace("purchase", "sell").replace("residence", "place")
    assert plainwright.simplify(text, split="helpful") == plainwright.simplify(text)


@pytest.mark.slow
def test_short_sentences_are_split_only_where_all_are_asked_for() -> None:
    pytest.importorskip("spacy")
    assert load(MODEL, engine="split", split="helpful").simplify(SHORT).text == SHORT
    result = load(MODEL, engine="split", split="all").simplify(SHORT)
    assert result.text == "The shop opens at nine. The café opens at ten."
    assert [edit.kind for edit in result.edits] == ["split"]
    assert str(result.edits[0].evidence[0]) == "coordinated clause made a sentence of its own"


@pytest.mark.slow
def test_a_splitter_opened_in_another_process_splits_as_much() -> None:
    pytest.importorskip("spacy")
    again = pickle.loads(pickle.dumps(load(MODEL, engine="split", split="all")))
    assert again.simplify(SHORT).text == "The shop opens at nine. The café opens at ten."
    assert again.simplify(PASSIVE).text == PASSIVE


def test_splitting_and_whole_sentences_cannot_be_asked_for_together() -> None:
    with pytest.raises(DataError, match="expected the level plain or easy with it, found light"):
        load(MODEL, split="helpful", level="light")


def test_an_unknown_way_to_split_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown split 'most'; choose among helpful, all"):
        load(MODEL, split="most")  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"engine": "split"}, {"engine": "rules", "split": "helpful"}, {"split": "all"}])
def test_without_a_parser_the_extra_is_named(options: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainwright.extras.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"plainwright\[syntax\]"):
        load(MODEL, **options)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "A long walk along the river in the early morning, and after that a large breakfast with eggs and fresh bread.",
        "The shop sells old maps, rare stamps, worn coins, small paintings, and much more for those who collect.",
        'The guide said "the tower was built by monks, and the bridge was added by soldiers two hundred years later".',
        "The tower (it was built by monks, and the bridge was added by soldiers) is closed to all visitors until May.",
        "The following must be paid: rent, and water, and the cost of the repairs that the owner carries out.",
    ],
    ids=["no verb", "a list", "in a quotation", "in brackets", "after a colon"],
)
def test_texts_without_verbs_lists_quotations_and_brackets_stay_whole(source: str) -> None:
    pytest.importorskip("spacy")
    for split in ("helpful", "all"):
        assert load(MODEL, engine="split", split=split).simplify(source).text == source  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_sentence_that_the_parser_breaks_in_two_stays_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    broken = spacy.blank("en")
    broken.add_pipe("sentencizer")

    def heads_in_two(document):  # type: ignore[no-untyped-def]
        half = len(document) // 2
        return spacy.tokens.Doc(
            document.vocab,
            words=[token.text for token in document],
            spaces=[bool(token.whitespace_) for token in document],
            heads=[0 if token.i < half else half for token in document],
            deps=["ROOT" if token.i in (0, half) else "dep" for token in document],
            tags=["NN"] * len(document),
        )

    spacy.Language.component("heads_in_two", func=heads_in_two)
    broken.add_pipe("heads_in_two")
    monkeypatch.setattr("plainwright.rewrite.propose.syntax.tree.load_english_model", lambda purpose: broken)
    assert load(MODEL, engine="split").simplify(LONG).text == LONG
