"""Packed grammars: what goes in comes out, and no file can do harm."""

from __future__ import annotations

import gzip
import os
import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.grammar.test_rules import LINES, rules

from plainwright import _core
from plainwright.decode import Decoder
from plainwright.errors import ArgumentTypeError, DataError
from plainwright.grammar import PackedGrammar, Skipped, pack_files, pack_rules, parse_rule
from plainwright.grammar.features import FeatureMaker, dense_features
from plainwright.grammar.packed import pack_blocks

WORDS = [
    "the",
    "a",
    "of",
    "to",
    "in",
    "purchase",
    "buy",
    "principal",
    "main",
    "chief",
    "big",
    "large",
    "commence",
    "begin",
    "start",
    "house",
]


def random_lines(count: int, seed: int = 1) -> list[str]:
    """Distinct rules with 42 features, as PPDB has them, with some values missing."""
    generator = random.Random(seed)
    lines = []
    for number in range(count):
        source = [*generator.choices(WORDS, k=generator.randint(0, 3)), f"w{number}"]
        target = generator.choices(WORDS, k=generator.randint(0, 4))
        for index in range(1, generator.randint(0, 2) + 1):
            label = generator.choice(["NN", "NP/PP", "VP\\NP"])
            for side in (source, target):
                side.insert(generator.randint(0, len(side)), f"[{label},{index}]")
        features = " ".join(
            f"F{i}={generator.choice(['NA', '0', '1', '-2.5', f'{generator.uniform(-9, 9):.5f}'])}"
            for i in range(42)
            if generator.random() < 0.95
        )
        alignment = "0-0" if target else ""
        lines.append(f"[X] ||| {' '.join(source)} ||| {' '.join(target)} ||| {features} ||| {alignment}")
    return lines


def normal(line: str) -> object:
    """A rule as a packed file can give it back: nonterminals numbered by the source, features by name."""
    rule = parse_rule(line)
    order = {gap.index: place for place, gap in enumerate((s for s in rule.source if not isinstance(s, str)), start=1)}
    sides = [
        tuple(s if isinstance(s, str) else (s.label, order[s.index]) for s in side)
        for side in (rule.source, rule.target)
    ]
    features = tuple(sorted((name, None if v is None else _single(v)) for name, v in rule.features.items()))
    return rule.lhs, *sides, features, rule.alignment, rule.entailment


def _single(value: float) -> float:
    return struct.unpack("f", struct.pack("f", value))[0] + 0.0


def pack_lines(path, lines, **options):
    pack_blocks([("rules", "".join(line + "\n" for line in lines).encode())], path, **options)
    return PackedGrammar(path)


def test_rules_come_back_exactly(tmp_path):
    lines = LINES + random_lines(500)
    grammar = pack_lines(tmp_path / "g", lines)
    assert len(grammar) == len(lines)
    assert sorted(map(repr, map(normal, grammar.lines()))) == sorted(map(repr, map(normal, lines)))


@settings(max_examples=50)
@given(st.lists(rules(), max_size=8))
def test_any_rules_come_back(tmp_path_factory, given_rules):
    path = tmp_path_factory.mktemp("packed") / "g"
    assert pack_rules(given_rules, path) == len(given_rules)
    found = sorted(repr(normal(line)) for line in PackedGrammar(path).lines())
    assert found == sorted(repr(normal(str(rule))) for rule in given_rules)


@settings(max_examples=300)
@given(
    st.text(max_size=60).map(str.encode)
    | st.binary(max_size=40)
    | st.lists(st.sampled_from(["[X]", " ||| ", "a", "[A,1]", "F=1", "F=.5e1", "0-0", " ", "[B,2]"])).map(
        lambda pieces: "".join(pieces).encode()
    )
)
def test_both_readers_accept_the_same_lines(line):
    if b"\n" in line or line.endswith(b"\r"):
        return
    try:
        parse_rule(line.decode())
        good = True
    except (DataError, UnicodeDecodeError):
        good = False
    assert (_core.GrammarPacker().feed(line + b"\n") == []) == good


@pytest.mark.parametrize(
    "value", ["1", "-0", "1.", ".5", "1e5", "1E-400", "3.5e38", "-", ".", "1e", "+1", "0x1", "1_0", "inf"]
)
def test_both_readers_agree_on_numbers(value):
    line = f"[X] ||| a ||| b ||| F={value} ||| "
    try:
        parse_rule(line)
        good = True
    except DataError:
        good = False
    assert (_core.GrammarPacker().feed(line.encode()) == []) == good


def test_features_are_those_of_the_rules(tmp_path):
    lines = [f"[X] ||| w{i:03} ||| v ||| P={i / 7:.5f} Q={i % 3} ||| " for i in range(50)]
    lines[7] = "[X] ||| w007 ||| v ||| Q=NA ||| "
    grammar = pack_lines(tmp_path / "g", lines)
    names, rows = dense_features([parse_rule(line) for line in lines])
    assert grammar.feature_names == names
    for i, row in enumerate(rows):
        numbers = grammar.find(f"w{i:03}")
        assert len(numbers) == 1
        assert grammar.features(numbers)[0].tolist() == pytest.approx(row, rel=1e-6)


def test_many_values_are_rounded_to_the_stated_step(tmp_path):
    lines = [f"[X] ||| w{i} ||| v ||| P={i**0.5:.5f} N={i % 200} ||| " for i in range(3000)]
    grammar = pack_lines(tmp_path / "g", lines, bits=10)
    stored = {feature.name: feature for feature in grammar.storage()}
    assert not stored["P"].exact
    assert stored["N"].exact
    for i in range(0, 3000, 37):
        value, count = grammar.features(grammar.find(f"w{i}"))[0].tolist()
        assert abs(value - i**0.5) <= stored["P"].step / 2 + 1e-5
        assert count == i % 200


def test_find_knows_nothing_that_is_not_text(tmp_path):
    pack_lines(tmp_path / "g", random_lines(5))
    assert PackedGrammar(tmp_path / "g").find("\udcff") == range(0)


def test_find_walks_words_and_labels(tmp_path):
    grammar = pack_lines(tmp_path / "g", LINES)
    assert len(grammar.find("purchase")) == 1
    assert len(grammar.find("[NP/NP,1] such [VP/PP,2]")) == 1
    assert len(grammar.find("[NP/NP,1] such")) == 0
    assert len(grammar.find("such")) == len(grammar.find("")) == 0


def test_the_same_lines_give_the_same_bytes_in_any_order(tmp_path):
    lines = random_lines(300)
    first = ["[X] ||| aa ||| b ||| " + " ".join(f"F{i}=0" for i in range(42)) + " ||| "]  # fixes the order of names
    pack_lines(tmp_path / "a", first + lines)
    pack_lines(tmp_path / "b", first + lines[::-1])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_genuine_lines_pack(tmp_path, data_dir):
    path = data_dir / "paraphrase" / "ppdb-format-samples.txt"
    assert pack_files([path], tmp_path / "g") == 4
    found = sorted(repr(normal(line)) for line in PackedGrammar(tmp_path / "g").lines())
    assert found == sorted(repr(normal(line)) for line in path.read_text(encoding="utf-8").splitlines())


def test_all_42_features_come_back(tmp_path):
    class Model:
        def score(self, text: str) -> float:
            return -float(len(text))

    maker = FeatureMaker(language_model=Model())
    carried = " ".join(f"{name}=1.5" for name in ("Lex(e|f)", "Lex(f|e)", "LogCount", "RarityPenalty"))
    carried += "".join(
        f" p({what})=0.25" for what in ["LHS|e", "LHS|f", "e|LHS", "e|f", "e|f,LHS", "f|LHS", "f|e", "f|e,LHS"]
    )
    line = f"[NN] ||| purchase ||| buy ||| {carried} AGigaSim=0.5 GoogleNgramSim=0.25 ||| 0-0"
    rule = maker.complete(parse_rule(line))
    pack_rules([rule], tmp_path / "g")
    [again] = PackedGrammar(tmp_path / "g").rules()
    assert len(again.features) == 42
    assert {name: _single(value) for name, value in rule.features.items()} == {
        name: _single(value) for name, value in again.features.items()
    }


def test_errors_name_file_and_line_in_words(tmp_path):
    (tmp_path / "one.txt").write_text(LINES[0] + "\n", encoding="utf-8")
    (tmp_path / "two.gz").write_bytes(gzip.compress((LINES[1] + "\n[X] ||| a\n").encode()))
    with pytest.raises(DataError, match=r"two\.gz:2: 5 or 6 fields expected, separated by ' \|\|\| ', got 2"):
        pack_files([tmp_path / "one.txt", tmp_path / "two.gz"], tmp_path / "g")
    assert not (tmp_path / "g").exists()
    skipped = Skipped()
    assert pack_files([tmp_path / "two.gz"], tmp_path / "g", lenient=True, skipped=skipped) == 1
    assert skipped.count == 1


def test_too_many_features_are_an_error(tmp_path):
    features = " ".join(f"F{i}=1" for i in range(1001))
    with pytest.raises(DataError, match="1,000 different features"):
        pack_lines(tmp_path / "g", [f"[X] ||| a ||| b ||| {features} ||| "])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not a packed grammar; make one with"),
        (b"[X] ||| a ||| b ||| F=1 ||| 0-0\n", "not a packed grammar"),
        (b"PWGRAM\r\n", "truncated"),
    ],
)
def test_foreign_files_are_errors(tmp_path, content, problem):
    (tmp_path / "g").write_bytes(content)
    with pytest.raises(DataError, match=problem):
        PackedGrammar(tmp_path / "g")


def test_missing_files_and_directories_are_errors(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        PackedGrammar(tmp_path / "none")
    with pytest.raises(DataError, match="directory"):
        PackedGrammar(tmp_path)


def test_another_version_says_so(tmp_path):
    pack_lines(tmp_path / "g", LINES)
    data = bytearray((tmp_path / "g").read_bytes())
    data[8] = 9
    (tmp_path / "g").write_bytes(data)
    with pytest.raises(DataError, match="version 9, this program reads 1; pack it again"):
        PackedGrammar(tmp_path / "g")


def test_damaged_files_are_errors(tmp_path):
    pack_lines(tmp_path / "g", LINES + random_lines(50))
    data = (tmp_path / "g").read_bytes()
    generator = random.Random(3)
    for _ in range(200):
        damaged = bytearray(data)
        damaged[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
        (tmp_path / "bad").write_bytes(damaged)
        with pytest.raises(DataError):
            PackedGrammar(tmp_path / "bad")
        (tmp_path / "bad").write_bytes(data[: generator.randrange(len(data))])
        with pytest.raises(DataError):
            PackedGrammar(tmp_path / "bad")


def test_damaged_records_are_errors_even_unverified(tmp_path):
    pack_lines(tmp_path / "g", random_lines(50))
    data = bytearray((tmp_path / "g").read_bytes())
    data[-1000:-8] = b"\xff" * 992
    (tmp_path / "g").write_bytes(data)
    grammar = PackedGrammar(tmp_path / "g", verify=False)
    with pytest.raises(DataError, match="damaged"):
        list(grammar.lines())
    sources = [line.split(" ||| ")[1] for line in random_lines(50)]
    with pytest.raises(DataError, match="damaged"):
        list(map(grammar.find, sources))
    decoder = Decoder([grammar], weights={})
    with pytest.raises(DataError, match="damaged"):
        [decoder.forest(source.split()) for source in sources]


FULL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from plainwright.errors import DataError
from plainwright.grammar import pack_files
try:
    pack_files([sys.argv[1]], sys.argv[2])
except DataError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX limits")
def test_a_full_disk_leaves_nothing(tmp_path):
    (tmp_path / "rules").write_text("".join(line + "\n" for line in random_lines(200)), encoding="utf-8")
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "rules"), str(tmp_path / "g")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "cannot be written" in run.stdout
    assert os.listdir(tmp_path) == ["rules"]  # noqa: PTH208


def test_rules_are_packed_in_memory() -> None:
    rules = [parse_rule("[X] ||| a ||| b ||| f=1 ||| 0-0"), parse_rule("[NN] ||| c [X,1] ||| [X,1] d ||| f=2 |||")]
    grammar = PackedGrammar.from_rules(iter(rules))
    assert list(grammar.rules()) == rules
    assert len(PackedGrammar.from_rules([])) == 0
    with pytest.raises(
        ArgumentTypeError, match="from_rules takes each rule as a Rule, as parse_rule returns it, got a"
    ):
        PackedGrammar.from_rules(["[X] ||| a ||| b ||| f=1 ||| 0-0"])  # type: ignore[list-item]


def test_rules_as_text_are_packed_in_memory(tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("[X] ||| a ||| b ||| f=1 ||| 0-0\n[X] ||| c ||| d ||| f=2 ||| 0-0\n", encoding="utf-8")
    grammar = PackedGrammar.from_text(path)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert list(grammar.lines()) == lines
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert list(PackedGrammar.from_text(path).lines()) == lines
    path.write_text("[X] ||| a ||| b ||| f=1 ||| 0-0\n[X] ||| c\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"rules\.txt:2: 5 or 6 fields expected"):
        PackedGrammar.from_text(path)
