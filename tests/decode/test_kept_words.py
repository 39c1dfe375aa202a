"""Words that stay as they are fill labelled gaps: the rules of Xu et al. (2016), Table 1, fire."""

from __future__ import annotations

import pytest

from plainwright.decode import Analysis, Decoder, DecoderSettings
from plainwright.grammar import PackedGrammar, parse_rule

# Table 1 of the paper: three lexical, three phrasal and three syntactic rules.
TABLE_1 = (
    ("RB", "solely", "only"),
    ("NN", "objective", "goal"),
    ("JJ", "undue", "unnecessary"),
    ("VP", "accomplished", "carried out"),
    ("VP/PP", "make a significant contribution", "contribute greatly"),
    ("VP/S", "is generally acknowledged that", "is widely accepted that"),
    ("NP/VP", "the manner in which [NN,1]", "the way [NN,1]"),
    ("NP", "[NNP,1] 's population", "the people of [NNP,1]"),
    ("NP", "[NNP,1] 's [JJ,2] legislation", "the [JJ,2] law of [NNP,1]"),
)
WEIGHTS = {"p": 1.0, "IdentityRule": 0.1}


def decoder(rules, **settings) -> Decoder:
    lines = (f"[{label}] ||| {source} ||| {target} ||| p=1 ||| " for label, source, target in rules)
    grammar = PackedGrammar.from_rules(map(parse_rule, lines))
    return Decoder([grammar], weights=WEIGHTS, settings=DecoderSettings(**settings))


def tagged(text: str) -> tuple[list[str], Analysis]:
    """Words and their tags, from "the/DT law/NN"."""
    pairs = [word.rsplit("/", 1) for word in text.split()]
    return [word for word, _ in pairs], [(i, i + 1, tag) for i, (_, tag) in enumerate(pairs)]


def best(made: Decoder, text: str, *phrases: tuple[int, int, str]) -> str:
    words, tags = tagged(text)
    return made.decode([words], analyses=[[*tags, *phrases]])[0][0].text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("it/PRP is/VBZ solely/RB their/PRP$ objective/NN", "it is only their goal"),
        (
            "they/PRP accomplished/VBD it/PRP without/IN undue/JJ haste/NN",
            "they carried out it without unnecessary haste",
        ),
        ("they/PRP make/VBP a/DT significant/JJ contribution/NN to/IN it/PRP", "they contribute greatly to it"),
        ("it/PRP is/VBZ generally/RB acknowledged/VBN that/IN it/PRP rains/VBZ", "it is widely accepted that it rains"),
        (
            "we/PRP like/VBP the/DT manner/NN in/IN which/WDT dinner/NN is/VBZ served/VBN",
            "we like the way dinner is served",
        ),
        ("half/NN of/IN norway/NNP 's/POS population/NN skis/VBZ", "half of the people of norway skis"),
        ("peru/NNP 's/POS new/JJ legislation/NN is/VBZ strict/JJ", "the new law of peru is strict"),
    ],
)
def test_the_rules_of_table_1_fire(sentence, expected):
    assert best(decoder(TABLE_1), sentence) == expected


def test_a_rule_within_a_gap_still_applies():
    rules = [*TABLE_1, ("JJ", "stringent", "strict")]
    assert best(decoder(rules), "peru/NNP 's/POS stringent/JJ legislation/NN") == "the strict law of peru"


def test_a_gap_takes_no_word_of_another_label():
    sentence = "he/PRP 's/POS population/NN"
    assert best(decoder(TABLE_1), sentence) == "he 's population"


def test_without_an_analysis_kept_words_have_no_label():
    words = ["norway", "'s", "population"]
    assert decoder(TABLE_1).decode([words])[0][0].text == "norway 's population"


def test_an_analysed_phrase_fills_a_gap_whole():
    rules = [("NP", "[NP,1] 's population", "the people of [NP,1]")]
    sentence = "the/DT old/JJ town/NN 's/POS population/NN grew/VBD"
    assert best(decoder(rules), sentence) == "the old town 's population grew"
    assert best(decoder(rules), sentence, (0, 3, "NP")) == "the people of the old town grew"


def test_a_phrase_beyond_the_span_limit_fills_no_gap():
    rules = [("NP", "[NP,1] 's population", "the people of [NP,1]")]
    sentence = "the/DT old/JJ town/NN 's/POS population/NN"
    assert best(decoder(rules, span_limit=4), sentence, (0, 3, "NP")) == "the old town 's population"


def test_a_derivation_shows_kept_words_with_their_label_below_the_rule():
    words, tags = tagged("norway/NNP 's/POS population/NN")
    [step, kept] = decoder(TABLE_1).decode([words], analyses=[tags])[0][0].derivation
    assert (step.kind, step.label, step.source, step.target) == ("rule", "NP", (0, 3), (0, 4))
    assert (kept.kind, kept.label, kept.depth, kept.source, kept.target) == ("unknown", "NNP", 1, (0, 1), (3, 4))


def test_kept_words_of_a_gap_count_as_kept_and_need_no_glue():
    words, tags = tagged("the/DT old/JJ town/NN 's/POS population/NN")
    rules = [("NP", "[NP,1] 's population", "the people of [NP,1]")]
    [result] = decoder(rules).decode([words], analyses=[[*tags, (0, 3, "NP")]])
    features = result[0].features
    assert (features["IdentityRule"], features["OOVPenalty"], features["tm_glue_0"]) == (3, 3, 0)


def test_labels_that_no_rule_has_change_nothing():
    words, _ = tagged("norway/NNP 's/POS population/NN")
    strange = [(0, 1, "NE"), (0, 2, "PERSON/X"), (1, 2, "?")]
    made = decoder(TABLE_1, candidates=10)
    assert made.decode([words], analyses=[strange])[0].texts == made.decode([words])[0].texts
    assert len(made.forest(words, analysis=strange)["items"]) == len(made.forest(words)["items"])


def test_a_grammar_without_gaps_searches_no_more_for_having_an_analysis():
    rules = [rule for rule in TABLE_1 if "[" not in rule[1]]
    words, tags = tagged("it/PRP is/VBZ solely/RB their/PRP$ objective/NN")
    made = decoder(rules, candidates=10)
    with_labels, without = (made.forest(words, analysis=analysis) for analysis in (tags, None))
    assert with_labels == without


def test_threads_and_order_of_the_analysis_change_nothing():
    pairs = [tagged("norway/NNP 's/POS new/JJ legislation/NN"), tagged("peru/NNP 's/POS population/NN grew/VBD")] * 20
    rules = [*TABLE_1, ("NP", "[NP,1] 's [JJ,2] legislation", "[JJ,2] laws of [NP,1]")]
    sentences = [words for words, _ in pairs]
    analyses = [[*tags, (0, 1, "NP")] for _, tags in pairs]
    made = decoder(rules, candidates=5)
    expected = [result.texts for result in made.decode(sentences, analyses=analyses)]
    turned = [spans[::-1] for spans in analyses]
    fresh = decoder(rules, candidates=5)
    assert [result.texts for result in fresh.decode(sentences, analyses=turned, threads=4)] == expected
