"""-LD, the edit profile and splits: hand values and properties."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.metrics import EditProfile, NegativeLevenshtein, Splits

TEXT = st.text(alphabet="abcd .", max_size=20)


class TestNegativeLevenshtein:
    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ({}, -3),  # kitten -> sitting: the textbook distance
            ({"unit": "tokens"}, -1),  # one word replaced
            ({"normalise": True}, -3 / 7),  # of the 7 characters of the longer
        ],
    )
    def test_by_hand(self, options: dict[str, object], expected: float) -> None:
        metric = NegativeLevenshtein(**options)  # type: ignore[arg-type]
        assert metric.sentence_score("kitten", "sitting", None).value == pytest.approx(expected)

    def test_case_can_be_ignored(self) -> None:
        assert NegativeLevenshtein().sentence_score("Cat", "cat", None).value == -1
        assert NegativeLevenshtein(lowercase=True).sentence_score("Cat", "cat", None).value == 0

    @given(a=TEXT, b=TEXT)
    def test_is_symmetric_and_0_only_for_copies(self, a: str, b: str) -> None:
        metric = NegativeLevenshtein()
        value = metric.sentence_score(a, b, None).value
        assert value == metric.sentence_score(b, a, None).value
        assert (value == 0) == (a == b)

    def test_corpus_value_is_the_mean(self) -> None:
        assert NegativeLevenshtein().corpus_score(["ab", "ab"], ["ab", "xy"], None).value == -1


class TestEditProfile:
    def test_by_hand(self) -> None:
        score = EditProfile().corpus_score(
            ["The old man ran home. He slept."], ["The man ran. He slept well. He woke."], None
        )
        parts = score.parts
        assert parts["compression"] == pytest.approx(36 / 31)  # characters
        assert parts["sentence_splits"] == pytest.approx(3 / 2)
        assert parts["exact_copies"] == 0
        assert parts["additions"] == pytest.approx(3 / 8)  # well, he, woke; the longer has 8 words
        assert parts["deletions"] == pytest.approx(2 / 8)  # old, home
        assert 0 < parts["levenshtein_similarity"] < 1
        assert score.value == parts["compression"]

    def test_a_copy_changes_nothing(self) -> None:
        parts = EditProfile().corpus_score(["A plain line."], ["A plain line."], None).parts
        assert parts["compression"] == parts["exact_copies"] == parts["levenshtein_similarity"] == 1
        assert parts["additions"] == parts["deletions"] == 0

    def test_rare_words_are_more_complex_than_common_ones(self) -> None:
        easy, hard, unknown = EditProfile().parts_from_stats(
            EditProfile().corpus_stats(
                ["x"] * 3, ["the house is big", "the edifice is colossal", "zzqx qqzx xxqz"], None
            )
        )["lexical_complexity"]
        assert easy < hard < unknown

    def test_an_output_without_words_has_no_lexical_complexity_but_does_not_spoil_the_mean(self) -> None:
        profile = EditProfile()
        assert math.isnan(profile.corpus_score(["a b"], [". ."], None).parts["lexical_complexity"])
        both = profile.corpus_score(["a b", "a b"], [". .", "the house"], None).parts
        alone = profile.corpus_score(["a b"], ["the house"], None).parts
        assert both["lexical_complexity"] == alone["lexical_complexity"]

    @given(source=TEXT, output=TEXT)
    def test_shares_lie_between_0_and_1(self, source: str, output: str) -> None:
        parts = EditProfile().corpus_score([source], [output], None).parts
        for name in ("exact_copies", "additions", "deletions", "levenshtein_similarity"):
            assert 0 <= parts[name] <= 1

    def test_what_does_not_exist_is_null_in_json(self) -> None:
        parts = EditProfile().corpus_score(["a b"], [". ."], None).to_dict()["parts"]
        assert parts["lexical_complexity"] is None  # type: ignore[index]


@pytest.mark.parametrize("texts", ["ab", b"ab", {"a", "b"}, {"a": 1, "b": 2}])
def test_only_lists_are_lists_of_segments(texts: object) -> None:
    with pytest.raises(DataError, match="outputs must be a list with one entry per segment"):
        NegativeLevenshtein().corpus_score(["a", "b"], texts, None)  # type: ignore[arg-type]


class TestSplits:
    def test_by_hand(self) -> None:
        sources = ["A man ran home. He slept.", "It rained, and she left.", "Nobody came."]
        outputs = ["A man ran home. He slept.", "It rained. She left.", "Nobody came."]
        score = Splits().corpus_score(sources, outputs, None)
        assert score.value == pytest.approx(5 / 3)  # two, two and one sentences
        assert score.parts["split_share"] == pytest.approx(100 / 3)  # two sentences that were two before are no split

    def test_a_copy_is_never_split(self) -> None:
        text = ["One. Two. Three.", "Four ."]
        assert Splits().corpus_score(text, text, None).parts["split_share"] == 0

    def test_sentences_of_tokenised_lower_cased_text_are_found(self) -> None:
        score = Splits().sentence_score("it rained , and she left .", "it rained . she left .", None)
        assert score.value == 2

    def test_the_released_splits_have_about_as_many_sentences_as_the_paper_says(self, data_dir: Path) -> None:
        from plainwright import corpora

        sources = corpora.load("hsplit/test", data=data_dir).sources
        splits = corpora.load_outputs("hsplit/outputs", data=data_dir)
        # Sulem et al. (2018), Table 1; their sentence splitter is not known.
        for name, sentences, share in (("HSplit1", 1.93, 68), ("HSplit2", 2.28, 86), ("HSplit4", 1.99, 71)):
            score = Splits().corpus_score(sources, splits[name], None)
            assert score.value == pytest.approx(sentences, abs=0.03)
            assert score.parts["split_share"] == pytest.approx(share, abs=1)
