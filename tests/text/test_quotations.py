"""Direct speech and quoted terms are found by their marks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.text import quotation_spans


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('The term "prior to" means before.', ['"prior to"']),
        ("He said, “Go. Now.” Then he left.", ["“Go. Now.”"]),
        ('She said "yes" and "no".', ['"yes"', '"no"']),
        ("«bon» and „gut“", ["«bon»", "„gut“"]),
        ("`` a term '' here", ["`` a term ''"]),
        ('" a term " here', ['" a term "']),
        ("the phrase 'prior to' is long", ["'prior to'"]),
        ("‘We start the boys’ club at noon’, he said", ["‘We start the boys’ club at noon’"]),
        ("“He said ‘go’ to me” and went", ["“He said ‘go’ to me”"]),
        ('("so called")—"x"', ['"so called"', '"x"']),
    ],
)
def test_quotations_come_with_their_marks(text, quoted):
    assert [text[start:end] for start, end in quotation_spans(text)] == quoted


def test_a_quotation_that_is_not_closed_goes_on_to_the_end():
    assert quotation_spans("He said: “Go. Then come") == [(9, 23)]


def test_a_quotation_that_was_not_opened_began_before():
    assert quotation_spans("and came.” Then he left.") == [(0, 10)]


@pytest.mark.parametrize(
    "text",
    [
        "It's the dogs' day, 'tis true, 'n' we don't mind the '90s.",
        'a 5" disk and a 6 " one',
        "the users' and the boys'",
        "",
    ],
)
def test_apostrophes_and_inches_quote_nothing(text):
    assert quotation_spans(text) == []


@given(st.text(alphabet="ab s.'\"‘’“”`«»\n5", max_size=60))
def test_spans_lie_apart_and_in_order_whatever_the_marks(text):
    spans = quotation_spans(text)
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(start < end <= len(text) for start, end in spans)
