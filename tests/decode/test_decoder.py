"""The decoder against every derivation there is, on grammars small enough for that."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st
from tests.oracles import decoder as oracle
from tests.oracles.decoder import ArpaModel, Rule

from plainwright import _core
from plainwright.decode import Decoder, DecoderSettings, Result, word_analyses
from plainwright.errors import DataError, UnknownNameError
from plainwright.grammar import PackedGrammar, pack_files

WORDS = ("a", "b", "c", "d")
LABELS = ("X", "N")
MANY = 100_000
MOST_DERIVATIONS = 3_000
# Sums of these are exact, so that ties are ties.
WEIGHTS = {"p": 1.0, "q": -0.5, "WordPenalty": 0.25, "OOVPenalty": -2.0, "tm_glue_0": -0.25, "IdentityRule": 0.5}


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    gaps = draw(st.integers(0, 2))
    words = draw(st.lists(st.sampled_from(WORDS), min_size=0 if gaps else 1, max_size=2))
    source = [f"[{draw(st.sampled_from(LABELS))},{i + 1}]" for i in range(gaps)]
    for word in words:
        source.insert(draw(st.integers(0, len(source))), word)
    order = iter(gap[-2] for gap in source if gap.startswith("["))  # numbered from left to right
    source = [f"{gap[:-2]}{k}]" if gap.startswith("[") else gap for k, gap in _numbered(source)]
    target = [f"[{i}]" for i in draw(st.permutations([next(order) for _ in range(gaps)]))] if gaps else []
    for word in draw(st.lists(st.sampled_from((*WORDS, "new")), max_size=2)):
        target.insert(draw(st.integers(0, len(target))), word)
    values = (("p", draw(st.integers(-3, 3)) * 0.5), ("q", float(draw(st.integers(0, 2)))))
    return Rule(draw(st.sampled_from(LABELS)), tuple(source), tuple(target), values)


def _numbered(source: Sequence[str]) -> list[tuple[int, str]]:
    count, numbered = 0, []
    for word in source:
        count += word.startswith("[")
        numbered.append((count, word))
    return numbered


def unique(found: list[Rule]) -> list[Rule]:
    return list({(rule.label, rule.source, rule.target): rule for rule in found}.values())


grammars = st.lists(rules(), min_size=1, max_size=7).map(unique)
sentences = st.lists(st.sampled_from((*WORDS, "unseen")), max_size=4)


def rule(label: str, source: str, target: str, p: float = 0.0) -> Rule:
    return Rule(label, tuple(source.split()), tuple(target.split()), (("p", p),))


def packed(found: Sequence[Rule]) -> _core.PackedGrammar:
    return _core.MemoryGrammar("".join(rule.line() + "\n" for rule in found))


def decode(found: Sequence[Rule], sentence: Sequence[str], *, lm=None, weights=WEIGHTS, analysis=(), **options):
    decoder = Decoder([packed(found)], lm=lm, weights=weights, settings=DecoderSettings(**options))
    return decoder.decode([sentence], analyses=[analysis] if analysis else None)[0]


def assert_scores_equal(result: Result, expected: Sequence[float]) -> None:
    assert len(result) == len(expected)
    np.testing.assert_allclose(result.scores, expected, atol=1e-6)


def check_against_oracle(found, sentence, *, lm=None, model=None, weights=WEIGHTS, k=5, analysis=(), **limits) -> None:
    try:
        everything = oracle.derivations(sentence, found, lm=model, analysis=analysis, unary_limit=2, **limits)
    except oracle.TooManyError:
        reject()
    assume(len(everything) <= MOST_DERIVATIONS)
    scored = [(oracle.score(features, weights), tokens, features) for tokens, features in everything]
    exact = {"pop_limit": 0, "unary_limit": 2, "lm": lm, "weights": weights, "analysis": analysis, **limits}

    whole = decode(found, sentence, candidates=MANY, distinct=False, **exact)
    assert_scores_equal(whole, sorted((score for score, _, _ in scored), reverse=True))
    assert sorted(_rounded(c.score, c.tokens, c.features) for c in whole) == sorted(_rounded(*s) for s in scored)

    assert_scores_equal(decode(found, sentence, candidates=k, distinct=False, **exact), whole.scores[:k])

    best: dict[tuple[str, ...], float] = {}
    for score, tokens, _ in scored:
        best[tokens] = max(score, best.get(tokens, float("-inf")))
    ordered = sorted(best.items(), key=lambda pair: (-round(pair[1], 9), pair[0]))
    distinct = decode(found, sentence, candidates=MANY, **exact)
    assert_scores_equal(distinct, [score for _, score in ordered])
    assert {c.tokens for c in distinct} == set(best)
    if lm is None:  # then sums are exact, and the tie key decides the order of equal scores
        assert [c.tokens for c in distinct] == [tokens for tokens, _ in ordered]

    for pop_limit in (1, 4):
        pruned = decode(found, sentence, candidates=k, **(exact | {"pop_limit": pop_limit}))
        assert pruned[0].score <= distinct[0].score + 1e-6
    ample = decode(found, sentence, candidates=MANY, **(exact | {"pop_limit": MANY}))
    assert_scores_equal(ample, distinct.scores)


def _rounded(score, tokens, features):
    return round(score, 5), tokens, tuple(sorted((n, round(v, 5)) for n, v in features.items() if abs(v) > 1e-9))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammars, sentences)
def test_without_a_language_model_all_derivations_are_found(found, sentence):
    check_against_oracle(found, sentence)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammars, sentences, st.integers(0, 3), st.sampled_from(LABELS))
def test_labels_that_agree_are_counted(found, sentence, begin, label):
    assume(begin < len(sentence))
    analysis = [(begin, len(sentence), label), (begin, begin + 1, label)]
    check_against_oracle(found, sentence, weights=WEIGHTS | {"LabelAgrees": 1.5}, analysis=analysis)


analyses = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from(LABELS)), max_size=4)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammars, sentences, analyses, st.booleans(), st.booleans())
def test_labels_that_must_agree_and_longest_phrases_leave_what_the_definition_leaves(
    found, sentence, analysis, strict_labels, longest_match
):
    inside = [(begin, begin + size, label) for begin, size, label in analysis if begin + size <= len(sentence)]
    limits = {"strict_labels": strict_labels, "longest_match": longest_match}
    check_against_oracle(found, sentence, analysis=inside, **limits)


def random_model(seed: int, order: int) -> ArpaModel:
    """N-grams of random sentences, so that every part of a known n-gram is known."""
    generator = random.Random(seed)
    grams = {("<unk>",), ("<s>",), ("</s>",)} | {(word,) for word in WORDS}
    for _ in range(4):
        words = ["<s>", *generator.choices(WORDS, k=generator.randint(1, 6)), "</s>"]
        grams |= {tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1)}
    return ArpaModel(
        {
            gram: (
                round(generator.uniform(-3, -0.1), 4),
                round(generator.uniform(-1, 0), 4) if len(gram) < order and gram[-1] != "</s>" else 0.0,
            )
            for gram in sorted(grams)
        },
        order,
    )


def write_arpa(model: ArpaModel, path: Path) -> None:
    by_order = {n: sorted(g for g in model.entries if len(g) == n) for n in range(1, model.order + 1)}
    lines = ["\\data\\", *(f"ngram {n}={len(grams)}" for n, grams in by_order.items()), ""]
    for n, grams in by_order.items():
        lines.append(f"\\{n}-grams:")
        for gram in grams:
            probability, backoff = model.entries[gram]
            lines.append(f"{probability}\t{' '.join(gram)}" + (f"\t{backoff}" if n < model.order else ""))
        lines.append("")
    path.write_text("\n".join([*lines, "\\end\\", ""]), encoding="utf-8")


def open_model(model: ArpaModel, folder: Path) -> _core.LanguageModel:
    write_arpa(model, folder / "lm.arpa")
    reader = _core.ArpaReader()
    reader.feed((folder / "lm.arpa").read_bytes())
    with (folder / "lm.pack").open("wb") as file:
        reader.finish().write_packed(file.write)
    return _core.LanguageModel.open(str(folder / "lm.pack"))


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(grammars, sentences, st.integers(0, 1000), st.integers(1, 5))
def test_with_a_language_model_all_derivations_are_found(tmp_path_factory, found, sentence, seed, order):
    model = random_model(seed, order)
    lm = open_model(model, tmp_path_factory.mktemp("lm"))
    check_against_oracle(found, sentence, lm=lm, model=model, weights=WEIGHTS | {"lm_0": 0.7, "lm_0_oov": -1.5})


LEXICON = [
    rule("X", "a", "b", 1.0),
    rule("X", "a", "c c", 1.0),
    rule("X", "b", "", 0.5),
    rule("N", "[X,1] of [X,2]", "[2] [1]", 2.0),
    rule("N", "c d", "e", 1.0),
]


def long_batch() -> list[list[str]]:
    generator = random.Random(5)
    return [generator.choices(["a", "b", "c", "d", "of", "z"], k=generator.randint(0, 30)) for _ in range(40)]


def test_threads_do_not_change_the_result(tmp_path):
    lm = open_model(random_model(3, 3), tmp_path)
    weights = {"p": 0.3, "lm_0": 1.0, "tm_glue_0": -0.1}
    sizes = DecoderSettings(candidates=20)
    outcomes = []
    for threads in (1, 2, 8):
        decoder = Decoder([packed(LEXICON)], lm=lm, weights=weights, settings=sizes)
        decoder.decode(long_batch()[: threads * 3], threads=threads)  # workers with different memories
        results = decoder.decode(long_batch(), threads=threads)
        outcomes.append([(result.texts, result.scores, result.features.tolist()) for result in results])
    assert outcomes[0] == outcomes[1] == outcomes[2]


def test_pruned_scores_never_exceed_the_exact_ones_and_reach_them(tmp_path):
    lm = open_model(random_model(7, 3), tmp_path)
    sentence = ["a", "of", "b", "a", "c", "d", "of", "a", "z"]

    def best(pop_limit: int) -> float:
        weights = {"p": 0.3, "lm_0": 1.0}
        return decode(LEXICON, sentence, lm=lm, weights=weights, pop_limit=pop_limit)[0].score

    scores = [best(pop_limit) for pop_limit in (1, 2, 5, 20, MANY)]
    assert all(score <= best(0) + 1e-9 for score in scores)
    assert scores[-1] == pytest.approx(best(0), abs=1e-9)


def test_a_huge_pop_limit_costs_no_memory():
    assert decode(LEXICON, ["a"], weights={"p": 1.0}, pop_limit=2**31 - 1)[0].text == "b"


def test_ties_are_broken_by_words():
    result = decode([rule("X", "a", word) for word in ("m", "k", "l")], ["a"], weights={}, candidates=4)
    assert result.texts == ("a", "k", "l", "m")


def test_an_empty_sentence_has_one_empty_candidate(tmp_path):
    model = random_model(1, 3)
    result = decode(LEXICON, [], lm=open_model(model, tmp_path), weights={"lm_0": 1.0}, candidates=5)
    assert result.texts == ("",)
    assert result[0].score == pytest.approx(model.score(()), abs=1e-6)


def test_unknown_words_are_kept_and_counted():
    best = decode(LEXICON, ["zebra", "a"], weights={"OOVPenalty": -1.0, "p": 1.0})[0]
    assert best.tokens[0] == "zebra"
    assert best.features["OOVPenalty"] == best.features["IdentityRule"] == 1
    assert best.derivation[0].kind == "unknown"


def test_a_derivation_says_which_rule_made_what():
    grammar = packed(LEXICON)
    decoder = Decoder([grammar], weights={"p": 1.0})
    best = decoder.decode([["c", "d", "a", "of", "z"]])[0][0]
    assert best.text == "e z b"
    assert [(step.kind, step.label, step.depth, step.source, step.target) for step in best.derivation] == [
        ("rule", "N", 0, (0, 2), (0, 1)),
        ("rule", "N", 0, (2, 5), (1, 3)),
        ("unknown", "X", 1, (4, 5), (1, 2)),
        ("rule", "X", 1, (2, 3), (2, 3)),
    ]
    number = best.derivation[0].rule
    assert number is not None
    assert grammar.lines(number, number + 1)[0].startswith("[N] ||| c d ||| e |||")


def test_derivations_can_be_left_out():
    result = decode(LEXICON, ["a"], weights={"p": 1.0}, candidates=3, derivations=1)
    assert len(result) == 3
    assert result[0].derivation
    assert not result[1].derivation


def test_a_sentence_beyond_the_limit_is_flagged_and_costs_nothing():
    result = decode(LEXICON, ["a"] * 5000, weights={"p": 1.0})
    assert result.too_long
    assert len(result) == 0


def test_a_long_sentence_ends(tmp_path):
    lm = open_model(random_model(2, 5), tmp_path)
    sentence = random.Random(1).choices(["a", "b", "c", "d", "of"], k=300)
    result = decode(LEXICON, sentence, lm=lm, weights={"p": 0.1, "lm_0": 1.0}, candidates=300)
    assert len(result) == 300
    assert len(set(result.texts)) == 300
    assert list(result.scores) == sorted(result.scores, reverse=True)


def test_blocks_with_a_prefix_have_their_own_weights_and_others_share():
    first, second = packed([rule("X", "a", "b", 1.0)]), packed([rule("X", "a", "c", 1.0)])
    apart = Decoder([first, (second, "other:")], weights={"other:p": 1.0})
    assert apart.decode([["a"]])[0].texts == ("c",)
    assert "other:p" in apart.feature_names
    shared = Decoder([first, second], weights={"p": 1.0}, settings=DecoderSettings(candidates=2))
    assert shared.decode([["a"]])[0].scores == (1.0, 1.0)


def test_rules_beyond_the_span_limit_do_not_apply():
    found = [rule("X", "a a a", "b", 5.0)]
    assert decode(found, ["a"] * 3, weights={"p": 1.0}, span_limit=3)[0].text == "b"
    assert decode(found, ["a"] * 3, weights={"p": 1.0}, span_limit=2)[0].text == "a a a"


def test_the_forest_holds_every_derivation():
    decoder = Decoder([packed(LEXICON)], weights=dict.fromkeys(["p"], 1.0), settings=DecoderSettings(pop_limit=0))
    forest = json.loads(json.dumps(decoder.forest(["a", "of", "z"])))
    counts = [0] * len(forest["items"])
    for edge in forest["edges"]:  # tails come before their heads
        ways = 1
        for tail in edge["tails"]:
            ways *= counts[tail]
        counts[edge["head"]] += ways
    assert counts[-1] == len(oracle.derivations(["a", "of", "z"], LEXICON)) == 6
    assert forest["items"][-1]["score"] == 3.0


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ({"WordPenaltty": 1.0}, UnknownNameError, "did you mean WordPenalty"),
        ({"p": float("nan")}, DataError, "not a finite number"),
    ],
)
def test_bad_weights_are_errors(weights, error, message):
    with pytest.raises(error, match=message):
        Decoder([packed(LEXICON)], weights=weights)


def test_a_grammar_feature_with_a_built_in_name_needs_a_prefix():
    grammar = _core.MemoryGrammar("[X] ||| a ||| b ||| lm_0=1 ||| \n")
    with pytest.raises(DataError, match="prefix"):
        Decoder([grammar], weights={})
    assert "g:lm_0" in Decoder([(grammar, "g:")], weights={}).feature_names


PLANTS = [
    rule("X", "plant", "herb", 9.0),
    rule("NN", "plant", "works", 5.0),
    rule("VB", "plant", "put", 5.0),
    rule("X", "power plant", "factory", 1.0),
    rule("NP", "nuclear power plant", "nuclear power plant"),
]


def plants(text: str, *, analysis=(), **options) -> tuple[str, ...]:
    return decode(PLANTS, text.split(), weights={"p": 1.0}, analysis=analysis, candidates=9, **options).texts


def test_longest_match_gives_a_longer_phrase_precedence_however_well_its_parts_score():
    assert plants("a power plant")[0] == "a power herb"
    assert plants("a power plant", longest_match=True) == ("a factory", "a power plant")
    assert plants("a plant", longest_match=True)[0] == "a herb"


def test_a_phrase_that_becomes_itself_locks_its_words():
    assert plants("a nuclear power plant", longest_match=True) == ("a nuclear power plant",)


def test_phrases_that_overlap_are_both_tried():
    found = [rule("X", "a b", "x", 1.0), rule("X", "b c", "y", 2.0), rule("X", "b", "z", 9.0)]
    result = decode(found, ["a", "b", "c"], weights={"p": 1.0}, candidates=9, longest_match=True)
    assert result.texts == ("a y", "x c", "a b c")


def test_a_phrase_longer_than_the_span_limit_locks_nothing():
    assert plants("nuclear power plant", longest_match=True, span_limit=2)[0] == "nuclear factory"


def test_strict_labels_admit_rules_with_the_label_of_the_analysis_and_those_without_one():
    assert set(plants("plant", analysis=[(0, 1, "VB")], strict_labels=True)) == {"herb", "put", "plant"}
    assert set(plants("plant", analysis=[(0, 1, "NN")], strict_labels=True)) == {"herb", "works", "plant"}


def test_without_an_analysis_nothing_is_known_against_a_rule():
    assert plants("plant", strict_labels=True) == plants("plant")


def test_a_phrase_whose_label_does_not_agree_locks_nothing():
    options = {"strict_labels": True, "longest_match": True}
    text = "nuclear power plant"
    assert plants(text, analysis=[(0, 3, "NP")], **options) == (text,)
    assert plants(text, analysis=[(0, 1, "JJ")], **options)[0] == "nuclear factory"


def test_threads_do_not_change_what_labels_and_longest_phrases_leave():
    generator = random.Random(3)
    batch = [generator.choices(["a", "nuclear", "power", "plant"], k=generator.randint(0, 12)) for _ in range(60)]
    analyses = [[(i, i + 1, generator.choice(["NN", "VB"])) for i in range(len(words))] for words in batch]
    limits = DecoderSettings(candidates=5, strict_labels=True, longest_match=True)
    decoder = Decoder([packed(PLANTS)], weights={"p": 1.0}, settings=limits)
    outcomes = [
        [result.texts for result in decoder.decode(batch, analyses=analyses, threads=threads)] for threads in (1, 4)
    ]
    assert outcomes[0] == outcomes[1]


class FixedTagger:
    """Gives every sentence the same tags."""

    def __init__(self, tags: str) -> None:
        self._tags = tags.split()

    def tag_many(self, sentences, *, threads):
        return [self._tags[: len(sentence)] for sentence in sentences]


def test_words_have_their_tags_and_phrases_that_of_the_word_that_changes_its_form():
    [found] = word_analyses(FixedTagger("PRP VBD DT NN"), [["she", "took", "a", "breath"]])
    assert set(found) == {
        *((0, 1, "PRP"), (1, 2, "VBD"), (2, 3, "DT"), (3, 4, "NN")),
        *((1, 3, "VBD"), (1, 4, "VBD")),  # verbs stand first: "took a breath"
        *((0, 4, "NN"), (1, 4, "NN"), (2, 4, "NN")),  # nouns last: "a breath"
    }


def test_only_short_phrases_are_labelled():
    [found] = word_analyses(FixedTagger("VB " + "RB " * 9), [["go", *["on"] * 9]])
    assert max(end - begin for begin, end, _ in found) == 5
    assert word_analyses(FixedTagger(""), [[]]) == [[]]


@pytest.mark.parametrize("name", ["distinct", "longest_match", "strict_labels"])
def test_settings_that_are_true_or_false_are_nothing_else(name):
    with pytest.raises(DataError, match=f"{name} must be true or false, got 1"):
        DecoderSettings(**{name: 1})


@pytest.mark.parametrize("name", ["pop_limit", "span_limit", "candidates", "max_tokens"])
def test_settings_out_of_range_are_errors(name):
    with pytest.raises(DataError, match=name):
        DecoderSettings(**{name: -1})


def test_bad_analyses_are_errors():
    decoder = Decoder([packed(LEXICON)], weights={})
    with pytest.raises(DataError, match="inside its sentence"):
        decoder.decode([["a"]], analyses=[[(0, 2, "X")]])
    with pytest.raises(DataError, match="one entry per sentence"):
        decoder.decode([["a"]], analyses=[])
    with pytest.raises(TypeError, match="takes sentences as a list with a list of tokens for each sentence"):
        decoder.decode(["a b"])


def test_a_forged_grammar_that_nobody_verified_ends_in_an_answer_or_an_error(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text(
        "[X] ||| a ||| b ||| f=1 ||| 0-0\n"
        "[X] ||| a [X,1] ||| b [X,1] ||| f=2 ||| 0-0\n"
        "[X] ||| [X,1] a [X,2] ||| [X,2] c [X,1] ||| f=3 ||| 1-1\n"
    )
    pack_files([tmp_path / "rules.txt"], tmp_path / "rules.pack")
    packed = (tmp_path / "rules.pack").read_bytes()
    forged, outcomes = tmp_path / "forged.pack", Counter[str]()
    for bit in range(0, len(packed) * 8, 3):
        data = bytearray(packed)
        data[bit // 8] ^= 1 << bit % 8
        forged.write_bytes(data)
        try:
            grammar = PackedGrammar(forged, verify=False)
            Decoder([grammar], weights={}).decode([["a", "a", "x", "a", "x"]])
            outcomes["answer"] += 1
        except DataError as error:
            outcomes["sides" if "sides disagree" in str(error) else "error"] += 1
    assert min(outcomes["answer"], outcomes["error"], outcomes["sides"]) > 0


@pytest.mark.parametrize(
    "cycle",
    [
        "[X] ||| [X,1] ||| [X,1] ||| f=1 ||| 0-0\n",
        "[X] ||| [N,1] ||| [N,1] ||| f=1 ||| 0-0\n[N] ||| [X,1] ||| [X,1] ||| f=1 ||| 0-0\n",
        "[X] ||| [X,1] ||| b [X,1] ||| f=1 ||| 0-1\n",
    ],
)
@pytest.mark.parametrize("unary_limit", [0, 3, 50])
def test_rules_that_go_round_in_circles_come_to_an_end(tmp_path: Path, cycle: str, unary_limit: int) -> None:
    (tmp_path / "rules.txt").write_text(cycle + "[X] ||| a ||| c ||| f=1 ||| 0-0\n", encoding="utf-8")
    pack_files([tmp_path / "rules.txt"], tmp_path / "rules.pack")
    settings = DecoderSettings(unary_limit=unary_limit, candidates=20)
    decoder = Decoder([PackedGrammar(tmp_path / "rules.pack")], weights={"f": 1.0}, settings=settings)
    [result] = decoder.decode([["a", "x", "a"]])
    assert result.texts[0].split().count("c") == 2
