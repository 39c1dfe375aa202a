"""Tagging: what holds for any text, any number of threads, and any damage to the file."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.oracles.tagger import TaggerOracle
from tests.toy_tags import SENTENCES, SMALL

from plainwright.errors import DataError
from plainwright.learn.tagger import learn_tagger
from plainwright.text import ptb_tokenize
from plainwright.text.tagging import Tagger

CONTENT = learn_tagger(SENTENCES * 15, SMALL).content  # often enough for a dictionary
TAGGER = Tagger(CONTENT)
ORACLE = TaggerOracle(CONTENT)

words = st.one_of(
    st.sampled_from([word for tokens, _ in SENTENCES for word in tokens]),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
)


@given(st.lists(st.lists(words, max_size=4), max_size=150), st.integers(2, 4))
def test_every_token_has_a_known_tag_for_any_number_of_threads(sentences, threads):
    found = TAGGER.tag_many(sentences)
    assert [len(tags) for tags in found] == [len(tokens) for tokens in sentences]
    assert {tag for tags in found for tag in tags} <= set(TAGGER.tags)
    assert TAGGER.tag_many(sentences, threads=threads) == found
    assert [TAGGER.tag(tokens) for tokens in sentences] == found


@given(st.lists(words, max_size=12))
def test_text_without_lower_case_is_tagged_like_text_without_capitals(tokens):
    # Only where letters have capitals ("º" has none) that lead back to them ("ß".upper() is "SS").
    lower = [token.lower() for token in tokens]
    assume(all(token.upper().lower() == token and not any(map(str.islower, token.upper())) for token in lower))
    assert TAGGER.tag([token.upper() for token in lower]) == TAGGER.tag(lower)


def test_brackets_mean_the_same_in_either_form():
    text = "Ann can (slowly) bark."
    plain = [token.text for token in ptb_tokenize(text)]
    escaped = [token.text for token in ptb_tokenize(text, brackets="ptb")]
    assert plain != escaped
    assert TAGGER.tag(plain) == TAGGER.tag(escaped) == SENTENCES[3][1]
    assert TAGGER.tag([token.lower() for token in escaped]) == SENTENCES[3][1]


# Characters on whose nature Python and the core agree whatever the version of Unicode.
plain_words = st.text(st.characters(codec="latin-1", categories=("L", "N", "P")), min_size=1, max_size=9)


@given(st.lists(st.one_of(words.filter(str.isascii), plain_words), max_size=10))
def test_tags_are_those_of_the_slow_twin(tokens):
    assert TAGGER.tag(tokens) == ORACLE.tag(tokens)


def test_sentences_may_come_from_a_generator_and_tuples_are_fine():
    assert TAGGER.tag_many(tuple(tokens) for tokens, _ in SENTENCES) == [tags for _, tags in SENTENCES]
    assert TAGGER.tag_many([]) == []
    assert TAGGER.tag([]) == []


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([["a", 1]], r"sentences\[0\]\[1\] must be a string"),
        (["a b"], r"sentences\[0\] must be a list of strings, not one string"),
        ([["a"], [b"b".decode(), "\ud800"]], r"sentences\[1\]\[1\] holds a lone surrogate"),
    ],
)
def test_what_is_not_sentences_is_refused(sentences, message):
    with pytest.raises(DataError, match=message):
        TAGGER.tag_many(sentences)


class TestFiles:
    def test_what_was_saved_is_opened(self, tmp_path):
        learn_tagger(SENTENCES, SMALL).save(tmp_path / "e.tagger")
        tagger = Tagger.open(tmp_path / "e.tagger")
        assert tagger.tags == TAGGER.tags
        assert tagger.bytes == (tmp_path / "e.tagger").stat().st_size
        assert "e.tagger" in repr(tagger)

    def test_cut_at_any_byte(self, tmp_path):
        for size in range(0, len(CONTENT), 7):
            (tmp_path / "cut.tagger").write_bytes(CONTENT[:size])
            with pytest.raises(DataError, match=r"cut\.tagger: (damaged|expected)"):
                Tagger.open(tmp_path / "cut.tagger")

    @given(st.integers(0, len(CONTENT) - 1), st.integers(1, 255))
    def test_any_changed_byte_is_found(self, position, change):
        damaged = bytearray(CONTENT)
        damaged[position] ^= change
        with pytest.raises(DataError, match=r"^tagger: (damaged|expected|this tagger)"):
            Tagger(bytes(damaged))

    @given(st.binary(max_size=200))
    def test_foreign_bytes_are_refused(self, content):
        with pytest.raises(DataError, match="expected a tagger"):
            Tagger(content)

    def test_another_version_and_no_file(self, tmp_path):
        with pytest.raises(DataError, match="expected version 1 of the format of taggers, found version 9"):
            Tagger(CONTENT[:8] + b"\x09" + CONTENT[9:])
        with pytest.raises(DataError, match="no such file"):
            Tagger.open(tmp_path / "none.tagger")
        with pytest.raises(DataError, match="directory"):
            Tagger.open(tmp_path)
