"""BLEU: equal to sacreBLEU in every setting, for corpora and for sentences."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from plainwright import corpora
from plainwright.errors import DataError, ReferenceShapeError
from plainwright.metrics import BLEU, TBLEU

SMOOTHINGS = ("none", "floor", "add-k", "exp")
TOKENIZERS = ("none", "13a", "intl")
WORDS = st.lists(st.sampled_from(["a", "b", "c", "The", "x.", "1,000", "é", "(", "“q”"]), min_size=0, max_size=9).map(
    " ".join
)


def peer(**options: object) -> sacrebleu.BLEU:
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    return sacrebleu.BLEU(force=True, **options)


# The paper's three toy outputs with the BLEU it prints (Xu et al., 2016, section 3.1).
@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("About 95 you now get in .", 0.1562),
        ("About 95 species are now agreed .", 0.6435),
        ("About 95 species are currently agreed .", 0.6435),
    ],
)
def test_toy_example_of_the_paper(output: str, expected: float) -> None:
    references = [
        "About 95 species are currently known .",
        "About 95 species are now accepted .",
        "95 species are now accepted .",
    ]
    value = BLEU(tokenizer="none", smoothing="exp").sentence_score(None, output, references).value
    assert value / 100 == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(output=WORDS, references=st.lists(WORDS, min_size=1, max_size=4))
def test_sentences_equal_sacrebleu(smoothing: str, effective_order: bool, output: str, references: list[str]) -> None:
    for tokenizer in TOKENIZERS:
        for lowercase in (False, True):
            ours = BLEU(
                tokenizer=tokenizer,
                lowercase=lowercase,
                smoothing=smoothing,
                effective_order=effective_order,
            ).sentence_score(None, output, references)
            theirs = peer(
                tokenize=tokenizer,
                lowercase=lowercase,
                smooth_method=smoothing,
                effective_order=effective_order,
            ).sentence_score(output, references)
            assert ours.value == pytest.approx(theirs.score, abs=1e-9)
            assert ours.parts["brevity_penalty"] == pytest.approx(theirs.bp, abs=1e-12)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(segments=st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=6))
def test_corpora_equal_sacrebleu(smoothing: str, segments: list[tuple[str, str, str]]) -> None:
    outputs, first, second = map(list, zip(*segments, strict=True))
    ours = BLEU(smoothing=smoothing).corpus_score(None, outputs, list(zip(first, second, strict=True)))
    theirs = peer(smooth_method=smoothing).corpus_score(outputs, [first, second])
    assert ours.value == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
def test_released_outputs_equal_sacrebleu(tokenizer: str, data_dir: Path) -> None:
    corpus = corpora.load("turkcorpus/test", data=data_dir)
    streams = list(zip(*corpus.references, strict=True))
    for outputs in corpus.systems.values():
        ours = BLEU(tokenizer=tokenizer).corpus_score(None, outputs, corpus.references)
        theirs = peer(tokenize=tokenizer).corpus_score(list(outputs), streams)
        assert ours.value == pytest.approx(theirs.score, abs=1e-9)


@pytest.mark.parametrize(("value", "smoothing"), [(0.05, "floor"), (3.0, "add-k")])
def test_smoothing_values_are_heeded(value: float, smoothing: str) -> None:
    ours = BLEU(smoothing=smoothing, smooth_value=value).sentence_score(None, "a b c d", ["a b d c"])
    theirs = peer(smooth_method=smoothing, smooth_value=value).sentence_score("a b c d", ["a b d c"])
    assert ours.value == pytest.approx(theirs.score, abs=1e-9)
    assert f"smooth:{smoothing}[{value!r}]" in ours.signature


def test_mean_reference_length_is_cut_to_a_whole_number() -> None:
    # References of 4 and 7 words: mean 5.5, cut to 5; the output has 4, so the penalty is exp(1 - 5/4).
    metric = BLEU(tokenizer="none", reference_length="mean")
    score = metric.sentence_score(None, "a b c d", ["a b c d", "a b c d e f g"])
    assert score.parts["brevity_penalty"] == pytest.approx(2.718281828459045**-0.25)


def test_sentence_average_is_the_mean_of_sentence_scores() -> None:
    outputs, references = ["a b c d", "a x y z"], [["a b c d"], ["a b y z"]]
    sentences = BLEU().sentence_scores(None, outputs, references)
    assert BLEU(average="sentence").corpus_score(None, outputs, references).value == pytest.approx(sentences.mean())


@given(candidates=st.lists(WORDS, max_size=6), references=st.lists(WORDS, min_size=1, max_size=3))
def test_prepared_scoring_gives_the_same_bits(candidates: list[str], references: list[str]) -> None:
    prepared = BLEU().prepare(None, references).score_many(candidates)
    plain = [BLEU().sentence_score(None, candidate, references).value for candidate in candidates]
    assert prepared.tolist() == plain


def test_references_are_required() -> None:
    with pytest.raises(ReferenceShapeError, match="bleu needs references"):
        BLEU().corpus_score(None, ["a"], None)


def test_order_out_of_range_is_refused() -> None:
    with pytest.raises(DataError, match="max_order must be from 1 to 16, got 0"):
        BLEU(max_order=0)


class TestTBLEU:
    def test_equals_bleu_where_a_4_gram_matches(self) -> None:
        output, references = "a b c d x", ["a b c d e"]
        plain = BLEU(tokenizer="none", smoothing="none").sentence_score(None, output, references).value
        assert TBLEU(tokenizer="none").sentence_score(None, output, references).value == pytest.approx(plain)

    def test_steps_down_to_the_highest_order_that_matches(self) -> None:
        # Words match 3 of 4, the bigram "a b" 1 of 3, no trigram: sqrt(3/4 * 1/3), no brevity penalty.
        score = TBLEU(tokenizer="none").sentence_score(None, "a b x c", ["a b c d"])
        assert score.value == pytest.approx(100 * (3 / 4 * 1 / 3) ** 0.5)

    def test_is_0_where_no_word_matches(self) -> None:
        assert TBLEU().sentence_score(None, "x y", ["a b"]).value == 0

    def test_against_the_source_needs_no_references(self) -> None:
        assert TBLEU(against="source").sentence_score("a b c d", "a b c d", None).value == pytest.approx(100)


@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf")])
def test_an_impossible_smoothing_value_is_refused(value: float) -> None:
    with pytest.raises(DataError, match="smooth_value must be a number from 0 up"):
        BLEU(smoothing="floor", smooth_value=value)
