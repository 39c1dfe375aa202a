"""`plainwright learn` through the real command."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
import typer

from plainwright.cli import main as cli

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def pairs(toy: Path) -> Path:
    (toy / "normal.txt").write_text("they purchased bread .\n\nshe purchased books .\n", encoding="utf-8")
    (toy / "simple.txt").write_text("they bought bread .\nx\nshe bought books .\n", encoding="utf-8")
    return toy


def test_text_becomes_rules_that_can_be_packed_and_looked_up(plainwright, pairs):
    done = plainwright("learn", "align", "normal.txt", "simple.txt", "--monolingual", "-o", "points.txt")
    assert (done.returncode, done.stderr) == (0, "plainwright: note: 1 pairs with an empty side skipped\n")
    assert done.stdout.splitlines()[0] == "points.txt\t3 pairs\t8 points"
    assert (pairs / "points.txt").read_text(encoding="utf-8") == "0-0 1-1 2-2 3-3\n\n0-0 1-1 2-2 3-3\n"

    files = ("normal.txt", "simple.txt", "points.txt")
    done = plainwright("learn", "extract", *files, "--no-identity", "-o", "rules.gz", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    summary = json.loads(done.stdout)
    assert (summary["pairs"], summary["empty"], summary["too_long"]) == (3, 1, [])
    lines = gzip.decompress((pairs / "rules.gz").read_bytes()).decode().splitlines()
    assert len(lines) == summary["written"] < summary["distinct"]

    assert plainwright("grammar", "pack", "rules.gz", "-o", "rules.pack").returncode == 0
    found = json.loads(plainwright("grammar", "lookup", "rules.pack", "purchased", "--json").stdout)
    assert [candidate["target"] for candidate in found["candidates"]] == ["bought"]


def test_plain_rules_have_the_features_of_counts_only(plainwright, pairs):
    (pairs / "points.txt").write_text("0-0 1-1 2-2 3-3\n\n0-0 1-1 2-2 3-3\n", encoding="utf-8")
    files = ("normal.txt", "simple.txt", "points.txt")
    plainwright("learn", "extract", *files, "--plain", "--nonterminals", 0, "--min-count", 2, "-o", "rules.txt")
    lines = (pairs / "rules.txt").read_text(encoding="utf-8").splitlines()
    assert [line.split(" ||| ")[1] for line in lines] == [".", "purchased"]
    names = {feature.rpartition("=")[0] for feature in lines[0].split(" ||| ")[3].split()}
    assert len(names) == 12
    assert "Lexical" not in names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("align", "normal.txt", "short.txt"), "found normal.txt 3, short.txt 1"),
        (("align", "normal.txt", "latin.txt"), "latin.txt:2: "),
        (("align", "missing.txt", "simple.txt"), "missing.txt: no such file"),
        (("align", "normal.txt", "simple.txt", "--null", 1), "--null"),
        (("extract", "normal.txt", "simple.txt", "short.txt"), "found normal.txt 3, simple.txt 3, short.txt 1"),
        (("extract", "normal.txt", "simple.txt", "simple.txt"), "simple.txt:1: alignment points i-j"),
        (("extract", "normal.txt", "simple.txt", "simple.txt", "--analysis", "x"), "needs a side"),
    ],
)
def test_wrong_input_is_one_sentence_and_writes_nothing(plainwright, pairs, arguments, message):
    (pairs / "short.txt").write_text("0-0\n", encoding="utf-8")
    (pairs / "latin.txt").write_bytes(b"a\n\xe9\nb\n")
    before = sorted(pairs.iterdir())
    done = plainwright("learn", *arguments, "-o", "out.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(pairs.iterdir()) == before


def test_rules_of_others_are_imported_combined_and_packed(plainwright, toy):
    (toy / "meteor.tsv").write_text("purchased\tbought\t0.31\nnear\tby\t0.2\n", encoding="utf-8")
    (toy / "simple.tsv").write_text("0.9\t0.8\t[VBD]\tpurchased\tbought\nbroken\n", encoding="utf-8")
    done = plainwright("learn", "import", "meteor", "meteor.tsv", "--save", "meteor.gz")
    assert (done.returncode, done.stdout, done.stderr) == (0, "meteor.gz\t2 rules\tfrom 2 pairs\n", "")
    done = plainwright("learn", "import", "simple-ppdb", "simple.tsv", "--lenient", "-o", "simple.gz", "--json")
    assert json.loads(done.stdout) == {"output": "simple.gz", "read": 2, "written": 1, "skipped": 1}
    assert done.stderr.startswith("plainwright: note: 1 lines left out, the first: simple.tsv:2: ")
    named = ("meteor=meteor.gz", "simple=simple.gz")
    done = plainwright("learn", "combine", *named, "-o", "rules.gz", "--json", "--quiet")
    summary = json.loads(done.stdout)
    assert (summary["read"], summary["written"], summary["agreed"]) == ({"meteor": 2, "simple": 1}, 2, 1)
    assert plainwright("grammar", "pack", "rules.gz", "--compute", "-o", "rules.pack").returncode == 0
    (toy / "weights.txt").write_text("Sources 1\nmeteor:p(e|f) -0.5\n", encoding="utf-8")
    weighted = ("--weights", "weights.txt", "--json")
    found = json.loads(plainwright("grammar", "lookup", "rules.pack", "purchased", *weighted).stdout)
    # Two sources, and -0.5 times -log(0.31).
    assert [candidate["target"] for candidate in found["candidates"]] == ["bought"]
    assert found["candidates"][0]["score"] == pytest.approx(2 - 0.5 * 1.17118, abs=1e-2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("import", "meteor", "missing.tsv"), "missing.tsv: no such file"),
        (("import", "meteor", "source.txt"), "source.txt:1: a probability above 0 expected"),
        (("import", "meteor", "source.txt", "--min-probability", "few"), "--min-probability: numbers with commas"),
        (("import", "wordnet", "."), "found no data.noun"),
        (("import", "ppdb", "source.txt"), "source.txt:1: 5 or 6 fields expected"),
        (("import", "simple-ppdb", "source.txt"), "source.txt:1: paraphrase score TAB"),
        (("combine", "source.txt"), "NAME=FILE expected"),
        (("combine", "a=source.txt"), "source.txt:1: 5 or 6 fields expected"),
        (("combine", "a=source.txt", "--evidence", "a=source.txt"), "'a' twice"),
    ],
)
def test_sources_that_cannot_be_used_are_one_sentence_and_write_nothing(plainwright, toy, arguments, message):
    before = sorted(toy.iterdir())
    done = plainwright("learn", *arguments, "-o", "out.gz")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(toy.iterdir()) == before


@pytest.fixture
def lexicon(toy: Path) -> Path:
    rules = "".join(f"[X] ||| {one} ||| {other} ||| a=1 Sources=1 ||| 0-0\n" for one, other in LEMMAS)
    (toy / "table.txt").write_text(rules, encoding="utf-8")
    tagged = "".join(f"{one}_NN {one}s_NNS {other}_NN {other}s_NNS\n" for one, other in LEMMAS)
    (toy / "tagged.txt").write_text(tagged, encoding="utf-8")
    (toy / "judged.tsv").write_text("noun\tbicycle\tbike\t2\nnoun\tvehicle\tcar\t0\n", encoding="utf-8")
    (toy / "twice.tsv").write_text("noun\tbicycle\tbike\t2\nnoun\tbicycle\tbike\t1\n", encoding="utf-8")
    return toy


LEMMAS = (("vehicle", "car"), ("bicycle", "bike"), ("residence", "house"))


def test_a_table_and_judgements_become_rules_for_words(plainwright, lexicon):
    arguments = ("table.txt", "--tagged", "tagged.txt", "--judged", "judged.tsv", "-o", "words.txt")
    done = plainwright("learn", "lexicon", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "words.txt\t4 rules\tof 2 pairs of lemmas among 3\n  left out\t1\tjudged wrong\n"
    rules = [line.split(" ||| ")[:3] for line in (lexicon / "words.txt").read_text(encoding="utf-8").splitlines()]
    assert rules == [
        ["[NN]", "bicycle", "bike"],
        ["[NNS]", "bicycles", "bikes"],
        ["[NN]", "residence", "house"],
        ["[NNS]", "residences", "houses"],
    ]
    summary = json.loads(plainwright("learn", "lexicon", *arguments, "--json", "--quiet").stdout)
    assert (summary["output"], summary["judged"], summary["dropped"]) == ("words.txt", 2, {"judged wrong": 1})


PAIR_OUTPUTS = ("--save-sources", "s.txt", "--save-targets", "t.txt")


def test_text_and_pairs_are_made_ready_to_be_learnt_from(plainwright, toy):
    (toy / "set.tsv").write_text("source\tref\nHe bought a car.\tHe got a car.\n", encoding="utf-8")
    (toy / "a.txt").write_text("He bought a car!\nIt's new.\nIt's new.\n", encoding="utf-8")
    (toy / "b.txt").write_text("He has a car.\nIt is new.\nIt is new.\n", encoding="utf-8")
    done = plainwright("learn", "text", "a.txt", "b.txt", "--without", "set.tsv", "--lower", "-o", "text.txt")
    assert (done.returncode, done.stderr) == (0, "")
    counts = "  left out\t2\trepeated or empty\n  left out\t1\tin a set\n"
    assert done.stdout == f"text.txt\t3 sentences\tof 6\n{counts}"
    assert (toy / "text.txt").read_text(encoding="utf-8") == "it 's new .\nhe has a car .\nit is new .\n"
    files = ("--sources", "a.txt", "--targets", "b.txt", "--without", "set.tsv", "--json")
    summary = json.loads(plainwright("learn", "pairs", *files, *PAIR_OUTPUTS).stdout)
    assert (summary["output"], summary["written"], summary["repeated"]) == (["s.txt", "t.txt"], 1, 1)
    assert (toy / "t.txt").read_text(encoding="utf-8") == "It is new .\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("text", "missing.txt", "-o", "out"), "missing.txt: no such file"),
        (("text", "source.txt", "--column", 2, "-o", "out"), "source.txt:1: 2 columns expected, got 1"),
        (("text", "source.txt", "--without", "nowhere", "-o", "out"), "unknown"),
        (("text", "source.txt", "-o", "no/out"), "no/out: cannot be written"),
        (
            (
                "pairs",
                "--sources",
                "source.txt",
                "--targets",
                "judged.tsv",
                "--save-sources",
                "s",
                "--save-targets",
                "t",
            ),
            "found source.txt 4, judged.tsv 2",
        ),
        (("lexicon", "table.txt", "--tagged", "source.txt", "-o", "out"), "source.txt:1: word_TAG expected"),
        (("lexicon", "source.txt", "--tagged", "tagged.txt", "-o", "out"), "source.txt:1: a rule expected"),
        (
            ("lexicon", "table.txt", "--tagged", "tagged.txt", "--judged", "twice.tsv", "-o", "out"),
            "twice.tsv:2: 'bicycle' -> 'bike' was judged differently before",
        ),
        (
            ("lexicon", "table.txt", "--tagged", "tagged.txt", "--simple", "source.txt", "-o", "out"),
            "normal and simple text go together",
        ),
        (("lexicon", "table.txt", "--tagged", "tagged.txt", "--max-risk", 2, "-o", "out"), "--max-risk"),
    ],
)
def test_text_and_words_that_cannot_be_used_are_one_sentence_and_write_nothing(
    plainwright, lexicon, arguments, message
):
    before = sorted(lexicon.iterdir())
    done = plainwright("learn", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(lexicon.iterdir()) == before


def test_pairs_may_be_two_columns_of_one_file(plainwright, toy: Path) -> None:
    (toy / "en-de.tsv").write_text("good morning\tguten Morgen\n", encoding="utf-8")
    given = ("--sources", "en-de.tsv", "--targets", "en-de.tsv", "--save-sources", "en", "--save-targets", "de")
    assert plainwright("learn", "pairs", *given, "--columns", 1, 2).returncode == 0
    assert (toy / "de").read_text(encoding="utf-8") == "guten Morgen\n"
    done = plainwright("learn", "pairs", *given, "--columns", 1)
    assert (done.returncode, "two numbers expected, for source and target, got 1" in done.stderr) == (2, True)


MADE_READY = ("text", "pairs", "tags", "lexicon", "model")
IMPORTS = ("import meteor", "import wordnet", "import ppdb", "import simple-ppdb")


@pytest.mark.parametrize("name", ["align", "extract", "combine", *IMPORTS, *MADE_READY])
def test_every_option_is_documented(name):
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("learning*.md"))
    command = typer.main.get_command(cli.app).commands["learn"]  # type: ignore[attr-defined]
    for part in name.split():
        command = command.commands[part]
    options = [option for option in command.params if option.param_type_name == "option"]
    missing = [option.opts[0] for option in options if not re.search(rf"`{option.opts[0]}`", text)]
    assert missing == []
