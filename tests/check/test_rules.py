"""Each rule by example: what it finds, and what looks like it and is left in peace."""

from __future__ import annotations

import pytest

from plainwright.check import CHECKS, Finding, check_text
from plainwright.text.parser import load_english_model


def found(rule: str, text: str) -> list[Finding]:
    if rule in ("passive", "nested-sentence"):
        pytest.importorskip("spacy")
        load_english_model("a test")
    return list(check_text(text, select=[rule]).findings)


FOUND = [
    ("passive", "The letter was sent to all tenants in May.", "was sent"),
    ("passive", "A fund was set up in May.", "was set up"),
    ("passive", "Your claim will be reviewed by the officer.", "will be reviewed"),
    ("hidden-verb", "We will make a final decision in May.", "make a final decision"),
    ("hidden-verb", "They conducted an analysis of the water.", "conducted an analysis of"),
    ("hidden-verb", "Smoking has an effect on health.", "has an effect on"),
    ("noun-string", "Send the house water meter box key.", "house water meter box key"),
    ("double-negative", "Such delays are not uncommon.", "not uncommon"),
    ("double-negative", "You cannot apply for it unless you live here.", "cannot apply for it unless"),
    ("double-negative", "Do not fail to sign the form.", "not fail"),
    ("filler", "It should be noted that the office is closed.", "It should be noted that"),
    ("filler", "To some extent the plan worked.", "To some extent"),
    ("hard-word", "We will commence the work in May.", "commence"),
    ("hard-word", "Sign all of the pages.", "all of the"),
    ("hard-word", "We called in order to help.", "in order to"),
    ("hard-word", "They may make use of it.", "make use of"),
    ("hard-word", "Pay no later than 4 May.", "no later than"),
    ("hard-word", "The house is in close proximity to the sea.", "in close proximity to"),
    ("abbreviation", "Ask the TMO about it.", "TMO"),
    ("abbreviation", "Ask the TMO (see the map). The men owe money.", "TMO"),
    ("two-terms", "The physician came at noon. Ask the doctor for a note.", "physician"),
]

PEACE = [
    ("passive", "She was born in 1990 and is interested in art."),
    ("passive", "The seats remained scattered in the yard."),
    ("passive", "They sent the letter. The door is open."),
    ("hidden-verb", "We make bread. They took a bus and made a cake."),
    ("hidden-verb", "They took action figures home."),
    ("hidden-verb", "She took no action and reached this conclusion. It had an effect."),
    ("hidden-verb", "We make the hard choices."),
    ("noun-string", "The town council meeting is in May."),
    ("noun-string", "Anna Maria Keller Smith came."),
    ("double-negative", "This is not common. It is unusual, and not for us."),
    ("double-negative", "Unless it rains, we do not stay."),
    ("filler", "He said: “It should be noted that we are closed.”"),
    ("filler", "Note the date. The course of the river changed."),
    ("hard-word", "We will start the work in May."),
    ("hard-word", "I, the undersigned, agree to it."),
    ("hard-word", "A major problem will return the next year."),
    ("hard-word", "He said: “We will commence the work.”"),
    ("abbreviation", "The tenant management organisation (TMO) meets. Ask the TMO."),
    ("abbreviation", "Ask the TMO (tenant management organisation) about it."),
    ("abbreviation", "Ask the Tenant Management Organisation. The TMO meets in May."),
    ("abbreviation", "TMO stands for tenant management organisation."),
    ("abbreviation", "The UK, NASA and Henry VIII. Do NOT touch it. SEND THE TMO FORM."),
    ("two-terms", "The physician came at noon. Ask the physician for a note."),
]


@pytest.mark.parametrize(("rule", "text", "words"), FOUND)
def test_a_rule_finds(rule: str, text: str, words: str) -> None:
    assert [finding.text for finding in found(rule, text)] == [words]


@pytest.mark.parametrize(("rule", "text"), PEACE)
def test_a_rule_leaves_in_peace(rule: str, text: str) -> None:
    assert found(rule, text) == []


def test_every_rule_has_an_example_and_names_its_source() -> None:
    shown = {rule for rule, *_ in FOUND} | {"long-sentence", "nested-sentence"}
    shown |= {"listed-word", "advanced-word"}  # in test_lists.py
    assert shown == {name for name, own in CHECKS.parts.items() if own.__module__.startswith("plainwright.")}
    for card in check_text("Words.").rules:
        assert card.meaning.endswith(".")
        assert card.source
        assert card.link.startswith("https://")


@pytest.mark.parametrize(("words", "findings"), [(25, 0), (26, 1)])
def test_a_sentence_may_have_25_words_as_gov_uk_says(words: int, findings: int) -> None:
    text = " ".join(["word"] * words) + "."
    assert len(found("long-sentence", text)) == findings


def test_items_of_a_list_are_sentences_of_their_own() -> None:
    items = "\n".join(f"- item {n} has seven words in it" for n in range(9))
    assert found("long-sentence", f"You need:\n{items}\n") == []


def test_clauses_in_clauses_in_clauses_are_found() -> None:
    text = "The officer who handled the claims that came when the office was closed has left."
    assert [finding.text for finding in found("nested-sentence", text)] == [text]
    assert found("nested-sentence", "The officer who handled the claims has left because he was ill.") == []


@pytest.mark.parametrize(
    ("rule", "text", "suggestion"),
    [
        ("hidden-verb", "They were making a choice.", "choosing"),
        ("hidden-verb", "She gave assistance to us.", "helped"),
        ("hidden-verb", "They conducted an analysis of it.", "analysed"),
        ("hard-word", "Approximately ten people came.", "About"),
        ("hard-word", "Sign all of the pages.", "all the"),
        ("hard-word", "The undersigned agrees to it.", "I"),
        ("hard-word", "Send the form to the undersigned.", "me"),
        ("hard-word", "The form binds the undersigned.", "me"),
        ("hard-word", "You must notify the council of any change.", "tell the council about"),
        ("hard-word", "He said that prior to May it rained.", "before"),
        ("two-terms", "The physicians came. Ask the doctor.", "doctor"),
    ],
)
def test_suggestions_have_the_form_of_what_they_replace(rule: str, text: str, suggestion: str) -> None:
    assert [finding.suggestions for finding in found(rule, text)] == [(suggestion,)]


@pytest.mark.parametrize("text", ["We will make a final decision.", "They will conduct a review in May."])
def test_a_hidden_verb_that_would_lose_or_lack_something_is_only_named(text: str) -> None:
    [finding] = found("hidden-verb", text)
    assert finding.suggestions == ()
    assert finding.message in ("the verb hides in a noun (decide)", "the verb hides in a noun (review)")


def test_who_acts_in_a_passive_is_named_if_the_sentence_says_it() -> None:
    [finding] = found("passive", "The form was signed by the manager.")
    assert "(manager)" in finding.message
