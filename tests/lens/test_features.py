"""Features of outputs beside sources and references: by hand where a value can be, and what must hold for any text."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.lens.vectors import passage, passages

from plainwright.errors import DataError, ReferenceShapeError
from plainwright.lens.features import (
    DESCRIPTIONS,
    FEATURES,
    PAIR_FEATURES,
    Passage,
    SourcePairs,
    feature_matrix,
    pair_features,
    set_features,
)
from plainwright.lens.features.classes import class_words
from plainwright.lens.features.fluency import worst_window
from plainwright.lens.features.profile import PROFILE
from plainwright.lens.features.words import readable, sentences_of, words_of

SOURCE = "The physician examined the elderly patient thoroughly, and prescribed 20 tablets of penicillin."
OUTPUT = "The doctor looked at the old patient. He gave her 20 tablets of penicillin."
REFERENCES = [
    "The doctor examined the old patient and gave 20 tablets.",
    "A doctor looked at the patient. He gave pills.",
]

texts = st.text(max_size=60) | st.lists(
    st.sampled_from(["The", "cat", "sat", ".", "(", '"', "1,000", "isn't", "U.S.", "--", "qwxz", "!"]), max_size=12
).map(" ".join)


def named(source: str, output: str, references: list[str]) -> dict[str, float]:
    values = set_features(passage(source), passage(output), passages(references))
    return dict(zip(FEATURES, values.tolist(), strict=True))


def profile(text: str) -> dict[str, float]:
    return dict(zip(PROFILE, passage(text).profile.tolist(), strict=True))


@pytest.mark.parametrize(
    ("written", "tokenised"),
    [
        ('He said "Hi there." It\'s big.', "he said `` hi there . '' it 's big ."),
        ("The U.S. (a state) can’t go – now…", "the u.s. -lrb- a state -rrb- ca n't go -- now ..."),
        ("It was “new” in 1990.", "it was `` new '' in 1990 ."),
    ],
)
def test_written_and_tokenised_text_have_the_same_words(written: str, tokenised: str) -> None:
    assert words_of(written) == words_of(tokenised)


def test_sentences_take_the_marks_that_close_them() -> None:
    words = words_of('He left. "She stayed." Why?!')
    assert [" ".join(sentence) for sentence in sentences_of(words)] == ["he left .", '" she stayed . "', "why ? !"]


def test_text_that_is_none_is_a_data_error() -> None:
    with pytest.raises(DataError, match="a text to score"):
        words_of("\ud800")


def test_profile_by_hand() -> None:
    values = profile("The cat sat . The the dog (ran")
    assert values["words"] == 9
    assert values["sentences"] == 2
    assert values["words_per_sentence"] == 4.5
    assert values["longest_sentence"] == 5
    assert values["doubled_words"] == 1  # the the
    assert values["unbalanced"] == 1
    assert values["unended"] == 1
    assert values["syllables_per_word"] == 1
    # Seven words in two sentences, one syllable each: 0.39 * 3.5 + 11.8 - 15.59.
    assert values["fk_grade"] == pytest.approx(-2.425)


def test_a_likely_order_of_words_sounds_better_than_an_unlikely_one() -> None:
    likely, unlikely = profile("He was born in the United States ."), profile("In states born the was united he .")
    for name in ("lm_mean", "lm_worst_window", "lm_seen_trigrams"):
        assert likely[name] > unlikely[name]


def test_a_copy_changes_nothing() -> None:
    values = named(SOURCE, SOURCE.lower(), REFERENCES)
    assert values["edit.copied"] == 1
    assert all(value == 0 for name, value in values.items() if name.startswith(("source_difference.", "gain.")))
    for name in ("word_distance", "new_words", "lost_facts", "inversions", "edits", "longest_loss", "lost_end"):
        assert values[f"edit.{name}"] == 0
    for name in ("precision", "recall", "f1", "cosine"):
        assert values[f"source.{name}"] == pytest.approx(1)


def test_edits_by_hand() -> None:
    values = named("a b c d e 7 .", "b a c x .", ["a b c d ."])
    assert values["edit.length_ratio"] == pytest.approx(5 / 7)
    assert values["edit.kept_words"] == pytest.approx(4 / 7)
    assert values["edit.new_words"] == pytest.approx(1 / 5)
    assert values["edit.lost_numbers"] == 1
    # Of b a c . in the places 1 0 2 6 of the source, one pair of six is turned round.
    assert values["edit.inversions"] == pytest.approx(1 / 6)
    assert values["edit.common_subsequence"] == pytest.approx(3 / 7)


def test_references_bear_out_what_they_share() -> None:
    values = named("a b c d .", "a c x y .", ["a c x .", "a b c x ."])
    assert values["support.strange_types"] == 1  # y
    assert values["support.new_supported"] == 0.5  # x, not y
    assert values["support.new_support"] == 0.5
    assert values["support.lost_unsupported"] == 0.5  # b, which one of two kept; d, which none did
    assert values["support.lost_worst"] == 0.5
    assert values["support.kept_unsupported"] == 0
    assert values["support.missed_words"] == 0
    assert values["support.length_outside"] == 0


def test_the_best_reference_is_at_least_the_mean() -> None:
    values = named(SOURCE, OUTPUT, REFERENCES)
    for name in FEATURES:
        if name.startswith("references.") and name.endswith("_best"):
            assert values[name] >= values[name.removesuffix("_best") + "_mean"]


def test_an_output_that_is_a_reference_matches_it_wholly() -> None:
    values = named(SOURCE, REFERENCES[0], REFERENCES)
    for name in ("precision", "recall", "f1", "cosine", "word_likeness", "shared_words", "common_subsequence"):
        assert values[f"references.{name}_best"] == pytest.approx(1)
    assert values["overlap.bleu"] == pytest.approx(100)


@given(source=texts, output=texts, references=st.lists(texts, min_size=1, max_size=3))
def test_features_of_any_text_are_finite(source: str, output: str, references: list[str]) -> None:
    row = set_features(passage(source), passage(output), passages(references))
    assert row.shape == (len(FEATURES),)
    assert np.isfinite(row).all()


@given(source=texts, output=texts, references=st.lists(texts, min_size=2, max_size=3))
def test_the_order_of_the_references_changes_no_digit(source: str, output: str, references: list[str]) -> None:
    given_source, given_output = passage(source), passage(output)
    orders = itertools.permutations(passages(references))
    rows = feature_matrix([(given_source, given_output, order) for order in orders])
    assert (rows == rows[0]).all()


plain_words = st.lists(
    st.sampled_from(["The", "Cat", "sat", ",", "(", ")", "1,000", "dogs", "Rome", "qwxz"]), max_size=9
)


@given(sentences=st.lists(plain_words, max_size=3), other=plain_words)
def test_case_and_spaces_change_nothing(sentences: list[list[str]], other: list[str]) -> None:
    tokenised = " ".join(" ".join([*sentence, "."]) for sentence in sentences)
    loose = tokenised.replace(" ", "  ").upper() + "\n"
    source, reference = passage(" ".join(other)), passage(SOURCE)
    rows = feature_matrix([(source, passage(text), [reference]) for text in (tokenised, loose)])
    assert (rows[0] == rows[1]).all()


def test_written_and_tokenised_text_have_the_same_features() -> None:
    tokenised = " ".join(passage(OUTPUT).words)
    written, spaced = named(SOURCE, OUTPUT, REFERENCES), named(SOURCE.lower(), tokenised, REFERENCES)
    assert written == spaced


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    source, output, references = passage(SOURCE), passage(OUTPUT), passages(REFERENCES)
    rows = [(source, output, references), (source, source, references[:1]), (output, passage(""), references)]
    table = feature_matrix(rows)
    for row, values in zip(rows, table, strict=True):
        assert (set_features(*row) == values).all()


def test_pairs_are_rows_with_one_reference() -> None:
    source, outputs, references = passage(SOURCE), passages([OUTPUT, SOURCE, ""]), passages(REFERENCES)
    table = pair_features(source, outputs, references)
    assert table.shape == (3, 2, len(PAIR_FEATURES))
    columns = [FEATURES.index(name) for name in PAIR_FEATURES]
    for (i, output), (j, reference) in itertools.product(enumerate(outputs), enumerate(references)):
        assert (table[i, j] == set_features(source, output, [reference])[columns]).all()


def test_no_rows_and_no_references() -> None:
    assert feature_matrix([]).shape == (0, len(FEATURES))
    with pytest.raises(ReferenceShapeError, match="at least one reference"):
        set_features(passage(SOURCE), passage(OUTPUT), [])


def test_every_feature_has_one_name_and_a_meaning() -> None:
    assert len(set(FEATURES)) == len(FEATURES) == len(DESCRIPTIONS)
    assert all(DESCRIPTIONS.values())


def test_a_passage_keeps_its_text() -> None:
    made: Passage = passage(OUTPUT)
    assert made.text == OUTPUT
    assert made.line == " ".join(made.words)
    assert made.pieces.shape == (len(made.words), 16)


def test_patterns_keep_small_words_and_hide_the_others() -> None:
    words = ["the", "cat", "did", "n't", "sit", "on", "20", "mats", "."]
    tags = ["DT", "NN", "VBD", "RB", "VB", "IN", "CD", "NNS", "."]
    assert class_words(words, tags) == ["the", "NN", "did", "n't", "VB", "on", "CD", "NNS", "."]


def test_the_worst_window_is_the_least_mean_of_three() -> None:
    assert worst_window([[-1, -2, -3, -1], [-4, -1]]) == -2.5  # the short sentence as a whole
    assert worst_window([[-1, -2, -3, -4]]) == -3
    assert worst_window([]) == 0


def test_scrambled_words_break_the_grammar() -> None:
    told, scrambled = profile("The old man sat on the bench ."), profile("Bench the on man sat old the .")
    for name in ("grammar_mean", "grammar_worst_window", "lm_fit"):
        assert told[name] > scrambled[name]


def test_pieces_in_the_same_place_are_neither_new_nor_lost() -> None:
    values = named("a b c", "a b d", ["a b c"])
    assert values["source.kept"] == pytest.approx(1)  # these vectors know no context
    assert values["source.new"] < 1  # d
    assert values["source.lost"] < 1  # c
    assert values["references.new_best"] == values["source.new"]


@given(texts)
def test_readable_text_has_the_same_words(text: str) -> None:
    words = words_of(readable(text))
    assert words_of(readable(" ".join(words))) == words


def test_readable_text_is_spaced_as_it_is_written() -> None:
    for text in ('He said "no" (twice).', "he said `` no '' -lrb- twice -rrb- ."):
        assert readable(text) == 'he said "no" (twice).'


def test_two_pages_list_every_feature() -> None:
    docs = Path(__file__).parents[2] / "docs"
    pages = [(docs / name).read_text("utf-8") for name in ("lens-features.md", "lens-features-references.md")]
    rows = [re.findall(r"^\| `([^`]+)` \| (.+) \|$", page, flags=re.MULTILINE) for page in pages]
    assert dict(rows[0] + rows[1]) == dict(DESCRIPTIONS)
    for names in ([name for name, _ in page] for page in rows):
        assert names == [name for name in FEATURES if name in names]


def test_values_do_not_depend_on_the_order_that_sets_have_in_a_process():
    """Sums over sets of words once differed in the last bit from run to run, and a tree then by a whole leaf."""
    script = (
        "from tests.lens.test_features import *\n"
        "texts = ['The residents of the municipality were compelled to abandon numerous buildings near a river.',"
        " 'People in the town had to leave many old houses by the water, which rose.', SOURCE, OUTPUT, *REFERENCES]\n"
        "p = passages(texts)\n"
        "rows = [(one, two, [*p[:2], p[4]]) for one in p for two in p]\n"
        "print(feature_matrix(rows).tobytes().hex())"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(printed) == 1


def test_known_pairs_of_a_source_change_no_bit_and_are_not_made_again() -> None:
    source, references = passage("The physician examined the patient."), [passage("A doctor saw him."), passage("He.")]
    outputs = [passage("The doctor saw the patient."), passage("The doctor looked."), passage("A physician.")]
    rows = [(source, output, references) for output in outputs]
    known = SourcePairs(limit=3)
    first = feature_matrix(rows[:1], known=known)
    assert known.get(source, references[0]) is not None
    again = feature_matrix(rows, known=known)
    assert np.array_equal(first[0], again[0])
    assert np.array_equal(again, feature_matrix(rows))
    assert known.get(passage("Another."), references[0]) is None


def test_known_pairs_stay_within_their_limit() -> None:
    known = SourcePairs(limit=2)
    source = passage("A source.")
    for text in ("one", "two", "three"):
        known.keep(source, passage(text), np.zeros(1))
    assert [known.get(source, passage(text)) is not None for text in ("one", "two", "three")] == [False, False, True]
