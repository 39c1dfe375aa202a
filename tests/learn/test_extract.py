"""Rule extraction: against its twin, by hand, and what must hold for all rules."""

from __future__ import annotations

import gzip
import math
from collections import Counter, defaultdict

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import learn as oracle

from plainwright import _core
from plainwright.errors import DataError, LengthMismatchError, UnknownNameError
from plainwright.grammar.rules import parse_rule
from plainwright.learn.extract import ExtractOptions, extract, extract_files
from plainwright.learn.syntax import Analysis


@st.composite
def aligned_pairs(draw):
    source = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6))
    target = draw(st.lists(st.sampled_from("abxy"), min_size=1, max_size=6))
    points = draw(st.sets(st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1)), max_size=8))
    return source, target, points


def extracted(pairs, options):
    sources, targets = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))
    lines = [" ".join(f"{i}-{j}" for i, j in points) for _, _, points in pairs]
    return [parse_rule(line) for line in extract(sources, targets, lines, options)]


@settings(deadline=None, max_examples=150)
@given(
    st.lists(aligned_pairs(), min_size=1, max_size=3),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 2),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_rules_and_counts_equal_those_of_the_twin(
    pairs, max_span, max_symbols, nonterminals, loose, adjacent, deletions
):
    expected: Counter[tuple[str, str]] = Counter()
    alignments = defaultdict(Counter)
    for source, target, points in pairs:
        found = oracle.rules(
            source,
            target,
            points,
            longest=max_span,
            symbols=max_symbols,
            nonterminals=nonterminals,
            loose=loose,
            adjacent=adjacent,
            deletions=deletions,
        )
        for (e, f, links), count in found.items():
            expected[e, f] += count
            alignments[e, f][links] += count
    options = ExtractOptions(
        max_span=max_span,
        max_symbols=max_symbols,
        nonterminals=nonterminals,
        loose=loose,
        adjacent=adjacent,
        deletions=deletions,
        computed=False,
    )
    rules = extracted(pairs, options)
    sides = [(" ".join(map(str, rule.source)), " ".join(map(str, rule.target))) for rule in rules]
    assert set(sides) == set(expected)
    assert len(sides) == len(expected)
    for rule, side in zip(rules, sides, strict=True):
        assert math.exp(rule.features["LogCount"]) == pytest.approx(expected[side], rel=1e-4)
        links = " ".join(f"{i}-{j}" for i, j in rule.alignment)
        assert alignments[side][links] == max(alignments[side].values())


def analysis_of(tokens):
    """Not grammar, but labels: each letter its own tag, and everything one phrase."""
    size = len(tokens)
    return Analysis(tuple(tokens), tuple(token.upper() for token in tokens), (0,) * size, ("ROOT",) * size)


def test_words_that_went_become_rules_without_a_target():
    pairs = [(["the", "very", "large", "house"], ["the", "house"], [(0, 0), (3, 1)])]
    options = ExtractOptions(nonterminals=0, deletions=True, computed=False)
    gone = [" ".join(map(str, rule.source)) for rule in extracted(pairs, options) if not rule.target]
    assert gone == ["large", "very", "very large"]
    assert not any(not rule.target for rule in extracted(pairs, ExtractOptions(computed=False)))


def test_a_word_aligned_to_what_another_word_is_went_as_well():
    pairs = [(["big", "dogs", "bark"], ["dogs", "bark"], [(0, 0), (1, 0), (2, 1)])]
    rules = extracted(pairs, ExtractOptions(nonterminals=0, loose=True, deletions=True, computed=False))
    assert [" ".join(rule.source) for rule in rules if not rule.target] == ["big"]
    assert ("dogs", "dogs") in {(" ".join(rule.source), " ".join(rule.target)) for rule in rules}
    assert ("big dogs", "dogs") in {(" ".join(rule.source), " ".join(rule.target)) for rule in rules}


def test_only_the_features_that_were_asked_for_are_written():
    pairs = [(["a", "b"], ["a", "c"], [(0, 0), (1, 1)])]
    asked = ("p(f|e)", "Lex(e|f)")
    rules = extracted(pairs, ExtractOptions(computed=False, features=asked))
    assert {tuple(rule.features) for rule in rules} == {asked}
    whole = {(rule.source, rule.target): rule.features for rule in extracted(pairs, ExtractOptions(computed=False))}
    assert all(rule.features[name] == whole[rule.source, rule.target][name] for rule in rules for name in asked)
    with pytest.raises(UnknownNameError, match=r"unknown feature of a rule 'p\(f,e\)'; did you mean"):
        extracted(pairs, ExtractOptions(computed=False, features=("p(f,e)",)))


@settings(deadline=None, max_examples=50)
@given(st.lists(aligned_pairs(), min_size=1, max_size=6))
def test_probabilities_sum_to_one(pairs):
    sources, targets = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))
    lines = [" ".join(f"{i}-{j}" for i, j in points) for _, _, points in pairs]
    analyses = [analysis_of(target) for _, target, _ in pairs]
    options = ExtractOptions(labels="target", computed=False)
    rules = [parse_rule(line) for line in extract(sources, targets, lines, options, analyses=analyses)]
    keys = {
        "p(e|f)": lambda r: (r.source, r.target),
        "p(f|e)": lambda r: (r.target, r.source),
        "p(e|f,LHS)": lambda r: ((r.source, r.lhs), r.target),
        "p(f|e,LHS)": lambda r: ((r.target, r.lhs), r.source),
        "p(LHS|e)": lambda r: (r.target, r.lhs),
        "p(LHS|f)": lambda r: (r.source, r.lhs),
        "p(e|LHS)": lambda r: (r.lhs, r.target),
        "p(f|LHS)": lambda r: (r.lhs, r.source),
    }
    for name, key in keys.items():
        sums = defaultdict(dict)
        for rule in rules:
            given_, made = key(rule)
            value = math.exp(-rule.features[name])
            assert sums[given_].setdefault(made, value) == value  # the same for all rules that share both
        for made in sums.values():
            assert sum(made.values()) == pytest.approx(1, abs=1e-3), name  # values have five digits


def test_features_by_hand():
    # "big" -> "large" twice, "big" -> "great" once; "a" stays.
    lines = extract(
        ["big a", "big", "big"],
        ["large a", "large", "great"],
        ["0-0 1-1", "0-0", "0-0"],
        ExtractOptions(nonterminals=0, computed=False),
    )
    rules = {(" ".join(map(str, r.source)), " ".join(map(str, r.target))): r for r in map(parse_rule, lines)}
    assert list(rules) == [("a", "a"), ("big", "great"), ("big", "large"), ("big a", "large a")]
    large = rules["big", "large"].features
    assert large["p(e|f)"] == large["p(e|f,LHS)"] == pytest.approx(-math.log(2 / 3), abs=1e-5)
    assert large["p(f|e)"] == 0
    assert large["Lex(e|f)"] == pytest.approx(-math.log(2 / 3), abs=1e-5)
    assert large["LogCount"] == pytest.approx(math.log(2), abs=1e-5)
    assert large["RarityPenalty"] == pytest.approx(math.exp(-1), abs=1e-5)
    assert large["p(e|LHS)"] == pytest.approx(-math.log(2 / 5), abs=1e-5)  # five occurrences in all
    assert rules["big", "great"].features["RarityPenalty"] == 1
    assert rules["big a", "large a"].alignment == ((0, 0), (1, 1))


def test_unaligned_words_take_their_lexical_probability_from_nothing():
    # By hand: "x" is never aligned, and is half of what nothing is aligned to ("y" is the other).
    lines = extract(["a b", "a"], ["a x b", "a y"], ["0-0 1-2", "0-0"], ExtractOptions(nonterminals=0, computed=False))
    rule = next(rule for rule in map(parse_rule, lines) if len(rule.target) == 3)
    assert rule.features["Lex(e|f)"] == pytest.approx(math.log(2), abs=1e-5)
    assert rule.features["Lex(f|e)"] == 0


def test_labels_come_from_the_side_that_was_chosen():
    analysis = Analysis(("the", "dog"), ("DT", "NN"), (1, 1), ("det", "ROOT"))
    for side in ("source", "target"):
        options = ExtractOptions(labels=side, computed=False)
        lines = extract(["the dog"], ["the dog"], ["0-0 1-1"], options, analyses=[analysis])
        assert [line.split(" ||| ")[:2] for line in lines] == [
            ["[NN]", "dog"],
            ["[DT]", "the"],
            ["[NP]", "the dog"],
            ["[NP]", "the [NN,1]"],
            ["[NP]", "[DT,1] dog"],
        ]


def test_computed_features_complete_those_of_counts():
    (line,) = extract(["purchase"], ["buy"], ["0-0"])
    rule = parse_rule(line)
    assert {"Lexical", "SourceMaxWordSyl", "p(e|f)", "UnalignedSource"} <= set(rule.features)
    assert rule.features["CharCountDiff"] == -5


def test_what_is_left_out_still_counts():
    sources, targets = ["a", "a", "a", "a"], ["a", "b", "b", "c"]
    every = extract(sources, targets, ["0-0"] * 4, ExtractOptions(computed=False))
    few = extract(sources, targets, ["0-0"] * 4, ExtractOptions(computed=False, identity=False, min_count=2))
    assert few == [line for line in every if "||| a ||| b |||" in line]
    first = extract(sources, targets, ["0-0"] * 4, ExtractOptions(computed=False, max_targets=2))
    assert [line.split(" ||| ")[2] for line in first] == ["a", "b"]  # of equals, the first


def test_words_that_a_grammar_cannot_carry_stay_out_of_rules():
    lines = extract(["a ||| [X,1] b"], ["a ||| [X,1] b"], ["0-0 1-1 2-2 3-3"], ExtractOptions(computed=False))
    rules = [parse_rule(line) for line in lines]
    assert {word for rule in rules for word in rule.source_words} == {"a", "b"}


def test_files_memory_and_threads_change_nothing(tmp_path):
    pairs = [(f"w{k % 7} w{k % 11} w{k % 5} w{k % 3}", f"w{k % 7} v{k % 11} w{k % 5} w{k % 2}") for k in range(3000)]
    extractors = [_core.RuleExtractor(100, "none") for _ in range(2)]
    lines = []
    for extractor, memory, threads in zip(extractors, (1 << 29, 1), (1, 3), strict=True):
        extractor.add([s for s, _ in pairs], [t for _, t in pairs], ["0-0 1-1 2-2 3-3"] * len(pairs), None)
        extractor.run(
            max_span=10,
            max_symbols=5,
            nonterminals=2,
            loose=False,
            adjacent=False,
            identity=True,
            min_count=1,
            max_targets=0,
            threads=threads,
            memory=memory,
            directory=str(tmp_path),
        )
        lines.append([line for batch in iter(lambda e=extractor: e.next(1000), []) for line in batch])
    assert lines[0] == lines[1]
    assert len(lines[0]) > 1000
    assert list(tmp_path.iterdir()) == []


def test_no_room_for_temporary_files_is_one_sentence(tmp_path):
    extractor = _core.RuleExtractor(100, "none")
    extractor.add(["a b"], ["a b"], ["0-0 1-1"], None)
    with pytest.raises(RuntimeError, match="no room for temporary files"):
        extractor.run(
            max_span=10,
            max_symbols=5,
            nonterminals=2,
            loose=False,
            adjacent=False,
            identity=True,
            min_count=1,
            max_targets=0,
            threads=1,
            memory=1,
            directory=str(tmp_path / "missing"),
        )


@given(st.text(max_size=30))
@example("a" + "é" * 40)  # the message shows a part, which must not end within a character
def test_any_text_as_alignment_is_read_or_refused(text):
    extractor = _core.RuleExtractor(100, "none")
    _, _, problem = extractor.add(["a b"], ["c d"], [text], None)
    good = all(point in ("0-0", "0-1", "1-0", "1-1") for point in text.split())
    assert good <= (problem is None)


def write(directory, **files):
    for name, text in files.items():
        (directory / name).write_text(text, encoding="utf-8")


def test_bad_files_name_what_is_wrong(tmp_path):
    write(tmp_path, s="a b\nc\n", t="a b\nc\n", short="0-0\n", far="0-0\n0-1\n", bad="0-0\n0:0\n")
    for alignment, message in (("short", r"s 2, .*t 2, .*short 1"), ("far", "far:2: .*got '0-1'"), ("bad", "bad:2")):
        with pytest.raises(DataError, match=message):
            extract_files(tmp_path / "s", tmp_path / "t", tmp_path / alignment, tmp_path / "out")
    with pytest.raises(LengthMismatchError, match="one entry per pair"):
        extract(["a"], ["a"], [])
    with pytest.raises(DataError, match="max_span must be from 1 to 40, got 41"):
        extract(["a"], ["a"], ["0-0"], ExtractOptions(max_span=41))
    with pytest.raises(DataError, match="needs a side"):
        extract_files(tmp_path / "s", tmp_path / "t", tmp_path / "far", tmp_path / "out", analysis=tmp_path / "x")
    assert not (tmp_path / "out").exists()


def test_analyses_are_read_from_a_file_and_checked_against_the_text(tmp_path):
    write(tmp_path, s="the dog\n\n", t="the dog\nx\n", points="0-0 1-1\n\n")
    write(tmp_path, known="the dog\tDT NN\t1 1\tdet ROOT\n\n", other="a dog\tDT NN\t1 1\tdet ROOT\n\n", none="\n\n")
    write(tmp_path, broken="the dog\tDT NN\t1\tdet ROOT\n\n", head="the dog\tDT NN\t1 7\tdet ROOT\n\n")
    files = [tmp_path / name for name in ("s", "t", "points")]
    options = ExtractOptions(labels="source")
    result = extract_files(*files, tmp_path / "out.gz", options, analysis=tmp_path / "known")
    assert (result.pairs, result.written, result.skips.empty) == (2, 5, 1)
    assert b"[NP] ||| the dog ||| the dog |||" in gzip.decompress((tmp_path / "out.gz").read_bytes())
    for name, message in (
        ("other", "other:1: the analysis of 'the dog' expected, found that of 'a dog'"),
        ("none", "none:1: an analysis expected, found an empty line"),
        ("broken", "broken:1: tokens, tags, heads and relations of equal number"),
        ("head", "head:1: heads from 0 to 1 expected"),
    ):
        with pytest.raises(DataError, match=message):
            extract_files(*files, tmp_path / "bad", options, analysis=tmp_path / name)
    assert not (tmp_path / "bad").exists()


@pytest.mark.slow  # loads spaCy, which only `make test-all` installs
def test_analyses_are_kept_in_a_file(tmp_path):
    pytest.importorskip("spacy")
    write(tmp_path, s="the dog barks .\n\n", t="the dog barks .\nx\n", points="0-0 1-1 2-2 3-3\n\n")
    files = [tmp_path / name for name in ("s", "t", "points")]
    options = ExtractOptions(labels="source")
    for output in ("one", "two"):
        extract_files(*files, tmp_path / output, options, analysis=tmp_path / "kept.gz")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert gzip.decompress((tmp_path / "kept.gz").read_bytes()).startswith(b"the dog barks .\tDT NN VBZ .\t")
