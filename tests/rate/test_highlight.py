"""Edits between a source and an output: where they are, of what kind, and that they always lie within their texts."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright.rate.forms.sheet import checked_edits
from plainwright.rate.highlight import find_edits, pieces, word_spans


def shown(source: str, output: str) -> str:
    """The output with its edits: ^{went}, [new|old], ||{and}."""
    parts = []
    for piece in pieces(output, source, find_edits(source, output)):
        match piece.kind:
            case None:
                parts.append(piece.text)
            case "deletion":
                parts.append(f"^{{{piece.source}}}")
            case "split":
                parts.append(f"||{{{piece.source}}}")
            case "paraphrase":
                parts.append(f"[{piece.text}|{piece.source}]")
    return "".join(parts)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("The tall woman sang a song.", "The^{tall} woman sang a song."),
        ("The woman sang a song after the feast.", "The woman sang a song^{after the feast}."),
        ("Yesterday, the woman sang.", "^{Yesterday}The woman sang."),
        ("The woman, a friend of mine, sang.", "The woman^{a friend of mine} sang."),
        ("The woman sang loudly.", "The woman sang [very|] loudly."),
        ("The woman chanted.", "The woman [sang|chanted]."),
        ("In spite of the fact that it rained, she sang.", "[Although|In spite of the fact that] it rained, she sang."),
        ("She sings songs.", "She [sang|sings] songs."),
        ("She sang, and he danced.", "She sang.||{and} He danced."),
        ("She sang, because he danced.", "She sang.||{} ^{because}He danced."),
        ("Anna, who sang, danced.", "Anna^{who} sang.||{} [She|] danced."),
        ("She sang. He danced.", "She sang. He danced."),
        ("She sang. He danced.", "She [sings|sang]. He [dances|danced]."),
        ("After the feast, the woman sang.", "The woman sang after the feast."),
        ("the woman 's song -lrb- 1990 -rrb- .", "The woman's song (1990)."),
        ("She won “gold” in 2019–2020.", 'She won "gold" in 2019-2020.'),
        ("She paid US$8 per-month.", "She paid US $ 8 per month."),
        ("She did not sing.", "She did[n't|not] sing."),
        ("She won an early prize.", "She won a^{early} prize."),
        ("In late May she sang.", "Late in May she sang."),
        ("She sang, danced and left.", "She^{sang} danced and left."),
        ("It is the best song of 1994.", "It is the best [tune|song]^{of 1994}."),
        ("Anna, on 19 May 2020, she sang.", "Anna [said that|]^{on 19 May 2020} she sang."),
        ("The hall, led by a man from Kent, was old.", "The hall^{led by a man from Kent} was old."),
        ("Many rivals, or foes, sang.", "Many [enemies|rivals, or foes] sang."),
        (
            "She praised poets and singers, although few came.",
            "She praised [artists|poets and singers].||{} [However|although], few came.",
        ),
        ("The U.S. team won. The others left.", "The U.S. team won. The others left."),
    ],
)
def test_edits_read_as_a_person_would_mark_them(source: str, expected: str) -> None:
    output = re.sub(r"\^\{[^}]*\}|\|\|\{[^}]*\}", "", expected)
    output = re.sub(r"\[([^|\]]*)\|[^\]]*\]", r"\1", output)
    assert shown(source, output) == expected


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("", ""),
        ("", "Something new."),
        ("Something old.", ""),
        ("   ", "\r\n\r\n"),
        (".", "!"),
        ("🙂 🙃", "🙃 👩‍👩‍👧 🙂"),
        ("שלום עולם.", "עולם טוב."),
        ("Cafe\u0301 opens.\r\n\r\nIt closes.", "Café opens. It shuts."),
        ("a " * 500, "b " * 500),
        ("a b " * 250, "b a " * 250),
    ],
)
def test_odd_texts_give_edits_that_fit(source: str, output: str) -> None:
    check(source, output)


def test_places_are_counted_in_characters_whatever_they_are() -> None:
    source = "😀 The old cafe\u0301 👩‍👩‍👧 opened.\r\nIt sold tea."
    output = "😀 The cafe\u0301 👩‍👩‍👧 opened.\r\nIt offered tea."
    edits = find_edits(source, output)
    assert [
        (edit.kind, output[edit.start : edit.end], source[edit.source_start : edit.source_end]) for edit in edits
    ] == [
        ("deletion", "", "old"),
        ("paraphrase", "offered", "sold"),
    ]
    assert output[: edits[0].start] == "😀 The"


def check(source: str, output: str) -> None:
    edits = find_edits(source, output)
    assert checked_edits(edits, source=source, output=output) == edits  # in order, apart, within the texts
    cut = pieces(output, source, edits)
    assert "".join(piece.text for piece in cut) == output
    assert all(output[piece.start : piece.end] == piece.text for piece in cut)
    assert all(left.end == right.start for left, right in pairwise(cut))
    places = {place for span in word_spans(output) for place in span} | {0}
    assert all({edit.start, edit.end} <= places for edit in edits)  # never within a word
    assert all(edit.source_start < edit.source_end for edit in edits if edit.kind == "deletion")


WORDS = st.lists(
    st.sampled_from(
        [
            "the",
            "cat",
            "cats",
            "sat",
            "on",
            "a",
            "mat",
            "and",
            ",",
            ".",
            "It",
            "who",
            "1990",
            "😀",
            "e\u0301té",
            "n't",
            "-",
        ]
    ),
    max_size=25,
)
JOINTS = st.sampled_from([" ", "  ", "\r\n", ". ", ""])


@given(WORDS, WORDS, JOINTS, JOINTS)
@example(["cat"], ["cat"], " ", " ")
def test_edits_of_two_texts_in_similar_words_fit(a: list[str], b: list[str], left: str, right: str) -> None:
    check(left.join(a), right.join(b))


@given(st.text(max_size=60), st.text(max_size=60))
def test_edits_of_any_two_texts_fit(source: str, output: str) -> None:
    check(source, output)


@given(st.text(max_size=60))
def test_the_same_text_has_no_edits(text: str) -> None:
    assert find_edits(text, text) == ()
    assert find_edits(text + " ", text) == ()
    assert find_edits(unicodedata.normalize("NFD", text), unicodedata.normalize("NFC", text)) == ()


@given(WORDS)
@example([".", ",", "-"])
@example(["the", "U.S.", "army"])
def test_texts_that_differ_in_case_and_space_only_have_no_edits(words: list[str]) -> None:
    assert find_edits(" ".join(words), "\n".join(words).swapcase()) == ()


@given(WORDS, st.data())
def test_leaving_words_out_gives_deletions_only(words: list[str], data: st.DataObject) -> None:
    kept = [word for word in words if data.draw(st.booleans())]
    assert {edit.kind for edit in find_edits(" ".join(words), " ".join(kept))} <= {"deletion", "split"}
