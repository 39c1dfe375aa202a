"""Blocks of documents in plainer words: what is fixed stays, and markup keeps its words."""

from __future__ import annotations

import pytest
from tests.rewrite.word_lists import simplifier_of, word_list

from plainwright.documents import Block, Change, Limits, apply_changes, check_changes
from plainwright.rewrite import Protection, Simplifier
from plainwright.rewrite.documents import simplify_blocks


@pytest.fixture(scope="module")
def simplifier(tmp_path_factory: pytest.TempPathFactory) -> Simplifier:
    entries = (
        "in order to | phrase | to",
        "utilise | verb | use",
        "prior to | phrase | before",
        "commence | verb | start",
        "really | adverb |",
    )
    return simplifier_of(word_list(tmp_path_factory.mktemp("lists"), *entries))


def plain(simplifier: Simplifier, block: Block, **options: bool) -> str:
    [done] = simplify_blocks(simplifier, [block], protection=Protection(**options))
    assert apply_changes(block.text, done.changes) == done.result.text
    return done.result.text


def test_edits_become_changes_of_words_with_reasons(simplifier: Simplifier) -> None:
    block = Block("We utilise it in order to commence.", "paragraph")
    [done] = simplify_blocks(simplifier, [block])
    assert [(change.start, change.end, change.text) for change in done.changes] == [
        (3, 10, "use"),
        (13, 22, ""),
        (26, 34, "start"),
    ]
    assert done.changes[0].reason.startswith("utilise → use")


def test_what_is_fixed_stays_and_its_like_elsewhere_does_not(simplifier: Simplifier) -> None:
    block = Block("We utilise utilise() and utilise it.", "paragraph", fixed=((11, 20),))
    assert plain(simplifier, block) == "We use utilise() and use it."


def test_an_edit_does_not_reach_across_markup(simplifier: Simplifier) -> None:
    text = "We utilise it prior to noon."
    inside = text.index("to noon")
    assert plain(simplifier, Block(text, "paragraph", joints=(inside,))) == "We use it prior to noon."
    around = (text.index("prior"), text.index(" noon"))
    assert plain(simplifier, Block(text, "paragraph", joints=around)) == "We use it before noon."


def test_a_deletion_takes_the_space_on_the_side_that_has_the_same_markup(simplifier: Simplifier) -> None:
    text = "We work in order to go."
    start, end = text.index("in order"), text.index(" go")
    block = Block(text, "paragraph", joints=(start, end))
    assert plain(simplifier, block) == "We work to go."
    [done] = simplify_blocks(simplifier, [block])
    assert [(change.start, change.end) for change in done.changes] == [(start, start + len("in order "))]


def test_a_deletion_keeps_its_place_when_another_edit_is_refused(simplifier: Simplifier) -> None:
    text = "We utilise it in order to go."
    block = Block(text, "paragraph", joints=(text.index("in order"), text.index(" go")))
    [done] = simplify_blocks(simplifier, [block])
    refused = done.without({edit.group for edit in done.result.edits if edit.target_text == "use"})
    check_changes([block], [refused.changes])
    assert apply_changes(text, refused.changes) == refused.result.text == "We utilise it to go."


def test_a_long_block_with_much_markup_takes_no_time(simplifier: Simplifier) -> None:
    sentence = "We utilise it.\n"
    starts = range(0, 20_000 * len(sentence), len(sentence))
    block = Block(sentence * 20_000, "paragraph", tuple((at + 14, at + 15) for at in starts), tuple(starts[1:]))
    assert Limits(block.fixed, block.joints).crosses(Change(0, 20, ""))
    check_changes([block], [[Change(at + 3, at + 10, "use") for at in starts]])


def test_markup_is_not_left_without_words(simplifier: Simplifier) -> None:
    text = "We really utilise it."
    assert plain(simplifier, Block(text, "paragraph")) == "We use it."
    assert plain(simplifier, Block(text, "paragraph", joints=(3, 9))) == "We really use it."


def test_quotations_are_changed_only_on_request(simplifier: Simplifier) -> None:
    quoting = Block("He said: “We utilise it. We commence it. Utilise it!” We utilise it.", "paragraph")
    assert plain(simplifier, quoting).endswith("We commence it. Utilise it!” We use it.")
    assert "utilise" not in plain(simplifier, quoting, quotations=False).lower()
    quotation = Block("We utilise it.", "quotation")
    assert plain(simplifier, quotation) == "We utilise it."
    assert plain(simplifier, quotation, quotations=False) == "We use it."


@pytest.mark.parametrize(
    "text",
    [
        "Le musée commence une visite guidée demain et les visiteurs commence aussi avec nous.",
        "Das Programm utilise beginnt morgen um neun Uhr und endet erst sehr spät am Abend.",
    ],
)
def test_other_languages_pass_as_they_are(simplifier: Simplifier, text: str) -> None:
    assert plain(simplifier, Block(text, "paragraph")) == text


def test_blocks_do_not_depend_on_those_beside_them(simplifier: Simplifier) -> None:
    blocks = [Block("We utilise it.", "paragraph"), Block("Go prior to noon.", "item"), Block("x", "cell")]
    together = [done.changes for done in simplify_blocks(simplifier, blocks)]
    assert together == [done.changes for block in blocks for done in simplify_blocks(simplifier, [block])]
