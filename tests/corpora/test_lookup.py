import gzip
import os
import shutil

import pytest

from plainwright import corpora
from plainwright.errors import CorpusMissingError, DataError

from .toys import make_card, make_entry


def put(directory, path, data):
    (directory / path).parent.mkdir(parents=True, exist_ok=True)
    (directory / path).write_bytes(data)


@pytest.fixture
def toy():
    return make_card(
        make_entry("toy/source", b"One .\nTwo .\n"),
        make_entry("toy/reference", b"1 .\n2 .\n", role="reference", reference=0),
    )


def fill(directory):
    put(directory, "toy/source", b"One .\nTwo .\n")
    put(directory, "toy/reference", b"1 .\n2 .\n")


class TestOrder:
    def test_the_given_directory_comes_first_then_the_variable_then_the_cache(self, home, tmp_path, monkeypatch):
        monkeypatch.setenv("PLAINWRIGHT_DATA", str(tmp_path / "named"))
        found = corpora.directories(home)
        assert found[:3] == (home, tmp_path / "named", corpora.cache_directory())

    def test_in_a_checkout_the_shared_data_comes_last(self, home):
        assert corpora.directories()[-1].parts[-2:] == ("shared", "data")

    def test_each_file_comes_from_the_first_directory_that_has_it(self, toy, home, tmp_path, monkeypatch):
        named = tmp_path / "named"
        monkeypatch.setenv("PLAINWRIGHT_DATA", str(named))
        fill(named)
        put(home, "toy/source", b"One .\nTwo .\n")
        assert corpora.locate(toy, data=home) == (home / "toy/source", named / "toy/reference")

    def test_a_given_directory_must_exist(self, toy, home):
        with pytest.raises(DataError, match="expected a data directory, found nothing"):
            corpora.load(toy, data=home / "absent")
        (home / "file").touch()
        with pytest.raises(DataError, match="expected a data directory, found a file"):
            corpora.load(toy, data=home / "file")

    def test_a_variable_that_names_nothing_is_mentioned(self, toy, home, monkeypatch):
        monkeypatch.setenv("PLAINWRIGHT_DATA", str(home / "absent"))
        with pytest.raises(CorpusMissingError, match=r"absent \(no such directory\)"):
            corpora.load(toy)


class TestMissing:
    def test_the_error_says_where_it_looked_and_how_to_get_it(self, toy, home):
        with pytest.raises(CorpusMissingError) as caught:
            corpora.load(toy, data=home)
        assert str(home) in str(caught.value)
        assert "`plainwright corpora fetch toy/test`" in str(caught.value)

    def test_one_missing_file_is_named(self, toy, home):
        put(home, "toy/source", b"One .\nTwo .\n")
        with pytest.raises(
            CorpusMissingError, match="1 of 2 files are not on this machine, the first is toy/reference"
        ):
            corpora.load(toy, data=home)

    def test_what_cannot_be_fetched_is_not_offered_for_fetching(self, home):
        card = make_card(make_entry("toy/source", b"a\n", pinned=False))
        with pytest.raises(CorpusMissingError, match="by hand, `plainwright corpora show toy/test`"):
            corpora.load(card, data=home)

    def test_a_directory_is_no_file(self, toy, home):
        (home / "toy" / "source").mkdir(parents=True)
        with pytest.raises(CorpusMissingError):
            corpora.load(toy, data=home)


class TestDamaged:
    @pytest.mark.parametrize(
        ("data", "problem"),
        [
            (b"One .\nTwo .", "expected 12 bytes, found 11"),
            (b"One .\nTvo .\n", r"expected SHA-256 \w{64}, found \w{64}"),
            (b"", "expected 12 bytes, found 0"),
        ],
    )
    def test_loading_names_file_expectation_finding_and_way_out(self, toy, home, data, problem):
        fill(home)
        put(home, "toy/source", data)
        with pytest.raises(DataError, match=problem) as caught:
            corpora.load(toy, data=home)
        assert str(home / "toy" / "source") in str(caught.value)
        assert f"`plainwright corpora fetch toy/test --force --directory {home}`" in str(caught.value)

    def test_verify_tells_the_three_states_apart(self, home):
        card = make_card(*(make_entry(f"toy/{name}", b"x\n") for name in ("good", "bad", "absent")))
        put(home, "toy/good", b"x\n")
        put(home, "toy/bad", b"y\n")
        statuses = corpora.verify(card, data=home)
        assert [status.state for status in statuses] == ["ok", "damaged", "missing"]
        assert statuses[2].path is None

    # Without the time of day: processes that run tests side by side must name them alike.
    @pytest.mark.parametrize(
        "data", [b"no gzip", gzip.compress(b"x\n", mtime=0)[:-5], b"", gzip.compress(b"y\n", mtime=0)]
    )
    def test_compressed_files_are_checked_by_their_text(self, home, data):
        card = make_card(make_entry("toy/text.gz", b"x\n"))
        put(home, "toy/text.gz", data)
        assert [status.state for status in corpora.verify(card, data=home)] == ["damaged"]
        put(home, "toy/text.gz", gzip.compress(b"x\n", 1))
        assert [status.state for status in corpora.verify(card, data=home)] == ["ok"]

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
    def test_an_unreadable_file_is_reported(self, toy, home):
        fill(home)
        (home / "toy" / "source").chmod(0)
        with pytest.raises(DataError, match="expected readable data"):
            corpora.load(toy, data=home)


class TestCounts:
    def test_another_number_of_lines_than_on_the_card_is_an_error(self, toy, home):
        fill(home)
        card = make_card(*toy.files, segments=3)
        with pytest.raises(DataError, match="toy/source: the card toy/test says 3 lines, found 2"):
            corpora.load(card, data=home)

    def test_another_number_of_references_than_on_the_card_is_an_error(self, toy, home):
        fill(home)
        card = make_card(*toy.files, references=8)
        with pytest.raises(DataError, match="says 8 references, found 1"):
            corpora.load(card, data=home)

    def test_a_row_with_too_few_columns_is_an_error_with_its_line(self, home):
        text = b"a\tb\nc\n"
        card = make_card(make_entry("toy/t.tsv", text, role="table"), columns=("source", "reference"))
        put(home, "toy/t.tsv", text)
        with pytest.raises(DataError, match=r"toy/t.tsv:2: the card toy/test says 2 columns, found 1"):
            corpora.load(card, data=home)


class TestReading:
    def test_a_table_gives_sources_and_references_by_column(self, home):
        text = b"1\tA .\tB .\tC .\n2\tD .\tE .\tF .\n"
        columns = ("id", "source", "reference", "reference")
        card = make_card(make_entry("toy/t.tsv", text, role="table"), columns=columns, references=2)
        put(home, "toy/t.tsv", text)
        corpus = corpora.load(card, data=home)
        assert corpus.sources == ("A .", "D .")
        assert corpus.references == (("B .", "C ."), ("E .", "F ."))

    def test_the_split_mark_becomes_a_space(self, home):
        text = b"A and b .\tA . <::::> B .\nC\tC<::::>D\n"
        card = make_card(
            make_entry("toy/t.tsv", text, role="table"), columns=("source", "reference"), split_mark="<::::>"
        )
        put(home, "toy/t.tsv", text)
        assert corpora.load(card, data=home).references == (("A . B .",), ("C D",))

    def test_a_set_whose_files_disagree_about_case_is_lower_cased(self, toy, home):
        fill(home)
        assert corpora.load(make_card(*toy.files, lower=True), data=home).sources == ("one .", "two .")

    def test_a_set_may_be_the_head_of_its_files(self, toy, home):
        fill(home)
        first = corpora.load(make_card(*toy.files, segments=1, head=True), data=home)
        assert (first.sources, first.references) == (("One .",), (("1 .",),))
        with pytest.raises(DataError, match="says 3 lines, found 2"):
            corpora.load(make_card(*toy.files, segments=3, head=True), data=home)

    def test_unicode_line_separators_stay_inside_their_line(self, home):
        text = "a\u2028b\x85c\nd\n".encode()
        card = make_card(
            make_entry("toy/source", text), make_entry("toy/reference", text, role="reference", reference=0)
        )
        put(home, "toy/source", text)
        put(home, "toy/reference", text)
        assert corpora.load(card, data=home).sources == ("a\u2028b\x85c", "d")

    def test_outputs_are_given_by_system(self, home):
        card = make_card(
            make_entry("toy/A", b"a\nb\n", role="output", system="A"),
            make_entry("toy/B", b"c\n\n", role="output", system="B"),
            kind="outputs",
        )
        put(home, "toy/A", b"a\nb\n")
        put(home, "toy/B", b"c\n\n")
        assert corpora.load_outputs(card, data=home) == {"A": ("a", "b"), "B": ("c", "")}


def test_a_corpus_may_be_copied_by_hand(home):
    """The layout is the same everywhere, so copying the files named on the card is enough."""
    try:
        paths = corpora.locate("xu2016/outputs")
    except CorpusMissingError as error:
        pytest.skip(str(error))
    for entry, path in zip(corpora.get("xu2016/outputs").files, paths, strict=True):
        (home / entry.path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, home / entry.path)
    assert len(corpora.load_outputs("xu2016/outputs", data=home)) == 4
