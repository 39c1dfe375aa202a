"""Penn-Treebank-style tokens: by hand, round trips, offsets."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import DataError
from plainwright.text import Token, ptb_detokenize, ptb_tokenize


def tokens(text: str, **options: str) -> str:
    return " ".join(token.text for token in ptb_tokenize(text, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It doesn't matter, does it?", "It does n't matter , does it ?"),
        ("They're Jameson's (and others').", "They 're Jameson 's ( and others ' ) ."),
        ('He said "yes".', "He said `` yes '' ."),
        ("‘Yes’, she’d “said”.", "‘ Yes ’ , she ’d “ said ” ."),
        ("Dr. Smith left the U.S. in Jan. 1990.", "Dr. Smith left the U.S. in Jan. 1990 ."),
        ("See http://a.org/b?c=d, or ask me@x.com.", "See http://a.org/b?c=d , or ask me@x.com ."),
        ("It cost $3.50, US$2,000 or 5%.", "It cost $ 3.50 , US$2,000 or 5 % ."),
        ("A well-known one... and 1904-1961.", "A well-known one ... and 1904-1961 ."),
        ("The '90s word(s) of 'em.", "The '90s word(s) of 'em ."),
        ("It was—he said—late.", "It was -- he said -- late ."),
        ("Vitamin C.", "Vitamin C ."),
        ("I said 'no' twice.", "I said ` no ' twice ."),
    ],
)
def test_tokens_by_hand_and_back(text: str, expected: str) -> None:
    assert tokens(text) == expected
    assert ptb_detokenize(expected) == text
    assert ptb_detokenize(ptb_tokenize(text)) == text


def test_quotes_and_brackets_are_options() -> None:
    assert tokens('("a" [b])', quotes="keep") == '( " a " [ b ] )'
    assert tokens('("a" [b])', brackets="ptb") == "-LRB- `` a '' -LSB- b -RSB- -RRB-"
    with pytest.raises(DataError, match="quotes must be 'ptb' or 'keep'; got 'none'"):
        tokens("a", quotes="none")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("it -lrb- 1990 -rrb- , `` word '' .", 'it (1990), "word".'),
        ('the special " the next doctor " , it \'s new', 'the special "the next doctor", it\'s new'),
        ("the writers ' club and the apostles ' creed", "the writers' club and the apostles' creed"),
        ("is n't $ 5 or 5 % ?", "isn't $5 or 5%?"),
        ("", ""),
    ],
)
def test_tokenised_corpora_are_detokenised(line: str, expected: str) -> None:
    assert ptb_detokenize(line) == expected


_words = "a The cat U.S. well-known 1990 3.5 2,000 don't it's dogs' Smith's Dr. e.g. 5% $5 café"
_word = st.sampled_from(_words.split())
_phrase = st.lists(_word, min_size=1, max_size=4).map(" ".join)
_wrapped = st.one_of(
    _phrase,
    _phrase.map(lambda s: f'"{s}"'),
    _phrase.map(lambda s: f"({s})"),
    _phrase.map(lambda s: f"“{s}”"),
    st.tuples(_phrase, _phrase).map("—".join),
)
_sentence = st.tuples(
    st.lists(st.tuples(_wrapped, st.sampled_from(["", ",", ";", ":", "..."])).map("".join), min_size=1, max_size=4),
    st.sampled_from([".", "!", "?", ""]),
).map(lambda parts: " ".join(parts[0]) + parts[1])


@given(_sentence)
def test_ordinary_sentences_come_back(text: str) -> None:
    assert ptb_detokenize(ptb_tokenize(text)) == text
    assert ptb_detokenize(ptb_tokenize(text, brackets="ptb")) == text


@given(st.one_of(st.text(st.characters(exclude_categories=["Cs"])), _sentence))
def test_spans_cover_everything_but_white_space_in_order(text: str) -> None:
    found = ptb_tokenize(text)
    assert "".join(text[token.start : token.end] for token in found) == "".join(text.split())
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(token.start < token.end and token.text for token in found)


def test_offsets_count_characters() -> None:
    assert ptb_tokenize("é, ü") == [Token("é", 0, 1), Token(",", 1, 2), Token("ü", 3, 4)]


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_tokens_can_be_joined(pieces: list[str]) -> None:
    ptb_detokenize(pieces)


@pytest.mark.parametrize("piece", ['"', '" ', "(", ")", "a)", "'s", "a,", ".", "--a", "...", "a…b", "\0", "' "])
def test_a_long_text_ends_soon(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    found = ptb_tokenize(text)
    assert found[-1].end == len(text.rstrip())
    ptb_detokenize(found)


def test_a_lone_surrogate_is_an_error() -> None:
    with pytest.raises(DataError, match="the text holds a lone surrogate"):
        ptb_tokenize("\ud800")
    with pytest.raises(DataError, match=r"tokens\[1\] holds a lone surrogate"):
        ptb_detokenize(["a", "\ud800"])


@pytest.mark.parametrize("name", ["asset/valid.orig", "turkcorpus/detok_truecased/tune.orig"])
def test_98_percent_of_real_lines_come_back(data_dir: Path, name: str) -> None:
    lines = [" ".join(line.split()) for line in (data_dir / name).read_text(encoding="utf-8").splitlines()]
    same = sum(ptb_detokenize(ptb_tokenize(line)) == line for line in lines)
    assert same / len(lines) > 0.98
