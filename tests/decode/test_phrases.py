"""Phrase search against every translation there is, on phrase tables small enough for that."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.decode.test_decoder import (
    LEXICON,
    MANY,
    WORDS,
    assert_scores_equal,
    decode,
    open_model,
    packed,
    random_model,
    rule,
    unique,
)
from tests.oracles.decoder import Rule, score
from tests.oracles.phrases import translations

from plainwright.decode import Decoder, DecoderSettings
from plainwright.errors import DataError
from plainwright.grammar import PackedGrammar, parse_rule

# Sums of these are exact, so that ties are ties.
WEIGHTS = {"p": 1.0, "WordPenalty": 0.25, "OOVPenalty": -2.0, "tm_glue_0": -0.25, "Distortion": -0.5}
WITH_LM = WEIGHTS | {"lm_0": 0.7, "lm_0_oov": -1.5}
EXACT = {"search": "phrases", "pop_limit": 0, "phrase_options": 0}


@st.composite
def phrase_pairs(draw: st.DrawFn) -> Rule:
    source = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
    target = draw(st.lists(st.sampled_from((*WORDS, "new")), max_size=3))
    return Rule(
        draw(st.sampled_from(("X", "N"))), tuple(source), tuple(target), (("p", draw(st.integers(-3, 3)) * 0.5),)
    )


tables = st.lists(phrase_pairs(), min_size=1, max_size=6).map(unique)
sentences = st.lists(st.sampled_from((*WORDS, "unseen")), max_size=4)
limits = st.integers(0, 5)


def best_of_each(found, weights) -> dict[tuple[str, ...], float]:
    best: dict[tuple[str, ...], float] = {}
    for tokens, features in found:
        best[tokens] = max(score(features, weights), best.get(tokens, float("-inf")))
    return best


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables, sentences, limits)
def test_without_pruning_every_translation_is_found(table, sentence, distortion_limit):
    everything = translations(sentence, table, distortion_limit=distortion_limit)
    options = {"weights": WEIGHTS, "distortion_limit": distortion_limit, "candidates": MANY, **EXACT}
    whole = decode(table, sentence, distinct=False, **options)
    assert_scores_equal(whole, sorted((score(features, WEIGHTS) for _, features in everything), reverse=True))
    best = best_of_each(everything, WEIGHTS)
    distinct = decode(table, sentence, **options)
    ordered = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
    assert [(c.tokens, c.score) for c in distinct] == ordered


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables, sentences, limits, st.integers(0, 1000), st.integers(1, 5))
def test_with_a_language_model_every_translation_is_found(tmp_path_factory, table, sentence, limit, seed, order):
    model = random_model(seed, order)
    lm = open_model(model, tmp_path_factory.mktemp("lm"))
    best = best_of_each(translations(sentence, table, lm=model, distortion_limit=limit), WITH_LM)
    options = {"lm": lm, "weights": WITH_LM, "distortion_limit": limit, "candidates": MANY}
    found = decode(table, sentence, **options, **EXACT)
    assert {c.tokens for c in found} == set(best)
    assert_scores_equal(found, sorted(best.values(), reverse=True))
    for stack_limit in (1, 3):
        pruned = decode(table, sentence, **options, **(EXACT | {"pop_limit": stack_limit}))
        assert len(pruned) >= 1
        assert pruned[0].score <= found[0].score + 1e-6


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables, sentences, st.integers(0, 1000))
def test_without_distortion_the_best_is_that_of_the_chart(tmp_path_factory, table, sentence, seed):
    lm = open_model(random_model(seed, 3), tmp_path_factory.mktemp("lm"))
    # The chart may keep any word, phrase search only those that the table does not know: so that both may.
    table = [
        *table,
        *(rule("X", word, word) for word in WORDS if not any(r.source == (word,) == r.target for r in table)),
    ]
    weights = {name: value for name, value in WITH_LM.items() if name != "Distortion"}
    monotone = decode(table, sentence, lm=lm, weights=weights, distortion_limit=0, **EXACT)
    chart = decode(table, sentence, lm=lm, weights=weights | {"IdentityRule": -100.0}, pop_limit=0)
    kept = monotone[0].features["IdentityRule"]
    assert monotone[0].score - 100 * kept == pytest.approx(chart[0].score, abs=1e-5)
    assert monotone[0].features["Distortion"] == 0


TABLE = [rule("X", "a", "b", 1.0), rule("X", "a", "c c", 1.0), rule("X", "b", "", 0.5), rule("X", "c d", "e", 1.0)]


def long_batch() -> list[list[str]]:
    generator = random.Random(5)
    return [generator.choices(["a", "b", "c", "d", "z"], k=generator.randint(0, 30)) for _ in range(30)]


def test_lists_are_sorted_distinct_and_the_same_on_any_number_of_threads(tmp_path):
    lm = open_model(random_model(3, 3), tmp_path)
    sizes = DecoderSettings(search="phrases", candidates=20)
    weights = {"p": 0.3, "lm_0": 1.0, "Distortion": -0.1}
    outcomes = []
    for threads in (1, 2, 8):
        decoder = Decoder([packed(TABLE)], lm=lm, weights=weights, settings=sizes)
        decoder.decode(long_batch()[: threads * 3], threads=threads)  # workers with different memories
        results = decoder.decode(long_batch(), threads=threads)
        outcomes.append([(result.texts, result.scores, result.features.tolist()) for result in results])
    assert outcomes[0] == outcomes[1] == outcomes[2]
    for texts, scores, _ in outcomes[0]:
        assert len(set(texts)) == len(texts)
        assert list(scores) == sorted(scores, reverse=True)


def test_larger_stacks_reach_the_exact_score(tmp_path):
    lm = open_model(random_model(7, 3), tmp_path)
    sentence = ["a", "b", "a", "c", "d", "a", "z", "c"]

    def best(stack: int) -> float:
        weights = {"p": 0.3, "lm_0": 1.0, "Distortion": -0.2}
        return decode(TABLE, sentence, lm=lm, weights=weights, **(EXACT | {"pop_limit": stack}))[0].score

    scores = [best(stack) for stack in (1, 2, 5, 20, MANY)]
    assert all(score <= best(0) + 1e-9 for score in scores)
    assert scores[-1] == pytest.approx(best(0), abs=1e-9)


def best_order(sentence: Sequence[str], **options) -> tuple[str, float]:
    """The best output of a table that changes no word, and how far its words were moved."""
    table = [rule("X", "a", "a"), rule("X", "b", "b")]
    best = decode(table, sentence, search="phrases", **options)[0]
    return best.text, best.features["Distortion"]


def test_phrases_trade_places_where_the_language_model_gains_more_than_distortion_costs(tmp_path):
    model = random_model(0, 2)
    grams = {("<s>", "b"): -0.1, ("b", "a"): -0.1, ("a", "</s>"): -0.1}
    model.entries.update({gram: (value, 0.0) for gram, value in grams.items()})
    model.entries.update({("a", "b"): (-5.0, 0.0), ("<s>", "a"): (-5.0, 0.0)})
    lm = open_model(model, tmp_path)
    cheap = {"lm_0": 1.0, "Distortion": -0.5}
    # "b" is one word on, "a" two words back.
    assert best_order(["a", "b"], lm=lm, weights=cheap) == ("b a", 3)
    assert best_order(["a", "b"], lm=lm, weights=cheap, distortion_limit=2) == ("b a", 3)
    assert best_order(["a", "b"], lm=lm, weights=cheap, distortion_limit=1) == ("a b", 0)
    assert best_order(["a", "b"], lm=lm, weights=cheap | {"Distortion": -9.0}) == ("a b", 0)


def test_a_derivation_has_phrases_in_the_order_of_the_output():
    table = [rule("X", "a b", "x y", 1.0), rule("X", "c", "z", 1.0)]
    best = decode(table, ["a", "b", "c"], search="phrases", weights={"Distortion": 1.0, "p": 1.0})[0]
    assert best.text == "z x y"
    assert [(step.source, step.target, step.depth) for step in best.derivation] == [
        ((2, 3), (0, 1), 0),
        ((0, 2), (1, 3), 0),
    ]
    assert best.features["Distortion"] == 2 + 3


def test_a_word_is_kept_only_if_the_table_does_not_know_it_on_its_own():
    options = {"search": "phrases", "weights": {"p": 1.0, "WordPenalty": -0.1}, "candidates": 9, "distortion_limit": 0}
    found = decode(TABLE, ["zebra", "a", "c"], **options)
    assert found.texts == ("zebra b c", "zebra c c c")
    assert found[0].features["OOVPenalty"] == found[0].features["IdentityRule"] == 2


def test_only_the_best_targets_of_a_phrase_are_tried():
    table = [rule("X", "a", word, value) for word, value in (("k", 3.0), ("l", 2.0), ("m", 1.0))]
    tried = [
        decode(table, ["a"], search="phrases", weights={"p": 1.0}, candidates=9, phrase_options=n) for n in (0, 1, 2)
    ]
    assert [result.texts for result in tried] == [("k", "l", "m"), ("k",), ("k", "l")]


def test_phrases_beyond_the_span_limit_do_not_apply():
    table = [rule("X", "a a a", "b", 5.0)]
    options = {"search": "phrases", "weights": {"p": 1.0}}
    assert decode(table, ["a"] * 3, span_limit=3, **options)[0].text == "b"
    assert decode(table, ["a"] * 3, span_limit=2, **options)[0].text == "a a a"


def test_an_empty_sentence_has_one_empty_candidate(tmp_path):
    model = random_model(1, 3)
    options = {"search": "phrases", "lm": open_model(model, tmp_path), "weights": {"lm_0": 1.0}, "candidates": 5}
    result = decode(TABLE, [], **options)
    assert result.texts == ("",)
    assert result[0].score == pytest.approx(model.score(()), abs=1e-6)


def test_a_long_sentence_ends(tmp_path):
    lm = open_model(random_model(2, 5), tmp_path)
    sentence = random.Random(1).choices(["a", "b", "c", "d"], k=300)
    weights = {"p": 0.1, "lm_0": 1.0, "Distortion": -0.1}
    result = decode(TABLE, sentence, lm=lm, search="phrases", weights=weights, candidates=300, distortion_limit=60)
    assert len(result) == 300
    assert len(set(result.texts)) == 300


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"distortion_limit": -1}, "distortion_limit must be a whole number from 0 to 60, got -1"),
        ({"distortion_limit": 61}, "distortion_limit must be a whole number from 0 to 60, got 61"),
        ({"phrase_options": -1}, "phrase_options must be a whole number from 0 to"),
        ({"search": "stack"}, "search must be one of chart, phrases, got 'stack'"),
        ({"search": "phrases", "strict_labels": True}, "strict_labels must be false with search = 'phrases'"),
        ({"search": "phrases", "longest_match": True}, "longest_match must be false with search = 'phrases'"),
    ],
)
def test_settings_out_of_range_are_errors(given, message):
    with pytest.raises(DataError, match=message):
        DecoderSettings(**given)


def test_rules_with_gaps_are_refused():
    settings = DecoderSettings(search="phrases")
    grammar = PackedGrammar.from_rules([parse_rule("[N] ||| [X,1] of [X,2] ||| [X,2] [X,1] ||| p=1 |||")])
    with pytest.raises(DataError, match=r"rules: expected rules without gaps .* extract with --nonterminals 0"):
        Decoder([grammar], weights={"p": 1.0}, settings=settings)
    with pytest.raises(DataError, match="phrase search takes rules without gaps"):
        Decoder([packed(LEXICON)], weights={"p": 1.0}, settings=settings)


def test_the_chart_has_no_distortion():
    assert "Distortion" not in Decoder([packed(TABLE)], weights={}).feature_names
    assert (
        "Distortion" in Decoder([packed(TABLE)], weights={}, settings=DecoderSettings(search="phrases")).feature_names
    )
