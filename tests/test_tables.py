"""TOML that would take gigabytes, or hold what cannot be printed, is refused; everything else is read as it is."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import plainwright
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError
from plainwright.tables import TableReader, parse_toml, read_json, read_toml

DEEP = "more than 16 tables or lists inside each other"


@pytest.mark.parametrize(
    "text",
    [
        "a." * 5_000 + "a = 1",
        "[" + "a." * 17 + "a]",
        "a . " * 17 + "a = 1",
        '"a".' * 9 + "'a'." * 9 + "a = 1",
        # What looks like the start of a string, inside a string or a comment, hides nothing behind it.
        'x = ["""a"""", """b"""]\n' + "a." * 5_000 + 'a = 1 # """',
        'x = """a\\""" \' "" b """\n' + "a." * 5_000 + 'a = 1 # """',
        "# '''\n" + "a." * 5_000 + "a = 1 # '''",
        "x = " + "[" * 17 + "]" * 17,
        "x = " + "[" * 5_000 + "]" * 5_000,
        "x = " + "{a = " * 17 + "1" + "}" * 17,
    ],
)
def test_tables_too_deep_are_refused_at_once(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=DEEP):
            parse_toml(text)
        # By hand: 5,000 parts of a key take 4 * 5,000 * 5,000 bytes, a hundred million, to read.
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a." * 15 + "a = 1", None),
        ('x = "' + "a." * 50 + '"', {"x": "a." * 50}),
        ('x = """' + "a." * 50 + '"""', {"x": "a." * 50}),
        ("x = '" + "a." * 50 + "'", {"x": "a." * 50}),
        ("# " + "a." * 50 + "\nx = 1.5", {"x": 1.5}),
        ('x = ["' + '", "'.join(["a.pack"] * 50) + '"]', {"x": ["a.pack"] * 50}),
    ],
)
def test_dots_elsewhere_are_no_depth(text: str, expected: object) -> None:
    found = parse_toml(text)
    assert expected is None or found == expected


@pytest.mark.parametrize("number", ["0x" + "f" * 5_000, "9" * 5_000, "9223372036854775808", "[-9223372036854775809]"])
def test_whole_numbers_of_more_than_64_bits_are_refused(number: str, tmp_path: Path) -> None:
    path = tmp_path / "model.toml"
    path.write_text(f"x = {number}", encoding="utf-8")
    with pytest.raises(DataError, match=r"model.toml: expected TOML, found something else"):
        read_toml(path)


@pytest.mark.parametrize(
    "text",
    [
        '"' + '\\"' * 500_000,  # every quote could be the start of a string that never ends
        "'\"" * 500_000,
        "x = [" + "1," * 500_000,
    ],
)
def test_looking_for_deep_keys_ends(text: str) -> None:
    # By hand: the square of half a million steps would take hours.
    with pytest.raises(ValueError, match=r"line|document"):
        parse_toml(text)


def test_files_larger_than_anybody_writes_are_refused_unread(tmp_path: Path) -> None:
    for name, read in (("model.toml", read_toml), ("weights.json", read_json)):
        (tmp_path / name).write_text(" " * 1_048_577, encoding="utf-8")
        with pytest.raises(DataError, match=f"{name}: expected a file of at most 1,048,576 bytes, found more"):
            read(tmp_path / name)


def test_json_that_cannot_be_is_refused(tmp_path: Path) -> None:
    for text in ("[" * 100_000, "9" * 5_000, "nonsense"):
        (tmp_path / "weights.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=r"weights.json: expected JSON, found something else"):
            read_json(tmp_path / "weights.json")


def test_a_model_whose_table_is_a_bomb_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.toml").write_text("a." * 50_000 + "a = 1", encoding="utf-8")
    with pytest.raises(DataError, match=DEEP):
        ModelBundle.load(tmp_path)


TABLE = """
top = 1
[part]
word = "w"
words = ["a", "b"]
count = 3
share = 0.5
on = true
long = "nnnnnnnnnn"
nul = "\\u0000"
[part.inner]
x = 2
[[list]]
name = "first"
[[list]]
name = 7
"""


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda table: table.check_keys("top", "prat", "list"), "part: no such setting; did you mean prat?"),
        (lambda table: table.section("top"), "top: expected a table, found 1"),
        (lambda table: table.section("part").text("count"), "part.count: expected text, found 3"),
        (lambda table: table.section("part").text("none"), "part.none: expected text, found nothing"),
        (
            lambda table: table.section("part").text("long", most=9),
            "part.long: expected text of 0 to 9 characters, found ",
        ),
        (lambda table: table.section("part").text("nul"), "part.nul: expected text, found a NUL character in it"),
        (lambda table: table.section("part").texts("word"), "part.word: expected a list, found 'w'"),
        (lambda table: table.section("part").whole("share"), "part.share: expected a whole number, found 0.5"),
        (lambda table: table.section("part").whole("on"), "part.on: expected a whole number, found True"),
        (
            lambda table: table.section("part").whole("count", low=4),
            "part.count: expected a whole number from 4, found 3",
        ),
        (lambda table: table.section("part").number("count", high=1), "expected a finite number to 1, found 3"),
        (lambda table: table.section("part").flag("count"), "part.count: expected true or false, found 3"),
        (lambda table: table.section("part").choice("word", ["a", "b"]), "part.word: expected 'a' or 'b', found 'w'"),
        (lambda table: table.section("part").settings(), "part.words: expected a string, a number or a truth value, "),
        (lambda table: table.section("part").section("inner").text("x"), "part.inner.x: expected text, found 2"),
        (lambda table: table.sections("list", most=1), "list: expected a list of at most 1, found "),
        (lambda table: table.sections("list")[1].text("name"), "list 2.name: expected text, found 7"),
    ],
)
def test_what_is_wrong_in_a_table_is_one_sentence_with_its_place(
    ask: Callable[[TableReader], object], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        ask(TableReader.read(path))
    assert str(caught.value).startswith(f"{path}: ")
    assert sentence in str(caught.value)


def test_values_of_the_right_kind_are_taken_and_absent_ones_have_defaults() -> None:
    table = TableReader("table.toml", parse_toml(TABLE))
    part = table.section("part")
    assert (part.text("word"), part.texts("words"), part.whole("count"), part.number("share")) == (
        "w",
        ("a", "b"),
        3,
        0.5,
    )
    assert (part.text("none", "d"), part.texts("none"), part.whole("none", 1)) == ("d", (), 1)
    assert [*table.section("nothing")] == []
    assert table.sections("nothing") == ()


def test_one_module_alone_reads_toml() -> None:
    source = Path(plainwright.__file__).parent
    readers = [
        path for path in source.rglob("*.py") if re.search(r"\btoml(lib|i)\b|msgspec\.toml", path.read_text("utf-8"))
    ]
    assert [path.name for path in readers] == ["tables.py"]
