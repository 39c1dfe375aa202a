"""Features of rules, by hand and against the genuine lines of PPDB."""

from __future__ import annotations

import math

import pytest

from plainwright.grammar import parse_rule, read_rules
from plainwright.grammar.features import (
    FEATURES,
    PPDB2_NAMES,
    PPDB_FEATURES,
    RELEASED_FEATURES,
    FeatureMaker,
    dense_features,
    missing_name,
    rename_ppdb2,
    shape_features,
)
from plainwright.text.frequencies import common_words


class WordCounter:
    """A language model for which every word is equally unlikely."""

    def score(self, text: str) -> float:
        return -2.0 * len(text.split())


def test_the_table_has_every_name_once():
    assert len(PPDB_FEATURES) == 33
    assert len(RELEASED_FEATURES) == 9
    assert set(PPDB2_NAMES.values()) < set(PPDB_FEATURES)
    assert all(note.definition and note.origin for note in FEATURES.values())


def test_names_are_those_of_the_released_weights(data_dir):
    path = data_dir / "paraphrase" / "sbmt-sari-feature-weights.tsv"
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    assert [row[0] for row in rows if row[1] == "ppdb"] == list(PPDB_FEATURES)
    assert [row[0] for row in rows if row[1] == "simplification"] == list(RELEASED_FEATURES)


def test_shape_features_equal_those_of_genuine_lines(data_dir):
    checked = 0
    for rule in read_rules(data_dir / "paraphrase" / "ppdb-format-samples.txt"):
        assert set(rename_ppdb2(rule).features) >= set(PPDB_FEATURES)
        for name, value in shape_features(rule).items():
            assert value == pytest.approx(rule.features[name], abs=5e-6), name
            checked += 1
    assert checked == 4 * 19


def test_shape_features_by_hand():
    rule = parse_rule("[X] ||| the [NN,1] [VB,2] was ||| [VB,2] of [NN,1] ||| P=1 ||| 0-1")
    found = shape_features(rule)
    # Source: the was, 6 characters and 3 spaces; target: of, 2 characters and 2 spaces.
    assert found["CharCountDiff"] == 4 - 9
    assert found["CharLogCR"] == pytest.approx(math.log(4 / 9))
    assert found["WordLogCR"] == pytest.approx(math.log(1 / 2))
    assert found["WordLenDiff"] == 2 - 3
    assert (found["Adjacent"], found["Monotonic"], found["Lexical"], found["ContainsX"]) == (1, 0, 0, 1)
    assert (found["SourceWords"], found["TargetWords"], found["WordCountDiff"]) == (2, 1, -1)
    assert (found["UnalignedSource"], found["UnalignedTarget"]) == (1, 0)


@pytest.mark.parametrize(
    ("line", "ones"),
    [
        ("[S] ||| [NP,1] [VP,2] ||| [VP,2] [NP,1] |||  ||| ", {"Abstract", "Adjacent", "PhrasePenalty"}),
        ("[S] ||| a [NP,1] ||| [NP,1] |||  ||| ", {"SourceTerminalsButNoTarget", "Monotonic", "PhrasePenalty"}),
        ("[S] ||| [NP,1] ||| a [NP,1] |||  ||| ", {"TargetTerminalsButNoSource", "Monotonic", "PhrasePenalty"}),
        ("[GOAL] ||| [X,1] ||| [X,1] |||  ||| ", {"Abstract", "GlueRule", "Identity", "Monotonic", "PhrasePenalty"}),
        ("[S] ||| a ||| a |||  ||| ", {"Identity", "Lexical", "Monotonic", "PhrasePenalty"}),
    ],
)
def test_indicators(line, ones):
    found = shape_features(parse_rule(line))
    indicators = {"Abstract", "Adjacent", "ContainsX", "GlueRule", "Identity", "Lexical", "Monotonic", "PhrasePenalty"}
    indicators |= {"SourceTerminalsButNoTarget", "TargetTerminalsButNoSource"}
    assert {name for name in indicators if found[name] == 1} == ones
    assert "UnalignedSource" not in found  # no alignment, no count


def test_simplification_features_by_hand():
    rule = parse_rule("[VP] ||| must be accommodated by ||| must be housed |||  ||| ")
    found = FeatureMaker(language_model=WordCounter(), families=True).compute(rule)
    # accommodated: 5 syllables, 12 letters; housed: 1, 6. Both are outside the 3000 most common words, if any is.
    assert (found["SourceMaxWordSyl"], found["TargetMaxWordSyl"], found["MaxWordSylDiff"]) == (5, 1, -4)
    assert (found["MaxDiffWordSylDiff"], found["MaxDiffWordLenDiff"]) == (1 - 5, 6 - 12)
    assert (found["SourceGigaLM"], found["TargetGigaLM"], found["GigaLMDiff"]) == (-8, -6, 2)
    assert (found["SourceSyllables"], found["TargetSyllables"]) == (8, 3)
    assert found["SourceCommonShare"] == 3 / 4
    assert "SimpleLMDiff" not in found
    hard = sum(word not in common_words() for word in ("housed",)) - 1
    assert found["HardWordDiff"] == hard


def test_punctuation_brackets_and_clitics_are_not_hard():
    rule = parse_rule("[X] ||| -lrb- do n't , 's ||| 1990 |||  ||| ")
    found = FeatureMaker().compute(rule)
    assert found["HardWordDiff"] == 0
    assert found["SourceMaxWordSyl"] <= 1


def test_without_a_model_scores_are_missing():
    assert not any("GigaLM" in name for name in FeatureMaker().compute(parse_rule("[X] ||| a ||| b |||  ||| ")))


def test_complete_keeps_what_a_rule_has_and_orders_names():
    rule = parse_rule("[X] ||| purchase ||| buy ||| p(e|f)=0.5 CharCountDiff=7 Own=1 ||| 0-0")
    done = FeatureMaker().complete(rule)
    assert done.features["CharCountDiff"] == 7
    assert done.features["MaxWordSylDiff"] == -1
    names = list(done.features)
    assert names[0] == "Abstract" and names[-1] == "Own"  # noqa: PT018
    assert "p(f|e)" not in names


def test_missing_values_are_features_of_their_own():
    rules = [parse_rule("[X] ||| a ||| b ||| P=0 Q=1 ||| "), parse_rule("[X] ||| a ||| c ||| Q=NA ||| ")]
    names, rows = dense_features(rules)
    assert names == ["P", "Q", missing_name("P"), missing_name("Q")]
    assert rows == [[0, 1, 0, 0], [0, 0, 1, 1]]


def test_common_words_are_those_of_wordfreq():
    wordfreq = pytest.importorskip("wordfreq")
    assert common_words(3000) == set(wordfreq.top_n_list("en", 3000))
