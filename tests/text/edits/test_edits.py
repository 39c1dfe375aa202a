"""The one diff: edits rebuild the output, say what happened, and can be undone one by one without harm."""

from __future__ import annotations

import random
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plainwright import corpora
from plainwright.errors import DataError
from plainwright.text import ptb_tokenize
from plainwright.text.edits import TextEdit, apply_edits, edits_between, edits_of_alignment, undo_edits

MIXES = 12  # subsets of edits that are tried for one pair of texts
FEW_MIXES = 4  # ... where there are thousands of pairs


def shown(edits: Iterable[TextEdit]) -> list[tuple[str, str, str, int]]:
    return [(edit.kind, edit.source_text, edit.target_text, edit.group) for edit in edits]


@pytest.mark.parametrize(
    ("source", "output", "expected"),
    [
        ("She bought a dwelling.", "She bought a home.", [("replace", "dwelling", "home", 0)]),
        ("She sang very well.", "She sang well.", [("delete", " very", "", 0)]),
        ("She sang well.", "She sang very well.", [("insert", "", " very", 0)]),
        # The capital of a new first word belongs to the deletion, and so does the space beside it.
        ("However, he left.", "He left.", [("delete", "However, he", "He", 0)]),
        ("Yesterday Anna left.", "Anna left.", [("delete", "Yesterday ", "", 0)]),
        ("Anna left.", "Then Anna left.", [("insert", "", "Then ", 0)]),
        ("She left an old house.", "She left a house.", [("delete", "an old", "a", 0)]),
        ("She left in May.  ", "She left in May.", [("delete", "  ", "", 0)]),
        ("She left\r\nin May.", "She left in May.", [("replace", "\r\n", " ", 0)]),
        ("She did not go.", "She didn't go.", [("replace", " not", "n't", 0)]),
        # A move is two edits of one group.
        (
            "In 1990, he left the house.",
            "He left the house in 1990.",
            [("reorder", "In 1990, he", "He", 0), ("reorder", "", " in 1990", 0)],
        ),
        # A split is one group: boundary, capital, new subject, and the comma that the clause no longer needs.
        ("He slept, and she left.", "He slept. She left.", [("split", ", and she", ". She", 0)]),
        (
            "The cat, sleeping all day, got fat.",
            "The cat slept all day. It got fat.",
            [("replace", ", sleeping", " slept", 0), ("split", ",", ". It", 0)],
        ),
        ("He slept. She left.", "He slept, and she left.", [("join", ". She", ", and she", 0)]),
        # Changes of their own stay apart from a split.
        (
            "However, he slept well, and she left.",
            "He slept well. She left.",
            [("delete", "However, he", "He", 0), ("split", ", and she", ". She", 1)],
        ),
        # Quotes and brackets go in pairs.
        ("A (big) cat sat.", "A big cat sat.", [("delete", "(", "", 0), ("delete", ")", "", 0)]),
        ('He "really" left.', "He really left.", [("delete", '"', "", 0), ("delete", '"', "", 0)]),
        # A quotation mark that follows another end of sentence is no firm ground: the capital after it depends on it.
        ('He left, "she did not."', 'He left. "She did not."', [("split", ', "she', '. "She', 0)]),
        ("", "Something.", [("insert", "", "Something.", 0)]),
        ("Something.", "", [("delete", "Something.", "", 0)]),
        ("", "", []),
    ],
)
def test_edits_by_hand(source: str, output: str, expected: list[tuple[str, str, str, int]]) -> None:
    edits = edits_between(source, output)
    assert shown(edits) == expected
    check(source, output, edits)


def test_spans_count_characters_whatever_they_are() -> None:
    source = "😀 The old cafe\u0301 👩‍👩‍👧 opened.\r\nIt sold tea."
    output = "😀 The cafe\u0301 👩‍👩‍👧 opened.\r\nIt offered tea."
    deletion, replacement = edits_between(source, output)
    # by hand: the emoji is one character, the accent one of its own
    assert (deletion.source_span, deletion.target_span) == ((5, 9), (5, 5))
    assert (replacement.source_text, replacement.target_text) == ("sold", "offered")
    check(source, output, (deletion, replacement))


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("   ", "\r\n\r\n"),
        (".", "!"),
        ("a \ud800 b", "a \udfff b"),
        ("\x00a\x00", "\x00b\x00"),
        ("🙂 🙃", "🙃 👩‍👩‍👧 🙂"),
        ("שלום עולם.", "עולם טוב."),
        ("Cafe\u0301 opens.\r\n\r\nIt closes.", "Café opens. It shuts."),
        ("她住在城里。他走了。", "她住城里，他走了。"),
        ("a " * 500, "b " * 500),
        ("a b " * 250, "b a " * 250),
    ],
)
def test_odd_texts_are_rebuilt(source: str, output: str) -> None:
    check(source, output, edits_between(source, output))


def test_undoing_one_edit_leaves_the_others() -> None:
    source = "However, he purchased an old dwelling."
    edits = edits_between(source, "He bought an old house.")
    assert apply_edits(source, edits, without={0}) == "However, he bought an old house."
    assert apply_edits(source, edits, without={1}) == "He purchased an old house."
    assert apply_edits(source, edits, without={0, 2}) == "However, he bought an old dwelling."


def test_undoing_one_edit_of_a_group_undoes_the_group() -> None:
    source = "In 1990, he left the house."
    edits = edits_between(source, "He left the house in 1990.")
    assert apply_edits(source, edits, without={1}) == source


def test_remaining_edits_have_spans_in_the_text_that_remains() -> None:
    source = "However, he purchased an old dwelling."
    edits = edits_between(source, "He bought an old house.")
    (remaining,) = undo_edits(edits, {0, 1})
    text = apply_edits(source, [remaining])
    assert text == "However, he purchased an old house."
    assert text[slice(*remaining.target_span)] == "house"


def test_edits_refuse_a_text_that_they_were_not_made_for() -> None:
    edits = edits_between("She bought a dwelling.", "She bought a home.")
    with pytest.raises(
        DataError, match=r"edit 0: expected 'dwelling' at characters 13 to 21 of the source, found 'boat.'"
    ):
        apply_edits("She bought a boat.", edits)
    with pytest.raises(DataError, match=r"edit 1: .* which an edit before it has taken"):
        apply_edits("She bought a dwelling.", [*edits, *edits])
    with pytest.raises(DataError, match=r"positions of edits are 0 to 0; got \[1\]"):
        apply_edits("She bought a dwelling.", edits, without={1})


def test_a_known_alignment_decides_what_was_kept() -> None:
    tokens = [(0, 1), (2, 3)]
    assert shown(edits_of_alignment("a a", "a b", tokens, tokens, [(0, 0)])) == [("replace", "a", "b", 0)]
    assert shown(edits_of_alignment("a b", "b a", tokens, tokens, [(0, 1), (1, 0)])) == [
        ("reorder", "a ", "", 0),
        ("reorder", "", " a", 0),
    ]
    # Kept tokens whose case changed are kept; nothing is an edit that leaves the text as it is.
    assert shown(edits_of_alignment("a b", "B", tokens, [(0, 1)], [(1, 0)])) == [("delete", "a b", "B", 0)]
    assert edits_of_alignment("a b", "a b", tokens, tokens, []) == ()


@pytest.mark.parametrize(
    ("tokens", "pairs", "message"),
    [
        ([(0, 1), (0, 3)], [], "tokens of the output must be spans of its characters, in order and apart"),
        ([(0, 4)], [], "tokens of the output must be spans"),
        ([(1, 1)], [], "tokens of the output must be spans"),
        ([(0, 1)], [(0, 1)], "the output has 1 tokens; a pair names token 1, counted from 0"),
        ([(0, 1)], [(2, 0)], "the source has 2 tokens; a pair names token 2, counted from 0"),
    ],
)
def test_a_wrong_alignment_is_refused(
    tokens: list[tuple[int, int]], pairs: list[tuple[int, int]], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        edits_of_alignment("a b", "a b", [(0, 1), (2, 3)], tokens, pairs)


# ---- what holds for any two texts ----


def check(source: str, output: str, edits: tuple[TextEdit, ...], mixes: int = MIXES) -> None:
    """The edits rebuild the output, are in order and apart, and every one of them changes something."""
    assert apply_edits(source, edits) == output
    done = target_done = 0
    for edit in edits:
        (start, end), (target_start, target_end) = edit.source_span, edit.target_span
        assert source[start:end] == edit.source_text
        assert output[target_start:target_end] == edit.target_text
        assert edit.source_text != edit.target_text
        assert source[done:start] == output[target_done:target_start]
        assert start <= end
        done, target_done = end, target_end
    groups = list(dict.fromkeys(edit.group for edit in edits))
    assert groups == list(range(len(groups)))
    if groups:
        assert apply_edits(source, edits, without=set(range(len(edits)))) == source
    for undone in subsets(edits, mixes):
        remaining = undo_edits(edits, undone)
        mixed = apply_edits(source, remaining)
        assert all(mixed[slice(*edit.target_span)] == edit.target_text for edit in remaining)


def subsets(edits: Sequence[TextEdit], most: int) -> Iterator[set[int]]:
    """Sets of edits to undo: of one group, of all but one, and of any, so many of all of these."""
    groups = sorted({edit.group for edit in edits})
    rng = random.Random(len(edits))
    chosen = [{group} for group in groups] + [set(groups) - {group} for group in groups]
    chosen += [{group for group in groups if rng.random() < 0.5} for _ in range(most)]
    for some in rng.sample(chosen, most) if len(groups) > 1 else chosen[:1]:
        yield {number for number, edit in enumerate(edits) if edit.group in some}


TOKEN = re.compile(r"n['’]t\b|\w+?(?=n['’]t\b)|\w+|[^\w\s]", re.IGNORECASE)
OPENER = re.compile(r"""(?:^|[.!?]["')\]]*\s)[\s"'(\[]*(\w+)""")


def neighbours(text: str) -> set[tuple[str, str, str]]:
    """Each two tokens with the space between them, and the edges of the text; the first in lower case."""
    found = list(TOKEN.finditer(text))
    bounds = [("", 0), *((token[0].casefold(), token.end()) for token in found)]
    starts = [*((token.start(), token[0]) for token in found), (len(text), "")]
    return {(before, text[end:start], after) for (before, end), (start, after) in zip(bounds, starts, strict=True)}


def check_well_formed(source: str, output: str, edits: Sequence[TextEdit], mixes: int = MIXES) -> None:
    """With any edits undone, nothing stands side by side or opens a sentence that does not in one of the two texts."""
    known = neighbours(source) | neighbours(output)
    openers = set(OPENER.findall(source)) | set(OPENER.findall(output))
    pairs = [pair for pair in ("()", "[]", "“”", '""') if balanced(source, pair) and balanced(output, pair)]
    for undone in subsets(edits, mixes):
        mixed = apply_edits(source, edits, without=undone)
        assert neighbours(mixed) <= known, (source, output, mixed)  # spaces, ends of sentences, the text's edges
        assert set(OPENER.findall(mixed)) <= openers, (source, output, mixed)
        assert all(balanced(mixed, pair) for pair in pairs), (source, output, mixed)


def balanced(text: str, pair: str) -> bool:
    return text.count(pair[0]) % 2 == 0 if pair[0] == pair[1] else text.count(pair[0]) == text.count(pair[1])


ANY = st.text(st.characters(exclude_categories=()), max_size=60)  # with lone surrogates


@given(ANY, ANY)
@example("\ud800", "\udfff\ud800")
def test_any_two_texts_are_rebuilt(source: str, output: str) -> None:
    check(source, output, edits_between(source, output))


@given(st.text(max_size=60))
def test_the_same_text_has_no_edits_and_another_normal_form_is_rebuilt(text: str) -> None:
    assert edits_between(text, text) == ()
    decomposed = unicodedata.normalize("NFD", text)
    check(decomposed, text, edits_between(decomposed, text))


PLAIN_WORDS = ("the", "cat", "cats", "sat", "on", "a", "mat", "and", "who", "1990", "Anna", "été", "it", "she")


@st.composite
def written(draw: st.DrawFn) -> str:
    """A few sentences with commas, brackets and quotation marks, well written."""
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        words = draw(st.lists(st.sampled_from(PLAIN_WORDS), min_size=1, max_size=10))
        words[0] = words[0].capitalize()
        for _ in range(draw(st.integers(0, 2))):
            place = draw(st.integers(0, len(words) - 1))
            before, after = draw(st.sampled_from([("", ","), ("(", ")"), ('"', '"'), ("“", "”"), ("", ";")]))
            words[place] = before + words[place] + after
        sentences.append(" ".join(words) + draw(st.sampled_from([".", "!", "?", '."', "."])))
    text = draw(st.sampled_from([" ", " ", "  ", "\n"])).join(sentences)
    return text if draw(st.booleans()) else f'"{text}"'


@given(written(), written())
def test_undoing_any_edits_leaves_well_formed_text(source: str, output: str) -> None:
    edits = edits_between(source, output)
    check(source, output, edits)
    check_well_formed(source, output, edits)


@given(written(), st.data())
def test_undoing_works_for_small_changes_too(source: str, data: st.DataObject) -> None:
    words = source.split(" ")
    kept = [word for word in words if data.draw(st.integers(0, 4))] or words
    place = data.draw(st.integers(0, len(kept) - 1))
    kept[place] = data.draw(st.sampled_from([*PLAIN_WORDS, "cat. The", "cat, and the"]))
    kept[0] = kept[0][:1].upper() + kept[0][1:]
    output = " ".join(kept)
    edits = edits_between(source, output)
    check(source, output, edits)
    check_well_formed(source, output, edits)


@given(written(), written(), st.data())
def test_any_alignment_rebuilds_the_output(source: str, output: str, data: st.DataObject) -> None:
    spans = [[(token.start, token.end) for token in ptb_tokenize(text)] for text in (source, output)]
    same = [
        (i, j)
        for i, (a, b) in enumerate(spans[0])
        for j, (c, d) in enumerate(spans[1])
        if source[a:b].lower() == output[c:d].lower()
    ]
    pairs = data.draw(st.lists(st.sampled_from(same), unique_by=(lambda p: p[0], lambda p: p[1]))) if same else []
    edits = edits_of_alignment(source, output, spans[0], spans[1], pairs)
    check(source, output, edits)
    check_well_formed(source, output, edits)


def test_long_texts_are_compared_in_time_that_grows_with_their_length() -> None:
    rng = random.Random(3)
    words = [" ".join(rng.choices(PLAIN_WORDS, k=9)).capitalize() + "." for _ in range(4000)]
    source = " ".join(words)
    for place in range(0, len(words), 5):
        words[place] = words[place].replace("cat", "dog").replace(" sat", "")
    output = " ".join(words)
    start = time.process_time()
    edits = edits_between(source, output)
    assert time.process_time() - start < 30  # 36,000 words; comparing each with each would take many minutes
    assert len(edits) > 300
    check(source, output, edits)


def test_long_texts_with_nothing_in_common_are_rebuilt() -> None:
    source, output = ("the cat sat. " * 600, "a dog, and then a cat " * 500)
    check(source, output, edits_between(source, output))


# ---- what holds for real texts ----


def pairs_of(name: str, data: Path) -> Iterator[tuple[str, str]]:
    """Each source with each of its references and outputs; of a collection of outputs, with those of its set."""
    card = corpora.get(name)
    corpus = corpora.load(card.of or name, data=data)
    columns = corpora.load_outputs(name, data=data) if card.kind == "outputs" else corpus.systems
    for texts in columns.values():
        yield from zip(corpus.sources, texts, strict=True)
    if card.kind == "set":
        for source, references in zip(corpus.sources, corpus.references, strict=True):
            yield from ((source, reference) for reference in references)


def check_corpus(name: str, data: Path, share: float) -> int:
    """Check a share of the pairs, chosen at random, and count them."""
    rng = random.Random(name)
    count = 0
    for source, output in (pair for pair in pairs_of(name, data) if rng.random() < share):
        edits = edits_between(source, output)
        check(source, output, edits, FEW_MIXES)
        check_well_formed(source, output, edits, FEW_MIXES)
        count += 1
    return count


@pytest.mark.parametrize("name", ["turkcorpus/test.detok", "asset/valid", "turkcorpus/tune", "wikisplit/test"])
def test_edits_rebuild_some_real_texts(name: str, data_dir: Path) -> None:
    assert check_corpus(name, data_dir, 0.01) > 20


# TurkCorpus with all its outputs, ASSET valid, and at least 10,000 sentences of other corpora: a tenth of each, or
# with `--whole-corpora` all.
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "asset/valid",
        "bisect2021/outputs",
        "dress2017/outputs",
        "hsplit/test",
        "muss/outputs.turkcorpus",
        "nts2017/outputs",
        "sulem2018/outputs",
        "turkcorpus/outputs.detok",
        "turkcorpus/outputs.tok_lower",
        "turkcorpus/test",
        "turkcorpus/test.detok",
        "turkcorpus/test.tok_cased",
        "turkcorpus/tune",
        "turkcorpus/tune.detok",
        "wikiauto2020/outputs",
        "wikisplit/test",
        "wikisplit/tune",
        "wikisplit/validation",
        "xu2016/outputs",
    ],
)
def test_edits_rebuild_many_real_texts(name: str, data_dir: Path, whole_corpora: bool) -> None:
    share, least = (1, 359) if whole_corpora else (0.1, 20)  # the smallest set, HSplit, has 359 sentences
    assert check_corpus(name, data_dir, share) >= least
