"""Learning a tagger: it learns what it is shown, reads both forms of text, and says what is wrong with others."""

from __future__ import annotations

import gzip
import json

import pytest
from tests.toy_tags import SENTENCES, SMALL, as_lines
from typer.testing import CliRunner

from plainwright.cli.learn import app
from plainwright.errors import DataError
from plainwright.learn.tagger import TaggerOptions, learn_tagger, learn_tagger_files, measure, read_tagged
from plainwright.text.tagging import Tagger


def test_it_learns_what_it_is_shown():
    tagger = learn_tagger(SENTENCES, SMALL).tagger
    for tokens, tags in SENTENCES:
        assert tagger.tag(tokens) == tags
    found = measure(tagger, SENTENCES)
    assert found.cased == found.tokens == sum(len(tags) for _, tags in SENTENCES)


def test_endings_speak_for_words_never_seen():
    verbs = ["jump", "walk", "talk", "look", "cook", "bark", "park", "mark", "work", "kick"]
    sentences = [(["She", f"{verb}ed", f"{other}ly"], ["PRP", "VBD", "RB"]) for verb in verbs for other in verbs]
    assert learn_tagger(sentences, SMALL).tagger.tag(["She", "blinked", "oddly"]) == ["PRP", "VBD", "RB"]


def test_the_result_depends_on_text_and_options_alone():
    assert learn_tagger(SENTENCES, SMALL).content == learn_tagger(iter(SENTENCES), SMALL).content
    other = TaggerOptions(passes=10, min_count=1, lower_share=0.5, seed=SMALL.seed + 1)
    assert learn_tagger(SENTENCES, other).content != learn_tagger(SENTENCES, SMALL).content


def test_held_out_sentences_are_not_learnt_from():
    result = learn_tagger(SENTENCES, TaggerOptions(passes=2, min_count=1, held_out=2))
    kept = [sentence for number, sentence in enumerate(SENTENCES) if number % 2 == 0]
    assert result.sentences == len(SENTENCES) - len(kept)
    assert result.agreement == measure(result.tagger, kept)


def test_both_forms_of_text_and_gzip_give_the_same(tmp_path):
    (tmp_path / "plain.txt").write_text("\n".join(as_lines(SENTENCES)) + "\n\n", encoding="utf-8")
    with gzip.open(tmp_path / "analyses.gz", "wt", encoding="utf-8") as stream:
        for tokens, tags in SENTENCES:
            heads, relations = ["0"] * len(tokens), ["dep"] * len(tokens)
            stream.write("\t".join(" ".join(column) for column in (tokens, tags, heads, relations)) + "\n")
    plain, analyses = list(read_tagged(tmp_path / "plain.txt")), list(read_tagged(tmp_path / "analyses.gz"))
    assert plain == analyses == SENTENCES
    assert learn_tagger_files([tmp_path / "plain.txt"], SMALL).content == learn_tagger(SENTENCES, SMALL).content


def test_a_word_may_hold_the_separator(tmp_path):
    (tmp_path / "t.txt").write_text("snake_case_NN __:\n", encoding="utf-8")
    assert list(read_tagged(tmp_path / "t.txt")) == [(["snake_case", "_"], ["NN", ":"])]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("The_DT dog", r"t\.txt:2: word_TAG expected, got 'dog'"),
        ("The_DT _NN", r"t\.txt:2: word_TAG expected, got '_NN'"),
        ("The_DT dog_", r"t\.txt:2: word_TAG expected, got 'dog_'"),
        ("The dog\tDT NN", r"t\.txt:2: tokens, tags, heads and relations"),
    ],
)
def test_lines_that_are_not_tagged_text(tmp_path, line, message):
    (tmp_path / "t.txt").write_text(f"The_DT dog_NN\n{line}\n", encoding="utf-8")
    with pytest.raises(DataError, match=message):
        learn_tagger_files([tmp_path / "t.txt"])


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([], "got none"),
        ([([], [])], "got none"),
        ([(["a"], ["DT"]), (["a", "b"], ["DT"])], "sentence 2: every word needs one tag"),
        ([(["a"], ["D T"])], "sentence 1: a tag needs a name without spaces"),
        ([(["a"] * 300, [f"T{i}" for i in range(300)])], "sentence 1: more than 250 different tags"),
    ],
)
def test_sentences_that_cannot_be_learnt_from(sentences, message):
    with pytest.raises(DataError, match=message):
        learn_tagger(sentences)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"passes": 0}, "passes must be from 1 to 1,000, got 0"),
        ({"held_out": 1}, "nothing would be left"),
        ({"lower_share": 1.5}, "lower_share must be from 0 to 1"),
        ({"max_bytes": 10}, "max_bytes must be from 10,000"),
    ],
)
def test_options_out_of_range(options, message):
    with pytest.raises(DataError, match=message):
        learn_tagger(SENTENCES, TaggerOptions(**options))


class TestCommand:
    def test_it_writes_a_tagger_and_says_how_good(self, tmp_path):
        (tmp_path / "t.txt").write_text("\n".join(as_lines(SENTENCES * 4)) + "\n", encoding="utf-8")
        arguments = ["tagger", str(tmp_path / "t.txt"), "-o", str(tmp_path / "e.tagger"), "--held-out", "5", "-q"]
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        assert "held-out tokens" in result.output
        assert Tagger.open(tmp_path / "e.tagger").tag(SENTENCES[0][0]) == SENTENCES[0][1]
        described = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
        assert described["bytes"] == (tmp_path / "e.tagger").stat().st_size
        assert described["held_out"]["tokens"] > 0

    def test_nothing_is_written_if_the_text_is_wrong(self, tmp_path):
        (tmp_path / "t.txt").write_text("no tags\n", encoding="utf-8")
        result = CliRunner().invoke(app, ["tagger", str(tmp_path / "t.txt"), "-o", str(tmp_path / "e.tagger")])
        assert isinstance(result.exception, DataError)
        assert not (tmp_path / "e.tagger").exists()
