"""The model that ships: small, described, and careful with what must not change."""

from __future__ import annotations

import pytest

import plainwright
from plainwright.decode.bundle import ModelBundle
from plainwright.rewrite.models import DEFAULT_MODEL


@pytest.fixture(autouse=True)
def no_other_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)


def test_it_stays_below_25_megabytes_with_all_its_files() -> None:
    assert sum(path.stat().st_size for path in DEFAULT_MODEL.iterdir()) < 25_000_000


def test_its_card_names_every_source_and_licence() -> None:
    card = (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    for name in ("METEOR", "WordNet", "Coster", "Tatoeba", "MASC", "TurkCorpus", "PPDB", "spaCy", "licence"):
        assert name in card, name


def test_it_insists_on_labels_and_on_the_longest_phrase() -> None:
    settings = ModelBundle.load(DEFAULT_MODEL).decoder_settings()
    assert settings.strict_labels
    assert settings.longest_match


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The company will purchase the building.", "The company will buy the building."),
        ("They purchased approximately 300 tickets.", "They bought about 300 tickets."),
        ("The physician arrived prior to the meeting.", "The doctor"),
        ("Numerous visitors commenced their journey.", "Many visitors"),
    ],
)
def test_hard_words_become_plain_ones_in_the_same_form(before: str, after: str) -> None:
    assert plainwright.simplify(before).startswith(after)


@pytest.mark.parametrize(
    "text",
    [
        "Maria Purchase and John Commence met in Obtain Street on 14 March 1921.",
        "See https://example.org/purchase?id=42 or write to obtain@example.org.",
        "The cat sat on the mat.",
        "12.5 % of 3,000",
    ],
)
def test_names_numbers_addresses_and_easy_text_stay_as_they_are(text: str) -> None:
    assert plainwright.simplify(text) == text


def test_threads_change_nothing() -> None:
    text = "\n\n".join(f"The committee obtained {number} additional documents." for number in range(40))
    simplifier = plainwright.load()
    assert simplifier.simplify(text, threads=1).text == simplifier.simplify(text, threads=4).text
