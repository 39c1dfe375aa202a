"""Bilingual pivoting: values by hand, parity with a slow twin, pruning, spilling, engines, bad input."""

from __future__ import annotations

import gzip
import math
import random
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.oracles.pivot import context_cosine, pivot_probabilities, side

from plainwright.errors import DataError, MissingExtraError
from plainwright.grammar.rules import Rule, parse_rule, read_rules
from plainwright.learn.pivot import PhraseTable, PivotOptions, pivot_files
from plainwright.learn.pivot.engines import _java_size
from plainwright.learn.pivot.similarity import ContextVectors

EVERYTHING = PivotOptions(
    min_probability=1e-9,
    min_evidence=1,
    most=10_000,
    min_link=1e-9,
    max_translations=10_000,
    max_phrases=10_000,
    length_ratio=100,
    identity=True,
)


def entry(english: str, foreign: str, to_foreign: float, to_english: float, count: int = 3, label: str = "X") -> str:
    """A line of a table, from probabilities."""
    values = f"p(e|f)={-math.log(to_foreign):.5f} p(f|e)={-math.log(to_english):.5f} LogCount={math.log(count):.5f}"
    return f"[{label}] ||| {english} ||| {foreign} ||| {values} ||| "


def table(path: Path, lines: list[str]) -> PhraseTable:
    text = "".join(line + "\n" for line in lines)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return PhraseTable.parse(str(path))


def pivoted(tmp_path: Path, tables: dict[str, list[str]], options: PivotOptions | None = None) -> list[Rule]:
    """The rules that tables by language give."""
    made = [table(tmp_path / f"{language}.txt", lines) for language, lines in tables.items()]
    pivot_files(made, tmp_path / "rules.txt", options)
    return list(read_rules(tmp_path / "rules.txt"))


def by_pair(rules: list[Rule]) -> dict[tuple[str, str], Rule]:
    return {(side(rule.source), side(rule.target)): rule for rule in rules}


def synthetic(seed: int, *, phrases: int, entries: int) -> list[str]:
    """A table of random counts, with the probabilities that follow from these."""
    draw = random.Random(seed)
    counts: dict[tuple[str, str], int] = {}
    for _ in range(entries):
        # Low numbers come more often, as in language.
        english, foreign = (int(draw.paretovariate(0.7)) % phrases for _ in range(2))
        pair = f"word{letters(english)}", f"wort{letters(foreign)}"
        counts[pair] = counts.get(pair, 0) + draw.randint(1, 9)
    of_english: dict[str, int] = {}
    of_foreign: dict[str, int] = {}
    for (english, foreign), count in counts.items():
        of_english[english] = of_english.get(english, 0) + count
        of_foreign[foreign] = of_foreign.get(foreign, 0) + count
    return [
        entry(english, foreign, count / of_english[english], count / of_foreign[foreign], count)
        for (english, foreign), count in counts.items()
    ]


def letters(number: int) -> str:
    """Without digits, which must agree in a pair."""
    return "".join("abcdefghij"[int(digit)] for digit in str(number))


BUY = [
    entry("purchase", "kaufen", 0.9, 0.2),
    entry("purchase", "anschaffen", 0.1, 0.5),
    entry("buy", "kaufen", 0.5, 0.8),
    entry("buy", "anschaffen", 0.25, 0.5),
]


def test_sums_over_shared_translations_by_hand(tmp_path: Path) -> None:
    rules = by_pair(pivoted(tmp_path, {"de": BUY}))
    assert set(rules) == {("purchase", "buy"), ("buy", "purchase")}
    features = rules["purchase", "buy"].features
    assert features["p(e|f)"] == pytest.approx(-math.log(0.8 * 0.9 + 0.5 * 0.1), abs=1e-5)
    assert features["p(f|e)"] == pytest.approx(-math.log(0.2 * 0.5 + 0.5 * 0.25), abs=1e-5)
    assert features["LogEvidence"] == pytest.approx(math.log(6), abs=1e-5)  # twice min(3, 3)
    assert features["LogCount"] == pytest.approx(math.log(2), abs=1e-5)
    assert features["PivotLanguages"] == 1
    assert rules["purchase", "buy"].alignment == ((0, 0),)


@pytest.mark.parametrize(
    ("counts", "log_count", "rarity"),
    [
        # The values of four genuine lines of PPDB 1.0 and 2.0, and counts that give them by Thrax's code.
        ([(3, 9)], 0, 0.13534),
        ([(7, 8), (9, 7)], 0.69315, 0),
        ([(6, 5)], 0, 0.01832),
    ],
)
def test_counts_and_rarity_are_those_of_ppdb(
    tmp_path: Path, counts: list[tuple[int, int]], log_count: float, rarity: float
) -> None:
    words = ("kaufen", "anschaffen")
    lines = [
        entry(english, foreign, 0.5, 0.5, count)
        for foreign, pair in zip(words, counts, strict=False)
        for english, count in zip(("purchase", "buy"), pair, strict=True)
    ]
    features = by_pair(pivoted(tmp_path, {"de": lines}))["purchase", "buy"].features
    assert (features["LogCount"], features["RarityPenalty"]) == (log_count, rarity)


def test_the_report_counts_every_stage(tmp_path: Path) -> None:
    report = pivot_files([table(tmp_path / "de.txt", BUY)], tmp_path / "rules.txt")
    assert (report.entries, report.links, report.joined, report.pairs, report.rules) == (4, 4, 2, 1, 2)
    assert report.languages == ("de",)


def test_languages_are_pooled_by_their_evidence(tmp_path: Path) -> None:
    german = [entry("purchase", "kaufen", 1.0, 0.25, count=6), entry("buy", "kaufen", 1.0, 0.75, count=18)]
    french = [entry("purchase", "acheter", 0.5, 0.1, count=2), entry("buy", "acheter", 1.0, 0.9, count=18)]
    rules = by_pair(pivoted(tmp_path, {"de": german, "fr": french}))
    # 6 of 8 occurrences of "purchase" are in the German table.
    expected = 6 / 8 * 0.75 * 1.0 + 2 / 8 * 0.9 * 0.5
    assert rules["purchase", "buy"].features["p(e|f)"] == pytest.approx(-math.log(expected), abs=1e-5)
    assert rules["purchase", "buy"].features["PivotLanguages"] == 2


def labelled(line: str, *, to_foreign: float, to_english: float) -> str:
    """A line of a table that also knows the probabilities among rules with its label."""
    values = f" p(e|f,LHS)={-math.log(to_foreign):.5f} p(f|e,LHS)={-math.log(to_english):.5f} |||"
    return values.join(line.rsplit(" |||", 1))


def test_labels_are_counted_and_pivoted_by_hand(tmp_path: Path) -> None:
    german = [
        labelled(entry("purchase", "kaufen", 0.6, 0.2, count=6, label="VB"), to_foreign=1, to_english=0.25),
        labelled(entry("purchase", "kauf", 0.4, 1, count=2, label="NN"), to_foreign=1, to_english=1),
        labelled(entry("buy", "kaufen", 1, 0.8, count=18, label="VB"), to_foreign=0.5, to_english=0.75),
    ]
    spanish = [
        labelled(entry("purchase", "comprar", 1, 0.5, count=2, label="VB"), to_foreign=0.4, to_english=0.5),
        labelled(entry("buy", "comprar", 1, 0.5, count=2, label="VB"), to_foreign=1, to_english=0.5),
    ]
    [rule] = [found for found in pivoted(tmp_path, {"de": german, "es": spanish}) if side(found.source) == "purchase"]
    expected = {
        "p(e|f,LHS)": 6 / 8 * 0.75 * 1 + 2 / 8 * 0.5 * 0.4,  # six of the eight verbs are German
        "p(f|e,LHS)": 18 / 20 * 0.25 * 0.5 + 2 / 20 * 0.5 * 1,
        "p(LHS|f)": 8 / 10,  # "purchase" was seen ten times, eight of them as a verb
        "p(LHS|e)": 1,
        "p(f|LHS)": 8 / 28,  # of all verbs
        "p(e|LHS)": 20 / 28,
    }
    assert rule.lhs == "VB"
    for name, probability in expected.items():
        assert rule.features[name] == pytest.approx(-math.log(probability), abs=2e-5), name


def test_tables_that_do_not_know_their_labels_leave_these_probabilities_out(tmp_path: Path) -> None:
    features = by_pair(pivoted(tmp_path, {"de": BUY}))["purchase", "buy"].features
    assert "p(e|f,LHS)" not in features
    assert "p(f|e,LHS)" not in features
    assert (features["p(LHS|e)"], features["p(LHS|f)"]) == (0, 0)  # there is only one label


def test_rules_may_need_several_languages(tmp_path: Path) -> None:
    names = ("de", "de2", "fr", "it")
    tables = {name: synthetic(seed, phrases=40, entries=120) for seed, name in enumerate(names)}
    made = [table(tmp_path / f"{name}.txt", lines) for name, lines in tables.items()]
    made[1] = replace(made[1], language="de")  # two tables of one language, which counts once

    def languages(least: int) -> list[float]:
        pivot_files(made, tmp_path / "rules.txt", replace(EVERYTHING, identity=False, min_languages=least))
        return [rule.features["PivotLanguages"] or 0 for rule in read_rules(tmp_path / "rules.txt")]

    everything = languages(1)
    assert set(everything) == {1, 2, 3}
    for least in (2, 3):
        assert sorted(languages(least)) == sorted(number for number in everything if number >= least)
    assert languages(4) == []


def test_a_translation_of_another_language_is_no_pivot(tmp_path: Path) -> None:
    tables = {"de": [entry("poison", "gift", 1, 1)], "en": [entry("present", "gift", 1, 1)]}
    assert pivoted(tmp_path, tables) == []


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_slow_twin(tmp_path: Path, seed: int) -> None:
    tables = {name: synthetic(seed * 10 + i, phrases=40, entries=120) for i, name in enumerate(("de", "fr", "it"))}
    found = by_pair(pivoted(tmp_path, tables, EVERYTHING))
    parsed = {name: [parse_rule(line) for line in lines] for name, lines in tables.items()}
    expected = pivot_probabilities(parsed)
    assert found.keys() == expected.keys()
    assert len(found) > 100
    for pair, (probability, languages, pivots) in expected.items():
        rule = found[pair]
        assert rule.features["p(e|f)"] == pytest.approx(-math.log(min(1.0, probability)), abs=2e-5)
        assert rule.features["p(f|e)"] == found[pair[::-1]].features["p(e|f)"]
        assert rule.features["PivotLanguages"] == languages
        assert rule.features["LogCount"] == pytest.approx(math.log(pivots), abs=1e-5)


def test_neither_threads_nor_the_order_of_lines_and_tables_matter(tmp_path: Path) -> None:
    tables = [(name, synthetic(seed, phrases=200, entries=2000)) for seed, name in enumerate(("de", "fr", "it"))]
    results = []
    for number, options in enumerate([PivotOptions(), PivotOptions(threads=3)]):
        place = tmp_path / str(number)
        place.mkdir()
        for _, lines in tables:
            random.Random(number).shuffle(lines)
        made = [table(place / f"{name}.gz", lines) for name, lines in (tables if number else tables[::-1])]
        pivot_files(made, place / "rules.gz", options)
        results.append((place / "rules.gz").read_bytes())
    assert results[0] == results[1]
    assert len(gzip.decompress(results[0]).splitlines()) > 100


def test_little_memory_gives_the_same_rules(tmp_path: Path) -> None:
    lines = synthetic(1, phrases=3000, entries=60_000)
    made = table(tmp_path / "de.txt", lines)
    for name, memory in (("much", "2GB"), ("little", "60MB")):
        pivot_files([made], tmp_path / name, PivotOptions(memory=memory, max_phrases=1000, max_translations=1000))
    assert (tmp_path / "much").read_bytes() == (tmp_path / "little").read_bytes()


def test_memory_that_cannot_do_is_one_sentence(tmp_path: Path) -> None:
    made = table(tmp_path / "de.txt", synthetic(1, phrases=3000, entries=20_000))
    with pytest.raises(DataError, match="--memory 1MB does not suffice"):
        pivot_files([made], tmp_path / "rules.txt", PivotOptions(memory="1MB"))
    assert not (tmp_path / "rules.txt").exists()


def test_only_labels_that_agree_are_joined(tmp_path: Path) -> None:
    lines = [entry("test", "probe", 1, 0.5, label="NN"), entry("sample", "probe", 1, 0.5, label="NN")]
    lines += [entry("try", "probe", 1, 0.5, label="VB")]
    rules = pivoted(tmp_path, {"de": lines})
    assert {(rule.lhs, *rule.source, *rule.target) for rule in rules} == {
        ("NN", "test", "sample"),
        ("NN", "sample", "test"),
    }


def test_gaps_are_numbered_alike_before_they_are_joined(tmp_path: Path) -> None:
    lines = [
        entry("[NP,1] 's owner [NP,2]", "[NP,2] besitzt [NP,1]", 1, 0.5),
        entry("[NP,1] who owns [NP,2]", "[NP,1] besitzt [NP,2]", 1, 0.5),
    ]
    rules = by_pair(pivoted(tmp_path, {"de": lines}))
    assert set(rules) == {
        ("[NP,1] 's owner [NP,2]", "[NP,2] who owns [NP,1]"),
        ("[NP,1] who owns [NP,2]", "[NP,2] 's owner [NP,1]"),
    }


@pytest.mark.parametrize(
    ("one", "other", "kept"),
    [
        ("big", "large", True),
        ("big", "BIG", False),
        ("the house", "house", False),  # stop words only
        ("of the", "in a", False),
        ("granted", "to", False),  # nothing but stop words in one
        ("however", "but", True),
        ("well-known", "well known", False),  # punctuation only
        ("do n't", "do not", False),
        ("1990 , the", "1990", False),
        ("12", "twelve", False),  # no letter in one
        ("version 2", "release 2", True),
        ("version 2", "release 3", False),  # numbers differ
        ("big )", "large", False),
        ("a b c d e", "f", False),  # five words and one
        ("f g h i j", "k l", True),
        ("naïve", "simple", True),
    ],
)
def test_character_of_a_pair(tmp_path: Path, one: str, other: str, kept: bool) -> None:
    rules = pivoted(tmp_path, {"de": [entry(one, "f", 1, 0.5), entry(other, "f", 1, 0.5)]})
    assert len(rules) == (2 if kept else 0)


def test_pruning(tmp_path: Path) -> None:
    lines = [entry("source", "f", 1, 0.25)]
    shares = {"a": 0.5, "b": 0.15, "c": 0.15}
    lines += [entry(f"target{letter}", "f", 1, share, count=1) for letter, share in shares.items()]

    def targets(options: PivotOptions) -> list[str]:
        return [side(rule.target) for rule in pivoted(tmp_path, {"de": lines}, options) if rule.source == ("source",)]

    options = PivotOptions(min_evidence=1)
    assert targets(options) == ["targeta", "targetb", "targetc"]
    assert targets(replace(options, most=2)) == ["targeta", "targetb"]  # ties by text
    assert targets(replace(options, min_probability=0.2)) == ["targeta"]
    assert targets(replace(options, min_link=0.2)) == ["targeta"]
    assert targets(replace(options, max_phrases=3)) == ["targeta", "targetb"]
    assert targets(replace(options, min_evidence=2)) == []
    assert targets(replace(options, identity=True)) == ["targeta", "source", "targetb", "targetc"]


def test_lexical_probabilities_come_from_the_best_translation(tmp_path: Path) -> None:
    lines = [line.replace(" LogCount", f" Lex(e|f)={i}.5 Lex(f|e)={i + 1}.25 LogCount") for i, line in enumerate(BUY)]
    features = by_pair(pivoted(tmp_path, {"de": lines}))["purchase", "buy"].features
    # By kaufen 0.5 + 3.25, by anschaffen 1.5 + 4.25; back 2.5 + 1.25 and 3.5 + 2.25.
    assert (features["Lex(e|f)"], features["Lex(f|e)"]) == (3.75, 3.75)


LINES = [
    "we buy a car today",
    "They purchase a car today",
    "we purchase a house",
    "they buy a house",
    "you drive a car home",
    "today we drive home",
]


def test_cosines_equal_the_slow_twin() -> None:
    phrases = ["buy", "purchase", "drive", "a car", "a house"]
    vectors = ContextVectors(phrases, min_seen=1)
    vectors.add(LINES)
    pairs = [(one, other) for one in phrases for other in phrases]
    found = vectors.cosines([one for one, _ in pairs], [other for _, other in pairs])
    expected = [context_cosine(one, other, phrases, LINES) for one, other in pairs]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert 0 < found[2] < found[1] < 1  # buy is nearer to purchase than to drive


def test_phrases_that_were_seldom_seen_have_no_similarity(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("\n".join(LINES), encoding="utf-8")
    lines = [*BUY, entry("acquire", "kaufen", 1, 0.3), entry("drive", "kaufen", 1, 0.3)]
    report = pivot_files(
        [table(tmp_path / "de.txt", lines)], tmp_path / "rules.txt", PivotOptions(min_seen=2), texts=[text]
    )
    rules = by_pair(list(read_rules(tmp_path / "rules.txt")))
    value = context_cosine("buy", "purchase", ["buy", "purchase", "drive"], LINES)
    assert rules["buy", "purchase"].features["AGigaSim"] == pytest.approx(value, abs=1e-5)
    assert "AGigaSim" not in rules["buy", "acquire"].features
    assert report.with_similarity == 6  # pairs of three


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[X] ||| a ||| b\n", r"de\.txt:1: 5 or 6 fields expected"),
        (b"no table\n", r"de\.txt:1: 5 or 6 fields expected"),
        (
            entry("a", "b", 1, 1).encode() + b"\n[X] ||| a ||| b ||| p(e|f)=1 ||| \n",
            r"de\.txt:2: .* found no p\(f\|e\)",
        ),
        (b"[X] ||| a ||| b ||| p(e|f)=x p(f|e)=1 ||| \n", r"de\.txt:1: a number or NA expected"),
        ("[X] ||| a ||| ü ||| p(e|f)=1 p(f|e)=1 ||| \n".encode("latin-1"), r"de\.txt:1: UTF-8 text expected"),
        (b"", r"de\.txt: expected rules, one a line, found none"),
    ],
)
def test_what_is_no_phrase_table_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "de.txt"
    path.write_bytes(data)
    with pytest.raises(DataError, match=message):
        pivot_files([PhraseTable.parse(str(path))], tmp_path / "rules.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["de.txt"]


def test_damaged_gzip_and_missing_files_are_refused(tmp_path: Path) -> None:
    whole = gzip.compress("".join(line + "\n" for line in synthetic(0, phrases=50, entries=500)).encode())
    (tmp_path / "de.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"de\.gz: expected gzip data"):
        pivot_files([PhraseTable.parse(str(tmp_path / "de.gz"))], tmp_path / "rules.txt")
    with pytest.raises(DataError, match="no such file"):
        pivot_files([PhraseTable.parse(f"fr={tmp_path / 'fr.gz'}")], tmp_path / "rules.txt")
    with pytest.raises(DataError, match="got none"):
        pivot_files([], tmp_path / "rules.txt")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=40) | st.just(BUY[0].encode()), max_size=4))
def test_any_bytes_are_rules_or_refused(tmp_path: Path, lines: list[bytes]) -> None:
    path = tmp_path / "de.txt"
    path.write_bytes(b"\n".join(lines))
    try:
        pivot_files([PhraseTable.parse(str(path))], tmp_path / "rules.txt", EVERYTHING)
    except DataError:
        return
    list(read_rules(tmp_path / "rules.txt"))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"min_probability": 0.0}, "--min-probability: expected a probability above 0"),
        ({"most": 0}, "--most: expected a number from 1"),
        ({"length_ratio": 0.5}, "--length-ratio: expected a number from 1"),
        ({"memory": "much"}, "--memory: expected a size such as 2GB"),
        ({"engine": "abacus"}, "--engine: expected duckdb or spark"),
        ({"master": "local[2]"}, "--master: expected engine spark"),
    ],
)
def test_options_out_of_range(tmp_path: Path, changed: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message.replace("[", r"\[")):
        pivot_files([table(tmp_path / "de.txt", BUY)], tmp_path / "rules.txt", PivotOptions(**changed))


def test_too_many_languages(tmp_path: Path) -> None:
    made = [PhraseTable(tmp_path / "de.txt", f"language{i}") for i in range(61)]
    with pytest.raises(DataError, match="at most 60 languages expected, got 61"):
        pivot_files(made, tmp_path / "rules.txt")


@pytest.mark.parametrize(
    ("given_size", "size"), [("2GB", "2g"), ("500 MiB", "500m"), ("1.5GB", "1536m"), ("1TB", "1t")]
)
def test_sizes_for_java(given_size: str, size: str) -> None:
    assert _java_size(given_size) == size


def test_what_is_not_installed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [table(tmp_path / "de.txt", BUY)]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "ibis", None)
        with pytest.raises(
            MissingExtraError,
            match=r"pivoting needs ibis-framework; install it with `pip install 'plainwright\[learn\]'",
        ):
            pivot_files(made, tmp_path / "rules.txt")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyspark", None)
        with pytest.raises(MissingExtraError, match=r"pip install 'plainwright\[spark\]'"):
            pivot_files(made, tmp_path / "rules.txt", PivotOptions(engine="spark"))
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "pyspark", sys)
        patch.setenv("JAVA_HOME", str(tmp_path))
        with pytest.raises(MissingExtraError, match="openjdk-17-jre-headless"):
            pivot_files(made, tmp_path / "rules.txt", PivotOptions(engine="spark"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="Java is not installed")
@pytest.mark.parametrize(("min_languages", "at_least"), [(1, 500), (2, 100)])
def test_spark_writes_the_same_bytes(tmp_path: Path, min_languages: int, at_least: int, monkeypatch) -> None:
    pytest.importorskip("pyspark")
    # So little to do is over before Java has compiled its code well.
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    text = tmp_path / "text.txt"
    text.write_text("\n".join(LINES), encoding="utf-8")
    tables = [table(tmp_path / f"{n}.gz", synthetic(i, phrases=300, entries=3000)) for i, n in enumerate("abc")]
    tables.append(table(tmp_path / "d.txt", [*BUY, entry("[NP,1] of [NP,2]", "[NP,2] von [NP,1]", 1, 0.5)]))
    tables.append(table(tmp_path / "e.txt", [entry("the \"big' house", "das \"große' haus", 1, 0.5), *BUY[:3]]))
    for engine, master in (("duckdb", None), ("spark", "local[2]")):
        options = PivotOptions(engine=engine, master=master, memory="1GB", threads=2, min_languages=min_languages)
        pivot_files(tables, tmp_path / f"{engine}.gz", options, texts=[text])
    assert (tmp_path / "spark.gz").read_bytes() == (tmp_path / "duckdb.gz").read_bytes()
    assert len(list(read_rules(tmp_path / "spark.gz"))) > at_least
    (tmp_path / "bad.txt").write_text("no table\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.txt:1: 5 or 6 fields expected"):
        pivot_files([PhraseTable(tmp_path / "bad.txt", "x")], tmp_path / "rules", options)
