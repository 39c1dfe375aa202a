"""From names and files to a checked set: every format, and every mistake that would give a wrong number."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.toy_set import CAREFUL, HASTY, REFERENCES, SOURCES, write_lines, write_set

from plainwright import corpora
from plainwright.errors import (
    CorpusMissingError,
    DataError,
    LengthMismatchError,
    PlainwrightError,
    ReferenceShapeError,
    UnknownNameError,
)
from plainwright.evaluation import EvaluationSet, check_outputs, load_set, read_outputs, read_set_files
from plainwright.files import MAX_LINE, read_lines


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    return write_set(tmp_path)


@pytest.fixture
def target() -> EvaluationSet:
    return EvaluationSet(name=None, label="toy", segments=4, sources=SOURCES, references=REFERENCES)


def write_jsonl(path: Path, rows: list[object]) -> Path:
    return write_lines(path, [json.dumps(row, ensure_ascii=False) for row in rows])


def test_a_registered_set_has_its_sources_references_and_systems(data_dir: Path) -> None:
    loaded = load_set("turkcorpus/test", data=data_dir)
    # 359 segments, 8 references: Xu et al. (2016), section 5.
    assert (loaded.name, loaded.segments) == ("turkcorpus/test", 359)
    assert loaded.references is not None
    assert {len(group) for group in loaded.references} == {8}
    assert "PBMT-R" in loaded.systems


def test_plain_files_become_one_list_of_references_for_each_segment(toy: Path) -> None:
    loaded = read_set_files(toy / "source.txt", [toy / "reference.0.txt", toy / "reference.1.txt"])
    assert loaded.sources == SOURCES
    assert loaded.references == REFERENCES
    assert loaded.name is None


def test_source_or_references_may_be_absent(toy: Path) -> None:
    assert read_set_files(toy / "source.txt", []).references is None
    only = read_set_files(None, [toy / "reference.0.txt"])
    assert only.sources is None
    assert only.segments == 4


@pytest.mark.parametrize("ends", [b"\r\n", b"\n"])
@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("last", [b"", b"end"])
def test_line_ends_byte_order_mark_and_a_missing_last_line_end_do_not_matter(
    tmp_path: Path, ends: bytes, mark: bytes, last: bytes
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(mark + ends.join(["one é".encode(), b"two"]) + (ends if last else b""))
    assert read_lines(path) == ["one é", "two"]


def test_other_unicode_separators_are_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\u2028more\x0b\x85x\ntwo\n", encoding="utf-8")
    assert len(read_lines(path)) == 2  # as `wc -l` counts


def test_tsv_lines_may_have_different_numbers_of_references(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.tsv", ["a b\tc\td", "e f\tg\t", "h\ti\tj\tk"])
    loaded = load_set(str(path))
    assert loaded.sources == ("a b", "e f", "h")
    assert loaded.references == (("c", "d"), ("g",), ("i", "j", "k"))


def test_a_tsv_header_is_skipped(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.tsv", ["source\treference 1\treference 2", "a b\tc\td"])
    assert load_set(str(path)).sources == ("a b",)


def test_a_jsonl_source_that_reads_source_is_no_header(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "set.jsonl", [{"source": "Source", "references": ["origin"]}] * 2)
    assert load_set(str(path)).segments == 2


def test_a_table_without_references_is_a_set_without_references(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.tsv", ["a b", "c d"])
    assert load_set(str(path)).references is None


@pytest.mark.parametrize("name", ["set.jsonl", "set.jsonl.gz"])
def test_jsonl_carries_references_and_outputs(tmp_path: Path, name: str) -> None:
    rows = [
        {"source": "a b", "references": ["c"], "outputs": {"one": "d", "two": "e"}, "id": 7},
        {"source": "f", "references": ["g", "h"], "outputs": {"two": "i", "one": ""}},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    loaded = load_set(str(path))
    assert loaded.references == (("c",), ("g", "h"))
    assert loaded.systems == {"one": ("d", ""), "two": ("e", "i")}
    assert read_outputs(["two"], loaded) == {"two": ("e", "i")}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "expected one JSON object per line"),
        ("", "expected one JSON object per line"),
        ("[" * 100_000, "expected one JSON object per line"),
        ("[]", 'expected an object like {"source"'),
        ('{"source": 3}', 'expected an object like {"source"'),
        ('{"source": "a", "references": "b"}', '"references" to be a list of strings'),
        ('{"source": "a", "references": [["b"]]}', '"references" to be a list of strings'),
        ('{"source": "a", "outputs": ["b"]}', '"outputs" to map system names to strings'),
        ('{"source": "a", "outputs": {"s": null}}', '"outputs" to map system names to strings'),
        ('{"source": " ", "references": ["b"]}', "the source is empty"),
        ('{"source": "a", "references": [""]}', "the reference is empty"),
        ('{"source": "a\\u0000"}', "the source holds a NUL or a line break"),
        ('{"source": "a", "outputs": {"s": "x\\ny"}}', "the output of 's' holds a NUL or a line break"),
        ('{"source": "a\\ud800"}', "lone surrogate"),
        ('{"source": "a", "outputs": {"\\udc80": "x"}}', "lone surrogate"),
    ],
)
def test_a_wrong_jsonl_line_is_named(tmp_path: Path, line: str, expected: str) -> None:
    good = '{"source": "a", "references": ["b"]}'
    path = tmp_path / "set.jsonl"
    path.write_text(f"{good}\n{line}\n{good}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_set(str(path))
    assert f"{path}:2: " in str(caught.value)
    assert expected in str(caught.value)


def test_outputs_of_all_lines_must_come_from_the_same_systems(tmp_path: Path) -> None:
    rows: list[object] = [{"source": "a", "outputs": {"s": "b"}}, {"source": "a", "outputs": {"t": "b"}}]
    with pytest.raises(DataError, match=r"set.jsonl:2: expected outputs of \['s'\], found \['t'\]"):
        load_set(str(write_jsonl(tmp_path / "set.jsonl", rows)))


def test_a_segment_without_a_reference_among_others_is_an_error(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "set.tsv", ["a\tb", "c"])
    with pytest.raises(ReferenceShapeError, match="segment 2 has no reference"):
        load_set(str(path))


def test_a_table_of_only_a_header_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="found only a header"):
        load_set(str(write_lines(tmp_path / "set.tsv", ["source\treference"])))


def test_a_missing_table_is_a_missing_file_and_no_unknown_corpus(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        load_set(str(tmp_path / "absent.tsv"))


def test_a_plain_file_given_as_set_is_told_the_way(toy: Path) -> None:
    with pytest.raises(
        DataError, match=r"grade a text by itself with `--outputs .*`, or give --source and --references"
    ):
        load_set(str(toy / "source.txt"))


def test_an_unknown_set_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean turkcorpus/test"):
        load_set("turkcorpus/tset")


def test_a_collection_of_outputs_is_no_set() -> None:
    with pytest.raises(DataError, match="holds outputs, not sources and references; evaluate turkcorpus/test"):
        load_set("xu2016/outputs")


def test_outputs_are_called_after_their_files(toy: Path, target: EvaluationSet) -> None:
    (toy / "packed.txt.gz").write_bytes(gzip.compress("\n".join(HASTY).encode()))
    named = [str(toy / "careful.txt"), f"mine={toy / 'hasty.txt'}", str(toy / "packed.txt.gz")]
    assert read_outputs(named, target) == {"careful": CAREFUL, "mine": HASTY, "packed": HASTY}


def test_a_name_with_an_equals_sign_that_is_a_file_is_that_file(toy: Path, target: EvaluationSet) -> None:
    path = write_lines(toy / "beam=5.txt", CAREFUL)
    assert list(read_outputs([str(path)], target)) == ["beam=5"]


def test_standard_input_is_an_output(monkeypatch: pytest.MonkeyPatch, target: EvaluationSet) -> None:
    stream = io.TextIOWrapper(io.BytesIO("\n".join(CAREFUL).encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert read_outputs(["mine=-"], target) == {"mine": CAREFUL}


def test_equal_file_names_are_told_apart_by_their_directories(toy: Path, target: EvaluationSet) -> None:
    for directory in ("first", "second"):
        (toy / directory).mkdir()
        write_lines(toy / directory / "out.txt", CAREFUL)
    names = list(read_outputs([f"{toy}/first/out.txt", f"{toy}/second/out.txt"], target))
    assert names == ["out", f"{toy}/second/out"]


def test_names_that_stay_equal_are_an_error(toy: Path, target: EvaluationSet) -> None:
    with pytest.raises(DataError, match="two outputs are called 'x'; give each its own name"):
        read_outputs([f"x={toy / 'careful.txt'}", f"x={toy / 'hasty.txt'}"], target)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_file_name_that_is_no_text_can_be_printed(toy: Path, target: EvaluationSet) -> None:
    path = os.fsdecode(os.fsencode(toy) + b"/caf\xe9.txt")
    write_lines(Path(path), CAREFUL)
    assert list(read_outputs([path], target)) == ["caf?"]


def test_released_systems_are_outputs_by_name_on_every_set_with_their_segments(data_dir: Path) -> None:
    hsplit = load_set("hsplit/test", data=data_dir)
    outputs = read_outputs(["DSS", "sulem2018/outputs:SEMoses", "dissim"], hsplit, data=data_dir)
    assert list(outputs) == ["DSS", "SEMoses", "dissim"]
    assert outputs.registered == {"DSS", "SEMoses", "dissim"}
    assert {len(lines) for lines in outputs.values()} == {hsplit.segments}
    assert not any("<SEP>" in line for line in outputs["dissim"])  # a mark between sentences, which is no word


def test_a_system_of_several_collections_is_asked_for_with_its_collection(target: EvaluationSet) -> None:
    named = replace(target, name="turkcorpus/test", label="turkcorpus/test")
    with pytest.raises(
        DataError, match=r"'Hybrid' is the name of a system in several .+ say which: .+:Hybrid or .+:Hybrid$"
    ):
        read_outputs(["Hybrid"], named)


@pytest.mark.parametrize("item", ["SEMose", "sulem2018/outputs:SEMose"])
def test_a_mistyped_system_of_a_collection_suggests_the_nearest(item: str, target: EvaluationSet) -> None:
    named = replace(target, name="hsplit/test", label="hsplit/test")
    with pytest.raises(UnknownNameError, match="did you mean SEMoses"):
        read_outputs([item], named)


@pytest.mark.parametrize("item", ["absent.txt", "x=absent.txt", "dir/absent"])
def test_a_missing_output_names_the_file_that_is_missing(item: str, target: EvaluationSet) -> None:
    with pytest.raises(DataError) as caught:
        read_outputs([item], target)
    assert str(caught.value).startswith(f"{item.rpartition('=')[2]}: no such file")


def test_an_unknown_system_suggests_the_nearest(tmp_path: Path) -> None:
    path = write_jsonl(tmp_path / "set.jsonl", [{"source": "a", "outputs": {"transformer": "b"}}])
    with pytest.raises(UnknownNameError, match="did you mean transformer"):
        read_outputs(["transformr"], load_set(str(path)))


@pytest.mark.parametrize("item", ["carefull.txt", "x=carefull.txt", "careful"])
def test_a_mistyped_file_suggests_the_nearest_in_its_folder(
    toy: Path, target: EvaluationSet, monkeypatch: pytest.MonkeyPatch, item: str
) -> None:
    monkeypatch.chdir(toy)
    with pytest.raises(PlainwrightError, match=r"; did you mean careful.txt\?$"):
        read_outputs([item], target)
    with pytest.raises(DataError, match=rf"no such file; did you mean {toy}/careful.txt\?$"):
        read_outputs([f"{toy}/carefull.txt"], target)


def test_a_mistyped_collection_suggests_those_of_the_set(target: EvaluationSet) -> None:
    named = replace(target, name="turkcorpus/test", label="turkcorpus/test")
    with pytest.raises(DataError, match=r"xu2016/output: no such file; did you mean xu2016/outputs\?$"):
        read_outputs(["xu2016/output"], named)


@pytest.mark.parametrize(
    ("systems", "expected"),
    [({"one": CAREFUL, "two": HASTY}, "systems of toy: one, two, source"), ({}, "give a file, NAME=FILE or source")],
)
def test_a_name_like_no_other_lists_only_what_the_set_has(
    target: EvaluationSet, systems: dict[str, tuple[str, ...]], expected: str
) -> None:
    with pytest.raises(UnknownNameError) as caught:
        read_outputs(["zzzz"], replace(target, systems=systems))
    assert str(caught.value) == f"unknown output file or system 'zzzz'; {expected}"


@pytest.mark.parametrize("collection", corpora.cards(kind="outputs"), ids=lambda card: card.name)
def test_every_registered_collection_can_be_scored_on_its_own_set(data_dir: Path, collection: corpora.Card) -> None:
    assert collection.of is not None
    try:
        target = load_set(collection.of, data=data_dir)
        outputs = read_outputs([collection.name], target, data=data_dir)
    except CorpusMissingError as error:
        pytest.skip(str(error))
    assert list(outputs) == [entry.system for entry in collection.files]
    assert outputs.registered == set(outputs)
    warnings = check_outputs(outputs, target, may_be_empty=outputs.registered)
    # The only empty lines in all collections: 55 and two more of UNTS, found with grep -n '^$'.
    expected = "output 'UNTS' was released with nothing in 3 lines, the first is line 55; scored as it is"
    assert warnings == ([expected] if collection.name.startswith("turkcorpus/") else [])


def test_a_collection_is_refused_on_another_preparation(target: EvaluationSet) -> None:
    other = replace(target, name="turkcorpus/test.detok")
    with pytest.raises(DataError, match=r"holds outputs for turkcorpus/test, .* evaluate turkcorpus/test instead$"):
        read_outputs(["xu2016/outputs"], other)


def test_an_alias_names_the_set_of_a_collection(data_dir: Path) -> None:
    target = load_set("turkcorpus/test.tok_lower", data=data_dir)
    assert "SBMT-SARI" in read_outputs(["xu2016/outputs"], target, data=data_dir)


def test_without_names_the_systems_of_the_set_are_taken(target: EvaluationSet) -> None:
    gaps = ("", *CAREFUL[1:])
    table = replace(target, systems={"one": gaps})
    outputs = read_outputs(None, table)
    assert (outputs, outputs.registered) == ({"one": gaps}, set())  # a table of the user's own
    for named in (None, ["one"]):
        assert read_outputs(named, replace(table, name="toy")).registered == {"one"}


def test_too_few_output_lines_are_counted(target: EvaluationSet) -> None:
    with pytest.raises(LengthMismatchError, match="output 'mine' has 1 line, toy has 4 segments"):
        check_outputs({"mine": ["one"]}, target)


def test_files_of_unequal_length_are_counted(toy: Path) -> None:
    short = write_lines(toy / "short.txt", ["one"])
    with pytest.raises(LengthMismatchError, match=r"source.txt 4 lines, .*short.txt 1 line$"):
        read_set_files(toy / "source.txt", [toy / "reference.0.txt", short])


def test_a_reference_given_twice_is_an_error(toy: Path) -> None:
    with pytest.raises(DataError, match="is given twice in --references"):
        read_set_files(toy / "source.txt", [toy / "reference.0.txt"] * 2)


def test_transposed_reference_files_are_recognised(toy: Path) -> None:
    files = [write_lines(toy / f"t{i}.txt", group) for i, group in enumerate(REFERENCES)]
    with pytest.raises(ReferenceShapeError, match="look transposed: 4 segments but 4 reference files of 2 lines"):
        read_set_files(toy / "source.txt", files)


def test_transposed_reference_files_are_recognised_without_a_source(toy: Path) -> None:
    files = [write_lines(toy / f"t{i}.txt", group) for i, group in enumerate(REFERENCES)]
    with pytest.raises(ReferenceShapeError, match="look transposed: output 'careful' has 4 lines"):
        check_outputs({"careful": CAREFUL}, read_set_files(None, files))


def test_empty_lines_are_refused_unless_allowed(target: EvaluationSet) -> None:
    lines = [CAREFUL[0], " ", CAREFUL[2], ""]
    with pytest.raises(DataError, match=r"line 2 \(and 1 more\) is empty; pass --allow-empty"):
        check_outputs({"mine": lines}, target)
    assert check_outputs({"mine": lines}, target, allow_empty=True) == []


def test_empty_lines_of_released_outputs_are_a_warning(target: EvaluationSet) -> None:
    outputs = {"old": ["", *CAREFUL[1:]], "full": CAREFUL}
    [warning] = check_outputs(outputs, target, may_be_empty=outputs)
    assert warning == "output 'old' was released with nothing in line 1; scored as it is"
    with pytest.raises(DataError, match="pass --allow-empty"):
        check_outputs(outputs, target, may_be_empty=["full"])


def test_a_reference_given_as_output_is_refused_unless_allowed(target: EvaluationSet) -> None:
    reference = [group[1] for group in REFERENCES]
    with pytest.raises(DataError, match="equals reference 1 in every line"):
        check_outputs({"mine": reference}, target)
    check_outputs({"mine": reference}, target, allow_reference=True)


def test_copying_the_source_is_a_baseline_even_if_a_reference_does_it_too() -> None:
    target = EvaluationSet(name=None, label="toy", segments=4, sources=SOURCES, references=tuple((s,) for s in SOURCES))
    check_outputs({"copy": SOURCES}, target)


def read_or_refusal(read: Callable[[], Any]) -> Any:
    """What `read` gives, or None if it refuses in one line; any other exception is a failure."""
    try:
        return read()
    except PlainwrightError as error:
        message = str(error)
    assert "\n" not in message
    return None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    directory = tmp_path_factory.getbasetemp()
    for name in ("a.txt", "a.tsv", "a.jsonl", "a.txt.gz", "a.jsonl.gz"):
        path = directory / name
        path.write_bytes(data)
        lines = read_or_refusal(lambda path=path: read_lines(path))
        if lines is not None:
            assert lines
            assert all("\n" not in line and "\0" not in line and len(line) <= MAX_LINE for line in lines)
        if not name.startswith("a.txt"):
            loaded = read_or_refusal(lambda path=path: load_set(str(path)))
            assert loaded is None or len(loaded.sources) == loaded.segments > 0


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ROWS = st.dictionaries(st.sampled_from(["source", "references", "outputs", "x"]), JSON) | st.fixed_dictionaries(
    {"source": st.text(min_size=1), "references": st.lists(st.text(min_size=1), max_size=3)},
    optional={"outputs": st.dictionaries(st.text(max_size=3), st.text(), max_size=2)},
)


@given(st.lists(ROWS, min_size=1, max_size=3), st.booleans())
def test_any_json_rows_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[object], escaped: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "a.jsonl"
    text = "\n".join(json.dumps(row, ensure_ascii=escaped) for row in rows)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    loaded = read_or_refusal(lambda: load_set(str(path)))
    if loaded is not None:
        assert loaded.segments == len(rows)
        for outputs in loaded.systems.values():
            assert len(outputs) == len(rows)
            "".join(outputs).encode()  # whatever is read can be written


def test_source_names_the_unchanged_input(target: EvaluationSet) -> None:
    assert read_outputs(["source"], target) == {"source": SOURCES}
