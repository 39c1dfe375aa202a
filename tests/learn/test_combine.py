"""One table from the rules of several sources."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.grammar.rules import Rule, read_rules
from plainwright.learn import combine
from plainwright.learn.combine import CombineOptions, Source, combine_files

METEOR = "[X] ||| purchased ||| bought ||| p(e|f)=1.50 Lexical=1 ||| \n[X] ||| near ||| by ||| p(e|f)=2 ||| 0-0\n"
WORDNET = """\
[VBD] ||| purchased ||| bought ||| WordNet=1 SenseShare=1 ||| 0-0
[VBN] ||| purchased ||| bought ||| WordNet=1 SenseShare=0.5 ||| 0-0
[JJ] ||| big ||| large ||| WordNet=1 SenseShare=0.25 ||| 0-0
"""


@pytest.fixture
def sources(tmp_path: Path) -> list[Source]:
    (tmp_path / "meteor").write_text(METEOR, encoding="utf-8")
    (tmp_path / "wordnet").write_text(WORDNET, encoding="utf-8")
    (tmp_path / "list").write_text("bought purchased\nlarge huge big\n\nin order to\tto\nalone\n", encoding="utf-8")
    return [Source(name, tmp_path / name) for name in ("meteor", "wordnet")]


def combined(folder: Path, *arguments, **options) -> list[Rule]:
    combine_files(arguments, folder / "rules", CombineOptions(**options), evidence=[Source("list", folder / "list")])
    return list(read_rules(folder / "rules"))


def test_rules_with_the_same_sides_become_one_that_knows_its_sources(tmp_path, sources):
    big, near, purchased = combined(tmp_path, *sources)
    # Worked by hand. Lexical follows from the rule, so it is left out; SenseShare is the mean of two labels.
    assert dict(purchased.features) == {
        "meteor": 1,
        "meteor:p(e|f)": 1.5,
        "wordnet": 1,
        "wordnet:WordNet": 1,
        "wordnet:SenseShare": 0.75,
        "list": 1,
        "Sources": 3,
    }
    assert (purchased.lhs, purchased.alignment) == ("X", ((0, 0),))  # two labels that tell; METEOR has no alignment
    assert dict(near.features) == {"meteor": 1, "meteor:p(e|f)": 2, "wordnet": 0, "list": 0, "Sources": 1}
    assert (big.lhs, big.features["meteor"], big.features["list"]) == ("JJ", 0, 1)


def test_numbers_keep_their_spelling(tmp_path, sources):
    combined(tmp_path, *sources)
    assert "meteor:p(e|f)=1.50 " in (tmp_path / "rules").read_text(encoding="utf-8")


def test_each_label_gets_what_its_own_rule_knows(tmp_path, sources):
    rules = [rule for rule in combined(tmp_path, *sources, labels="each") if rule.source == ("purchased",)]
    known = {rule.lhs: (rule.features["wordnet:SenseShare"], rule.features["meteor:p(e|f)"]) for rule in rules}
    assert known == {"VBD": (1, 1.5), "VBN": (0.5, 1.5)}


def test_lists_support_rules_but_make_none(tmp_path, sources):
    rules = combined(tmp_path, *sources, min_sources=2)
    assert [(rule.source, rule.features["Sources"]) for rule in rules] == [(("big",), 2), (("purchased",), 3)]
    (tmp_path / "list").write_text("near\tby\n", encoding="utf-8")
    assert [rule.source[0] for rule in combined(tmp_path, *sources, min_sources=2)] == ["near", "purchased"]


def test_the_result_counts_what_it_read_and_wrote(tmp_path, sources):
    result = combine_files(sources, tmp_path / "rules.gz", evidence=[Source("list", tmp_path / "list")])
    # The list: one pair, two, and one of phrases, in both directions.
    assert result.read == {"meteor": 2, "wordnet": 3, "list": 8}
    assert (result.pairs, result.written, result.agreed) == (3, 3, 2)


WORDS = st.sampled_from(["a", "b", "é", "a b", "a-b", "ab"])
ROWS = st.lists(st.tuples(WORDS, WORDS, st.sampled_from("XNV"), st.integers(0, 9)), min_size=1, max_size=30)


@given(st.lists(ROWS, min_size=1, max_size=3), st.integers(1, 400))
def test_sorting_in_files_gives_the_same_table_as_a_dictionary(tmp_path_factory, tables, memory):
    folder = tmp_path_factory.mktemp("combine")
    wanted: dict[tuple[str, str], dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    sources = []
    for number, rows in enumerate(tables):
        path = folder / f"s{number}"
        path.write_text("".join(f"[{label}] ||| {f} ||| {e} ||| v={v} ||| \n" for f, e, label, v in rows), "utf-8")
        sources.append(Source(f"s{number}", path))
        for f, e, _, v in rows:
            wanted[f, e][number].append(v)
    with pytest.MonkeyPatch.context() as patch:
        # So little memory that nearly every entry gets a file, and files are merged several times.
        patch.setattr(combine, "_MOST_RUNS", 3)
        patch.setattr(combine, "_MEGABYTE", memory)
        combine_files(sources, folder / "rules", CombineOptions(memory=1))
    found = {(" ".join(rule.source), " ".join(rule.target)): rule for rule in read_rules(folder / "rules")}
    assert list(found) == sorted(wanted)
    for pair, by_source in wanted.items():
        features = found[pair].features
        assert features["Sources"] == len(by_source)
        for number in range(len(tables)):
            values = by_source.get(number, [])
            assert features[f"s{number}"] == bool(values)
            if values:
                assert features[f"s{number}:v"] == pytest.approx(sum(values) / len(values), abs=1e-5)
            else:
                assert f"s{number}:v" not in features
    assert sorted(path.name for path in folder.iterdir()) == sorted(["rules", *(s.name for s in sources)])


PIECES = st.sampled_from(["a", "[X,1]", "[", "|||", "|", "a b", "", "p(e|f)=1.50", "Lexical=1", "q=-2", "q=NA", "0-0"])
LINES = st.tuples(st.sampled_from(["[X]", "[NP/NN]", "[a,1]", "X", "[]"]), st.lists(PIECES, min_size=3, max_size=5))


@given(LINES.map(lambda drawn: " ||| ".join([drawn[0], *drawn[1]])))
@example("[X] ||| a ||| b ||| q=1 q=2 ||| ")
@example("[X] ||| a ||| b ||| q=1.50 Lexical=1 r=2 ||| 0-0")
def test_the_quick_way_to_read_a_rule_gives_what_the_strict_one_gives(line):
    quick = combine._plain_fields(line)
    if quick is not None:
        assert quick == combine._parsed_fields(line)


def test_the_rules_that_importers_write_are_read_the_quick_way():
    line = "[VBD] ||| purchased ||| bought ||| WordNet=1 Lexical=1 SenseShare=0.50 ||| 0-0"
    wanted = ("purchased", "bought", "VBD", "WordNet=1 SenseShare=0.50", "0-0")
    assert combine._plain_fields(line) == wanted == combine._parsed_fields(line)
    assert combine._plain_fields("[X] ||| in the vicinity of ||| near ||| p(e|f)=2.4 ||| ") is not None


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "at least one source expected"),
        (["meteor", "meteor"], "'meteor' twice"),
        (["Sources"], "belongs to another feature"),
        (["Lexical"], "belongs to another feature"),
    ],
)
def test_names_must_tell_sources_apart(tmp_path, sources, names, message):
    with pytest.raises(DataError, match=message):
        combine_files([Source(name, tmp_path / "meteor") for name in names], tmp_path / "rules")


@pytest.mark.parametrize("text", ["rules.gz", "=rules.gz", "a b=rules.gz", "a=", "a:b=rules.gz"])
def test_a_source_is_a_name_and_a_file(text):
    with pytest.raises(DataError, match="NAME=FILE expected"):
        Source.parse(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected rules, found an empty file"),
        (b"[X] ||| a ||| b\n", ":1: 5 or 6 fields expected"),
        (b"[X] ||| a ||| b |||  ||| \n\xff\n", ":2: UTF-8 text expected"),
        (b"[X] ||| a\0 ||| b |||  ||| \n", ":1: expected text, found a NUL byte"),
    ],
)
def test_what_is_no_rule_is_named_and_nothing_is_written(tmp_path, content, message):
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(DataError) as caught:
        combine_files([Source("bad", tmp_path / "bad")], tmp_path / "rules")
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["bad"]


def test_a_list_without_pairs_is_refused(tmp_path, sources):
    (tmp_path / "list").write_text("alone\n\n", encoding="utf-8")
    with pytest.raises(DataError, match="expected lines of two or more words, found none"):
        combined(tmp_path, *sources)
    assert not (tmp_path / "rules").exists()


def test_options_out_of_range_are_refused(tmp_path, sources):
    for options in ({"min_sources": 0}, {"memory": 0}, {"labels": "none"}):
        with pytest.raises(DataError, match="must be"):
            combined(tmp_path, *sources, **options)
