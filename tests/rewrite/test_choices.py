"""Other words for an edit, where one word made way for a rule's."""

from __future__ import annotations

import pytest
from tests.toy_model import write_model

import plainwright
from plainwright.rewrite.choices import other_words

RULES = """\
[NN] ||| residence ||| house ||| good=3 ||| 0-0
[NN] ||| residence ||| home ||| good=2 ||| 0-0
[NN] ||| residence ||| abode ||| good=1 ||| 0-0
[NN] ||| residence ||| private residence ||| good=1 ||| 0-0
[VB] ||| residence ||| live ||| good=1 ||| 0-0
[VB] ||| set out for ||| go to ||| good=3 ||| 0-0
[VB] ||| set out for ||| leave for ||| good=2 ||| 0-0
"""


@pytest.fixture(scope="module")
def simplifier(tmp_path_factory):
    return plainwright.load(write_model(tmp_path_factory.mktemp("model"), RULES))


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("The residence is old.", ["home", "abode"]),  # of the same part of speech, and without the hard word
        ("Residence is old.", ["Home", "Abode"]),
        ("It is a residence.", ["home"]),  # not "a abode"
        ("They set out for it.", []),  # more than one word
    ],
)
def test_words_are_offered_that_fit_as_they_are(simplifier, text, others):
    done = simplifier.simplify(text)
    assert len(done.edits) == 1
    assert other_words(done.edits, done.text) == others


def test_edits_that_belong_together_have_no_other_words(simplifier):
    done = simplifier.simplify("The residence is a residence.")
    assert other_words(done.edits, done.text) == []
