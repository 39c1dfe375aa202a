"""What raters may write: limits of length, copies, splits and words, each refused with a sentence that says why."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("msgspec")

from plainwright.rate.forms.limits import cleaned, faults_of, length_range, problems_of, rules_of
from plainwright.rate.forms.writing import Split, WriteSimpler
from plainwright.rate.settings import TrainingItem, Writing

SOURCE = "The dog, which had slept all day, barked when the postman finally came."
SIMPLER = "The dog had slept all day, and it barked when the postman got there."
WRITE = WriteSimpler.writing
SPLIT = Split.writing


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "nothing is written yet"),
        (" \n\t ", "nothing is written yet"),
        ("... !?", "nothing is written yet"),
        ("\u200b\u2060\ufeff", "nothing is written yet"),  # that nobody sees
        ("The dog barked.", "it has 3 words, and needs at least 7"),
        (f"{SOURCE} And then it went on and on for a while.", "it has 23 words, and may have at most 19"),
        (SOURCE, "it is the original again"),
        (SOURCE.upper().replace(",", " ;"), "it is the original again"),
        (SOURCE.replace("dog", "d\u200bog"), "it is the original again"),  # with a space that nobody sees
        (f"  {SOURCE.replace(' ', '  ')}\n", "it is the original again"),
    ],
)
def test_what_is_no_simplification_is_refused(text, problem):
    assert problems_of(SOURCE, text, WRITE) == (problem,)


def test_a_simplification_is_taken():
    assert problems_of(SOURCE, SIMPLER, WRITE) == ()
    assert problems_of(SOURCE, SIMPLER.replace(" ", "\n"), WRITE) == ()


def test_limits_are_those_of_the_study():
    strict = Writing(shortest=0.9, longest=1.1, fewest_changes=5)
    assert problems_of(SOURCE, SIMPLER, strict) == ("4 words changed, and at least 5 must",)
    short = "The dog slept and barked when the man came."
    assert problems_of(SOURCE, short, strict) == ("it has 9 words, and needs at least 12",)
    assert problems_of(SOURCE, SOURCE.replace("came", "arrived"), replace(strict, fewest_changes=1)) == ()


def test_splits_are_refused_where_the_study_says_so():
    split = "The dog had slept all day. It barked when the postman finally came."
    assert problems_of(SOURCE, split, WRITE) == ()
    refused = problems_of(SOURCE, split, Writing(splitting="refuse"))
    assert refused == ("it has 2 sentences, and may have 1, like the original",)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("The dog had slept all day. It barked when the postman finally came.", []),
        ("The dog had slept all day. This dog was barking. The postman finally came.", []),  # another form, words again
        ("The dog had slept all day. However, it barked. This happened when the postman finally came.", []),
        (SOURCE, ["it is the original again"]),
        (
            "The dog, which had slept all day, barked because the postman finally came.",
            ["it has 1 sentence, and needs at least 2, each with a capital at its beginning"],
        ),
        (
            "The dog had slept all day. It yelped when the postman finally came.",
            ["words of the original are missing: barked"],
        ),
        (
            "The old brown shepherd dog had slept all day. It barked when the postman finally came.",
            ["words are not in the original, and at most 2 may be: old, brown, shepherd"],
        ),
    ],
)
def test_a_split_keeps_the_words_and_says_which_it_does_not(text, problems):
    assert list(problems_of(SOURCE, text, SPLIT)) == problems


def test_irregular_forms_of_a_verb_are_the_same_word():
    source = "He left the firm, becoming a teacher, and never drove again."
    text = "He left the firm. He became a teacher. He would never drive again."
    assert problems_of(source, text, SPLIT) == ()


def test_a_source_of_tokens_is_compared_with_a_text_that_is_none():
    source = "The town 's mayor , who was elected in 1998 , did not run again ( see below ) ."
    text = "The town's mayor was elected in 1998. The mayor didn't run again (see below)."
    assert problems_of(source, text, SPLIT) == ()


def test_rules_are_told_in_words():
    assert rules_of(SOURCE, Writing(splitting="refuse")) == (
        "Write 7 to 19 words; the original has 13.",
        "Change at least 1 word.",
        "Do not split it into more sentences.",
    )
    assert "Make at least 2 sentences of it." in rules_of(SOURCE, SPLIT)
    assert "Use at most 2 words that the original does not have." in rules_of(SOURCE, SPLIT)
    assert rules_of(SOURCE, replace(SPLIT, most_added=0))[1].startswith("Keep the words of the original.")


@given(st.integers(1, 60), st.floats(0, 1), st.floats(1, 10))
def test_a_text_as_long_as_the_source_always_fits(words, shortest, longest):
    length = length_range(" ".join(["word"] * words), Writing(shortest=shortest, longest=longest))
    assert 1 <= length.low <= words <= length.high


@given(st.text(max_size=200))
def test_what_is_exported_is_one_line_of_visible_text(text):
    line = cleaned(text)
    assert line == " ".join(line.split())
    assert line.splitlines() in ([], [line])
    assert cleaned(line) == line
    line.encode()


@given(st.text(max_size=80), st.text(max_size=80))
def test_no_text_breaks_the_checks(source, text):
    for limits in (WRITE, SPLIT):
        assert all(problem.isprintable() for problem in problems_of(f"Word {source}", text, limits))


def test_the_longest_text_is_checked_quickly():
    source = " ".join(f"word{number}" for number in range(40))
    start = time.perf_counter()
    for number in range(5):
        problems_of(source, " ".join(f"w{number}{place}" for place in range(2000))[:10_000], SPLIT)
        problems_of(source, f"{number} " + "a." * 4_999, SPLIT)
        problems_of(source, f"{number} " + "\u0301" * 9_990, SPLIT)
    assert time.perf_counter() - start < 3


def test_a_qualifying_item_says_what_a_careful_writer_would_do():
    item = TrainingItem(source=SOURCE, replaced=("finally came",), kept=("postman", "dog"), sentences=2)
    assert faults_of("The dog barked. The postman came.", item) == ()
    assert faults_of("The cat barked when the postman finally  came.", item) == (
        "it still has: finally came",
        "it no longer has: dog",
        "it has 1 sentence, and could have 2",
    )
