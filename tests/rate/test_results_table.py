"""Rows of judgements and comparisons, by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rate.simulated_pages import OVERALL, SimulatedStudy, card, honest, page, settings_of

from plainwright.rate.forms.answers import Answers
from plainwright.rate.material import Candidate, Edit
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.rows import Judgement
from plainwright.rate.results.table import comparisons_of, judgements_of, main_rows, ratings_of
from plainwright.rate.settings import Aspect
from plainwright.study.ratings import Scale

A, B, C = card(1, "one", "a"), card(2, "two", "b"), card(3, "three", "c")
FLUENCY = Aspect(name="fluency", question="?", scale=Scale(1, 5, 1))


def scored(**scores: float) -> dict[str, dict[str, float]]:
    return {f"card-{'abc'.index(name) + 1}": {"overall": score} for name, score in scores.items()}


def rows_of(*pages: RatedPage, form: str = "rank") -> dict[tuple[str, str], Judgement]:
    record = Record(settings=settings_of(form), pages=pages)  # type: ignore[arg-type]
    return {(row.rater, row.system): row for row in judgements_of(record)}


def test_a_row_says_where_an_output_was_shown_and_where_the_rater_put_it():
    groups = {"split": ("card-3",), "paraphrase": ("card-2", "card-1"), "deletion": ()}
    rows = rows_of(page(cards=[B, C, A], scores=scored(a=40, b=90, c=40), groups=groups))
    a, b, c = rows["ann", "a"], rows["ann", "b"], rows["ann", "c"]
    assert (a.position, b.position, c.position) == (3, 1, 2)
    assert (a.group, a.rank, a.auto_group) == ("paraphrase", 2, "paraphrase")
    assert (c.group, c.rank, c.auto_group) == ("split", 1, "paraphrase")
    # 90, then two times 40: both are second, whatever their places in groups.
    assert (b.overall_rank, a.overall_rank, c.overall_rank) == (1, 2, 2)
    assert {row.cards for row in rows.values()} == {3}


def test_order_runs_through_all_that_a_rater_was_shown():
    rows = judgements_of(
        Record(
            settings=settings_of(),
            pages=(
                page(number=1, item="1", place=2, cards=[A, B], scores=scored(a=1, b=2)),
                page(number=2, item="2", place=1, cards=[B, A, C], scores=scored(a=1, b=2, c=3)),
                page(number=3, rater="ben", item="1", place=1, cards=[B, A], scores=scored(a=1, b=2)),
            ),
        )
    )
    orders = {(row.rater, row.item, row.system): row.order for row in rows}
    assert orders["ann", "2", "b"] == 1
    assert orders["ann", "2", "c"] == 3
    assert orders["ann", "1", "a"] == 4
    assert orders["ben", "1", "b"] == 1


def test_an_output_that_systems_share_counts_for_each_of_them():
    shared = card(7, "same", "a", "b", Candidate(system="control-source", control="source"))
    rows = rows_of(page(cards=[shared, C], scores={"card-7": {"overall": 70.0}, "card-3": {"overall": 10.0}}))
    assert [rows["ann", name].score for name in ("a", "b", "control-source")] == [70, 70, 70]
    assert [row.system for row in main_rows(rows.values())] == ["c", "a", "b"]
    assert rows["ann", "c"].overall_rank == 2  # of two cards, not of four who made them


def test_rows_keep_the_order_of_a_table_and_otherwise_go_by_item():
    late, early = card(1, "x", Candidate(system="late", row=9)), card(2, "y", Candidate(system="early", row=0))
    middle, own = card(3, "z", Candidate(system="middle", row=5)), card(4, "w", Candidate(system="own"))
    pages = (
        page(number=2, rater="second", cards=[late, early], scores=scored(a=1, b=2)),
        page(number=1, rater="first", cards=[early, late], scores=scored(a=1, b=2)),
        page(
            number=3,
            item="2",
            item_number=0,
            cards=[own, middle],
            scores={"card-3": {"overall": 1.0}, "card-4": {"overall": 2.0}},
        ),
    )
    record = Record(settings=settings_of(), pages=pages)
    assert [(row.system, row.rater) for row in judgements_of(record)] == [
        ("early", "first"),
        ("early", "second"),
        ("middle", "ann"),
        ("late", "first"),
        ("late", "second"),
        ("own", "ann"),
    ]


def test_training_controls_and_second_times_are_rows_that_do_not_count():
    degraded = card(2, "bad", Candidate(system="control-degraded", control="degraded", of="a"))
    pages = (
        page(number=1, cards=[A, degraded], scores=scored(a=80, b=10)),
        page(number=2, cards=[A, degraded], scores=scored(a=70, b=20), repeat=True, place=2),
        page(number=3, item="training-1", cards=[C], scores=scored(c=50), training=True, place=3),
    )
    rows = judgements_of(Record(settings=settings_of(), pages=pages))
    assert len(rows) == 5
    assert [(row.system, row.score) for row in main_rows(rows)] == [("a", 80.0)]
    assert next(row for row in rows if row.control).of == "a"
    assert rows[-1].training


def test_forms_with_aspects_have_a_row_for_each_and_neither_groups_nor_ranks_within_them():
    both = {"card-1": {"overall": 40.0, "fluency": 5.0}, "card-2": {"overall": 60.0}}
    record = Record(settings=settings_of("likert", OVERALL, FLUENCY), pages=(page(cards=[A, B], scores=both),))
    rows = judgements_of(record)
    assert [(row.system, row.aspect, row.score) for row in rows] == [
        ("a", "overall", 40),
        ("a", "fluency", 5),
        ("b", "overall", 60),
    ]
    assert {(row.group, row.rank) for row in rows} == {(None, None)}
    assert [row.overall_rank for row in rows] == [2, None, 1]  # fluency: alone
    assert rows[1].scale == Scale(1, 5, 1)


def test_corrected_edits_are_kept_as_json_and_untouched_ones_are_absent():
    done = page(cards=[A, B], scores=scored(a=1, b=2))
    answers = replace(done.work.answers, edits={"card-1": (Edit(kind="split", start=3, end=3),)})
    done = replace(done, work=replace(done.work, answers=answers))
    rows = rows_of(done)
    assert rows["ann", "a"].edits == '[{"kind":"split","start":3,"end":3,"source_start":0,"source_end":0}]'
    assert rows["ann", "b"].edits is None


def compared(number: int, first: object, second: object, chosen: str | None, **others: object) -> RatedPage:
    return page(
        number=number,
        place=number,
        cards=[first, second],  # type: ignore[list-item]
        preferences={"overall": chosen},
        **others,  # type: ignore[arg-type]
    )


def test_of_pairs_the_score_is_the_share_that_was_won():
    # a beats b and c; b and c are alike: a 2 of 2, b and c half of one in two.
    pages = [compared(1, A, B, "card-1"), compared(2, C, A, "card-1"), compared(3, B, C, None)]
    rows = rows_of(*pages, form="pairwise")
    assert {system: row.score for (_, system), row in rows.items()} == {"a": 1.0, "b": 0.25, "c": 0.25}
    assert {system: row.overall_rank for (_, system), row in rows.items()} == {"a": 1, "b": 2, "c": 2}
    assert rows["ann", "a"].seconds == 120.0
    assert rows["ann", "a"].position is None


def test_a_win_over_an_output_of_two_systems_counts_twice():
    # a beats b and c, who wrote the same, and loses to d: 2 of 3. b and c lose to a and tie with d: a quarter each.
    both, d = card(2, "two", "b", "c"), card(4, "four", "d")
    pages = [compared(1, A, both, "card-1"), compared(2, d, A, "card-4"), compared(3, both, d, None)]
    rows = rows_of(*pages, form="pairwise")
    scores = {system: row.score for (_, system), row in rows.items()}
    assert scores == {"a": 2 / 3, "b": 0.25, "c": 0.25, "d": 2 / 3}
    assert rows["ann", "a"].seconds == 120.0


@given(st.lists(st.sampled_from("wlt"), min_size=10, max_size=10), st.lists(st.integers(0, 4), min_size=7, max_size=7))
def test_shares_are_those_of_the_single_comparisons(outcomes, texts):
    # Six systems and a control make up to five different outputs; every two of these are compared.
    made: dict[int, list[str | Candidate]] = {}
    for number, text in enumerate(texts):
        control = Candidate(system="control-source", control="source")
        made.setdefault(text, []).append(f"s{number}" if number < 6 else control)
    cards = [card(number, f"text {number}", *makers) for number, makers in made.items()]
    pages = [
        compared(number, first, second, {"w": first.id, "l": second.id, "t": None}[outcome])
        for number, ((first, second), outcome) in enumerate(zip(combinations(cards, 2), outcomes, strict=False), 1)
    ]
    record = Record(settings=settings_of("pairwise"), pages=tuple(pages))
    won: dict[str, list[float]] = {}
    for row in comparisons_of(record):
        if row.is_main:
            won.setdefault(row.first, []).append(row.score)
            won.setdefault(row.second, []).append(1 - row.score)
    found = {row.system: row.score for row in main_rows(judgements_of(record))}
    assert found == pytest.approx({system: sum(scores) / len(scores) for system, scores in won.items()})


def test_a_win_over_a_damaged_copy_lifts_nobody():
    copy = card(4, "bad", Candidate(system="control-degraded", control="degraded", of="a"))
    rows = rows_of(compared(1, A, B, "card-2"), compared(2, A, copy, "card-1"), form="pairwise")
    assert rows["ann", "a"].score == 0.0
    assert rows["ann", "control-degraded"].score == 0.0


def test_comparisons_say_which_was_shown_first():
    pages = (compared(1, B, A, "card-1"), compared(2, A, C, None, repeat=True))
    first, second = comparisons_of(Record(settings=settings_of("pairwise"), pages=pages))
    assert (first.first, first.second, first.score) == ("b", "a", 0.0)
    assert (second.first, second.second, second.score) == ("a", "c", 0.5)
    assert first.is_main
    assert not second.is_main


@given(st.lists(st.sampled_from("wlt"), min_size=1, max_size=30), st.integers(0, 2**32 - 1))
def test_shares_won_of_all_systems_are_half_on_average(outcomes, seed):
    cards = (A, B, C)
    pages = []
    for number, outcome in enumerate(outcomes, start=1):
        first, second = cards[(number + seed) % 3], cards[(number + seed + 1) % 3]
        chosen = {"w": first.id, "l": second.id, "t": None}[outcome]
        pages.append(compared(number, first, second, chosen))
    record = Record(settings=settings_of("pairwise"), pages=tuple(pages))
    counts = {row.system: 0 for row in judgements_of(record)}
    for row in comparisons_of(record):
        counts[row.first] += 1
        counts[row.second] += 1
    won = sum(row.score * counts[row.system] for row in judgements_of(record))
    assert abs(won - len(pages)) < 1e-9  # each comparison gives away one point


@given(st.integers(0, 1000))
def test_ratings_of_main_rows_are_unique_and_complete(seed):
    study = SimulatedStudy(systems=(60, 50), items=3, raters=honest(2), repeats=2)
    rows = judgements_of(study.record(seed))
    ratings = ratings_of(main_rows(rows))  # refuses what comes twice
    assert len(ratings) == 3 * 2 * 2
    assert sorted(row.order for row in rows if row.rater == "rater 0") == list(
        range(1, 1 + sum(row.rater == "rater 0" for row in rows))
    )
    for row in rows:
        beside = [o.score for o in rows if (o.rater, o.item, o.repeat) == (row.rater, row.item, row.repeat)]
        assert row.overall_rank == 1 + sum(score > row.score for score in beside)


def test_a_card_without_a_score_has_no_row():
    rows = rows_of(page(cards=[A, B], scores=scored(a=1)))
    assert list(rows) == [("ann", "a")]
    assert Answers(groups={}).scores == {}
