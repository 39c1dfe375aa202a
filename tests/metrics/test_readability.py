"""FK, FKBLEU and iBLEU: hand values, the published table, agreement of prepared and plain scoring."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.metrics import BLEU, FK, FKBLEU, IBLEU

WORDS = st.lists(st.sampled_from(["simple", "unquestionably", "the", ",", "a", "e-mail", "."]), max_size=8).map(
    " ".join
)


class TestFK:
    def test_by_hand_on_tokenised_text(self) -> None:
        # "the cat sat ." is 4 words of one syllable each: 0.39 * 4 + 11.8 * 1 - 15.59.
        score = FK(variant="paper").corpus_score(None, ["the cat sat ."], None)
        assert score.value == pytest.approx(0.39 * 4 + 11.8 - 15.59)

    def test_released_constant_and_floor(self) -> None:
        # "university students" has 5 + 2 vowel groups: 0.39 * 2 + 11.8 * 7 / 2 - 15.19.
        released = FK(variant="released")
        assert released.sentence_score(None, "university students", None).value == pytest.approx(
            0.39 * 2 + 11.8 * 3.5 - 15.19
        )
        assert released.sentence_score(None, "the cat sat .", None).value == 0

    def test_tokenised_variants_average_the_lines(self) -> None:
        lines = ["university students", "the cat sat ."]
        values = FK().sentence_scores(None, lines, None)
        assert FK().corpus_score(None, lines, None).value == pytest.approx(values.mean())

    def test_plain_splits_sentences_and_sums_counts(self) -> None:
        # 6 words, 2 sentences, 6 syllables in the CMU dictionary; punctuation does not count.
        score = FK(variant="plain").corpus_score(None, ["The cat sat. The dog ran!"], None)
        assert score.value == pytest.approx(0.39 * 3 + 11.8 * 1 - 15.59)

    def test_an_empty_line_is_grade_0(self) -> None:
        for variant in ("paper", "released", "plain"):
            assert FK(variant=variant).sentence_score(None, "", None).value == 0

    def test_lower_is_better(self) -> None:
        assert FK.higher_is_better is False


class TestIBLEU:
    def test_combines_two_sentence_bleus(self) -> None:
        source, output, references = "a b c d e f", "a b c d x y", ["a b c d x z", "a b q d x y"]
        bleu = BLEU(reference_length="mean")
        expected = 0.9 * bleu.sentence_score(None, output, references).value
        expected -= 0.1 * bleu.sentence_score(None, output, [source]).value
        assert IBLEU().sentence_score(source, output, references).value == pytest.approx(expected)

    def test_copying_source_and_reference_gives_80(self) -> None:
        # 0.9 * 100 - 0.1 * 100, by hand.
        assert IBLEU().sentence_score("a b c d", "a b c d", ["a b c d"]).value == pytest.approx(80)

    def test_alpha_out_of_range_is_refused(self) -> None:
        with pytest.raises(DataError, match="alpha must be from 0 to 1"):
            IBLEU(alpha=1.5)


class TestFKBLEU:
    def test_a_copy_gains_no_readability(self) -> None:
        # sigmoid(0) = 0.5, iBLEU 0.8: sqrt(0.4), by hand.
        score = FKBLEU().sentence_score("a b c d", "a b c d", ["a b c d"])
        assert score.value == pytest.approx(100 * math.sqrt(0.4))
        assert score.parts["readability_gain"] == pytest.approx(50)

    def test_easier_output_scores_higher_than_harder_output(self) -> None:
        source = "the notable man came here ."
        references = ["the great man came here .", "the illustrious man came here ."]
        easy, hard = (FKBLEU().sentence_score(source, output, references).value for output in references)
        assert easy > hard

    def test_a_negative_ibleu_counts_as_0(self) -> None:
        score = FKBLEU().sentence_score("a b c d e", "a b c d e", ["x y z"])
        assert score.parts["ibleu"] < 0
        assert score.value == 0


@given(source=WORDS, candidates=st.lists(WORDS, max_size=4), references=st.lists(WORDS, min_size=1, max_size=3))
def test_prepared_scoring_equals_plain_scoring(source: str, candidates: list[str], references: list[str]) -> None:
    for metric in (IBLEU(), FKBLEU(), FK()):
        prepared = metric.prepare(source, references).score_many(candidates)
        plain = [metric.sentence_score(source, candidate, references).value for candidate in candidates]
        assert prepared.tolist() == plain
