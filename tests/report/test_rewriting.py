"""The page about a simplified text: what its script is given, and that it is one inert file."""

from __future__ import annotations

import itertools
import json
import re

import pytest
from tests.report.rewriting_examples import HOSTILE, TEXT, rewritten

from plainwright import load
from plainwright.check import check_document
from plainwright.documents import format_named, parse_document
from plainwright.metrics.fk import FK
from plainwright.report.rewriting import RewritingData, render_rewriting, rewriting_data
from plainwright.rewrite import SimplifiedText
from plainwright.rewrite.documents import simplify_blocks
from plainwright.text import readability_counts
from plainwright.text.edits import apply_edits


def rebuilt(data, refused=()) -> str:
    def shown(piece) -> str:
        edit = data["edits"][piece] if isinstance(piece, int) else None
        return piece if edit is None else edit["source" if edit["group"] in refused else "target"]

    return "".join(shown(piece) for pieces in data["paragraphs"] for piece in pieces)


def counts_of(data, refused) -> list[int]:
    total = [0, 0, 0]
    for sentence in data["sentences"]:
        chosen = [group for group in sentence["added"] if group not in refused]
        exception = sentence.get("exceptions", {}).get(",".join(map(str, chosen)))
        rows = [exception] if exception else [sentence["counts"], *(sentence["added"][group] for group in chosen)]
        total = [sum(column) for column in zip(total, *rows, strict=True)]
    return total


def test_pieces_make_up_the_text_before_and_after():
    parts = rewritten(TEXT)
    data = rewriting_data(parts)
    everything = range(len(data["groups"]))
    assert len(everything) > 3
    assert rebuilt(data) == "".join(part.text for part in parts) != TEXT
    assert rebuilt(data, everything) == TEXT


def test_any_groups_can_be_refused_as_edits_are_undone():
    whole = SimplifiedText.joined(rewritten(TEXT))
    data = rewriting_data([whole])
    numbers = list(dict.fromkeys(edit.group for edit in whole.edits))  # groups by their place in the page
    for refused in itertools.combinations(range(len(data["groups"])), 2):
        undone = {n for n, edit in enumerate(whole.edits) if numbers.index(edit.group) in refused}
        assert rebuilt(data, refused) == apply_edits(whole.source, whole.edits, without=undone)


def test_counts_are_those_of_the_text_that_remains():
    data = rewriting_data(rewritten(TEXT))
    groups = range(len(data["groups"]))
    for refused in [(), tuple(groups), *itertools.combinations(groups, 1), *itertools.combinations(groups, 3)]:
        paragraphs = [rebuilt({**data, "paragraphs": [pieces]}, refused) for pieces in data["paragraphs"]]
        counted = [readability_counts(paragraph) for paragraph in paragraphs]
        expected = [sum(getattr(one, name) for one in counted) for name in ("sentences", "words", "syllables")]
        assert counts_of(data, refused) == expected, refused


def test_counts_give_the_grade_of_the_metric():
    parts = rewritten(TEXT)
    sentences, words, syllables = counts_of(rewriting_data(parts), ())
    score = FK(variant="plain").corpus_score(None, [part.text for part in parts], None)
    assert grade_of([sentences, words, syllables]) == pytest.approx(score.value)


def test_edits_of_one_group_have_one_entry_with_its_kind_and_reasons():
    data = rewriting_data(rewritten(TEXT))
    together = [group for group in data["groups"] if len(group["edits"]) > 1]
    assert together
    for number, group in enumerate(data["groups"]):
        assert {data["edits"][edit]["group"] for edit in group["edits"]} == {number}
    assert any("purchase → buy" in reason for group in data["groups"] for reason in group["reasons"])


def test_hostile_text_cannot_leave_the_element_that_holds_it():
    page = render_rewriting(rewritten(HOSTILE), name="<b>.txt")
    payload = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1]
    assert "<" not in payload
    assert rebuilt(json.loads(payload), range(99)) == HOSTILE.replace("\ud800", "?")
    assert "<b>" not in page
    assert "default-src &#39;none&#39;" in page


def test_the_page_is_the_same_every_time_and_needs_nothing_else():
    page = render_rewriting(rewritten(TEXT), name="letter.txt")
    assert page == render_rewriting(rewritten(TEXT), name="letter.txt")
    assert not re.search(r'(src|href)="(?!#)', page)
    assert json.loads(re.search(r'id="data">(.*?)</script>', page)[1])["name"] == "letter.plain.txt"


@pytest.mark.parametrize(
    ("name", "saved"), [("", "plain.txt"), ("a.b.txt.gz", "a.b.plain.txt"), ("letter.docx", "letter.plain.txt")]
)
def test_the_result_has_a_name_of_its_own(name, saved):
    page = render_rewriting(rewritten("Nothing."), name=name)
    assert json.loads(re.search(r'id="data">(.*?)</script>', page)[1])["name"] == saved


def test_numbers_go_on_where_parts_come_one_after_the_other():
    parts, data = rewritten(TEXT), RewritingData()
    pieces = [data.add([part]) for part in parts]
    joined = {name: [own for piece in pieces for own in piece[name]] for name in pieces[0]}
    assert joined == rewriting_data(parts)


def test_parts_have_to_be_simplified_texts():
    with pytest.raises(TypeError, match="takes parts as a list of texts"):
        rewriting_data(["text"])


def test_the_grade_of_a_document_is_the_one_that_check_gives():
    source = (
        "# Notice concerning parking facilities\n\n"
        "Set it with `a.b()` prior to departure. `x.run()` then commences the operation. We utilise it.\n\n"
        "| What | How |\n|---|---|\n| Parking facilities | Numerous |\n"
    )
    document = parse_document(source.encode(), format_named("markdown"), "notice.md")
    done = list(simplify_blocks(load(), document.blocks))
    data = rewriting_data([own.result for own in done], [own.block for own in done])
    before = counts_of(data, range(len(data["groups"])))
    assert len(data["groups"]) > 3
    assert before[0] == 3  # the heading and the cells are no sentences
    assert grade_of(before) == pytest.approx(check_document(document, "notice.md").report.grade)


def grade_of(counts: list[int]) -> float:
    sentences, words, syllables = counts
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59
