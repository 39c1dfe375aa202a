"""Rules from METEOR's table, WordNet, PPDB and Simple PPDB."""

from __future__ import annotations

import gzip
import math
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError, MissingExtraError
from plainwright.grammar.rules import parse_rule, read_rules
from plainwright.learn.sources import (
    MeteorOptions,
    WordNet,
    import_meteor,
    import_ppdb,
    import_simple_ppdb,
    import_wordnet,
    meteor_table,
    wordnet_directory,
)
from plainwright.learn.sources.wordnet import forms
from plainwright.text import wordnet as text_wordnet

TRIPLES = "0.31\npurchased\nbought\n0.03\nin the vicinity\nnear\n0.02\nin the vicinity\nby\n0.5\n000\nmillion\n"


def pairs_of(path: Path) -> list[tuple[str, str, str]]:
    return [(rule.lhs, " ".join(map(str, rule.source)), " ".join(map(str, rule.target))) for rule in read_rules(path)]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# METEOR


def test_three_lines_and_three_columns_give_the_same_rules(tmp_path):
    lines = TRIPLES.split("\n")
    columns = "".join(f"{lines[i + 1]}\t{lines[i + 2]}\t{lines[i]}\n" for i in range(0, len(lines) - 1, 3))
    for name, text in (("triples", TRIPLES), ("columns", columns), ("windows", columns.replace("\n", "\r\n"))):
        result = import_meteor(write(tmp_path / name, text), tmp_path / f"{name}.rules")
        assert (result.read, result.written) == (4, 2)
    triples, columns, windows = (
        (tmp_path / f"{name}.rules").read_text(encoding="utf-8") for name in ("triples", "columns", "windows")
    )
    assert triples == columns == windows
    # -log(0.31) and -log(0.03); only one word for one word has an alignment.
    assert triples == (
        "[X] ||| purchased ||| bought ||| p(e|f)=1.17118 ||| 0-0\n"
        "[X] ||| in the vicinity ||| near ||| p(e|f)=3.50656 ||| \n"
    )


def test_thresholds_follow_the_length_of_the_source_and_the_last_one_holds_for_longer_ones(tmp_path):
    table = write(tmp_path / "table", "".join(f"{' '.join('abcdef'[:n])}\tz\t0.2\n" for n in range(1, 7)))
    options = MeteorOptions(max_words=6, min_probabilities=(0.1, 0.3, 0.2))
    import_meteor(table, tmp_path / "rules", options)
    assert [source.count(" ") + 1 for _, source, _ in pairs_of(tmp_path / "rules")] == [1, 3, 4, 5, 6]
    import_meteor(table, tmp_path / "rules", MeteorOptions(max_words=2, min_probabilities=(0.1,)))
    assert [source for _, source, _ in pairs_of(tmp_path / "rules")] == ["a", "a b"]


def test_what_a_grammar_cannot_carry_is_left_out_whatever_the_pattern_allows(tmp_path):
    table = write(tmp_path / "table", "a\t|||\t0.5\n[X,1]\tb\t0.5\na  b\tc\t0.5\n\tb\t0.5\na\ta\t0.5\n42\tmany\t0.5\n")
    result = import_meteor(table, tmp_path / "rules", MeteorOptions(word=".*"))
    assert (result.read, result.written) == (6, 1)
    assert pairs_of(tmp_path / "rules") == [("X", "42", "many")]


TOKENS = st.text("ab'-.Z0|[", min_size=1, max_size=4)
ENTRIES = st.lists(st.tuples(st.lists(TOKENS, min_size=1, max_size=6), TOKENS, st.floats(0.001, 1.2)), min_size=1)


@given(ENTRIES)
def test_every_rule_is_a_pair_of_the_table_that_passes_the_filters(tmp_path_factory, entries):
    folder = tmp_path_factory.mktemp("meteor")
    table = write(folder / "table", "".join(f"{p!r}\n{' '.join(source)}\n{target}\n" for source, target, p in entries))
    import_meteor(table, folder / "rules")

    def passes(word: str) -> bool:  # the naive way
        return word[0] in "ab" and all(letter in "ab'.-" for letter in word)

    least = {1: 0.012, 2: 0.012, 3: 0.028, 4: 0.04, 5: 0.05}
    wanted = [
        (source, target, round(-math.log(p), 5))
        for source, target, p in entries
        if all(map(passes, [*source, target])) and source != [target] and p >= least.get(len(source), math.inf)
    ]
    found = [(list(rule.source), rule.target[0], rule.features["p(e|f)"]) for rule in read_rules(folder / "rules")]
    assert found == wanted


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected METEOR's table, found an empty file"),
        (b"0.5\na\nb\n0.5\na\n", ":4: three lines for each pair expected"),
        (b"0.5\na\nb\nhalf\na\nb\n", "between tabs), got 'half'"),
        (b"a\tb\t0.5\na\tb\t0\n", ":2: a probability above 0 expected, got '0'"),
        (b"a\tb\tnan\n", ":1: a probability above 0 expected"),
        (b"a\tb\t0.5\na\tb\n", ":2: source TAB target TAB p expected, got 2 columns"),
        (b"a\tb\t0.5\n\xe9\tb\t1\n", ":2: expected UTF-8 text, found byte 0xe9"),
    ],
)
def test_a_table_that_cannot_be_used_is_one_sentence_and_nothing_is_written(tmp_path, content, message):
    (tmp_path / "table").write_bytes(content)
    with pytest.raises(DataError) as caught:
        import_meteor(tmp_path / "table", tmp_path / "rules")
    assert f"{tmp_path / 'table'}" in str(caught.value)
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


@pytest.mark.parametrize(
    "options", [MeteorOptions(word="["), MeteorOptions(max_words=0), MeteorOptions(min_probabilities=())]
)
def test_wrong_options_are_refused(tmp_path, options):
    with pytest.raises(DataError, match=r"must be"):
        import_meteor(tmp_path / "none", tmp_path / "rules", options)


def test_the_installed_package_is_found_and_not_imported(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    member = tmp_path / "pycocoevalcap" / "meteor" / "data" / "paraphrase-en.gz"
    member.parent.mkdir(parents=True)
    member.write_bytes(gzip.compress(TRIPLES.encode()))
    assert meteor_table() == member
    assert import_meteor(None, tmp_path / "rules.gz").written == 2
    assert "pycocoevalcap" not in sys.modules


def test_without_the_package_the_way_out_is_told(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match="pip install --no-deps pycocoevalcap"):
        meteor_table()


# WordNet


def write_wordnet(folder: Path, **files: str) -> Path:
    for pos in ("noun", "verb", "adj", "adv"):
        write(folder / f"data.{pos}", files.get(pos, "  1 no synsets  \n"))
    return folder


VERBS = """\
00000101 40 v 02 buy 0 purchase 0 001 ! 00000202 v 0101 01 + 08 00 | get for money
00000202 40 v 02 sell 0 trade 0 000 01 + 08 00 | give for money
00000303 40 v 03 buy 1 sell 1 deal 0 000 01 + 08 00 | an odd synset
"""


def test_synonyms_become_rules_for_each_form(tmp_path):
    result = import_wordnet(write_wordnet(tmp_path, verb=VERBS), tmp_path / "rules")
    assert result.read == 3
    rules = {(rule.lhs, *rule.source, *rule.target): rule for rule in read_rules(tmp_path / "rules")}
    assert len(rules) == result.written
    expected = {"VB": "purchase buy", "VBD": "purchased bought", "VBG": "purchasing buying", "VBZ": "purchases buys"}
    for tag, pair in expected.items():
        assert rules[(tag, *pair.split())].features == {"WordNet": 1.0, "SenseShare": 1.0}
    # "buy" has two synsets.
    assert rules["VBD", "bought", "purchased"].features["SenseShare"] == 0.5
    assert ("VB", "purchased", "bought") not in rules


def test_antonyms_make_no_rule_even_where_a_synset_has_both(tmp_path):
    import_wordnet(write_wordnet(tmp_path, verb=VERBS), tmp_path / "rules")
    pairs = {(source, target) for _, source, target in pairs_of(tmp_path / "rules")}
    assert ("buy", "deal") in pairs
    assert not {("buy", "sell"), ("sell", "buy"), ("sold", "bought")} & pairs


def test_names_marks_and_phrases(tmp_path):
    noun = "00000101 04 n 02 point_of_view 0 standpoint 0 000 | x\n00000202 18 n 02 China 0 cathay 0 000 | x\n"
    adj = "00000303 00 s 02 asleep(p) 0 dead_to_the_world 0 000 | x\n"
    import_wordnet(write_wordnet(tmp_path, noun=noun, adj=adj), tmp_path / "rules")
    assert pairs_of(tmp_path / "rules") == [
        ("JJ", "asleep", "dead to the world"),
        ("JJ", "dead to the world", "asleep"),
        ("NN", "point of view", "standpoint"),
        ("NNS", "points of view", "standpoints"),
        ("NN", "standpoint", "point of view"),
        ("NNS", "standpoints", "points of view"),
    ]
    import_wordnet(tmp_path, tmp_path / "rules", max_words=3)
    assert all("world" not in pair for _, *pair in pairs_of(tmp_path / "rules") for pair in pair)
    # A name counts as a sense of the word that is spelt like it.
    assert WordNet.read(tmp_path).senses["noun", "china"] == 1


def test_the_usual_form_comes_first():
    inflections = {"information": ("informations", "information"), "theater": ("theaters", "theater")}
    plural = {lemma: forms(lemma, "noun", lambda word, tag: inflections[word])["NNS"] for lemma in inflections}
    assert plural == {"information": ("information", "informations"), "theater": ("theaters",)}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("00000101 40 v 02 buy 0\n", "00000101 40 v 02 buy 0"),
        ("00000101 40 n 01 buy 0 000 | a noun among verbs\n", "00000101 40 n"),
        ("00000101 40 v zz buy 0 000 | x\n", "00000101 40 v zz"),
        ("00000101 40 v 01 buy 0 002 ! 0000 | x\n", "00000101 40 v 01"),
        ("nonsense\n", "nonsense"),
        ("\n", "''"),
    ],
)
def test_lines_that_are_no_synsets_are_named(tmp_path, line, found):
    write_wordnet(tmp_path, verb="  1 licence\n" + line)
    with pytest.raises(DataError, match=r"data\.verb:2: a synset of WordNet 3\.0 expected") as caught:
        import_wordnet(tmp_path, tmp_path / "rules")
    assert found in str(caught.value)
    assert not (tmp_path / "rules").exists()


@given(st.text(max_size=60).filter(lambda text: "\0" not in text))
def test_any_text_is_a_synset_or_a_data_error(tmp_path_factory, text):
    folder = write_wordnet(tmp_path_factory.mktemp("wordnet"), adv=text)
    kept = [line for line in text.removeprefix("\ufeff").split("\n") if line and not line.startswith("  ")]
    try:
        found = WordNet.read(folder).synsets
    except DataError:
        found = -1
    # Nothing that Hypothesis finds is a synset, so only licence lines may pass.
    assert found in ((0, -1) if not kept else (-1,))


def test_a_directory_without_the_files_is_named(tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"found no data\.noun"):
        import_wordnet(tmp_path, tmp_path / "rules")
    monkeypatch.setattr(text_wordnet, "_PLACES", (tmp_path,))
    with pytest.raises(MissingExtraError, match="apt-get install wordnet-base"):
        wordnet_directory()
    write_wordnet(tmp_path)
    assert wordnet_directory() == tmp_path


# PPDB and Simple PPDB


def test_ppdb_passes_through_with_the_names_of_its_first_version(tmp_path):
    line = "[NN] ||| tome ||| book ||| -logp(e2|e1)=1.50 PPDB2.0Score=3.1 MVLSASim=NA ||| 0-0 ||| Equivalence"
    path = write(tmp_path / "ppdb", line + "\n")
    assert import_ppdb(path, tmp_path / "rules").written == 1
    renamed = (tmp_path / "rules").read_text(encoding="utf-8")
    assert renamed == line.replace("-logp(e2|e1)", "p(e|f)") + "\n"


def test_simple_ppdb_becomes_rules_with_two_scores(tmp_path):
    path = write(tmp_path / "simple", "0.95\t0.8\t[VBD]\tpurchased\tbought\n0.5\t-1\tX\tin order to\tto\n")
    assert import_simple_ppdb(path, tmp_path / "rules").written == 2
    rules = list(read_rules(tmp_path / "rules"))
    assert rules[0] == parse_rule(
        "[VBD] ||| purchased ||| bought ||| ParaphraseScore=0.95 SimplificationScore=0.8 ||| 0-0"
    )
    assert (rules[1].lhs, rules[1].source, rules[1].alignment) == ("X", ("in", "order", "to"), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.9\t0.8\t[NN]\ta\n", r":1: paraphrase score TAB .* got 4 columns"),
        ("0.9\thigh\t[NN]\ta\tb\n", r":1: a number or NA expected for the feature 'SimplificationScore'"),
        ("0.9\t0.8\t[NN]\t\tb\n", r":1: the source is empty"),
        ("", "found an empty file"),
    ],
)
def test_lines_that_are_not_simple_ppdb_are_named_or_left_out(tmp_path, text, message):
    path = write(tmp_path / "simple", text)
    with pytest.raises(DataError, match=message):
        import_simple_ppdb(path, tmp_path / "rules")
    with pytest.raises(DataError, match="expected rules, found"):
        import_simple_ppdb(path, tmp_path / "rules", lenient=True)
    assert not (tmp_path / "rules").exists()
    write(path, "1\t1\t[NN]\ttome\tbook\n" + text)
    result = import_simple_ppdb(path, tmp_path / "rules", lenient=True)
    assert (result.written, result.skipped.count) == (1, len(text.splitlines()))
