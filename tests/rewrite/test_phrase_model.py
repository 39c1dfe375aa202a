"""Models whose rules are a phrase table, decoded with phrases that may trade places."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.toy_model import write_model

from plainwright.decode import DecoderSettings
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar, parse_rule
from plainwright.rewrite import chooser, load
from plainwright.rewrite.propose import Scfg
from plainwright.rewrite.protect import Protection
from plainwright.rewrite.sentences import one_sentence
from plainwright.text.edits import apply_edits

RULES = (
    "[X] ||| the residence ||| the house ||| good=2 ||| \n"
    "[X] ||| residence ||| home ||| good=1 ||| \n"
    "[X] ||| swiftly ||| fast ||| good=1 ||| \n"
    "[X] ||| purchased ||| bought ||| good=1 ||| \n"
    "[X] ||| purchased ||| paid for ||| good=0.5 ||| \n"
)
LOVES_DISTANCE = {"good": 1.0, "Distortion": 1.0}
KEEPS_ORDER = {"good": 1.0, "Distortion": -1.0}
TEXT = "They swiftly purchased the residence."


def model(folder: Path, weights: dict[str, float], **options: object) -> Path:
    return write_model(folder / "model", RULES, weights=weights, search="phrases", **options)  # type: ignore[arg-type]


def test_phrases_are_replaced(tmp_path: Path) -> None:
    simplifier = load(model(tmp_path, KEEPS_ORDER), engine="rules")
    assert simplifier.simplify(TEXT).text == "They fast bought the house."


def test_phrases_that_trade_places_are_one_edit_that_can_be_undone(tmp_path: Path) -> None:
    simplifier = load(model(tmp_path, LOVES_DISTANCE, distortion_limit=2), engine="rules")
    done = simplifier.simplify("They purchased the residence swiftly.")
    assert any(edit.kind == "reorder" for edit in done.edits)
    assert apply_edits(done.source, done.edits) == done.text
    assert done.without({edit.group for edit in done.edits}).text == done.source


def test_dissimilar_takes_the_candidate_with_the_most_words_changed(tmp_path: Path) -> None:
    simplifier = load(model(tmp_path, KEEPS_ORDER, distortion_limit=0), engine="rules")
    assert simplifier.simplify("He purchased it.").text == "He bought it."
    assert simplifier.simplify("He purchased it.", rerank=chooser("dissimilar", wants=10)).text == "He paid for it."


words = st.sampled_from(["they", "swiftly", "purchased", "the", "residence", "zebra", "unseen", "Bob"])


@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=1, max_size=7), st.integers(0, 4))
def test_edits_rebuild_the_text_and_undone_the_source(found: list[str], limit: int) -> None:
    grammar = PackedGrammar.from_rules(map(parse_rule, RULES.splitlines()))
    options = DecoderSettings(search="phrases", distortion_limit=limit)
    proposer = Scfg([grammar], weights=LOVES_DISTANCE, settings=options)
    sentence = one_sentence(" ".join(found) + ".", Protection())
    [proposals] = proposer.propose([sentence], limit=20, threads=1)
    for proposal in proposals:
        assert apply_edits(sentence.text, proposal.edits) == proposal.text
        assert proposal.unchanged or all(0 <= edit.group < proposal.groups for edit in proposal.edits)
        assert proposal.without(set(range(proposal.groups))).text == sentence.text


def test_bad_settings_of_a_model_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"model\.toml: settings\.distortion_limit must be a whole number from 0 to 60"):
        load(model(tmp_path / "negative", KEEPS_ORDER, distortion_limit=-1), engine="rules")
    gaps = "[X] ||| [X,1] of [X,2] ||| [X,2] 's [X,1] ||| good=1 ||| \n"
    folder = write_model(tmp_path / "gaps", gaps, weights={"good": 1.0}, search="phrases")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"rules\.pack: expected rules without gaps for search = 'phrases'"):
        load(folder, engine="rules")
