"""The native tokenisers against sacreBLEU (2.6 when the expected strings below were read off it)."""

from __future__ import annotations

import gzip
import itertools
import multiprocessing
import unicodedata
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer

from plainwright import _core
from plainwright.errors import DataError, UnknownNameError
from plainwright.text import TOKENIZERS, tokenize, tokenize_lines

_PEERS = {"13a": Tokenizer13a(), "intl": TokenizerV14International(), "none": NoneTokenizer()}


def sacrebleu_tokens(line: str, tokenizer: str, lowercase: bool) -> str:
    """What BLEU's n-gram extraction sees."""
    if lowercase:
        line = line.lower()
    return " ".join(_PEERS[tokenizer](line.rstrip()).split())


def assert_parity(line: str) -> None:
    for tokenizer in TOKENIZERS:
        for lowercase in (False, True):
            found = tokenize(line, tokenizer=tokenizer, lowercase=lowercase)
            assert found == sacrebleu_tokens(line, tokenizer, lowercase), (tokenizer, lowercase)


# The casing tables are of Unicode 14; later versions give case to characters that it leaves unassigned.
_assigned = st.characters(exclude_categories=["Cs", "Cn"], max_codepoint=0x1FFFF).filter(
    lambda c: c not in "\ua7cb\ua7cc\ua7da\ua7dc" and not "\U00010d50" <= c <= "\U00010d65"
)
_spaces = [
    "\t",
    "\n",
    "\r",
    "\x0b",
    "\x1c",
    "\x1f",
    "\x85",
    "\xa0",
    "\u1680",
    "\u2003",
    "\u2028",
    "\u202f",
    "\u3000",
]
_markup = ["<skipped>", "-\n", "&amp;", "&lt;", "&QUOT;", "&gt;"]
_pieces = ["...", ".,", "1.5", "3,", "Σ", "ΑΣ", "İ", "\u0307", "\u00ad", *"ab19 .,-'\"&<>;$%/_~^½²٣Ⅳ€«»。、…"]
_hard = st.sampled_from(_spaces + _markup + _pieces)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a.,b", "a . , b"),
        ("...", ". . ."),
        ("1.,2", "1 . , 2"),
        ("1..2", "1 . . 2"),
        ("a..5", "a . .5"),
        ("3.5, 4-5", "3.5 , 4 - 5"),
        ("&amp;lt; <skipped>x", "< x"),
        ("semi-\nfinal", "semifinal"),
        ("", ""),
    ],
)
def test_13a_as_read_off_sacrebleu(line: str, expected: str) -> None:
    assert tokenize(line) == expected
    assert_parity(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("In 1990.", "In 1990."),
        ("In 1990. ", "In 1990."),
        (".5", ".5"),
        ("5€", "5 €"),
        ("«a»", "« a »"),
        ("a...5", "a . . . 5"),
    ],
)
def test_intl_as_read_off_sacrebleu(line: str, expected: str) -> None:
    assert tokenize(line, tokenizer="intl") == expected
    assert_parity(line)


@given(st.text(_assigned))
def test_any_unicode_text_gives_what_sacrebleu_gives(line: str) -> None:
    assert_parity(line)


@settings(max_examples=400)
@given(st.lists(_hard, max_size=25).map("".join))
def test_punctuation_digits_and_spaces_give_what_sacrebleu_gives(line: str) -> None:
    assert_parity(line)


@given(st.lists(st.sampled_from("aAΣσς'.\u00ad\u0307\u02b0 1ßİIı"), max_size=12).map("".join))
def test_lower_case_is_that_of_python(line: str) -> None:
    assert _core.lower(line) == line.lower()


def test_every_character_of_unicode_14_is_lowered_and_split_as_in_python() -> None:
    for code in range(0x20000):
        character = chr(code)
        if unicodedata.category(character) in ("Cs", "Cn"):
            continue
        if unicodedata.unidata_version == "14.0.0":
            assert _core.lower(character) == character.lower()
        assert tokenize(f"a{character}b", tokenizer="none") == " ".join(f"a{character}b".split())


def corpus_lines(path: Path) -> Iterator[str]:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    yield from data.decode("utf-8", errors="replace").split("\n")


def differences(lines: list[str]) -> list[tuple[str, bool, str]]:
    """(tokenizer, lowercase, line) wherever we differ from sacreBLEU; it sees a line that is in lower case once."""
    found = []
    lowered = [line.lower() for line in lines]
    for tokenizer in TOKENIZERS:
        peer = {line: sacrebleu_tokens(line, tokenizer, lowercase=False) for line in {*lines, *lowered}}
        for lowercase, seen in ((False, lines), (True, lowered)):
            ours = tokenize_lines(lines, tokenizer, lowercase=lowercase)
            found += [(tokenizer, lowercase, line) for line, own in zip(seen, ours, strict=True) if own != peer[line]]
    return found


# sacreBLEU takes nearly all of the time.
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_lines_of_turkcorpus_and_asset_give_what_sacrebleu_gives(data_dir: Path, every: int) -> None:
    lines: set[str] = set()
    for folder in ("turkcorpus/tok_lower", "turkcorpus/detok_truecased", "asset", "hsplit"):
        lines.update(line for path in (data_dir / folder).glob("*.*") for line in corpus_lines(path))
    assert differences(sorted(lines)[::every]) == []


def parts_of_corpora(directory: Path, size: int) -> Iterator[list[str]]:
    """Every line below a directory once, `size` lines at a time."""
    seen: set[int] = set()
    for path in sorted(path for path in directory.rglob("*") if path.is_file()):
        fresh = list({line: None for line in corpus_lines(path) if hash(line) not in seen})
        seen.update(map(hash, fresh))
        yield from (fresh[start : start + size] for start in range(0, len(fresh), size))


@pytest.mark.slow
def test_lines_of_all_corpora_give_what_sacrebleu_gives(data_dir: Path, whole_corpora: bool) -> None:
    parts = parts_of_corpora(data_dir, 5_000)
    if not whole_corpora:
        # All lines take more than four minutes of CPU time, nearly all of it sacreBLEU's; so one part of 60 is taken.
        assert [found for part in itertools.islice(parts, 0, None, 60) for found in differences(part)] == []
        return
    # Spawned, because a fork may inherit locks.
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        for found in pool.map(differences, parts):
            assert found == []


def test_an_unknown_tokenizer_is_named_with_its_neighbours() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown tokenizer '13b'; did you mean 13a\?"):
        tokenize("a", tokenizer="13b")


def test_a_lone_surrogate_is_an_error_that_names_the_line() -> None:
    with pytest.raises(DataError, match=r"lines\[1\] holds a lone surrogate"):
        tokenize_lines(["a", "\ud800"])
    with pytest.raises(DataError, match="the line holds a lone surrogate"):
        tokenize("\udcff")


def test_one_string_where_lines_are_expected_is_an_error() -> None:
    with pytest.raises(
        DataError, match="tokenize_lines takes lines as a list of strings, got a string; put it into a list"
    ):
        tokenize_lines("abc")


@given(st.binary(max_size=60))
def test_random_bytes_decoded_with_replacement_give_what_sacrebleu_gives(data: bytes) -> None:
    assert_parity(data.decode("utf-8", errors="replace"))


@given(st.binary(max_size=60))
def test_random_bytes_that_escape_decoding_are_an_error_or_parity(data: bytes) -> None:
    line = data.decode("utf-8", errors="surrogateescape")
    if any("\ud800" <= character <= "\udfff" for character in line):
        with pytest.raises(DataError, match="lone surrogate"):
            tokenize(line)
    else:
        assert_parity(line)


def test_a_line_of_one_megabyte_and_a_nul_character_pass() -> None:
    assert tokenize("a\0b.") == "a\0b ."
    assert tokenize("a." * 500_000).count(" . ") == 499_999
