"""Rules that ask the lists of others, here with small ones of our own in their layout."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from plainwright import corpora
from plainwright.check import check_text
from plainwright.check.rules.lists import AdvancedWord, ListedWord
from plainwright.cli.check import check
from plainwright.corpora import Card
from plainwright.errors import CorpusMissingError, DataError

PAIRS = """\
ameliorate\tmend, make better
cogitate on\tmull over, (omit)
in the vicinity of\tnear
conflagration\tbig fire
ferret\tseek
it was\t(omit)
people\tfolk
"""
EASY = "headword,pos,CEFR,CoreInventory 1\nsparrow,noun,A2,\nthimble/thimbles,noun,B2,\n"
HARD = "headword,pos,CEFR,notes\ngargoyle,noun,C1,\nthimble,noun,C1,\nquibble,verb,C2,\nwater,verb,C1,\n"


def card_of(directory: Path, name: str, *texts: str) -> Card:
    """Write files for a registered card, and return the card with their digests."""
    card = corpora.get(name)
    entries = []
    for entry, text in zip(card.files, texts, strict=True):
        content = text.encode()
        path = directory / entry.path
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        entries.append(replace(entry, bytes=len(content), sha256=hashlib.sha256(content).hexdigest()))
    return replace(card, files=tuple(entries))


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLAINWRIGHT_DATA", str(tmp_path))
    monkeypatch.setattr(ListedWord, "corpus", card_of(tmp_path, "words/plainlanguage-gov", PAIRS))
    monkeypatch.setattr(AdvancedWord, "corpus", card_of(tmp_path, "words/cefr-j", EASY, HARD))
    return tmp_path


@pytest.fixture
def no_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plainwright.corpora.lookup.directories", lambda _=None: (tmp_path,))


def advice(rule: str, text: str) -> list[str]:
    return [finding.advice for finding in check_text(text, select=[rule]).findings]


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("This ameliorated the roof.", "ameliorated → mended or made better"),
        ("The shop is in the vicinity of the school.", "in the vicinity of → near"),
        ("In the vicinity of the school is a shop.", "In the vicinity of → Near"),
        ("We saw the conflagration.", "conflagration → big fire"),
        ("They cogitate on it.", "cogitate on → mull over"),
        ("They ferreted it out.", "ferreted → sought"),
    ],
)
def test_words_on_the_list_have_its_plainer_ones_in_their_form(text: str, words: str) -> None:
    assert advice("listed-word", text) == [f"{words}: on the list of plainlanguage.gov"]


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    "text",
    [
        "People came.",  # a common word
        "It was late.",  # advice to leave words out
        "He lives in Conflagration, a town.",  # a name
        "He said: “We saw the conflagration.”",  # somebody else's words
        "The ferret ran off.",  # a noun, where the plainer word is a verb
        "The vicinity of the school is quiet.",  # part of a phrase
    ],
)
def test_what_is_common_or_a_name_or_quoted_is_left_in_peace(text: str) -> None:
    assert advice("listed-word", text) == []


@pytest.mark.usefixtures("lists")
def test_the_level_is_why_a_word_is_hard_once_for_each_word() -> None:
    text = "A sparrow sat on the gargoyle. Two gargoyles fell. They quibbled about it."
    assert advice("advanced-word", text) == [
        "gargoyle: level C1 (Octanove); explain it, or put it more plainly",
        "quibbled: level C2 (Octanove); explain it, or put it more plainly",
    ]


@pytest.mark.usefixtures("lists")
def test_a_word_that_is_easier_on_either_list_or_common_is_not_advanced() -> None:
    assert advice("advanced-word", "The thimble lay there. Two thimbles were lost. Water the plant.") == []


@pytest.mark.usefixtures("lists")
def test_our_own_list_comes_first() -> None:
    rules = ["hard-word", "listed-word", "advanced-word"]
    report = check_text("It stood in the vicinity of a gargoyle.", select=rules)
    assert [(own.rule, own.text) for own in report.findings] == [
        ("hard-word", "in the vicinity of"),
        ("advanced-word", "gargoyle"),
    ]


@pytest.mark.usefixtures("lists")
def test_the_report_names_the_rules_where_their_lists_are() -> None:
    cards = {card.rule: card.source for card in check_text("Words.").rules}
    assert "plainlanguage.gov" in cards["listed-word"]
    assert "Octanove" in cards["advanced-word"]


@pytest.mark.usefixtures("no_lists")
def test_without_the_lists_the_rules_are_off_and_selecting_them_says_what_is_missing() -> None:
    assert {"listed-word", "advanced-word"}.isdisjoint(card.rule for card in check_text("Words.").rules)
    with pytest.raises(CorpusMissingError, match=r"words/cefr-j: not on this machine.*corpora show words/cefr-j"):
        check_text("Words.", select=["advanced-word"])


@pytest.mark.usefixtures("no_lists")
def test_a_build_that_shall_fail_on_a_missing_list_does_not_pass_in_silence(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("A gargoyle fell.\n", encoding="utf-8")
    with pytest.raises(CorpusMissingError, match="words/cefr-j: not on this machine"):
        check(files=[letter], fail_on=["advanced-word"])


def test_a_damaged_list_is_an_error(lists: Path) -> None:
    (lists / "wordlists" / "plainlanguage-gov.tsv").write_text("other\twords\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"plainlanguage-gov\.tsv: expected .* bytes, found"):
        check_text("Words.")


def test_a_list_of_words_is_loaded_line_by_line_and_nothing_else_is(lists: Path) -> None:
    assert corpora.load_words(ListedWord.corpus, data=lists)[0][3] == "conflagration\tbig fire"
    with pytest.raises(DataError, match="expected a list of words, found a corpus of kind 'set'"):
        corpora.load_words("turkcorpus/test")
