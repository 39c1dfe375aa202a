"""Lists as people write them, the packed file, and models that have one: used, or refused in one sentence."""

from __future__ import annotations

import pickle
import random
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import pytest
from tests.rewrite.word_lists import simplifier_of, word_list, write_list
from tests.toy_model import write_model

import plainwright
from plainwright.decode.bundle import ModelBundle
from plainwright.errors import DataError
from plainwright.models import find
from plainwright.rewrite import load
from plainwright.rewrite.wordlist import WordList, pack_files, read_entries

DEFAULT_MODEL = find("default")

ENTRIES = (
    "hard | kind | plain | when",
    "# house style",
    "utilise | verb | use",
    "prior to | phrase | before | next!=that",
    "inform … of | verb | tell … about",
    "for the purpose of {VBG} | phrase | to {VB}",
    "vast | adjective | big",
    "clause | noun | clause",
    "needless to say | phrase",
)
TEXT = "Prior to lunch they utilise a more vast clause for the purpose of informing us of it, needless to say."
PLAIN = "Before lunch they use a bigger clause to inform us of it."
MAGIC = b"plainwright wordlist 1\n"


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return write_list(tmp_path / "words.tsv", ENTRIES)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "alone",
            "expected hard, kind, plain and when, separated by tabs, found 1 of them; write commence ⇥ verb ⇥ start",
        ),
        ("a | noun | b | | c", "expected hard, kind, plain and when, separated by tabs, found 5 of them"),
        ("commence | start", "found 'start'; write commence ⇥ verb ⇥ start, say, with tabs for the arrows"),
        ("a | nuon | b", "expected a kind (verb, noun, adjective, adverb, phrase), found 'nuon'"),
        (" | noun | b", "expected words on the hard side that begin with a word and end without a gap, found none"),
        ("… of | phrase | … on", "that begin with a word and end without a gap, found '… of'"),
        ("tell … | phrase | say …", "that begin with a word and end without a gap, found 'tell …'"),
        ("tell … of | phrase | say", "expected one gap (…) on both sides or none, found 1 and 0"),
        ("stop {VBG} | phrase | {VB} and {VB}", "expected one slot on the hard side and it or none on the plain side"),
        ("stop it | phrase | {VB}", "found 0 and 1"),
        ("stop {NN} | phrase | end", "expected a slot ({VB} {VBP} {VBZ} {VBD} {VBN} {VBG}), found '{NN}'"),
        ("a* b* | noun | c", "one of them marked with *, found 2 of them marked"),
        ("reside | verb | normally live", "expected a verb that inflects on the plain side, found 'normally'"),
        ("a | noun | !", "expected words on the plain side, found '!'"),
        ("a | noun | *", "expected words on the plain side, found '*'"),
        ("a | noun | b | next", "expected conditions such as next=to,VB*"),
        ("a | noun | b | form=", "found 'form='"),
        ("a | noun | b | near=c", "found 'near=c'"),
    ],
)
def test_a_bad_line_is_refused_in_one_sentence(tmp_path: Path, line: str, problem: str) -> None:
    path = write_list(tmp_path / "words.tsv", ["utilise | verb | use", line])
    with pytest.raises(DataError) as error:
        read_entries(path)
    assert str(error.value).startswith(f"{path}:2: ")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_comments_the_header_and_missing_fields_are_fine(written: Path) -> None:
    entries = read_entries(written)
    assert [entry.line for entry in entries] == [3, 4, 5, 6, 7, 8, 9]
    assert [entry.protects for entry in entries] == [False] * 5 + [True, False]
    assert entries[-1].plain.words == ()


def test_a_packed_list_does_what_the_written_one_does(written: Path, tmp_path: Path) -> None:
    result = pack_files([written], tmp_path / "words.pack")
    packed = WordList.open(tmp_path / "words.pack")
    assert (len(packed), packed.forms, packed.traits.protects) == (result.entries, result.forms, True) == (7, 14, True)
    assert (
        simplifier_of(packed).simplify(TEXT).text == simplifier_of(WordList.read(written)).simplify(TEXT).text == PLAIN
    )


def test_the_same_lists_give_the_same_bytes_wherever_they_are(written: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    (other / "words.tsv").write_bytes(written.read_bytes())
    pack_files([written], tmp_path / "one.pack")
    pack_files([other / "words.tsv"], tmp_path / "two.pack")
    assert (tmp_path / "one.pack").read_bytes() == (tmp_path / "two.pack").read_bytes()


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"hard\tkind\tplain\n", "expected a word list made by `plainwright learn wordlist`, found another file"),
        (MAGIC + b"x", "damaged"),
        (MAGIC + zlib.compress(b"")[:-3], "damaged (it does not hold entries and their forms)"),
        (MAGIC + zlib.compress(msgpack.packb([[1], {}, [True, False]])), "damaged (its entries or forms are no text)"),
        (
            MAGIC + zlib.compress(msgpack.packb([["a"], {"prior": "prior\t0\t7\t*\tx"}, [False, False]])),
            "damaged (a form that",
        ),
    ],
)
def test_a_damaged_pack_is_refused_in_one_sentence(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "words.pack"
    path.write_bytes(content)
    with pytest.raises(DataError) as error:
        simplifier_of(WordList.open(path)).simplify(TEXT)
    assert str(error.value).startswith(f"{path}: {problem}")


def forged(rng: random.Random, document: list[Any]) -> bytes:
    """A pack with a few changes to what it holds, or to its bytes."""
    entries, rows, protects = document[0][:], dict(document[1]), document[2]
    for _ in range(rng.choice([1, 2, 4])):
        first = rng.choice(sorted(rows))
        match rng.randrange(4):
            case 0:
                rows[first] = changed(rng, rows[first])
            case 1:
                number = rng.randrange(len(entries))
                entries[number] = changed(rng, entries[number])
            case 2:
                rows[first] += "\n" + rng.choice(sorted(rows.values()))
            case _:
                del entries[rng.randrange(len(entries)) :]
                entries.append("x")
    data = bytearray(MAGIC + zlib.compress(msgpack.packb([entries, rows, protects])))
    if rng.random() < 0.2:
        data[rng.randrange(len(data))] = rng.getrandbits(8)
    return bytes(data)


def changed(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(["", "\t", " ", "…", "{VB}", "*", "-1", "99", "\n", "VBG", "é\x00"]) + text[at + 1 :]


def test_whatever_a_pack_holds_it_is_read_or_refused(written: Path, tmp_path: Path) -> None:
    pack_files([written], tmp_path / "words.pack")
    honest = msgpack.unpackb(zlib.decompress((tmp_path / "words.pack").read_bytes()[len(MAGIC) :]))
    rng = random.Random(7)
    refused = []
    for _ in range(400):
        (tmp_path / "forged.pack").write_bytes(forged(rng, honest))
        try:
            simplifier_of(WordList.open(tmp_path / "forged.pack")).simplify(TEXT)
        except DataError as error:
            refused.append(str(error))
    assert 50 < len(refused) < 400
    assert all(sentence.startswith(str(tmp_path / "forged.pack")) for sentence in refused)


def with_wordlist(folder: Path, written: Path, **changes: Any) -> Path:
    """A model with one rule, a tagger and a packed list."""
    rules = "[X] ||| use ||| exploit ||| good=3 ||| 0-0\n[X] ||| clause ||| term ||| good=3 ||| 0-0\n"
    write_model(folder, rules + "[X] ||| lunch ||| meal ||| good=3 ||| 0-0\n")
    pack_files([written], folder / "wordlist.pack")
    (folder / "tagger.pack").write_bytes((DEFAULT_MODEL / "tagger.pack").read_bytes())
    replace(ModelBundle.load(folder), tagger="tagger.pack", **{"wordlist": "wordlist.pack", **changes}).save(folder)
    return folder


def test_a_model_names_its_list_and_the_pass_that_uses_it(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written, proposers=(("wordlist",), ("scfg",)))
    # Rules neither change what the list wrote nor the words that it leaves alone.
    assert load(model).simplify("They utilise a clause at lunch.").text == "They use a clause at meal."
    assert load(model, proposers=[["scfg"]]).simplify("They use a clause.").text == "They exploit a term."
    assert load(model, proposers=[["wordlist"]]).simplify("They use a vast clause.").text == "They use a big clause."
    (model / "wordlist.pack").unlink()
    with pytest.raises(DataError, match=r"names 'wordlist\.pack', which is not in"):
        load(model)


def test_a_list_that_no_pass_names_is_not_used(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written)
    assert load(model).simplify("They utilise a clause.").text == "They utilise a term."
    own = write_list(tmp_path / "own.tsv", ["vast | adjective | huge"])
    assert load(model, words=own).simplify("They utilise a vast clause.").text == "They utilise a huge term."


def test_lists_of_the_user_come_first_and_win(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written, proposers=(("wordlist",),))
    first = write_list(tmp_path / "first.tsv", ["utilise | verb | apply", "lunch | noun | lunch"])
    second = write_list(tmp_path / "second.tsv", ["utilise | verb | work with", "vast | adjective | huge"])
    assert (
        plainwright.simplify("They utilise vast clauses.", model, words=[first, second]) == "They apply huge clauses."
    )
    assert plainwright.simplify("They utilise vast clauses.", model, words=second) == "They work with huge clauses."
    assert plainwright.load(model, words=str(first)).simplify("They utilise it.").text == "They apply it."


def test_equal_sides_protect_words_from_all_proposers(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written, proposers=(("scfg",),))
    own = write_list(tmp_path / "own.tsv", ["lunch | noun | lunch | prev=at"])
    assert load(model, words=own).simplify("At lunch, lunch came.").text == "At lunch, meal came."


def test_a_list_that_was_written_again_is_read_again(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written)
    own = write_list(tmp_path / "own.tsv", ["vast | adjective | huge"])
    assert plainwright.simplify("A vast room.", model, words=own) == "A huge room."
    write_list(own, ["vast | adjective | very big"])
    assert plainwright.simplify("A vast room.", model, words=own) == "A very big room."


def test_a_simplifier_with_lists_can_be_pickled(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written)
    own = write_list(tmp_path / "own.tsv", ["vast | adjective | huge"])
    again = pickle.loads(pickle.dumps(load(model, words=own)))
    assert again.simplify("They utilise a vast clause.").text == "They utilise a huge term."


def test_what_a_list_needs_and_the_model_lacks_is_named(written: Path, tmp_path: Path) -> None:
    bare = write_model(tmp_path / "bare", "[X] ||| a ||| b ||| good=1 ||| 0-0\n")
    with pytest.raises(DataError, match=r"model\.toml: expected a tagger in \[files\], which lists of words need"):
        load(bare, words=written)
    empty = with_wordlist(tmp_path / "model", written, wordlist=None)
    with pytest.raises(DataError, match="expected a list for the proposer 'wordlist', found none"):
        load(empty, proposers=[["wordlist"]])
    with pytest.raises(DataError, match=r"nowhere\.tsv: no such file"):
        load(empty, words="nowhere.tsv")
    for wrong in (5, b"words.tsv", [5]):
        with pytest.raises(DataError, match="words"):
            load(empty, words=wrong)  # type: ignore[arg-type]


def test_a_tuned_or_copied_model_keeps_its_list(written: Path, tmp_path: Path) -> None:
    model = with_wordlist(tmp_path / "model", written)
    bundle = ModelBundle.load(model)
    bundle.create(
        tmp_path / "copy",
        grammars=bundle.grammar_paths,
        tagger=bundle.tagger_path,
        wordlist=bundle.wordlist_path,
    )
    copied = ModelBundle.load(tmp_path / "copy")
    assert copied.wordlist == "wordlist.pack"
    assert (tmp_path / "copy" / "wordlist.pack").read_bytes() == (model / "wordlist.pack").read_bytes()


def test_no_judge_prices_what_people_wrote(tmp_path: Path) -> None:
    """Fidelity would miss "not", and repetition would see "except" twice; both leave a curated entry alone."""
    own = word_list(tmp_path, "fail to | verb | omit to", "save | phrase | except | next=for")
    model = load(DEFAULT_MODEL, engine="rules", words=own.name)
    text = "They came except for one, and all left save for Anna."
    assert model.simplify(text).text == "They came except for one, and all left except for Anna."
