from pathlib import Path

import pytest

from plainwright import corpora
from plainwright.corpora.card import FileEntry
from plainwright.corpora.table import read_cards
from plainwright.errors import CorpusMissingError, DataError, PlainwrightError, UnknownNameError


def test_all_is_sorted_and_complete():
    assert corpora.__all__ == sorted(corpora.__all__)
    assert all(hasattr(corpora, name) for name in corpora.__all__)


def test_names_and_aliases_are_unique():
    every = [name for card in corpora.cards() for name in (card.name, *card.aliases)]
    assert len(every) == len(set(every))


def test_an_alias_gives_the_same_card():
    assert corpora.get("turkcorpus/test.tok_lower") is corpora.get("turkcorpus/test")


def test_an_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match=r"did you mean turkcorpus/test"):
        corpora.get("turkcorpus/tets")


def test_a_name_like_no_other_points_to_the_list():
    with pytest.raises(UnknownNameError, match="corpora list"):
        corpora.get("zzzzzz")


@pytest.mark.parametrize("card", corpora.cards(), ids=lambda card: card.name)
class TestEveryCard:
    def test_has_what_a_reader_needs(self, card):
        assert card.title
        assert card.licence
        assert card.citation.startswith("@")
        assert card.citation.count("{") == card.citation.count("}")
        assert card.files

    def test_names_files_with_digests_on_both_sides(self, card):
        for entry in card.files:
            assert len(entry.sha256) == 64
            assert entry.bytes > 0
            assert not entry.path.startswith("/")
            assert ".." not in entry.path
            if entry.upstream is not None:
                assert len(entry.upstream.sha256) == 64
                assert len(entry.upstream.commit) == 40
                # A file that needs no step is published as we read it.
                same = entry.upstream.sha256 == entry.sha256
                assert same == (entry.prepare in ("", "gzip"))

    def test_counts_agree_with_its_files(self, card):
        if card.kind == "set" and not card.columns:
            assert sum(entry.role == "source" for entry in card.files) == 1
            assert sum(entry.role == "reference" for entry in card.files) == card.references
        if card.kind not in ("ratings", "words"):
            counts = {entry.lines for entry in card.files if entry.lines is not None}
            assert all(count > card.segments for count in counts) if card.head else counts <= {card.segments}

    def test_belongs_to_a_registered_corpus(self, card):
        if card.of is not None:
            other = corpora.get(card.of)
            assert card.kind != "outputs" or (other.kind, other.segments) == ("set", card.segments)

    def test_becomes_json_without_loss_of_its_name(self, card):
        assert card.to_dict()["name"] == card.name

    def test_loads_and_verifies_where_its_files_are_present(self, card):
        try:
            corpora.locate(card)
        except CorpusMissingError as error:
            pytest.skip(str(error))
        assert {status.state for status in corpora.verify(card)} == {"ok"}
        if card.kind == "set":
            corpus = corpora.load(card)
            assert len(corpus) == card.segments
            assert {len(row) for row in corpus.references} == {card.references}
            assert all(len(lines) == card.segments for lines in corpus.systems.values())
            assert all(corpus.sources)
            if card.text == "tokenised-lower":
                assert all(line == line.lower() for line in corpus.sources)
                assert all(line == line.lower() for row in corpus.references for line in row)
        elif card.kind == "outputs":
            outputs = corpora.load_outputs(card)
            assert list(outputs) == [entry.system for entry in card.files]
            assert {len(lines) for lines in outputs.values()} == {card.segments}


def test_licences_that_forbid_commercial_use_are_marked():
    assert corpora.get("asset/test").non_commercial
    assert not corpora.get("turkcorpus/test").non_commercial


def test_odd_characters_in_names_are_percent_encoded():
    files = corpora.get("sulem2018/outputs.eval70").files
    (entry,) = (entry for entry in files if entry.system == "SEMoses^m")
    assert entry.upstream is not None
    assert entry.upstream.url().endswith("/Evaluation_system_outputs/SEMoses%5Em")
    assert entry.upstream.url().startswith("https://raw.githubusercontent.com/eliorsulem/simplification-acl2018/")


def test_preparations_of_turkcorpus_are_never_mixed():
    for card in corpora.cards(kind="set"):
        folders = {entry.path.rsplit("/", 1)[0] for entry in card.files if entry.role != "output"}
        assert len(folders) == 1


def test_the_rated_sentences_are_the_first_of_their_set(data_dir):
    whole = corpora.load("turkcorpus/test.nts2017", data=data_dir)
    rated = corpora.load("turkcorpus/test.eval70", data=data_dir)
    assert (rated.sources, rated.references) == (whole.sources[:70], whole.references[:70])
    sources = [set(line.split()) for line in whole.sources]
    # Each of the 70 lines of an output that only splits has most words in common with the source of its own number.
    for number, line in enumerate(corpora.load_outputs("hsplit/outputs.eval70", data=data_dir)["HSplit1"]):
        words = set(line.lower().split())
        overlap = [len(words & source) / len(words | source) for source in sources]
        assert overlap.index(max(overlap)) == number


@pytest.mark.parametrize("name", ["xu2016/outputs", "asset/ratings"])
def test_loading_as_a_set_what_is_none_is_refused(name):
    with pytest.raises(DataError, match="expected a set"):
        corpora.load(name)


def test_loading_outputs_of_a_set_is_refused():
    with pytest.raises(DataError, match="expected a collection of outputs"):
        corpora.load_outputs("turkcorpus/test")


def test_errors_are_ours():
    assert issubclass(CorpusMissingError, PlainwrightError)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("knid = 'set'", "cards.a/b.knid: no such setting; did you mean kind?"),
        ("kind = 'sett'", "cards.a/b.kind: expected 'set' or 'outputs' or 'ratings' or 'words', found 'sett'"),
        (
            "kind = 'set'\ntitle = 't'\nlicence = 'MIT'\ncitations = ['nobody']",
            "citations.nobody: expected text, found nothing",
        ),
    ],
)
def test_a_mistake_in_the_table_of_corpora_is_one_sentence(tmp_path: Path, line: str, sentence: str) -> None:
    path = tmp_path / "table.toml"
    path.write_text(f"[cards.'a/b']\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        list(read_cards(lambda path, **labels: FileEntry(path=path, bytes=0, sha256="", **labels), path))
    assert str(caught.value) == f"{path}: {sentence}"
