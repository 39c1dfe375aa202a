"""Rules as text: every line comes back as it was, every malformed one says what is wrong."""

from __future__ import annotations

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.grammar import Nonterminal, Rule, Skipped, parse_rule, read_rules, write_rules

LINES = [
    "[NN] ||| purchase ||| buy ||| Identity=0 p(e|f)=0.64436 p(e|f,LHS)=-0.00425 ||| 0-0",
    "[S/PP] ||| [NP/NP,1] such [VP/PP,2] ||| [VP/PP,2] those [NP/NP,1] ||| WordLenDiff=2.00000 Sim=NA ||| 0-2 1-1",
    "[ADJP+NNS] ||| -lrb- [-RRB-,2] ||| [-RRB-,2] ||| -logp(e1|e2,LHS)=1e-05 a=b=3 ||| 1-0 ||| ForwardEntailment",
    "[X] ||| rather |||  |||  ||| ",
    "[X] ||| 67,20 ||| café ||| N=007 M=-0 ||| 0-0",
]


@pytest.mark.parametrize("line", LINES)
def test_lines_come_back_as_they_were(line):
    assert str(parse_rule(line)) == line


def test_genuine_lines_come_back_as_they_were(data_dir):
    path = data_dir / "paraphrase" / "ppdb-format-samples.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [str(rule) for rule in read_rules(path)] == lines
    assert [len(parse_rule(line).features) for line in lines] == [33, 33, 33, 41]


def test_the_parts_of_a_rule():
    rule = parse_rule(LINES[1])
    assert rule.lhs == "S/PP"
    assert rule.source == (Nonterminal("NP/NP", 1), "such", Nonterminal("VP/PP", 2))
    assert rule.target_words == ["those"]
    assert rule.features == {"WordLenDiff": 2.0, "Sim": None}
    assert rule.alignment == ((0, 2), (1, 1))
    assert rule.entailment is None
    assert parse_rule(LINES[2]).features["a=b"] == 3.0
    assert parse_rule(LINES[2]).entailment == "ForwardEntailment"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("[X] ||| a ||| b ||| F=1", "5 or 6 fields expected, separated by ' ||| ', got 4"),
        ("[X] ||| a ||| b ||| F=1 ||| 0-0 ||| E ||| more", "got 7"),
        ("X ||| a ||| b ||| F=1 ||| ", "a left-hand side [LABEL] expected, got 'X'"),
        ("[X] |||  ||| b ||| F=1 ||| ", "the source is empty"),
        ("[X] ||| a ||| ||| F=1 |||  ||| E", "two spaces between the bars"),
        ("[X] ||| a  c ||| b ||| F=1 ||| ", "one space between the parts of the source"),
        ("[X] ||| [NP,1] ||| b ||| F=1 ||| ", "got [NP,1] in the source, none in the target"),
        ("[X] ||| [NP,1] ||| [NN,1] ||| F=1 ||| ", "got [NP,1] in the source, [NN,1] in the target"),
        ("[X] ||| [NP,3] ||| [NP,3] ||| F=1 ||| ", "nonterminal index 1 or 2 expected, got '[NP,3]' in the source"),
        ("[X] ||| [A,1] [B,1] ||| [A,1] ||| F=1 ||| ", "each nonterminal index once"),
        ("[X] ||| [,1] ||| [,1] ||| F=1 ||| ", "a label expected"),
        ("[X] ||| a ||| b ||| F ||| ", "features as Name=value expected, got 'F'"),
        ("[X] ||| a ||| b ||| =1 ||| ", "features as Name=value expected"),
        ("[X] ||| a ||| b ||| F=1 F=2 ||| ", "got 'F' twice"),
        ("[X] ||| a ||| b ||| F=one ||| ", "a number or NA expected for the feature 'F', got 'one'"),
        ("[X] ||| a ||| b ||| F=nan ||| ", "a number or NA expected"),
        ("[X] ||| a ||| b ||| F=1e39 ||| ", "a number or NA expected"),
        ("[X] ||| a ||| b ||| F=١ ||| ", "a number or NA expected"),
        ("[X] ||| a ||| b ||| F=1 ||| 0-1", "i below 1 and j below 1 expected, got '0-1'"),
        ("[X] ||| a ||| b ||| F=1 ||| 0-0-0", "alignment points i-j"),
        ("[X] ||| a ||| b ||| F=1 ||| 0-0 ||| two words", "one word expected as entailment"),
        ("[X] ||| a\x00 ||| b ||| F=1 ||| ", "NUL"),
        ("", "got 1"),
    ],
)
def test_malformed_lines_say_what_is_wrong(line, problem):
    with pytest.raises(DataError) as error:
        parse_rule(line)
    assert problem in str(error.value)


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "rules.txt"
    path.write_text(LINES[0] + "\n[X] ||| a ||| b\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"rules\.txt:2: 5 or 6 fields expected"):
        list(read_rules(path))


def test_lenient_reading_skips_and_counts(tmp_path):
    path = tmp_path / "rules.gz"
    text = "\n".join([LINES[0], "no rule", *LINES[1:], "", "[X] ||| \xff"])
    path.write_bytes(gzip.compress(text.encode("latin-1", "replace").replace(b"?", b"\xff")))
    skipped, seen = Skipped(), []
    rules = list(
        read_rules(path, lenient=True, skipped=skipped, progress=lambda done, total: seen.append((done, total)))
    )
    assert len(rules) == 4
    assert skipped.count == 4
    assert "rules.gz:2: 5 or 6 fields" in skipped.examples[0]
    assert seen[-1][0] == seen[-1][1] == path.stat().st_size


@pytest.mark.parametrize("content", [b"no gzip at all", gzip.compress(b"[X] ||| a" * 1000, mtime=0)[:-20]])
def test_bad_gzip_is_an_error(tmp_path, content):
    path = tmp_path / "rules.gz"
    path.write_bytes(content)
    with pytest.raises(DataError):
        list(read_rules(path))


def test_missing_files_and_other_encodings_are_errors(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        list(read_rules(tmp_path / "none"))
    with pytest.raises(DataError, match="directory"):
        list(read_rules(tmp_path))
    (tmp_path / "wide").write_bytes("[X]".encode("utf-16"))
    with pytest.raises(DataError, match="UTF-16"):
        list(read_rules(tmp_path / "wide"))


def test_byte_order_marks_and_carriage_returns_are_dropped(tmp_path):
    path = tmp_path / "rules"
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(line.encode() for line in LINES) + b"\r\n")
    assert [str(rule) for rule in read_rules(path)] == LINES


def test_writing_refuses_what_cannot_be_read_back():
    stream = io.StringIO()
    assert write_rules(stream, [parse_rule(line) for line in LINES]) == len(LINES)
    assert stream.getvalue().splitlines() == LINES
    for word in ("two words", "|||", "", "a\nb"):
        with pytest.raises(DataError):
            write_rules(io.StringIO(), [Rule("X", ("a", "b"), (word, "c"))])


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \r\n\0"), min_size=1).filter(
    lambda word: word != "|||" and not (word[0] == "[" and word[-1] == "]" and "," in word)
)
labels = words.filter(lambda label: label != "|||")
values = st.none() | st.floats(-(2.0**127), 2.0**127, width=32)
names = words.filter(lambda name: not name.endswith("="))


@st.composite
def rules(draw):
    gaps = [Nonterminal(draw(labels), index) for index in range(1, 1 + draw(st.integers(0, 2)))]
    source = draw(st.permutations(gaps + draw(st.lists(words, min_size=not gaps, max_size=4))))
    target = draw(st.permutations(gaps + draw(st.lists(words, max_size=4))))
    points = st.tuples(st.integers(0, len(source) - 1), st.integers(0, max(len(target) - 1, 0)))
    alignment = draw(st.lists(points, max_size=4)) if target else []
    features = draw(st.dictionaries(names, values, max_size=5))
    entailment = draw(st.none() | words)
    return Rule(draw(labels), tuple(source), tuple(target), features, tuple(alignment), entailment)


@given(rules())
def test_rules_survive_the_round_trip(rule):
    again = parse_rule(str(rule))
    assert again == rule
    assert str(again) == str(rule)


@given(st.text(max_size=60) | st.lists(st.sampled_from(["[X]", " ||| ", "a", "[A,1]", "F=1", "0-0", " "])).map("".join))
def test_any_text_is_a_rule_that_comes_back_or_an_error(line):
    try:
        rule = parse_rule(line)
    except DataError:
        return
    assert str(rule) == (line + " " if line.endswith(" |||") else line)
