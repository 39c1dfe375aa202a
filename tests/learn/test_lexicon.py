"""Rules for words, from what sources and people say about pairs of them."""

from __future__ import annotations

import gzip
import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.grammar.rules import Rule, read_rules
from plainwright.learn.lexicon import Evidence, Judgements, LemmaPair, LexiconOptions, WordTable, gather, lexicon_files
from plainwright.learn.lexicon.judged import Judgement
from plainwright.learn.lexicon.quality import learn_quality
from plainwright.learn.lexicon.risk import learn_risk
from plainwright.text.frequencies import zipf

TABLE = """\
[X] ||| purchased ||| bought ||| meteor=1 meteor:p(e|f)=1.5 list=1 Sources=2 ||| 0-0
[X] ||| purchase ||| buy ||| meteor=1 meteor:p(e|f)=0.5 list=0 Sources=1 ||| 0-0
[X] ||| bought ||| purchased ||| meteor=1 meteor:p(e|f)=3 list=0 Sources=1 ||| 0-0
[X] ||| vehicle ||| car ||| meteor=1 meteor:p(e|f)=2 list=0 Sources=1 ||| 0-0
[X] ||| vehicle ||| not a car ||| meteor=1 list=0 Sources=1 |||
[X] ||| vehicle ||| bought ||| meteor=1 list=0 Sources=1 ||| 0-0
[X] ||| the vehicle ||| the car ||| meteor=1 list=0 Sources=1 ||| 0-0 1-1
[X] ||| Vehicle ||| car ||| meteor=1 list=0 Sources=1 ||| 0-0
[X] ||| vehicle ||| car 54 ||| meteor=1 list=0 Sources=1 |||
"""
TAGGED = """\
They_PRP purchased_VBD a_DT vehicle_NN ._.
She_PRP will_MD purchase_VB vehicles_NNS and_CC purchases_VBZ them_PRP ._.
They_PRP bought_VBD a_DT car_NN ._.
She_PRP will_MD buy_VB cars_NNS ,_, and_CC Buys_VBZ them_PRP ._.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "table").write_text(TABLE, encoding="utf-8")
    (tmp_path / "tagged").write_text(TAGGED, encoding="utf-8")
    return tmp_path


def made(folder: Path, *, judged: str | None = None, **settings) -> tuple[list[Rule], object]:
    if judged is not None:
        (folder / "judged").write_text(judged.replace(" > ", "\t"), encoding="utf-8")
    files = {name: settings.pop(name) for name in ("normal", "simple") if name in settings}
    result = lexicon_files(
        folder / "table",
        folder / "rules",
        LexiconOptions(**settings),
        tagged=[folder / "tagged"],
        judged=[] if judged is None else [folder / "judged"],
        **files,
    )
    return list(read_rules(folder / "rules")), result


def sides(rules: list[Rule]) -> set[tuple[str, str, str]]:
    return {(rule.lhs, " ".join(rule.source), " ".join(rule.target)) for rule in rules}


# Words and their tags.


def words(*lines: str) -> WordTable:
    table = WordTable()
    for line in lines:
        table.add(*zip(*(item.rsplit("_", 1) for item in line.split()), strict=True))
    return table


def test_case_does_not_matter_and_rare_tags_are_errors_of_a_tagger():
    table = words("Plant_NN plant_NN plant_VB", "run_NN " + "run_VB " * 30)
    assert table.tag_shares("plant") == {"NN": pytest.approx(2 / 3), "VB": pytest.approx(1 / 3)}
    assert table.tag_shares("run") == {"VB": pytest.approx(30 / 31)}  # 1 of 31 is less than 4 %
    assert table.tag_shares("unseen") == {}


def test_only_open_classes_have_kinds():
    assert words("that_DT that_IN that_NN").kinds("that") == {"NN": "noun"}


def test_lemmas_are_counted_over_their_forms():
    counts = words("bought_VBD buys_VBZ buy_VB buy_NN , _,".replace(" , _,", "")).lemma_counts
    assert counts == {("verb", "buy"): 3, ("noun", "buy"): 1}


def test_zipf_frequency_is_a_power_of_ten_in_a_thousand_million_words():
    assert zipf("the") == pytest.approx(7.73)  # wordfreq 3.1's zipf_frequency("the", "en", wordlist="large")
    assert zipf("the") > zipf("vehicle") > zipf("conveyance") > zipf("no-such-word") == 1.0


# What the sources say.


def test_pairs_are_lemmas_that_text_has_in_the_same_form(folder):
    found, _ = gather(folder / "table", WordTable.read([folder / "tagged"]))
    assert set(found) == {
        LemmaPair("verb", "purchase", "buy"),
        LemmaPair("verb", "buy", "purchase"),
        LemmaPair("noun", "vehicle", "car"),
        LemmaPair("noun", "vehicle", "not a car"),
    }
    # "vehicle" is no verb as "bought" is; names, numbers and longer sources are no business of a lexicon.


def test_what_is_known_about_forms_is_pooled(folder):
    found, names = gather(folder / "table", WordTable.read([folder / "tagged"]))
    # By hand: the mean of 1.5 and 0.5; the larger of 1 and 0; the larger of 2 and 1. One form is known in reverse.
    assert found[LemmaPair("verb", "purchase", "buy")].pooled() == {
        "meteor": 1.0,
        "meteor:p(e|f)": 1.0,
        "list": 1.0,
        "Sources": 2.0,
        "Reverse:meteor": 1.0,
        "Reverse:meteor:p(e|f)": 3.0,
        "Reverse:list": 0.0,
        "Reverse:Sources": 1.0,
    }
    assert names == sorted(names)


def test_counts_of_forms_are_added_up():
    evidence = Evidence()
    for count in (3, 5):
        evidence.add([("wiki:LogCount", math.log(count))])
    assert evidence.pooled()["wiki:LogCount"] == pytest.approx(math.log(8))


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=5))
def test_counts_beyond_all_measure_have_a_sum(logarithms):
    evidence = Evidence()
    for value in logarithms:
        evidence.add([("LogCount", value)])
    assert (
        max(logarithms)
        <= evidence.pooled()["LogCount"]
        <= max(logarithms) + math.log(5) + 1e-9 * max(map(abs, logarithms))
    )


# What people say.

WORDS = st.sampled_from(["car", "a", "o'clock", "half-baked", "z-", "y''"])
PHRASES = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
COUNTS = st.tuples(*[st.integers(0, 10**9 - 1)] * 3)
KINDS = st.sampled_from(["noun", "verb", "adjective", "adverb", "fixed"])


def read_judged(folder: Path, content: str | bytes) -> Judgements:
    path = folder / "judged"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return Judgements.read([path])


@given(
    st.dictionaries(st.tuples(KINDS, PHRASES, PHRASES), st.tuples(st.integers(0, 2), st.none() | COUNTS), max_size=9)
)
def test_what_is_written_as_judgements_is_read_as_such(tmp_path_factory, wanted):
    wanted = {pair: said for pair, said in wanted.items() if pair[0] == "fixed" or pair[1] != pair[2]}
    lines = ["\t".join([*pair, str(grade), *map(str, counts or ())]) for pair, (grade, counts) in wanted.items()]
    found = read_judged(tmp_path_factory.mktemp("judged"), "".join(line + "\n" for line in lines))
    pairs = {pair: Judgement(grade, *(counts or ())) for pair, (grade, counts) in wanted.items() if pair[1] != pair[2]}
    assert found.pairs == pairs
    assert found.left_alone == {source for _, source, target in wanted if source == target}


FIELDS = st.sampled_from(
    ["noun", "fixed", "thing", "car", "the car", "Car", "", "2", "3", "-1", "٣", "1e3", "'s", "#", "\0"]
)


@given(st.one_of(st.binary(max_size=60), st.lists(FIELDS, max_size=8).map("\t".join).map(str.encode)))
@example(b"noun\tcar\tcar\t2")
def test_garbage_is_no_judgement_and_says_so(tmp_path_factory, content):
    try:
        found = read_judged(tmp_path_factory.mktemp("judged"), content)
    except DataError:
        return
    assert all(0 <= judgement.grade <= 2 for judgement in found.pairs.values())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("noun > car", "judged:2: kind, source, target, grade and perhaps three counts expected between tabs, got 2"),
        ("noun > car > auto > 2 > 1", "got 5 fields"),
        ("thing > car > auto > 2", "a kind expected (noun, verb, adjective, adverb or fixed), got 'thing'"),
        ("noun > car > auto > 3", "grade 0, 1 or 2 expected, got '3'"),
        ("noun > car > auto > 2 > 1 > -1 > 0", "a count of sentences expected, got '-1'"),
        ("noun > car > auto > 2 > 1 > ٣ > 0", "a count of sentences expected"),
        ("noun > Car > auto > 2", "one to 6 words in lower case expected, got 'Car'"),
        ("noun > car >  > 2", "one to 6 words in lower case expected, got ''"),
        ("fixed > a b c d e f g > h > 2", "one to 6 words"),
        ("noun > car > car > 2", "two different sides expected, got 'car' twice"),
        ("noun > vehicle > car > 1", "judged:2: 'vehicle' -> 'car' was judged differently before"),
    ],
)
def test_a_line_that_is_no_judgement_or_contradicts_one_is_named(tmp_path, line, message):
    with pytest.raises(DataError) as caught:
        read_judged(tmp_path, f"noun\tvehicle\tcar\t2\n{line}\n".replace(" > ", "\t"))
    assert message in str(caught.value)


def test_judgements_may_be_repeated_and_commented(tmp_path):
    found = read_judged(tmp_path, "# by hand\n\nnoun\tvehicle\tcar\t2\nnoun\tvehicle\t car \t2\r\n")
    assert found.pairs == {("noun", "vehicle", "car"): Judgement(2)}


def test_risk_is_what_the_grade_suggests_corrected_by_sentences():
    # By hand: a grade is worth two sentences, of which 0.15, 0.39 or 0.8 are damaged.
    assert [Judgement(grade).risk for grade in (2, 1, 0)] == pytest.approx([0.15, 0.39, 0.8])
    assert Judgement(2, good=7, acceptable=1).risk == pytest.approx(0.3 / 10)
    assert Judgement(1, damaging=2).risk == pytest.approx(2.78 / 4)


@given(st.integers(0, 2), COUNTS, st.integers(1, 100))
def test_more_damage_is_more_risk_and_risk_is_a_share(grade, counts, more):
    good, acceptable, damaging = counts
    risk = Judgement(grade, *counts).risk
    assert 0 < risk < 1
    assert Judgement(grade, good, acceptable, damaging + more).risk >= risk
    assert Judgement(grade, good + more, acceptable, damaging).risk <= risk


# From both to rules.


def test_every_form_becomes_a_rule_to_the_same_form(folder):
    rules, result = made(folder)
    assert sides(rules) == {
        ("NN", "vehicle", "car"),
        ("NNS", "vehicles", "cars"),
        ("VB", "purchase", "buy"),
        ("VBD", "purchased", "bought"),
        ("VBG", "purchasing", "buying"),
        ("VBN", "purchased", "bought"),
        ("VBP", "purchase", "buy"),
        ("VBZ", "purchases", "buys"),
    }
    assert (result.pairs, result.kept, result.written, result.auc) == (4, 2, 8, None)
    assert result.dropped == {"a negation comes in": 1, "the target is no commoner": 1}


def test_features_say_what_sources_and_counts_know(folder):
    rules, _ = made(folder)
    features = next(dict(rule.features) for rule in rules if rule.lhs == "VBZ")
    assert features["meteor"] == features["list"] == 1
    assert features["meteor:p(e|f)"] == 1.0
    assert not [name for name in features if name.startswith("Reverse")]
    assert features["ZipfGain"] == pytest.approx(zipf("buy") - zipf("purchase"), abs=1e-3)
    assert features["LettersGain"] == len("purchase") - len("buy")
    assert features["SyllablesGain"] == 1
    assert features["Phrase"] == features["Grade"] == features["Seen"] == 0
    assert features["Risk"] == 0.5  # nobody knows


def test_text_says_what_simple_writing_prefers(folder):
    (folder / "normal").write_text("Vehicle vehicle vehicle car\n", encoding="utf-8")
    (folder / "simple").write_text("car car car vehicle\n", encoding="utf-8")
    rules, _ = made(folder, normal=folder / "normal", simple=folder / "simple")
    features = next(dict(rule.features) for rule in rules if rule.lhs == "NN")
    # By hand, with a prior of 2: log(3/5) for "vehicle", log(5/3) for "car"; there is as much of either text.
    assert features["SimplerSource"] == pytest.approx(math.log(3 / 5), abs=1e-3)
    assert features["SimplerGain"] == pytest.approx(2 * math.log(5 / 3), abs=1e-3)


def test_normal_and_simple_text_go_together(folder):
    (folder / "simple").write_text("car\n", encoding="utf-8")
    with pytest.raises(DataError, match="normal and simple text go together, got one of them"):
        made(folder, simple=folder / "simple")
    assert not (folder / "rules").exists()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"max_source": zipf("vehicle") - 0.1}, "the source is easy"),
        ({"min_gain": zipf("car") - zipf("vehicle") + 0.1}, "the target is no commoner"),
        ({"min_target": zipf("car") + 0.1}, "the target is rare"),
    ],
)
def test_pairs_that_gain_too_little_are_left_out(folder, settings, reason):
    judged = "fixed > in order to > to > 2\n"
    _, usually = made(folder, judged=judged)
    rules, result = made(folder, judged=judged, **settings)
    assert ("NN", "vehicle", "car") not in sides(rules)
    assert result.dropped[reason] > usually.dropped.get(reason, 0)


def test_a_source_that_text_hardly_has_is_left_out(folder):
    (folder / "tagged").write_text(TAGGED.replace("vehicles_NNS", "trucks_NNS"), encoding="utf-8")
    rules, result = made(folder)
    assert result.dropped["the source is hardly seen"] == 1  # "vehicle" once
    assert {rule.lhs[:2] for rule in rules} == {"VB"}


def test_where_no_rule_is_left_the_reasons_are_told_and_nothing_is_written(folder):
    with pytest.raises(DataError) as caught:
        made(folder, min_gain=9)
    message = "no rules would be left of 4 pairs (the target is no commoner: 3; a negation comes in: 1)"
    assert message in str(caught.value)
    assert not (folder / "rules").exists()


def test_what_people_said_decides(folder):
    judged = """\
noun > vehicle > car > 0
verb > buy > purchase > 2
verb > purchase > buy > 1
noun > vehicle > means of transport > 2 > 3 > 1 > 0
fixed > in order to > to > 2
adverb > nearly > almost > 2 > 0 > 0 > 9
"""
    rules, result = made(folder, judged=judged)
    assert sides(rules) == {
        ("NN", "vehicle", "means of transport"),
        ("NNS", "vehicles", "means of transport"),
        ("VB", "buy", "purchase"),
        ("VBD", "bought", "purchased"),
        ("VBG", "buying", "purchasing"),
        ("VBN", "bought", "purchased"),
        ("VBP", "buy", "purchase"),
        ("VBZ", "buys", "purchases"),
        ("X", "in order to", "to"),
    }
    assert result.judged == 6
    assert result.dropped["judged wrong"] == 1
    assert result.dropped["judged risky"] == 2  # grade 1 is worth 0.39, nine damaged sentences still more
    features = {rule.lhs: dict(rule.features) for rule in rules}
    assert (features["NN"]["Grade"], features["NN"]["Seen"]) == (2, pytest.approx(math.log(5), abs=1e-3))
    assert features["NN"]["Risk"] == pytest.approx(0.3 / 6, abs=1e-3)
    assert (features["X"]["Phrase"], features["NN"]["Phrase"]) == (1, 0)
    assert features["X"]["meteor"] == 0
    assert features["X"]["meteor:p(e|f)"] is None  # no source knows


def test_forms_of_be_and_do_not_stand_only_where_they_agree(folder):
    judged = "verb > be christened > be named > 2\nverb > have the power > be able > 2\nverb > fail to > do not > 2\n"
    found = sides(made(folder, judged=judged)[0])
    assert {(s, t) for tag, s, t in found if tag == "VBP"} >= {
        ("am christened", "am named"),
        ("are christened", "are named"),
        ("have the power", "are able"),
    }
    assert {s for tag, s, _ in found if tag == "VBD" and not s.startswith(("was ", "were "))} == {
        "failed to",
        "purchased",
    }
    assert ("VBD", "were christened", "were named") in found
    assert {tag for tag, s, _ in found if s.startswith("fail")} == {"VBD", "VBP", "VBZ"}


def test_more_risk_may_be_allowed(folder):
    judged = "verb > purchase > buy > 1\n"
    assert made(folder, judged=judged, max_risk=0.38)[1].dropped["judged risky"] == 1
    assert "judged risky" not in made(folder, judged=judged, max_risk=0.4)[1].dropped


def test_a_phrase_that_becomes_itself_is_a_rule_that_changes_nothing(folder):
    rules, result = made(folder, judged="fixed > motor vehicle > motor vehicle > 2\n")
    assert result.left_alone == 1
    [lock] = [rule for rule in rules if rule.source == rule.target]
    assert (lock.lhs, lock.source) == ("X", ("motor", "vehicle"))
    assert set(lock.features.values()) == {0}
    [other] = [rule for rule in rules if rule.lhs == "NN"]
    assert set(lock.features) <= set(other.features)


def test_packed_or_not_the_rules_are_the_same_every_time(folder):
    arguments = {"tagged": [folder / "tagged"]}
    for name in ("one", "two", "three.gz"):
        lexicon_files(folder / "table", folder / name, **arguments)
    one = (folder / "one").read_bytes()
    assert one == (folder / "two").read_bytes() == gzip.decompress((folder / "three.gz").read_bytes())


# The classifier.


def judged_pairs(each: int) -> tuple[list[LemmaPair], np.ndarray, dict[LemmaPair, int]]:
    """Pairs whose first feature tells how good they are, two that nobody judged; the rest is noise, or nan."""
    generator = random.Random(11)
    grades = [grade for grade in (0, 1, 2) for _ in range(each)]
    pairs = [LemmaPair("noun", f"source{number}", "target") for number in range(len(grades))]
    rows = [[grade + generator.gauss(0, 0.3), generator.random(), math.nan] for grade in grades]
    unjudged = [LemmaPair("noun", "unjudged", "target"), LemmaPair("noun", "other", "target")]
    return (
        pairs + unjudged,
        np.array([*rows, [2.0, 0.5, math.nan], [0.0, 0.5, math.nan]]),
        dict(zip(pairs, grades, strict=True)),
    )


def test_a_classifier_learns_which_pairs_are_right_on_any_number_of_threads():
    pairs, rows, grades = judged_pairs(60)
    quality = learn_quality(pairs, rows, grades, seed=1)
    assert quality is not None
    assert quality.auc > 0.95
    good, bad = quality.sometimes[-2:]
    assert good > 0.9 > 0.1 > bad
    assert quality.always[-2] > 0.9
    again = learn_quality(pairs, rows, grades, seed=1, threads=3)
    assert (quality.sometimes.tolist(), quality.auc) == (again.sometimes.tolist(), again.auc)


def test_no_pair_is_predicted_by_what_was_said_about_its_own_word():
    pairs, rows, grades = judged_pairs(60)
    noise = np.random.default_rng(1).random(rows.shape)
    noise[:, 0] = np.arange(len(noise))  # tells pairs apart, so a classifier that has seen them knows all
    random.Random(1).shuffle(shuffled := list(grades.values()))
    quality = learn_quality(pairs, noise, dict(zip(grades, shuffled, strict=True)), seed=1)
    assert quality is not None
    assert 0.3 < quality.auc < 0.7


def test_judgements_of_one_word_alone_say_nothing_about_it():
    pairs, rows, grades = judged_pairs(60)
    renamed = [pair._replace(source="same", target=pair.source) if grades.get(pair) else pair for pair in pairs]
    judged = dict(zip(renamed, grades.values(), strict=False))
    quality = learn_quality(renamed, rows, judged, seed=1)
    assert quality is not None
    assert not quality.sometimes[60:180].any()  # of other words, all are wrong


def test_few_judgements_teach_nothing():
    assert learn_quality(*judged_pairs(49), seed=1) is None


# Risk from verdicts.


def read_pairs(damaged: int, fine: int) -> tuple[list[LemmaPair], np.ndarray, dict[LemmaPair, Judgement]]:
    """A hundred pairs read in four sentences each: those with a high first feature do damage, the others do not."""
    generator = random.Random(7)
    pairs = [LemmaPair("noun", f"source{number}", "target") for number in range(100)]
    rows = [[float(number % 2) + generator.gauss(0, 0.1), generator.random()] for number in range(100)]
    sorts = [Judgement(1, good=fine, damaging=0), Judgement(1, good=0, damaging=damaged)]
    judgements = {pair: sorts[number % 2] for number, pair in enumerate(pairs)}
    unread = [LemmaPair("noun", "unread", "target"), LemmaPair("noun", "unseen", "target")]
    return pairs + unread, np.array([*rows, [1.0, 0.5], [0.0, 0.5]]), judgements


def test_verdicts_on_sentences_teach_the_risk_of_pairs_that_nobody_read():
    risks = learn_risk(*read_pairs(4, 4), seed=1)
    assert risks is not None
    risky, safe = risks[-2:]
    assert risky > 0.9 > 0.1 > safe
    assert risks.tolist() == learn_risk(*read_pairs(4, 4), seed=1).tolist()


def test_verdicts_on_a_pair_count_for_itself():
    pairs, rows, judgements = read_pairs(4, 4)
    risks = learn_risk(pairs, np.zeros_like(rows), judgements, seed=1)  # nothing else tells pairs apart
    assert risks is not None
    assert risks[:100:2].max() < risks[1:100:2].min()


def test_few_verdicts_teach_no_risk():
    assert learn_risk(*read_pairs(3, 4), seed=1) is None
    assert learn_risk(*read_pairs(0, 0), seed=1) is None


def test_verdicts_on_one_word_alone_say_nothing_about_it():
    pairs, rows, judgements = read_pairs(4, 4)
    one = [pair._replace(source="same", target=pair.source) if judgement.damaging else pair
           for pair, judgement in judgements.items()]  # fmt: skip
    risks = learn_risk(one + pairs[100:], rows, dict(zip(one, judgements.values(), strict=True)), seed=1)
    assert risks is not None
    assert not risks[1:100:2].any()  # of other words, none did damage


def test_pairs_that_nobody_judged_need_the_classifiers_consent(folder):
    generator = random.Random(5)
    lines, table = [], [TABLE]
    for number in range(180):
        word = "qz" + "".join(chr(97 + int(digit)) for digit in f"{number:03}")
        grade = number % 3
        lines.append(f"noun\t{word}\tcar\t{grade}\n")
        noise = 1.0 + 3 * (grade == 0) + generator.random()
        table.append(f"[X] ||| {word} ||| car ||| meteor=1 meteor:p(e|f)={noise:.3f} list=0 Sources=1 ||| 0-0\n")
        with (folder / "tagged").open("a", encoding="utf-8") as file:
            file.write(f"a_DT {word}_NN\n")
    (folder / "table").write_text("".join(table), encoding="utf-8")
    rules, result = made(folder, judged="".join(lines), min_quality=0.5, max_risk=1.0)
    assert result.auc is not None
    assert result.auc > 0.9
    assert ("NN", "vehicle", "car") in sides(rules)  # its p(e|f) is that of good pairs
    features = {rule.source: dict(rule.features) for rule in rules}
    assert features["vehicle",]["Right"] > 0
    assert features["vehicle",]["Risk"] < 0.5
    rules, result = made(folder, judged="".join(lines), min_quality=1.0, max_risk=1.0)
    assert ("NN", "vehicle", "car") not in sides(rules)
    assert result.dropped["probably wrong"] == 2


# Bad input.


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("table", b"", "table: expected rules, found an empty file"),
        ("table", b"[X] ||| a ||| b\n", "table:1: a rule expected, got '[X] ||| a ||| b'"),
        ("table", b"[X] ||| a ||| b ||| c=1 |||\nnonsense\n", "table:2: a rule expected, got 'nonsense'"),
        ("table", b"[X] ||| \xff ||| b ||| c=1 |||\n", "table:1: UTF-8 text expected"),
        ("table", TABLE.replace("p(e|f)=2 ", "p(e|f)=two ").encode(), "NAME=NUMBER, got 'meteor:p(e|f)=two'"),
        ("table", TABLE.replace("p(e|f)=2 ", "p(e|f)=nan ").encode(), "NAME=NUMBER, got 'meteor:p(e|f)=nan'"),
        ("table", TABLE.replace("p(e|f)=2 ", "p(e|f) ").encode(), "'vehicle' and 'car': a feature expected"),
        ("tagged", b"no tags\n", "tagged:1: word_TAG expected, got 'no'"),
        ("tagged", b"", "tagged sentences expected, found none"),
        ("tagged", "a_DT\n".encode("utf-16"), "tagged: expected UTF-8 text, found UTF-16"),
    ],
)
def test_a_bad_file_is_named_and_nothing_is_written(folder, name, content, message):
    (folder / name).write_bytes(content)
    with pytest.raises(DataError) as caught:
        made(folder)
    assert message in str(caught.value)
    assert sorted(path.name for path in folder.iterdir()) == ["table", "tagged"]


def test_options_out_of_range_are_refused(folder):
    for options in ({"max_risk": 1.1}, {"min_quality": -0.1}, {"min_gain": math.nan}):
        with pytest.raises(DataError, match=f"{next(iter(options))} must be from"):
            made(folder, **options)


PIECES = st.sampled_from(
    [
        "[X]",
        "vehicle",
        "car",
        "bought",
        "a=1",
        "a:b=NA",
        "a=b=2",
        "=",
        "a=1e999",
        "a=1 b=-2",
        " ",
        "|||",
        "LogCount=1e4",
    ]
)


@given(st.lists(st.lists(PIECES, min_size=3, max_size=6).map(" ||| ".join), min_size=1, max_size=4))
@example(["[X] ||| vehicle ||| car ||| LogCount=1e4 |||"])
@example(["[X] ||| vehicle ||| car ||| a=1e999 |||"])
def test_a_table_is_read_or_refused(tmp_path_factory, lines):
    folder = tmp_path_factory.mktemp("table")
    (folder / "table").write_text("\n".join(lines), encoding="utf-8")
    table = words(*TAGGED.splitlines())
    try:
        found, names = gather(folder / "table", table)
    except DataError:
        return
    assert set(found) <= {LemmaPair("noun", "vehicle", "car"), LemmaPair("noun", "car", "vehicle")}
    assert all(map(math.isfinite, (value for known in found.values() for value in known.pooled().values())))
    assert names == sorted({name for known in found.values() for name in known.pooled()})


@given(st.binary(max_size=200))
def test_bytes_that_are_no_table_are_refused(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("table") / "table"
    path.write_bytes(content)
    try:
        found, _ = gather(path, words("a_NN"))
    except DataError:
        return
    assert found == {}
