"""Lists of words on the command line: `simplify --words` and `learn wordlist`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.in_process import run
from tests.rewrite.word_lists import write_list

from plainwright.models import find

TEXT = "Colleagues will utilise the edifice prior to May.\n"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return write_list(tmp_path / "words.tsv", ["colleague | noun | worker", "edifice | noun | edifice"])


def test_lists_are_given_as_often_as_one_likes_and_the_first_wins(words: Path, tmp_path: Path) -> None:
    other = write_list(tmp_path / "other.tsv", ["colleague | noun | friend", "utilise | verb | run"])
    done = run("simplify", "--engine", "rules", "--words", words, "--words", other, text=TEXT)
    assert (done.returncode, done.stdout) == (0, "Workers will run the edifice before May.\n")


def test_entries_are_shown_as_reasons(words: Path) -> None:
    shown = run("simplify", "--engine", "rules", "--words", words, "--explain", text=TEXT).stdout
    assert "      why  colleague → worker, from words.tsv:1\n" in shown
    [document] = map(json.loads, run("simplify", "--words", words, "--json", text=TEXT).stdout.splitlines())
    edit = document["sentences"][0]["edits"][0]
    assert edit["origin"] == "wordlist"
    assert edit["evidence"] == [
        {"kind": "wordlist", "hard": "colleague", "plain": "worker", "list": "words.tsv", "line": 1}
    ]


def test_a_page_and_comments_for_writers_do_not_name_lines_of_lists(words: Path, tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    document = docx.Document()
    document.add_paragraph(TEXT)
    document.save(tmp_path / "a.docx")
    run("simplify", "a.docx", "--words", words, "--html", "a.html", "--save", "b.docx", "--comments", cwd=tmp_path)
    page = (tmp_path / "a.html").read_text("utf-8")
    comments = [comment.text for comment in docx.Document(str(tmp_path / "b.docx")).comments]
    assert "colleague → worker (plainer words)" in page
    assert any("colleague → worker (plainer words)" in comment for comment in comments)
    assert ".tsv:" not in page + "".join(comments)


def test_a_bad_list_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = write_list(tmp_path / "words.tsv", ["colleague | nuon | worker"])
    for command in (("simplify", "--words", path), ("learn", "wordlist", path, "-o", tmp_path / "words.pack")):
        done = run(*command, text=TEXT)
        assert (done.returncode, done.stdout) == (2, "")
        [sentence] = done.stderr.splitlines()
        assert sentence.startswith(f"plainwright: {path}:1: expected a kind (verb, noun")
    assert not (tmp_path / "words.pack").exists()


def test_a_list_is_neither_packed_over_itself_nor_read_when_packed(words: Path, tmp_path: Path) -> None:
    before = words.read_bytes()
    done = run("learn", "wordlist", words, "-o", words)
    assert done.stderr == f"plainwright: {words}: the result would replace one of the lists; give it another name\n"
    assert (done.returncode, words.read_bytes()) == (2, before)
    pack = tmp_path / "wordlist.pack"
    run("learn", "wordlist", words, "-o", pack)
    done = run("simplify", "--words", pack, text=TEXT)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{pack}: expected a list as people write it, found a packed one; name it" in done.stderr


def test_a_packed_list_goes_into_a_model(words: Path, tmp_path: Path) -> None:
    pack, model = tmp_path / "wordlist.pack", tmp_path / "model"
    done = run("learn", "wordlist", words, "-o", pack)
    assert done.stdout == f"{pack}\t2 entries\t4 forms\t{pack.stat().st_size:,} bytes\n"
    assert json.loads(run("learn", "wordlist", words, "-o", pack, "--json").stdout)["forms"] == 4
    rules = tmp_path / "rules.txt"
    rules.write_text("[X] ||| edifice ||| house ||| good=1 ||| 0-0\n", encoding="utf-8")
    run("grammar", "pack", "-q", rules, "-o", tmp_path / "rules.pack")
    tagger = find("default") / "tagger.pack"
    parts = ("--tagger", tagger, "--wordlist", pack, "-o", model)
    assert run("learn", "model", tmp_path / "rules.pack", *parts).returncode == 0
    done = run("simplify", "-m", model, "--proposers", "wordlist", "--proposers", "scfg", text=TEXT)
    assert done.stdout == "Workers will utilise the edifice prior to May.\n"
