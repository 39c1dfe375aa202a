"""The model that ships: small, described, and careful with what must not change."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import plainwright
from plainwright.decode.bundle import ModelBundle
from plainwright.learn.lexicon import Judgements
from plainwright.models import find
from plainwright.rewrite.wordlist import pack_files
from plainwright.tables import TableReader

DEFAULT_MODEL = find("default")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def no_other_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLAINWRIGHT_MODEL", raising=False)


def test_it_stays_below_25_megabytes_with_all_its_files() -> None:
    assert sum(path.stat().st_size for path in DEFAULT_MODEL.iterdir()) < 25_000_000


def test_its_list_of_words_is_the_written_ones_packed_in_the_order_of_the_recipe(tmp_path: Path) -> None:
    recipe = TableReader.read(ROOT / "recipes" / "default.toml").section("stages").section("wordlist")
    names = [Path(argument).name for argument in recipe.texts("arguments")]
    written = ROOT / "packages" / "plainwright-en" / "words"
    assert sorted(names) == sorted(path.name for path in written.glob("*.tsv"))
    result = pack_files([written / name for name in names], tmp_path / "wordlist.pack")
    assert f"a list of {result.entries:,} entries" in (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    assert (tmp_path / "wordlist.pack").read_bytes() == (DEFAULT_MODEL / "wordlist.pack").read_bytes()


def test_its_card_names_every_source_and_licence() -> None:
    card = (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    for name in ("METEOR", "WordNet", "Coster", "Tatoeba", "MASC", "TurkCorpus", "PPDB", "spaCy", "licence"):
        assert name in card, name


def test_its_card_counts_the_judgements_as_they_are() -> None:
    card = (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    judgements = Judgements.read([ROOT / "recipes" / "judged.tsv"])
    seen = [judgement.seen for judgement in judgements.pairs.values() if judgement.seen]
    phrases = sum(" " in pair.source for pair in judgements.pairs)
    assert f"{len(judgements.pairs):,} replacements graded by reading" in card
    assert f"for {len(seen):,} of them verdicts on {sum(seen):,} sentences" in card
    assert f"{len(judgements.left_alone):,} phrases to be left alone" in card
    assert f"{phrases:,} replacements of phrases judged as a whole" in card


def test_its_card_counts_the_damage_of_its_rules_as_the_sheet_has_it() -> None:
    sheet = (ROOT / "benchmarks" / "damage" / "sheet.tsv").read_text(encoding="utf-8").splitlines()[1:]
    verdicts = Counter(line.split("\t")[2] for line in sheet)
    good, acceptable, damaged = (verdicts.pop(name) for name in ("good", "acceptable", "damaged"))
    assert not verdicts
    card = (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    read = f"{len(sheet)} changed sentences that were read one by one"
    assert f"{read}, {good} were good, {acceptable} acceptable and {damaged} damaged" in card


READINGS = {
    "asset": "ASSET valid",
    "documents": "documents 1 to 12",
    "light": "sentences 151 to 300 and ASSET valid, level light",
    "asset-later": "ASSET valid, after new operations and entries (*later*)",
    "documents-later": "documents 13 to 24, harder than the first (*later*)",
    "sentences-later": "sentences 301 to 470 (*later*)",
    "sentences-newest": "sentences 641 to 770, after more splitting and a second look at plainer sentences (*newest*)",
    "documents-newest": "documents 25 to 30 (*newest*)",
    "sentences-last": "sentences 471 to 640, after entries that fire often were read again (*last*)",
}


@pytest.mark.parametrize(("name", "row"), READINGS.items())
def test_its_card_counts_two_readings_of_the_default_as_they_are(name: str, row: str) -> None:
    counts = []
    for reading in ("first", "second"):
        path = ROOT / "benchmarks" / "reading" / f"{name}-{reading}.tsv"
        verdicts = Counter(line.split("\t")[1] for line in path.read_text(encoding="utf-8").splitlines()[1:])
        counts.append((verdicts["damaged"], verdicts["minor"], verdicts.total()))
    (damaged, minor, total), (again, minor_again, _) = counts
    card = (DEFAULT_MODEL / "CARD.md").read_text(encoding="utf-8")
    [line] = [line for line in card.splitlines() if line.startswith(f"| {row} | {damaged} and {again} of {total} ")]
    assert f"| {minor} and {minor_again} |" in line


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
