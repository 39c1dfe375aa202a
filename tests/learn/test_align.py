"""Word alignment: against its twin, known answers, and what must hold for any text."""

from __future__ import annotations

import gzip
import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.learn import Model2

from plainwright import _core
from plainwright.errors import DataError, LengthMismatchError
from plainwright.learn.align import HEURISTICS, AlignOptions, align, align_files
from plainwright.learn.lemmas import lemma_numbers
from plainwright.text.lemmas import lemmas_by_ending

SENTENCES = st.lists(st.sampled_from("abcdé"), min_size=1, max_size=6).map(" ".join)
TEXTS = st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=8)


def likelihoods(pairs, *, fit_tension, alpha=0.0, likeness=0.0, iterations=6, null=0.08, threads=1):
    aligner = _core.Aligner(100)
    aligner.add([source for source, _ in pairs], [target for _, target in pairs])
    return aligner.run(
        iterations=iterations,
        null_probability=null,
        tension=4.0,
        fit_tension=fit_tension,
        alpha=alpha,
        likeness=likeness,
        threads=threads,
    )


@settings(deadline=None)
@given(TEXTS)
def test_iterations_equal_those_of_the_twin(pairs):
    (forward, tension, _), _ = likelihoods(pairs, fit_tension=False)
    twin = Model2([(source.split(), target.split()) for source, target in pairs], tension=4.0, null=0.08)
    assert forward == pytest.approx([twin.iterate() for _ in forward], rel=1e-4, abs=1e-4)  # tables have 32 bits
    assert tension == 4.0


@settings(deadline=None)
@given(TEXTS, st.booleans(), st.sampled_from([0.0, 0.08, 0.5]))
def test_the_likelihood_never_falls(pairs, fit_tension, null):
    for values, _, _ in likelihoods(pairs, fit_tension=fit_tension, null=null):
        for before, after in itertools.pairwise(values):
            assert after >= before - 1e-3 - 1e-4 * abs(before)  # tensions have three digits


@settings(deadline=None)
@given(TEXTS, st.booleans(), st.sampled_from(HEURISTICS))
def test_points_lie_inside_and_every_pair_has_a_line(pairs, monolingual, heuristic):
    sources, targets = zip(*pairs, strict=True)
    lines = align(sources, targets, AlignOptions(monolingual=monolingual, heuristic=heuristic))
    assert len(lines) == len(pairs)
    for line, (source, target) in zip(lines, pairs, strict=True):
        points = [tuple(map(int, point.split("-"))) for point in line.split()]
        assert points == sorted(set(points))
        assert all(i < len(source.split()) and j < len(target.split()) for i, j in points)


def invented_text(pairs: int, seed: int) -> tuple[list[str], list[str], list[str]]:
    """Sentences whose translation is known: each word has one, neighbours swap places, some words vanish."""
    random_ = random.Random(seed)
    words = [f"w{k}" for k in range(200)]
    sources, targets, gold = [], [], []
    for _ in range(pairs):
        source = random_.choices(words, weights=[1 / (k + 1) for k in range(200)], k=random_.randint(3, 12))
        order = [i for i in range(len(source)) if random_.random() > 0.05] or [0]
        for k in range(len(order) - 1):
            if random_.random() < 0.15:
                order[k], order[k + 1] = order[k + 1], order[k]
        sources.append(" ".join(source))
        targets.append(" ".join(source[i].upper() + "x" for i in order))
        gold.append(" ".join(sorted(f"{i}-{j}" for j, i in enumerate(order))))
    return sources, targets, gold


def error_rate(gold: list[str], found: list[str]) -> float:
    """Och and Ney (2003), all points sure."""
    right = sum(len(set(a.split()) & set(b.split())) for a, b in zip(gold, found, strict=True))
    return 1 - 2 * right / sum(len(line.split()) for line in [*gold, *found])


def test_an_invented_language_is_deciphered():
    sources, targets, gold = invented_text(2000, seed=1)
    assert error_rate(gold, align(sources, targets)) < 0.05  # 0.028; of the diagonal alone, 0.34
    diagonal = [" ".join(f"{i}-{i}" for i in range(len(line.split()))) for line in targets]
    assert error_rate(gold, diagonal) > 0.3


def test_results_do_not_depend_on_threads():
    sources, targets, _ = invented_text(3000, seed=2)
    pairs = list(zip(sources, targets, strict=True))
    one, three = (likelihoods(pairs, fit_tension=True, alpha=0.01, threads=threads) for threads in (1, 3))
    assert one == three
    assert align(sources, targets) == align(sources, targets, AlignOptions(threads=3))


def test_text_longer_than_one_block_has_no_seam():
    # 32,768 sentences make a block; the same sentences must align alike on both sides of the seam.
    sources, targets, _ = invented_text(50, seed=3)
    lines = align(sources * 700, targets * 700, AlignOptions(iterations=2, threads=2))
    assert lines == lines[:50] * 700


def test_identical_words_align_at_once_in_one_language():
    lines = align(["the old castle stood"], ["the castle stood"], AlignOptions(monolingual=True, iterations=1))
    assert lines == ["0-0 2-1 3-2"]


def test_forms_of_one_lemma_and_similar_words_attract_each_other():
    options = AlignOptions(monolingual=True, iterations=2, fit_tension=False, heuristic="intersection")
    assert align(["they walked here slowly"], ["slowly walks"], options)[0].split() == ["1-1", "3-0"]
    assert align(["the theatre programme ended"], ["ended program"], options)[0].split() == ["2-1", "3-0"]


def test_two_languages_without_a_common_word_still_align():
    lines = align(["das haus", "das buch"], ["the house", "the book"], AlignOptions(monolingual=True))
    assert lines == ["0-0 1-1", "0-0 1-1"]


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [
        # By hand. Forward: 0-0 1-1 1-2 4-4; backward: 0-0 1-1 2-1 3-3. Both have 0-0 and 1-1.
        ("forward", [(0, 0), (1, 1), (1, 2), (4, 4)]),
        ("backward", [(0, 0), (1, 1), (2, 1), (3, 3)]),
        ("intersection", [(0, 0), (1, 1)]),
        ("union", [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3), (4, 4)]),
        # 1-2 and 2-1 are beside 1-1 and bring a new word each; nothing leads on to 3-3.
        ("grow-diag", [(0, 0), (1, 1), (1, 2), (2, 1)]),
        # Of the rest, 4-4 is forward's, 3-3 backward's; both bring two new words.
        ("grow-diag-final-and", [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3), (4, 4)]),
    ],
)
def test_symmetrisation_by_hand(heuristic, expected):
    forward, backward = [(0, 0), (1, 1), (1, 2), (4, 4)], [(0, 0), (1, 1), (2, 1), (3, 3)]
    assert _core.symmetrise(5, 5, forward, backward, heuristic) == expected


def test_final_takes_points_that_bring_one_new_word_and_final_and_does_not():
    # By hand: 0-0 is common; 0-2 is not beside it, and brings a new target word only.
    forward, backward = [(0, 0), (0, 2)], [(0, 0)]
    assert _core.symmetrise(1, 3, forward, backward, "grow-diag-final") == [(0, 0), (0, 2)]
    assert _core.symmetrise(1, 3, forward, backward, "grow-diag-final-and") == [(0, 0)]


POINTS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 5)), max_size=10).map(sorted)


@given(POINTS, POINTS)
def test_heuristics_lie_between_intersection_and_union(forward, backward):
    found = {name: set(_core.symmetrise(5, 6, forward, backward, name)) for name in HEURISTICS}
    assert found["intersection"] == set(forward) & set(backward)
    assert found["union"] == set(forward) | set(backward)
    chain = ("intersection", "grow-diag", "grow-diag-final-and", "union")
    assert all(found[a] <= found[b] for a, b in itertools.pairwise(chain))
    assert found["grow-diag"] <= found["grow-diag-final"] <= found["union"]


def test_points_outside_a_sentence_are_an_error():
    with pytest.raises(ValueError, match="outside"):
        _core.symmetrise(2, 2, [(0, 2)], [], "union")


@given(st.text(max_size=8), st.text(max_size=8))
def test_spelling_likeness_is_symmetric_and_one_for_equal_words(a, b):
    assert _core.spelling_likeness(a, b) == _core.spelling_likeness(b, a)
    assert 0 <= _core.spelling_likeness(a, b) <= 1
    assert _core.spelling_likeness(a, a) == 1


def test_spelling_likeness_by_hand():
    assert _core.spelling_likeness("Colour", "color") == pytest.approx(1 - 1 / 6)
    assert _core.spelling_likeness("é", "e") == 0


def test_lemmas_by_ending():
    assert {"stop", "walk", "make", "city", "big"} <= {
        lemma for word in ("Stopped", "walks", "making", "cities", "bigger") for lemma in lemmas_by_ending(word)
    }
    walked, walking = lemma_numbers(["walked"], ["walking", "other"])
    assert set(walked[0]) & set(walking[0])
    assert not set(walked[0]) & set(walking[1])


def test_empty_and_endless_lines_are_skipped_and_counted(tmp_path):
    (tmp_path / "s").write_text("a b\n\nc\nd e\n" + "x " * 1_000_000 + "\n", encoding="utf-8")
    (tmp_path / "t").write_text("a b\nb\n \nd e\nx\n", encoding="utf-8")
    result = align_files(tmp_path / "s", tmp_path / "t", tmp_path / "out", AlignOptions(monolingual=True))
    assert (tmp_path / "out").read_text(encoding="utf-8") == "0-0 1-1\n\n\n0-0 1-1\n\n"
    assert (result.pairs, result.points, result.skips.empty, result.skips.too_long) == (5, 4, 2, [5])
    assert result.skips.notes(200)[1] == "1 pairs with more than 200 tokens skipped (lines 5)"


def test_a_name_that_ends_in_gz_is_packed(tmp_path):
    (tmp_path / "s").write_text("a b\n", encoding="utf-8")
    for name in ("out", "out.gz"):
        align_files(tmp_path / "s", tmp_path / "s", tmp_path / name, AlignOptions(monolingual=True))
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()) == (tmp_path / "out").read_bytes() == b"0-0 1-1\n"


def test_bad_files_name_what_is_wrong(tmp_path):
    (tmp_path / "s").write_text("a\nb\nc\n", encoding="utf-8")
    (tmp_path / "t").write_text("a\nb\n", encoding="utf-8")
    (tmp_path / "latin").write_bytes(b"a\nb\xe9\nc\n")
    (tmp_path / "binary").write_bytes(b"a\n\0\nc\n")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(LengthMismatchError, match=r"s 3, .*t 2"):
        align_files(tmp_path / "s", tmp_path / "t", tmp_path / "out")
    with pytest.raises(DataError, match=r"latin:2: .*0xe9"):
        align_files(tmp_path / "s", tmp_path / "latin", tmp_path / "out")
    with pytest.raises(DataError, match=r"binary:2: .*NUL"):
        align_files(tmp_path / "s", tmp_path / "binary", tmp_path / "out")
    with pytest.raises(DataError, match="empty file"):
        align_files(tmp_path / "empty", tmp_path / "empty", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_options_out_of_range_are_named():
    with pytest.raises(DataError, match=r"null_probability must be from 0 to 0\.99, got 2"):
        align(["a"], ["a"], AlignOptions(null_probability=2))
    with pytest.raises(DataError, match="heuristic must be one of"):
        align(["a"], ["a"], AlignOptions(heuristic="best"))  # type: ignore[arg-type]
    with pytest.raises(LengthMismatchError, match="2 sources and 1 targets"):
        align(["a", "b"], ["a"])


def test_eflomal_can_take_the_place_of_ours():
    pytest.importorskip("eflomal")
    lines = align(["a b", "", "b a"] * 20, ["A B", "x", "B A"] * 20, AlignOptions(aligner="eflomal"))
    assert len(lines) == 60
    assert lines[1] == ""
