"""SARI: hand values, published values, properties, parity with the plain-Python oracle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import sari as oracle

from plainwright import corpora
from plainwright.errors import DataError, LengthMismatchError, ReferenceShapeError, UnknownNameError
from plainwright.metrics import SARI
from plainwright.metrics.sari import SARI_VARIANTS
from plainwright.text import tokenize

# The worked example of Xu et al. (2016), section 3.1.
SOURCE = "About 95 species are currently accepted ."
REFERENCES = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]

# The paper prints 0.2683, 0.7594, 0.5890 for outputs 1 to 3; its strings and numbers are shifted by one.
# The right pairs come from the authors' released SARI.py.
WORKED_EXAMPLE = [
    ("About 95 you now get in .", 26.83),
    ("About 95 species are now accepted .", 75.94),
    ("About 95 species are now agreed .", 58.90),
    ("About 95 species are currently agreed .", 50.72),
]


@pytest.mark.parametrize(("output", "expected"), WORKED_EXAMPLE)
def test_worked_example_of_the_paper(output: str, expected: float) -> None:
    assert SARI().sentence_score(SOURCE, output, REFERENCES).value == pytest.approx(expected, abs=0.005)


# easse 0.2.4 and HF evaluate 0.4.6 on the paper's three printed outputs.
@pytest.mark.parametrize(
    ("variant", "expected"),
    [("easse", (31.3502, 63.2374, 46.7293)), ("huggingface", (26.9536, 61.7097, 50.8868))],
)
def test_worked_example_as_the_other_tools_score_it(variant: str, expected: tuple[float, ...]) -> None:
    outputs = [WORKED_EXAMPLE[i][0] for i in (0, 2, 3)]
    values = [SARI(variant=variant).sentence_score(SOURCE, output, REFERENCES).value for output in outputs]
    assert values == pytest.approx(expected, abs=5e-5)


# Authors' SARI.py, easse 0.2.4 and HF evaluate 0.4.6 on the released files, to two decimals.
PUBLISHED = {
    "xu2016": {
        "source": 25.93,
        "Simple Wikipedia": 38.09,
        "PBMT-R": 33.77,
        "SBMT-FKBLEU": 34.18,
        "SBMT-SARI": 37.92,
    },
    "easse": {
        "source": 26.34,
        "Simple Wikipedia": 40.54,
        "PBMT-R": 37.42,
        "SBMT-FKBLEU": 36.12,
        "SBMT-SARI": 39.38,
    },
    "huggingface": {"source": 59.29, "PBMT-R": 35.11, "SBMT-SARI": 42.19},
}


@pytest.mark.parametrize(
    ("variant", "system"), [(variant, system) for variant in PUBLISHED for system in PUBLISHED[variant]]
)
def test_released_outputs_score_as_published(variant: str, system: str, data_dir: Path) -> None:
    corpus = corpora.load("turkcorpus/test", data=data_dir)
    outputs = corpus.sources if system == "source" else corpus.systems[system]
    score = SARI(variant=variant).corpus_score(corpus.sources, outputs, corpus.references)
    assert round(score.value, 2) == PUBLISHED[variant][system]


def test_by_hand_with_single_words() -> None:
    # Order 1: the output swaps b for c. Kept a, deleted b, added c; the reference agrees in all three, so each
    # part is 1. Orders 2 to 4: "a b" deleted and "a c" added, rightly (1 and 1), nothing kept (0); orders 3 and
    # 4 hold nothing. add = (1 + 1) / 4, keep = 1 / 4, delete = (1 + 1) / 4.
    score = SARI().sentence_score("a b", "a c", ["a c"])
    assert score.parts == pytest.approx({"add": 50.0, "keep": 25.0, "delete": 50.0})
    assert score.value == pytest.approx(100 * (0.5 + 0.25 + 0.5) / 3)


WORDS = st.lists(st.sampled_from(["a", "b", "c", "The", "x.", "é"]), min_size=0, max_size=9).map(" ".join)


@given(source=WORDS, output=WORDS, references=st.lists(WORDS, min_size=1, max_size=4))
def test_native_equals_the_oracle(source: str, output: str, references: list[str]) -> None:
    for variant in ("xu2016", "huggingface", "equations"):
        expected = getattr(oracle, variant)(source, output, references)
        metric = SARI(variant=variant, tokenizer="none")
        assert metric.sentence_score(source, output, references).value == pytest.approx(expected, abs=1e-9)


@given(segments=st.lists(st.tuples(WORDS, WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1, max_size=5))
def test_pooled_counts_equal_the_oracle_for_any_number_of_references(
    segments: list[tuple[str, str, list[str]]],
) -> None:
    sources, outputs, references = zip(*segments, strict=True)
    tokens = [tokenize(text, "13a", lowercase=True) for text in sources]
    expected = oracle.easse(
        tokens,
        [tokenize(text, "13a", lowercase=True) for text in outputs],
        [[tokenize(text, "13a", lowercase=True) for text in group] for group in references],
    )
    assert SARI(variant="easse").corpus_score(sources, outputs, references).value == pytest.approx(expected)


@given(source=WORDS, candidates=st.lists(WORDS, max_size=6), references=st.lists(WORDS, min_size=1, max_size=3))
def test_prepared_scoring_gives_the_same_bits(source: str, candidates: list[str], references: list[str]) -> None:
    for variant in ("xu2016", "equations", "easse", "huggingface"):
        metric = SARI(variant=variant)
        prepared = metric.prepare(source, references).score_many(candidates)
        plain = [metric.sentence_score(source, candidate, references).value for candidate in candidates]
        assert prepared.tolist() == plain


@given(source=WORDS, output=WORDS, references=st.lists(WORDS, min_size=2, max_size=4))
def test_order_of_references_does_not_matter(source: str, output: str, references: list[str]) -> None:
    one = SARI().sentence_score(source, output, references).value
    other = SARI().sentence_score(source, output, references[::-1]).value
    assert one == pytest.approx(other, abs=1e-9)


@given(source=WORDS, output=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
def test_values_lie_between_0_and_100(source: str, output: str, references: list[str]) -> None:
    for variant in ("xu2016", "equations", "easse", "huggingface"):
        score = SARI(variant=variant).sentence_score(source, output, references)
        assert all(-1e-9 <= value <= 100 + 1e-9 for value in (score.value, *score.parts.values()))


def test_threads_do_not_change_a_bit() -> None:
    sources = [f"the {i} large house of {i % 7} people ." for i in range(500)]
    outputs = [f"the {i} big house of {i % 5} people ." for i in range(500)]
    references = [[f"the {i} big home .", f"a big house of {i % 7} people ."][: 1 + i % 2] for i in range(500)]
    one = SARI().corpus_stats(sources, outputs, references, threads=1)
    three = SARI().corpus_stats(sources, outputs, references, threads=3)
    assert np.array_equal(one, three)


def test_long_segments_and_many_distinct_words() -> None:
    source = " ".join(f"w{i}" for i in range(5000))
    output = " ".join(f"w{i}" for i in range(0, 5000, 2))
    references = [" ".join(f"w{i}" for i in range(0, 5000, 3)), output]
    expected = oracle.xu2016(source, output, references)
    assert SARI().sentence_score(source, output, references).value == pytest.approx(expected, abs=1e-9)


def test_transposed_references_are_recognised() -> None:
    sources = ["a b", "c d", "e f"]
    with pytest.raises(ReferenceShapeError, match=r"look transposed.*list\(zip"):
        SARI().corpus_score(sources, sources, [["a", "c", "e"], ["b", "d", "f"]])


def test_a_flat_list_of_references_is_recognised() -> None:
    with pytest.raises(ReferenceShapeError, match="must be a list of strings"):
        SARI().corpus_score(["a", "b"], ["a", "b"], ["a", "b"])  # type: ignore[list-item]


def test_unequal_lengths_are_an_error_that_counts() -> None:
    with pytest.raises(LengthMismatchError, match="'outputs': 1, 'sources': 2, 'references': 2"):
        SARI().corpus_score(["a", "b"], ["a"], [["a"], ["b"]])


def test_a_segment_without_references_is_an_error() -> None:
    with pytest.raises(ReferenceShapeError, match=r"references\[1\] is empty"):
        SARI().corpus_score(["a", "b"], ["a", "b"], [["a"], []])


def test_a_lone_surrogate_is_an_error_that_says_where() -> None:
    with pytest.raises(DataError, match=r"sari: outputs\[1\] holds a lone surrogate"):
        SARI().corpus_score(["a", "b"], ["a", "\ud800"], [["a"], ["b"]])


def test_an_unknown_variant_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean xu2016"):
        SARI(variant="xu2015")  # type: ignore[arg-type]


def test_signature_names_every_setting() -> None:
    signature = SARI(variant="easse").sentence_score("a", "b", ["c", "d"]).signature
    assert signature.startswith("sari|variant:easse|case:lc|tok:13a|refs:2|v:")


WEIGHTS = st.tuples(*[st.integers(0, 5)] * 3).filter(any)


@given(
    source=WORDS,
    output=WORDS,
    references=st.lists(WORDS, min_size=1, max_size=3),
    order=st.integers(1, 6),
    weights=WEIGHTS,
)
def test_weights_and_order_equal_the_oracle(
    source: str, output: str, references: list[str], order: int, weights: tuple[int, ...]
) -> None:
    metric = SARI(weights=weights, max_order=order)
    expected = oracle.xu2016(source, output, references, orders=range(1, order + 1), weights=weights)
    assert metric.sentence_score(source, output, references).value == pytest.approx(expected)
    assert metric.prepare(source, references).score_many([output])[0] == pytest.approx(expected)
    printed = SARI(variant="equations", max_order=order).sentence_score(source, output, references).value
    assert printed == pytest.approx(oracle.equations(source, output, references, orders=range(1, order + 1)))


@given(source=WORDS, output=WORDS, references=st.lists(WORDS, min_size=1, max_size=3), weights=WEIGHTS)
@pytest.mark.parametrize("variant", SARI_VARIANTS)
def test_only_the_proportion_of_the_weights_matters(
    variant: str, source: str, output: str, references: list[str], weights: tuple[int, ...]
) -> None:
    value = SARI(variant=variant, weights=weights).sentence_score(source, output, references).value
    parts = SARI(variant=variant).sentence_score(source, output, references).parts
    expected = sum(w * parts[name] for w, name in zip(weights, ("add", "keep", "delete"), strict=True)) / sum(weights)
    assert value == pytest.approx(expected)
    twice = SARI(variant=variant, weights=[2 * weight for weight in weights])
    assert twice.sentence_score(source, output, references).value == pytest.approx(value)


@given(source=WORDS, output=WORDS, references=st.lists(WORDS, min_size=1, max_size=3))
@pytest.mark.parametrize("variant", SARI_VARIANTS)
def test_the_paper_s_weights_and_order_give_the_same_bits_and_the_same_signature(
    variant: str, source: str, output: str, references: list[str]
) -> None:
    plain = SARI(variant=variant).sentence_score(source, output, references)
    assert SARI(variant=variant, weights=(1 / 3,) * 3, max_order=4).sentence_score(source, output, references) == plain


@pytest.mark.parametrize("variant", SARI_VARIANTS)
def test_with_order_1_only_words_count(variant: str) -> None:
    metric = SARI(variant=variant, max_order=1)
    shuffled = " ".join(reversed(REFERENCES[1].split()))
    scores = [metric.sentence_score(SOURCE, output, REFERENCES).value for output in (REFERENCES[1], shuffled)]
    assert scores[0] == scores[1]


def test_weights_by_hand() -> None:
    # Order 1, output "a c" of "a b", reference "a c": all three are 1. Output "a": add 0, keep 1, delete 1.
    metric = SARI(weights=(2, 1, 1), max_order=1)
    assert metric.sentence_score("a b", "a c", ["a c"]).value == pytest.approx(100)
    assert metric.sentence_score("a b", "a", ["a c"]).value == pytest.approx(50)


def test_a_signature_names_weights_and_order_that_are_not_the_paper_s() -> None:
    score = SARI(weights=(1, 0.5, 2), max_order=2).sentence_score(SOURCE, SOURCE, REFERENCES)
    assert "|order:2|weights:1,0.5,2|" in score.signature


@pytest.mark.parametrize("weights", [(1, 1), (0, 0, 0), (1, 1, -1), (1, float("nan"), 1), 3, "abc", None])
def test_weights_that_are_none_are_refused(weights: object) -> None:
    with pytest.raises(DataError, match="sari: weights must be three numbers"):
        SARI(weights=weights)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [0, 17, -1])
def test_an_order_that_makes_no_sense_is_refused(order: int) -> None:
    with pytest.raises(DataError, match="sari: max_order must be from 1 to 16"):
        SARI(max_order=order)
