"""Self-BLEU: hand values, equality with BLEU, properties."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.metrics import BLEU, IBLEU, SelfBLEU, create

WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=8).map(" ".join)
SEGMENTS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5)


def test_by_hand() -> None:
    # Precisions 3/4, 2/3, 1/2; no run of four, which exponential smoothing counts as 1/2 of 1. Equal lengths.
    value = SelfBLEU(tokenizer="none").sentence_score("a b c d", "a b c e", None).value
    assert value == pytest.approx(100 * (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** (1 / 4))


@given(segments=SEGMENTS)
def test_it_is_bleu_with_the_source_as_the_reference(segments: list[tuple[str, str]]) -> None:
    sources, outputs = map(list, zip(*segments, strict=True))
    expected = BLEU().corpus_score(None, outputs, [[source] for source in sources]).value
    assert SelfBLEU().corpus_score(sources, outputs, None).value == expected


@given(source=WORDS, candidates=st.lists(WORDS, min_size=1, max_size=4))
def test_prepared_scoring_gives_the_same_bits(source: str, candidates: list[str]) -> None:
    prepared = SelfBLEU().prepare(source, None).score_many(candidates)
    alone = [SelfBLEU().sentence_score(source, candidate, None).value for candidate in candidates]
    assert prepared.tolist() == alone


@given(lines=st.lists(st.lists(st.sampled_from("abcde"), min_size=4, max_size=8).map(" ".join), min_size=1))
def test_copies_score_100(lines: list[str]) -> None:
    assert SelfBLEU().corpus_score(lines, lines, None).value == pytest.approx(100)


def test_case_and_order_are_options_that_enter_the_signature() -> None:
    metric = create("self-bleu", lowercase=True, max_order=2)
    assert metric.sentence_score("A B", "a b", None).value == pytest.approx(100)
    assert metric.signature() == "self-bleu|case:lc|tok:13a|smooth:exp|eff:no|order:2|v:0.2.0"


def test_it_needs_sources() -> None:
    with pytest.raises(DataError, match="self-bleu compares with the source"):
        SelfBLEU().corpus_score(None, ["a"], None)


def test_on_real_outputs_it_is_the_part_of_ibleu_but_for_the_average(data_dir: Path) -> None:
    corpus = corpora.load("turkcorpus/test", data=data_dir)
    outputs = corpus.systems["PBMT-R"]
    sentence = SelfBLEU(average="sentence").corpus_score(corpus.sources, outputs, None).value
    part = IBLEU().corpus_score(corpus.sources, outputs, corpus.references).parts["bleu_source"]
    assert sentence == pytest.approx(part)  # one reference: its length is the closest and the mean
