"""Text made ready to be learnt from: once each, and nothing that is measured on."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toy_set import write_lines

from plainwright.errors import DataError, LengthMismatchError
from plainwright.evaluation import load_set
from plainwright.learn.text import Overlap, TextOptions, TextResult, key, pair_files, tag_files, text_files


def texts(
    folder: Path, lines: Sequence[str], *, without: Sequence[str] = (), **options
) -> tuple[list[str], TextResult]:
    write_lines(folder / "in", lines)
    result = text_files([folder / "in"], folder / "out", TextOptions(**options), without=Overlap(without))
    return (folder / "out").read_text(encoding="utf-8").splitlines(), result


def pairs(folder: Path, sources: Sequence[str], targets: Sequence[str], **options) -> TextResult:
    write_lines(folder / "s", sources)
    write_lines(folder / "t", targets)
    return pair_files([folder / "s"], [folder / "t"], folder / "s.out", folder / "t.out", TextOptions(**options))


def test_sentences_are_tokenised_and_written_once(tmp_path):
    lines, result = texts(tmp_path, ["It's late.", "", "IT 'S late!", "So (we) go."])
    assert lines == ["It 's late .", "So ( we ) go ."]
    assert result == TextResult(read=3, written=2, repeated=1, overlapping=0, too_long=0)


def test_words_between_spaces_may_stay_as_they_are(tmp_path):
    assert texts(tmp_path, ["It's  late."], tokens=True)[0] == ["It's late."]


def test_lower_case_is_a_choice(tmp_path):
    assert texts(tmp_path, ["It's LATE."], lower=True)[0] == ["it 's late ."]


def test_paragraphs_become_sentences(tmp_path):
    lines, result = texts(tmp_path, ["It is late. We go home."], sentences=True)
    assert lines == ["It is late .", "We go home ."]
    assert result.read == 2


def test_one_column_of_a_table_is_taken(tmp_path):
    assert texts(tmp_path, ["1\tone\tuno", "2\ttwo\tdue"], column=2)[0] == ["one", "two"]
    with pytest.raises(DataError, match=r"in:2: 3 columns expected, got 1"):
        texts(tmp_path, ["1\tone\tuno", "alone"], column=3)


def test_two_columns_of_a_table_are_pairs(tmp_path):
    lines = ["Good morning.\tguten Morgen\tbonjour", "Thanks.\tdanke\tmerci"]
    assert pairs(tmp_path, lines, lines, pair_columns=(1, 3), lower=True).written == 2
    assert (tmp_path / "s.out").read_text(encoding="utf-8") == "good morning .\nthanks .\n"
    assert (tmp_path / "t.out").read_text(encoding="utf-8") == "bonjour\nmerci\n"
    with pytest.raises(DataError, match=r"t:1: 4 columns expected, got 3"):
        pairs(tmp_path, lines, lines, pair_columns=(1, 4))


def test_long_sentences_are_left_out(tmp_path):
    lines, result = texts(tmp_path, ["a b c", "a b c d"], tokens=True, max_tokens=3)
    assert (lines, result.too_long) == (["a b c"], 1)


def test_what_is_measured_on_is_left_out_whatever_its_case_tokens_and_brackets(tmp_path):
    without = ["The cat (a tom) isn't in.", "!?"]
    lines, result = texts(tmp_path, ["the cat -LRB- a tom -RRB- is n't in", "a cat", "..."], without=without)
    assert lines == ["a cat", "..."]
    assert result.overlapping == 1


@given(st.text(max_size=40))
def test_a_sentence_overlaps_with_itself_however_it_is_written(sentence):
    assert key(sentence) == key(sentence.lower()) == key(f"  {sentence} !")
    assert (sentence in Overlap([sentence])) == bool(key(sentence))


def test_sources_and_references_of_sets_are_left_out(tmp_path):
    (tmp_path / "set.tsv").write_text("source\tref 1\tref 2\nOne cat.\tA cat.\tThe cat.\n", encoding="utf-8")
    overlap = Overlap.of_sets([str(tmp_path / "set.tsv")])
    assert [sentence in overlap for sentence in ("one cat", "a cat", "the cat", "no cat")] == [True, True, True, False]


def test_pairs_stay_together(tmp_path):
    sources, targets = ["A b.", "a B .", "a b .", "", "c"], ["x", "X", "y", "z", "w " * 9]
    result = pairs(tmp_path, sources, targets, max_tokens=8)
    assert (tmp_path / "s.out").read_text(encoding="utf-8") == "A b .\na b .\n"
    assert (tmp_path / "t.out").read_text(encoding="utf-8") == "x\ny\n"
    assert result == TextResult(
        read=5, written=2, repeated=2, overlapping=0, too_long=1
    )  # empty sides go with repeated


def test_a_pair_with_a_side_that_is_measured_on_is_left_out(tmp_path):
    write_lines(tmp_path / "s", ["one", "two", "three"])
    write_lines(tmp_path / "t", ["1", "2", "3"])
    files = ([tmp_path / "s"], [tmp_path / "t"], tmp_path / "s.out", tmp_path / "t.out.gz")
    assert pair_files(*files, without=Overlap(["ONE", "3"])).overlapping == 2
    assert gzip.decompress((tmp_path / "t.out.gz").read_bytes()) == b"2\n"


def test_a_table_of_pairs_is_a_set_for_tuning(tmp_path):
    sources, targets = write_lines(tmp_path / "s", ["A b", "c"]), write_lines(tmp_path / "t", ["B", "c d"])
    table = tmp_path / "pairs.tsv"
    options = TextOptions(lower=True)
    pair_files([sources], [targets], tmp_path / "s.out", tmp_path / "t.out", options, table=table)
    assert table.read_text(encoding="utf-8") == "a b\tb\nc\tc d\n"
    found = load_set(str(table))
    assert list(found.sources) == ["a b", "c"]


WORDS = st.lists(st.sampled_from(["a", "b", "B", ".", "é", "5"]), max_size=3).map(" ".join)


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=20))
def test_every_pair_is_written_or_counted_and_a_second_pass_changes_nothing(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("pairs")
    try:
        result = pairs(folder, *zip(*drawn, strict=True))
    except DataError:
        assert not any(one and other for one, other in drawn)
        return
    assert result.read == len(drawn) == result.written + result.repeated
    once = [(folder / name).read_text(encoding="utf-8").splitlines() for name in ("s.out", "t.out")]
    assert set(zip(*once, strict=True)) <= {(one, other) for one, other in drawn}
    assert pairs(folder, *once).repeated == 0
    assert [(folder / name).read_text(encoding="utf-8").splitlines() for name in ("s.out", "t.out")] == once


def test_several_files_are_read_in_order(tmp_path):
    for name in ("one", "two"):
        write_lines(tmp_path / name, [name, "both"])
    text_files([tmp_path / "two", tmp_path / "one"], tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8").split() == ["two", "both", "one"]


def test_progress_names_the_file(tmp_path):
    told: list[tuple[str, int, int]] = []
    write_lines(tmp_path / "in", ["same"] * 20_000)
    text_files([tmp_path / "in"], tmp_path / "out", progress=lambda *now: told.append(now))
    assert told == [("in", 20_000, 0)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "nothing would be left to learn from: of 0 lines none is new"),
        (b"\n\n", "nothing would be left"),
        (b"a\nb\xe9\n", "in:2: UTF-8 text expected, found byte 0xe9"),
        ("a\n".encode("utf-16"), "in: expected UTF-8 text, found UTF-16"),
        (b"a\0b\n", "in:1: expected text, found a NUL byte"),
        (b"a\n" + b"word " * 1_000_000, "in:2: a sentence or paragraph expected, got a line of 4,999,999 characters"),
    ],
)
def test_what_is_no_text_is_named_and_nothing_is_written(tmp_path, content, message):
    (tmp_path / "in").write_bytes(content)
    with pytest.raises(DataError) as caught:
        text_files([tmp_path / "in"], tmp_path / "out")
    assert message in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_file_of_before_survives_a_failure(tmp_path):
    write_lines(tmp_path / "out", ["precious"])
    with pytest.raises(DataError, match="nothing would be left"):
        texts(tmp_path, ["!"], without=["!"], max_tokens=0)
    assert (tmp_path / "out").read_text(encoding="utf-8") == "precious\n"


@pytest.mark.parametrize(
    ("sources", "targets", "message"),
    [
        (["a", "b"], ["x"], r"found .*s 2, .*t 1"),
        ([], [], "s: expected one sentence per line, found an empty file"),
        (["a"], ["w " * 1_000_000], "t:1: a sentence or paragraph expected"),
    ],
)
def test_files_that_do_not_go_together_are_refused(tmp_path, sources, targets, message):
    with pytest.raises(DataError, match=message):
        pairs(tmp_path, sources, targets)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "t"]


def test_both_sides_need_as_many_files_and_a_file_each_to_write(tmp_path):
    one = write_lines(tmp_path / "one", ["a"])
    with pytest.raises(DataError, match="got 1 and 2"):
        pair_files([one, one], [one], tmp_path / "s", tmp_path / "t")
    with pytest.raises(DataError, match=r"one for each side, got .*out twice"):
        pair_files([one], [one], tmp_path / "out", tmp_path / "x" / ".." / "out")
    with pytest.raises(LengthMismatchError):
        pair_files([one], [write_lines(tmp_path / "two", ["a", "b"])], tmp_path / "s", tmp_path / "t")


@pytest.mark.slow  # loads spaCy, which only `make test-all` installs
def test_sentences_are_tagged_as_the_tagger_reads_them(tmp_path):
    pytest.importorskip("spacy")
    write_lines(tmp_path / "in", ["The dog barks .", "", "far too many words", "snake_case is odd ."])
    result = tag_files([tmp_path / "in"], tmp_path / "out", longest=4)
    first, *_, last = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert first == "The_DT dog_NN barks_VBZ ._."
    assert last.startswith("snake_case_")
    assert (result.read, result.written, result.too_long) == (4, 3, 1)
    from plainwright.learn.tagger import read_tagged

    assert [tokens for tokens, _ in read_tagged(tmp_path / "out")][-1] == ["snake_case", "is", "odd", "."]


@pytest.mark.slow
def test_nothing_to_tag_is_an_error_and_writes_nothing(tmp_path):
    pytest.importorskip("spacy")
    write_lines(tmp_path / "in", ["", "one two"])
    with pytest.raises(DataError, match="nothing would be left"):
        tag_files([tmp_path / "in"], tmp_path / "out", longest=1)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
