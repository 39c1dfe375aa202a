"""What raters see: every output on one card, controls that cannot be told from the rest, pages for every form."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

pytest.importorskip("msgspec")

from tests.rate.studies import RATING_FORMS, SOURCES, small_study

from plainwright.errors import DataError, LengthMismatchError, ReferenceShapeError
from plainwright.rate.building import build_items, units_of
from plainwright.rate.degrading import degraded_copy
from plainwright.rate.forms.registry import FORMS
from plainwright.rate.material import Card
from plainwright.rate.settings import Controls, Settings
from plainwright.study.operations import operation


def settings_of(form="rank", **others):
    others.setdefault("edits", False)
    return Settings(title="x", form=form, aspects=FORMS[form].aspects, **others)


def plain(text: str) -> str:
    return " ".join(text.split())


WORDS = st.sampled_from(["the", "cat", "slept", "on", "a", "mat", "Cat", "grüßt", "猫", "🙂", "—", "."])
SENTENCE = st.lists(WORDS, min_size=1, max_size=8).flatmap(
    lambda words: st.sampled_from([" ".join(words), "  ".join(words), f" {' '.join(words)}\u00a0", "\t".join(words)])
)


@st.composite
def material(draw):
    count = draw(st.integers(1, 5))
    lines = st.lists(SENTENCE, min_size=count, max_size=count)
    sources = draw(lines)
    systems = draw(st.dictionaries(st.sampled_from("abcdefgh"), lines, min_size=1, max_size=6))
    references = draw(st.none() | st.lists(st.lists(SENTENCE, min_size=1, max_size=2), min_size=count, max_size=count))
    return sources, systems, references


@given(material(), st.booleans(), st.sampled_from([0.0, 0.4, 1.0]), st.integers(0, 3))
def test_every_output_is_on_one_card_and_no_two_cards_are_alike(given_material, source, degraded, seed):
    sources, systems, references = given_material
    controls = Controls(source=source, reference=references is not None, degraded=degraded)
    settings = settings_of(controls=controls, seed=seed)
    try:
        items = build_items(sources, systems, settings, references)
    except DataError as error:
        assume("controls.degraded" not in str(error))
        raise
    assert [item.source for item in items] == sources
    damaged = 0
    for place, item in enumerate(items):
        texts = [plain(card.text) for card in item.cards]
        assert len(set(texts)) == len(texts)
        found = {(maker.system, maker.control): plain(card.text) for card in item.cards for maker in card.candidates}
        assert len(found) == sum(len(card.candidates) for card in item.cards)
        expected = {(system, None): plain(lines[place]) for system, lines in systems.items()}
        if source:
            expected["control-source", "source"] = plain(sources[place])
        if references is not None:
            expected["control-reference", "reference"] = plain(references[place][0])
        copy = found.pop(("control-degraded", "degraded"), None)
        assert found == expected
        assert copy is None or copy not in {*expected.values(), plain(sources[place])}
        damaged += copy is not None
        assert all(card.group == operation(item.source, card.text) for card in item.cards)
    assert damaged == int(degraded * len(sources) + 0.5)


@given(material(), st.integers(0, 5))
def test_the_same_seed_makes_the_same_study(given_material, seed):
    sources, systems, references = given_material
    settings = settings_of(controls=Controls(degraded=0.5), seed=seed)
    try:
        first = build_items(sources, systems, settings, references)
    except DataError:
        assume(False)
    assert build_items(sources, systems, settings, references) == first


def test_another_seed_damages_others():
    def damaged(seed):
        _, items = small_study(items=6, controls=Controls(degraded=0.5), seed=seed)
        return [(item.name, card.text) for item in items for card in item.cards if card.candidates[0].control]

    assert len({tuple(damaged(seed)) for seed in range(5)}) > 1
    assert {len(damaged(seed)) for seed in range(5)} == {3}


def test_identical_outputs_share_a_card_and_keep_the_first_text():
    (item,) = build_items(["One two."], {"a": ["One  two "], "b": ["One."], "c": ["One two"]}, settings_of())
    assert [(card.text, [maker.system for maker in card.candidates]) for card in item.cards] == [
        ("One  two ", ["a", "c"]),
        ("One.", ["b"]),
    ]


def test_an_output_that_is_the_source_is_the_control_too():
    controls = Controls(source=True)
    (item,) = build_items(["One two."], {"a": ["One two."], "b": ["One."]}, settings_of(controls=controls))
    assert [maker.control for maker in item.cards[0].candidates] == [None, "source"]


def test_systems_may_lack_outputs_and_rows_are_kept():
    items = build_items(
        ["a b", "c d"], {"x": ["a", None], "y": ["b", "c"]}, settings_of(), rows={"x": [3, -1], "y": [0, 1]}
    )
    makers = [[(maker.system, maker.row) for card in item.cards for maker in card.candidates] for item in items]
    assert makers == [[("x", 3), ("y", 0)], [("y", 1)]]


def test_training_comes_first_with_what_is_expected():
    settings, items = small_study(training=1, items=2)
    assert [item.training for item in items] == [True, False, False]
    assert [card.expectation for card in items[0].cards] == list(settings.training[0].outputs)
    assert all(card.expectation is None for item in items[1:] for card in item.cards)


@pytest.mark.parametrize("text", SOURCES)
def test_degraded_copies_are_no_english(text):
    """Fewer words, nearly all of them next to others than before, and the end of the sentence where it was."""
    copy = degraded_copy(text, seed=1)
    assert copy is not None
    words, spoilt = text.rstrip(".").split(), copy.rstrip(".").split()
    assert Counter(spoilt) <= Counter(words)
    assert len(words) * 0.7 <= len(spoilt) < len(words)
    kept = set(itertools.pairwise(words)) & set(itertools.pairwise(spoilt))
    assert len(kept) <= 0.25 * len(words)
    assert copy.endswith(".")


def test_a_learned_metric_likes_every_original_better():
    pytest.importorskip("onnxruntime")
    from plainwright.lens.metric import LENS

    copies = [degraded_copy(source, seed=1) for source in SOURCES]
    metric, references = LENS(), [[source] for source in SOURCES]
    originals = metric.sentence_scores(SOURCES, SOURCES, references)
    damaged = metric.sentence_scores(SOURCES, copies, references)
    assert all(copy < original for copy, original in zip(damaged, originals, strict=True))


@pytest.mark.parametrize("text", ["", "He slept.", "one two three", "— … !"])
def test_what_is_too_short_is_not_damaged(text):
    assert degraded_copy(text, seed=1) is None


@given(st.lists(st.sampled_from(["ha", "ho", "Ha,"]), min_size=4, max_size=9).map(" ".join), st.integers(0, 3))
def test_a_copy_never_equals_its_original(text, seed):
    copy = degraded_copy(text, seed, taken=["ho ha ho"])
    assert copy is None or copy.casefold().replace(",", "") not in (text.casefold().replace(",", ""), "ho ha ho")


@pytest.mark.parametrize("form", RATING_FORMS)
def test_every_card_is_on_a_page(form):
    settings, items = small_study(form, controls=Controls(degraded=1.0), cards_per_page="one")
    for item in items:
        pages = units_of(item, settings)
        assert {place for page in pages for place in page} == set(range(len(item.cards)))
        assert {len(page) for page in pages} == {{"rank": len(item.cards), "pairwise": 2}.get(form, 1)}
        assert len(set(pages)) == len(pages)


def test_all_cards_on_a_page_if_wanted():
    settings, items = small_study("likert", cards_per_page="all")
    assert units_of(items[0], settings) == ((0, 1, 2, 3, 4),)


def test_a_degraded_copy_is_compared_with_its_original_only():
    settings, items = small_study("pairwise", items=1, outputs=4, controls=Controls(degraded=1.0))
    (item,) = items

    def is_copy(card: Card) -> bool:
        return card.candidates[0].control == "degraded"

    pages = units_of(item, settings)
    of_copy = [page for page in pages if any(is_copy(item.cards[place]) for place in page)]
    assert len(pages) == 6 + 1  # pairs of four outputs, and one with the copy
    ((first, second),) = of_copy
    assert item.cards[second].candidates[0].of == item.cards[first].candidates[0].system


@pytest.mark.parametrize(
    ("sources", "outputs", "error", "sentence"),
    [
        ([], {"a": []}, DataError, "expected sources and outputs to rate, found no source"),
        (["x y"], {}, DataError, "expected sources and outputs to rate, found no system"),
        (
            ["x y"],
            {"a": ["x", "y"]},
            LengthMismatchError,
            "outputs of 'a': expected one for each of 1 sources, found 2",
        ),
        (["x y"], {"a": [""]}, DataError, "output of 'a', line 1: expected text to rate, found an empty line"),
        (["x y", " "], {"a": ["x", "y"]}, DataError, "source, line 2: expected text to rate, found an empty line"),
        (["x", "y"], {"a": [" ", "\t"]}, DataError, "output of 'a', line 1 and 1 more: expected text"),
        (["x y"], {"control-source": ["x"]}, DataError, "expected the name of a system, found 'control-source'"),
        (["x y"], {"": ["x"]}, DataError, "expected the name of a system, in printable characters, found ''"),
        (["x y"], {"a\nb": ["x"]}, DataError, "expected the name of a system, in printable characters, found 'a\\nb'"),
        (["x y"], {" ": ["x"]}, DataError, "expected the name of a system, in printable characters, found ' '"),
        (
            ["x y"],
            {"a b": ["x"], "a  b": ["y"]},
            DataError,
            "expected the name of a system with single spaces, and none around it, found 'a  b'; say 'a b'",
        ),
        (["x y"], {" a": ["x"]}, DataError, "and none around it, found ' a'; say 'a'"),
        (["x"], {"a": ["x" * 10_001]}, DataError, "output of 'a', line 1: expected at most 10,000 characters to rate"),
        (["x y"], {"a": [None]}, DataError, "item '1': expected at least one output, found none"),
    ],
)
def test_what_is_wrong_with_material_is_one_sentence(sources, outputs, error, sentence):
    with pytest.raises(error) as raised:
        build_items(sources, outputs, settings_of())
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("controls", "references", "sentence"),
    [
        (Controls(reference=True), None, "controls.reference: expected references, found none"),
        (Controls(reference=True), [["r"]], "references: expected one for each of 3 sources, found 1"),
        (Controls(reference=True), [["r"], [""], ["r"]], "references, line 2: expected text to rate, found none"),
        (
            Controls(degraded=0.1),
            None,
            "expected a share of at least 0.17 of 3 items, found 0.1, which is not one item",
        ),
        (Controls(degraded=0.7), None, "expected 2 items with an output of 4 words or more to damage, found 1"),
    ],
)
def test_controls_that_cannot_be_made_are_one_sentence(controls, references, sentence):
    with pytest.raises(DataError) as raised:
        build_items(["a b c d", "x", "y"], {"a": ["a b c d e", "x", "y"]}, settings_of(controls=controls), references)
    assert sentence in str(raised.value)
    assert isinstance(raised.value, ReferenceShapeError | LengthMismatchError) == (
        references is not None or controls.reference
    )


def test_names_must_differ():
    with pytest.raises(DataError, match="expected names of items that differ, found '7' twice"):
        build_items(["a", "b"], {"x": ["a", "b"]}, settings_of(), names=["7", "7"])


def test_comparing_needs_something_to_compare():
    with pytest.raises(DataError, match="expected two different outputs of a sentence to compare, found none"):
        build_items(["a b"], {"x": ["a"], "y": ["a"]}, settings_of("pairwise"))
