"""Writing text again: what is not changed comes back to the letter, what is changed fits in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.rewrite.surface import realise
from plainwright.text import ptb_tokenize

SPACED = st.lists(
    st.sampled_from(["The", "cat", "sat", "an", "hour", ",", "“no”", "(ha)", "didn't", "3.5", "U.S.", "."]), max_size=12
).flatmap(
    lambda words: st.lists(st.sampled_from([" ", "  ", "\t"]), min_size=len(words), max_size=len(words)).map(
        lambda gaps: "".join(word + gap for word, gap in zip(words, gaps, strict=True))
    )
)


def simplified(raw: str, target: str) -> str:
    return realise(raw, ptb_tokenize(raw), target.split()).text


@given(SPACED)
def test_unchanged_text_comes_back_to_the_letter(raw: str) -> None:
    tokens = ptb_tokenize(raw)
    done = realise(raw, tokens, [token.text.lower() for token in tokens])
    assert (done.text, done.changes()) == (raw, [])


# Written by hand: the text, the decoder's tokens, and how a careful writer would put it.
@pytest.mark.parametrize(
    ("raw", "target", "expected"),
    [
        ("The physician came.", "the doctor came .", "The doctor came."),
        ("Physicians  came.", "doctors came .", "Doctors  came."),
        ("Subsequently, he left.", "then , he left .", "Then, he left."),
        ("Subsequently, he left.", "he left .", "He left."),
        ("He saw a residence.", "he saw an estate .", "He saw an estate."),
        ("It was an edifice.", "it was a building .", "It was a building."),
        ("It was an ancient hall.", "it was a hall .", "It was a hall."),
        ("An old man.", "a man .", "A man."),
        ("It took an extended hour.", "it took an hour .", "It took an hour."),
        ("He saw an impressive unicorn.", "he saw a unicorn .", "He saw a unicorn."),
        ("PURCHASE NOW!", "buy now !", "BUY NOW!"),
        ("They did not utilise it.", "they did n't use it .", "They didn't use it."),
        ("They didn't utilise it.", "they did not use it .", "They did not use it."),
        ("He went (very quickly) home.", "he went ( quickly ) home .", "He went (quickly) home."),
        ("He slept, exhausted, there.", "he slept there .", "He slept there."),
        ("The cat sat.", "the cat sat down .", "The cat sat down."),
        ("A man, old and grey, spoke.", "a man , old , spoke .", "A man, old, spoke."),
        ("3.5 Cats sat.", "3.5 cats sat down .", "3.5 Cats sat down."),
        ("The cat sat.", "today the cat sat .", "Today the cat sat."),
        ("A cat sat.", "today a cat sat .", "Today a cat sat."),
        ("He saw Bob, who ran.", "he saw bob . he ran .", "He saw Bob. He ran."),
        ("He saw it, which we knew.", "he saw it . we knew .", "He saw it. We knew."),
        ("I sat.", "today i sat .", "Today I sat."),
        ("NASA sat.", "today nasa sat .", "Today NASA sat."),
        ("Are Required To Go", "must always go", "Must Always Go"),
        ('It is "big", he said.', "it is `` large '' , he said .", 'It is "large", he said.'),
    ],
)
def test_changed_text_fits_in(raw: str, target: str, expected: str) -> None:
    assert simplified(raw, target) == expected


def test_changes_name_their_places_in_both_texts() -> None:
    raw = "He saw an edifice there."
    done = realise(raw, ptb_tokenize(raw), ["he", "saw", "a", "building", "there", "."])
    text, changes = done.text, done.changes()
    assert text == "He saw a building there."
    [change] = changes
    assert change.kind == "replace"
    assert (raw[slice(*change.source_span)], text[slice(*change.target_span)]) == ("an edifice", "a building")


# Written by hand: what belongs to the change beside the word itself.
@pytest.mark.parametrize(
    ("raw", "target", "expected"),
    [
        ("It was very old.", "it was old .", [("delete", " very", "")]),
        ("However, he left.", "he left .", [("replace", "However, he", "He")]),
        ("The cat sat.", "today the cat sat .", [("replace", "The", "Today the")]),
        ("The cat sat.", "the cat sat down .", [("insert", "", " down")]),
        ("It is an old edifice, yes.", "it is a building , yes .", [("replace", "an old edifice", "a building")]),
        ("He saw Bob, who ran.", "he saw bob . he ran .", [("split", ", who", ". He")]),
        ("Initially, it ran.", "at first , it ran .", [("replace", "Initially", "At first")]),
        ("A seaside town.", "a town by the sea .", [("replace", "seaside town", "town by the sea")]),
    ],
)
def test_a_change_has_all_that_differs(raw: str, target: str, expected: list[tuple[str, str, str]]) -> None:
    done = realise(raw, ptb_tokenize(raw), target.split())
    text, changes = done.text, done.changes()
    found = [(c.kind, raw[slice(*c.source_span)], text[slice(*c.target_span)]) for c in changes]
    assert found == expected


@given(SPACED, st.lists(st.sampled_from(["the", "cat", "ran", ",", "a", "egg", "."]), max_size=10))
def test_outside_of_changes_nothing_differs(raw: str, target: list[str]) -> None:
    done = realise(raw, ptb_tokenize(raw), target)
    text, changes = done.text, done.changes()
    before = after = 0
    for change in changes:
        assert raw[before : change.source_span[0]] == text[after : change.target_span[0]]
        before, after = change.source_span[1], change.target_span[1]
    assert raw[before:] == text[after:]


@given(SPACED, st.lists(st.sampled_from(["the", "cat", "ran", ",", "a", "egg", "."]), max_size=10))
def test_any_change_can_be_undone_by_itself(raw: str, target: list[str]) -> None:
    done = realise(raw, ptb_tokenize(raw), target)
    for kept in done.changes():
        start, end = kept.source_span
        text = raw[:start] + done.text[slice(*kept.target_span)] + raw[end:]
        assert "  " not in text or "  " in raw  # no space is doubled


def test_protected_tokens_keep_their_letters_wherever_they_come_to_stand() -> None:
    raw = "However, iPhones of Bob sell."
    tokens = ptb_tokenize(raw)
    names = [number for number, token in enumerate(tokens) if token.text in ("iPhones", "Bob")]
    assert realise(raw, tokens, [*names[:1], "sell", "."], fixed=names).text == "iPhones sell."
    assert realise(raw, tokens, [names[1], "'s", names[0], "sell", "."], fixed=names).text == "Bob's iPhones sell."


def test_a_line_break_inside_words_that_went_moves_to_the_next_space() -> None:
    raw = "He was not\npresent in town."
    assert simplified(raw, "he was absent in town .") == "He was absent\nin town."
    assert simplified("He was\npresent.", "he came .") == "He came.\n"


def test_empty_text() -> None:
    for text in ("", "  "):
        done = realise(text, [], [])
        assert (done.text, done.changes()) == (text, [])
