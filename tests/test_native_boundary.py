"""Whatever Python hands to the native core, it gets a result or a TypeError or ValueError, never a crash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plainwright import _core
from plainwright.errors import DataError, PlainwrightError
from plainwright.metrics import BLEU, METRICS, SARI, Metric, create

# Surrogates, NULs and all planes; long enough for the eight-byte paths of the n-gram tables.
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)
ODD = st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=5) | ANY_TEXT | st.just(object())
ANYTHING = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner) | st.dictionaries(ANY_TEXT, inner, max_size=2),
    max_leaves=5,
)
LINES = st.lists(ANY_TEXT, max_size=4)
GROUPS = st.lists(st.lists(ANY_TEXT, max_size=3), max_size=4)
TOKENIZERS = st.sampled_from(["none", "13a", "intl", "", "13b", "n\0ne"])
VARIANTS = st.sampled_from(["xu2016", "equations", "easse", "huggingface", "", "other"])
THREADS = st.sampled_from([0, 1, 2, 3, -1, 2**63, 2**64, 1.5, None, "2"])


def result_or_refusal(call: Callable[[], Any]) -> Any:
    """What the call gives, or None if it refuses with the errors that are promised."""
    try:
        return call()
    except (TypeError, ValueError):
        return None


def is_finite(stats: Any) -> bool:
    return stats is None or bool(np.isfinite(stats).all())


@given(LINES | ANYTHING, LINES | ANYTHING, GROUPS | ANYTHING, VARIANTS, TOKENIZERS, st.booleans(), THREADS)
def test_sari_statistics(
    sources: Any, outputs: Any, references: Any, variant: str, tokenizer: str, lowercase: bool, threads: Any
) -> None:
    options = {"variant": variant, "tokenizer": tokenizer, "lowercase": lowercase, "threads": threads}
    assert is_finite(result_or_refusal(lambda: _core.sari_stats(sources, outputs, references, **options)))


@given(LINES | ANYTHING, GROUPS | ANYTHING, TOKENIZERS, st.sampled_from([0, 1, 4, 16, 17, -1, 2**63]), THREADS)
def test_bleu_statistics(outputs: Any, references: Any, tokenizer: str, max_order: int, threads: Any) -> None:
    options = {"tokenizer": tokenizer, "lowercase": True, "max_order": max_order, "threads": threads}
    assert is_finite(result_or_refusal(lambda: _core.bleu_stats(outputs, references, **options)))


@given(ANY_TEXT | ANYTHING, LINES | ANYTHING, LINES | ANYTHING, VARIANTS, TOKENIZERS, THREADS)
def test_prepared_segments(
    source: Any, references: Any, candidates: Any, variant: str, tokenizer: str, threads: Any
) -> None:
    def sari() -> Any:
        prepared = _core.PreparedSari(source, references, variant=variant, tokenizer=tokenizer, lowercase=True)
        return prepared.stats(candidates, threads=threads)

    def bleu() -> Any:
        return _core.PreparedBleu(references, tokenizer=tokenizer, lowercase=True).stats(candidates, threads=threads)

    assert is_finite(result_or_refusal(sari))
    assert is_finite(result_or_refusal(bleu))


@given(ANY_TEXT | ANYTHING, LINES | ANYTHING, TOKENIZERS, THREADS)
def test_text_functions(text: Any, lines: Any, name: str, threads: Any) -> None:
    for call in (
        lambda: _core.tokenize(text, name),
        lambda: _core.tokenize_lines(lines, name, lowercase=True),
        lambda: _core.lower(text),
        lambda: _core.ptb_tokenize(text),
        lambda: _core.ptb_detokenize(lines),
        lambda: _core.sentence_spans(text),
        lambda: _core.sentence_spans(text, tokenised=True),
        lambda: _core.rule_syllables(text),
        lambda: _core.count_syllables(text, "vowel-groups"),
        lambda: _core.count_line_syllables(lines, "vowel-groups", threads=threads),
        lambda: _core.readability_counts(lines, "tokenised", threads=threads),
    ):
        result_or_refusal(call)


@given(ANY_TEXT)
def test_text_that_is_text_is_never_refused(text: str) -> None:
    lone = any("\ud800" <= character <= "\udfff" for character in text)
    for tokenizer in ("none", "13a", "intl"):
        assert (result_or_refusal(lambda tok=tokenizer: _core.tokenize(text, tok)) is None) == lone


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=40)
@given(sources=LINES | ANYTHING, outputs=LINES | ANYTHING, references=GROUPS | ANYTHING)
def test_metrics_refuse_with_their_own_error(name: str, sources: Any, outputs: Any, references: Any) -> None:
    try:
        create(name).corpus_score(sources, outputs, references)
    except PlainwrightError as error:
        message = str(error)
    else:
        return
    assert "\n" not in message


@pytest.mark.parametrize("metric", [SARI(), BLEU(), create("ibleu"), create("fkbleu")], ids=lambda m: m.name)
@pytest.mark.parametrize("bad", [3, None, "one string", [3], ["\ud800"], [["nested"]]])
def test_preparing_and_scoring_candidates_refuse_with_a_data_error(metric: Metric, bad: Any) -> None:
    with pytest.raises(DataError):
        metric.prepare("a source", bad)
    prepared = metric.prepare("a source", ["a reference"])
    with pytest.raises(DataError):
        prepared.stats_many(bad)


def test_the_place_of_a_wrong_reference_is_named() -> None:
    with pytest.raises(DataError, match=r"references\[1\]\[2\] must be a string"):
        SARI().corpus_score(["a", "b"], ["a", "b"], [["x"], ["y", "z", 3]])  # type: ignore[list-item]


def test_arrays_of_strings_are_sequences_of_strings() -> None:
    texts, groups = ["a b", "c d"], [["a"], ["c"]]
    expected = SARI().corpus_score(texts, texts, groups).value
    assert SARI().corpus_score(np.array(texts), np.array(texts), np.array(groups)).value == expected


def test_an_error_in_any_thread_reaches_the_caller() -> None:
    outputs: list[Any] = ["a b c"] * 5000
    outputs[4321] = 7
    with pytest.raises(DataError, match=r"outputs\[4321\] must be a string"):
        SARI().corpus_stats(["a b"] * 5000, outputs, [["a"]] * 5000, threads=4)


def test_references_made_while_scoring_may_fail() -> None:
    class Broken:
        def __len__(self) -> int:
            return 1

        def __iter__(self) -> Iterator[str]:
            raise RuntimeError

    groups: list[Any] = [["a"]] * 2000
    groups[1500] = Broken()
    with pytest.raises(DataError, match=r"references\[1500\]"):
        BLEU().corpus_stats(None, ["a"] * 2000, groups, threads=3)


@pytest.mark.parametrize("threads", [1, 2**40])
def test_a_huge_number_of_threads_is_no_burden(threads: int) -> None:
    stats = _core.bleu_stats(["a b"] * 600, [["a b"]] * 600, tokenizer="none", lowercase=False, threads=threads)
    assert stats.shape == (600, 10)


@pytest.mark.parametrize("tokenizer", ["none", "13a", "intl"])
def test_a_megabyte_in_one_segment_is_scored(tokenizer: str) -> None:
    for text in ("word " * 200_000, "x" * 1_000_000, "\0" * 1_000_000, "é, " * 300_000):
        score = SARI(tokenizer=tokenizer).sentence_score(text, text, [text])
        assert 0 <= score.value <= 100


def test_nothing_at_all_gives_an_empty_table() -> None:
    options = {"tokenizer": "none", "lowercase": False}
    assert _core.sari_stats([], [], [], variant="xu2016", **options).shape == (0, 4)
    assert _core.bleu_stats([], [], **options).shape == (0, 10)
    assert _core.PreparedBleu(["a"], **options).stats([]).shape == (0, 10)


@pytest.mark.slow
@settings(max_examples=3000)
@given(LINES | ANYTHING, LINES | ANYTHING, GROUPS | ANYTHING, TOKENIZERS)
def test_statistics_for_a_long_time(sources: Any, outputs: Any, references: Any, tokenizer: str) -> None:
    options = {"tokenizer": tokenizer, "lowercase": True, "threads": 2}
    result_or_refusal(lambda: _core.sari_stats(sources, outputs, references, variant="easse", **options))
    result_or_refusal(lambda: _core.bleu_stats(outputs, references, **options))
