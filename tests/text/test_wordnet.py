"""Glosses from files in the form of WordNet's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.small_wordnet import write_glosses

from plainwright.errors import DataError
from plainwright.text.wordnet import Glosses


@pytest.fixture
def glosses(tmp_path: Path) -> Glosses:
    return Glosses(write_glosses(tmp_path))


def test_the_commonest_sense_of_the_part_of_speech_is_found(glosses):
    assert glosses.find("bailiff", "noun") == ("bailiff", "one who guards a court")
    assert glosses.find("converge", "verb") == ("converge", "come together")
    assert glosses.find("converge", "noun") is None


@pytest.mark.parametrize(
    ("form", "part", "lemma"), [("bailiffs", "noun", "bailiff"), ("converging", "verb", "converge")]
)
def test_regular_forms_are_those_of_their_lemma(glosses, form, part, lemma):
    assert glosses.find(form, part)[0] == lemma


def test_irregular_forms_are_looked_up(glosses):
    assert glosses.find("ova", "noun") == ("ovum", "an egg cell")


def test_a_gloss_is_one_line_without_examples(glosses):
    assert glosses.find("arid", "adj") == ("arid", "with little rain")
    gloss = glosses.find("ornate", "adj")[1]
    assert len(gloss) <= 122
    assert gloss.endswith("word …")


def test_a_gloss_that_only_sends_on_is_none(glosses):
    assert glosses.find("aridly", "adv") is None


def test_words_that_are_absent_have_no_gloss(glosses):
    for word in ("", "a", "bail", "bailiffy", "zzz", "über", "of the"):
        assert glosses.find(word, "noun") is None


def test_a_directory_without_the_files_is_named(tmp_path):
    with pytest.raises(DataError, match=r"expected a directory with the files of WordNet 3.0, found no index.noun"):
        Glosses(tmp_path)
