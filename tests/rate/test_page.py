"""The state of a page after events: what raters may do, what is refused, and that nothing gets lost."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plainwright.errors import RefusedError
from plainwright.rate.events import (
    Comment,
    Event,
    Finish,
    Hide,
    Mark,
    Move,
    Prefer,
    Redo,
    Reopen,
    Score,
    Show,
    Sort,
    Undo,
)
from plainwright.rate.forms.answers import Contradiction, Missing, Work
from plainwright.rate.forms.page import Page
from plainwright.rate.forms.rank import proposed_score
from plainwright.rate.material import CardView, Edit, UnitView
from plainwright.rate.settings import Aspect, Settings
from plainwright.study.ratings import Scale

OVERALL = Aspect(name="overall", question="How good is it?", scale=Scale(0, 100))
FLUENCY = Aspect(name="fluency", question="Is it fluent?", scale=Scale(1, 5, 1))
MEANING = Aspect(name="meaning", question="Does it mean the same?", scale=Scale(1, 5, 1))

UNIT = UnitView(
    source="The cat slept on the old mat.",
    cards=(
        CardView(id="a", text="The cat slept.", group="deletion", edits=(Edit("deletion", 13, 13, 13, 28),)),
        CardView(id="b", text="The cat dozed on the old mat.", group="paraphrase"),
        CardView(id="c", text="The cat rested on a rug.", group="paraphrase"),
        CardView(id="d", text="A cat slept. The mat was old.", group="split"),
        CardView(id="e", text="The cat slept on the mat.", group="deletion"),
    ),
)
NAMES = tuple(card.id for card in UNIT.cards)


def page_of(form: str = "rank", *, aspects: tuple[Aspect, ...] = (OVERALL,), cards: int = 5, **options: object) -> Page:
    settings = Settings(title="Test", form=form, aspects=aspects, **options)  # type: ignore[arg-type]
    return Page.start(UnitView(source=UNIT.source, cards=UNIT.cards[:cards]), settings)


def after(page: Page, *events: Event) -> Page:
    for event in events:
        page = page.apply(event, at=0.0)
    return page


def scored(page: Page, **scores: float) -> Page:
    return after(page, *(Score(card, "overall", value) for card, value in scores.items()))


def test_cards_start_in_their_groups_in_the_order_shown() -> None:
    assert page_of().answers.groups == {"split": ("d",), "deletion": ("a", "e"), "paraphrase": ("b", "c")}
    assert page_of(groups=False).answers.groups == {"all": NAMES}
    assert page_of("likert", aspects=(FLUENCY,)).answers.groups == {"all": NAMES}


def test_a_moved_card_leaves_its_group_and_stands_where_it_was_put() -> None:
    page = after(page_of(), Move("b", "deletion", 1))
    assert page.answers.groups == {"split": ("d",), "deletion": ("a", "b", "e"), "paraphrase": ("c",)}
    assert after(page, Move("a", "deletion", 2)).answers.groups["deletion"] == ("b", "e", "a")


def test_sorting_puts_the_best_first_and_those_without_a_score_last() -> None:
    page = after(scored(page_of(groups=False), a=20, c=90, e=20), Sort("all"))
    assert page.answers.groups["all"] == ("c", "a", "e", "b", "d")


def test_only_neighbours_with_a_score_contradict_each_other() -> None:
    page = scored(page_of(groups=False), a=10, c=90, d=80, e=85)
    assert page.work.contradictions == (Contradiction("a", "c"), Contradiction("d", "e"))
    assert scored(page_of(), b=50, c=50).work.contradictions == ()


def test_an_order_without_contradictions_is_what_sorting_gives() -> None:
    page = after(scored(page_of(groups=False), a=10, b=20, c=15, d=99, e=0), Sort("all"))
    assert page.work.contradictions == ()


def test_what_is_missing_is_said_card_by_card() -> None:
    page = page_of("likert", aspects=(FLUENCY, MEANING), cards=2)
    page = after(page, Score("a", "meaning", 3), Score("b", "fluency", 5))
    assert page.work.missing == (Missing("a", "fluency"), Missing("b", "meaning"))
    with pytest.raises(RefusedError, match=r"output 1 \(fluency\), output 2 \(meaning\)"):
        page.apply(Finish(), at=0)


def test_a_score_taken_back_is_missing_again() -> None:
    page = after(page_of(), Score("a", "overall", 40), Score("a", "overall", None))
    assert page.answers.scores == {}
    assert Missing("a", "overall") in page.work.missing


@pytest.mark.parametrize("value", [0, 100, 33.5])
def test_a_scale_without_steps_takes_all_scores_between_its_ends(value: float) -> None:
    assert after(page_of(), Score("a", "overall", value)).answers.scores == {"a": {"overall": value}}


@pytest.mark.parametrize(
    ("page", "event", "reason"),
    [
        (page_of(), Score("z", "overall", 1), "no output 'z'"),
        (page_of(), Score("a", "fluency", 1), "asks about overall"),
        (page_of(), Score("a", "overall", 100.5), r"0\.\.100 for overall, found 100\.5"),
        (page_of(), Score("a", "overall", float("nan")), "found nan"),
        (page_of("likert", aspects=(FLUENCY,)), Score("a", "fluency", 2.5), r"1\.\.5 by 1"),
        (page_of("likert", aspects=(FLUENCY,)), Move("a", "all", 0), "no order"),
        (page_of("likert", aspects=(FLUENCY,)), Sort("all"), "no order"),
        (page_of(), Move("a", "all", 0), "groups split, deletion, paraphrase"),
        (page_of(groups=False), Move("a", "split", 0), "groups all"),
        (page_of(), Move("a", "split", 2), "from 0 to 1 in split, found 2"),
        (page_of(), Move("d", "split", 1), "from 0 to 0 in split, found 1"),
        (page_of(), Sort("all"), "not 'all'"),
        (page_of(), Prefer("overall", "a"), "asks for scores"),
        (page_of("pairwise", cards=2), Score("a", "overall", 1), "no scores"),
        (page_of("pairwise", cards=2), Prefer("overall", "c"), "no output 'c'"),
        (page_of("pairwise", cards=2), Prefer("fluency", "a"), "asks about overall"),
        (page_of("pairwise", cards=2), Finish(), r"the two outputs \(overall\)"),
        (page_of(edits=False), Mark("a", []), "no edits"),
        (page_of(), Mark("a", [Edit("paraphrase", 0, 15)]), "within its texts"),
        (page_of(), Mark("a", [Edit("paraphrase", -1, 3)]), "within its texts"),
        (page_of(), Mark("a", [Edit("deletion", 4, 4, 5, 4)]), "within its texts"),
        (page_of(), Mark("a", [Edit("deletion", 4, 4, 5, 40)]), "within its texts"),
        (page_of(), Mark("a", [Edit("deletion", 4, 5)]), "a place between two words for a deletion"),
        (page_of(), Mark("a", [Edit("paraphrase", 4, 4)]), "some of the text for a paraphrase"),
        (page_of(), Mark("a", [Edit("paraphrase", 4, 7), Edit("paraphrase", 0, 5)]), "overlap at 4"),
        (page_of(), Mark("a", [Edit("split", 4, 4), Edit("split", 4, 4)]), "overlap at 4"),
        (page_of(), Undo(), "nothing to undo"),
        (page_of(), Redo(), "nothing to redo"),
        (page_of(), Reopen(), "not finished"),
        (page_of(), Finish(), r"output 1 of split \(overall\)"),
    ],
)
def test_what_makes_no_sense_is_refused(page: Page, event: Event, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        page.apply(event, at=0)


def test_corrected_edits_come_out_in_order() -> None:
    edits = [Edit("split", 7, 7), Edit("paraphrase", 0, 3, 0, 3), Edit("deletion", 0, 0, 4, 7)]
    page = after(page_of(), Mark("a", edits))
    assert page.answers.edits == {"a": (edits[2], edits[1], edits[0])}


def test_edits_put_back_as_they_were_are_no_correction() -> None:
    page = after(page_of(), Mark("a", []), Mark("a", list(UNIT.cards[0].edits)))
    assert page.answers.edits == {}


def test_preferring_neither_is_an_answer() -> None:
    page = after(page_of("pairwise", cards=2), Prefer("overall", None))
    assert page.answers.preferences == {"overall": None}
    assert after(page, Finish()).finished


def test_a_comment_loses_control_characters_only() -> None:
    assert after(page_of(), Comment("odd\x00 one\n\ttwo\x1b 🙂\r\n")).answers.comment == "odd one\n\ttwo 🙂\n"


def full_page(rule: str) -> Page:
    return scored(page_of(groups=False, contradictions=rule), a=10, b=20, c=5, d=4, e=3)


def test_contradictions_stop_a_finish_as_the_study_says() -> None:
    assert after(full_page("allow"), Finish()).finished
    assert after(full_page("confirm"), Finish(confirmed=True)).finished
    for rule, event in (("confirm", Finish()), ("refuse", Finish()), ("refuse", Finish(confirmed=True))):
        with pytest.raises(RefusedError, match="output 2 has a higher score than the one above it"):
            full_page(rule).apply(event, at=0)


def test_a_finished_page_only_opens_again() -> None:
    page = after(full_page("allow"), Finish())
    assert not page.work.can_undo
    for event in (Score("a", "overall", 1), Undo(), Redo(), Finish(), Comment("x"), Sort("all")):
        with pytest.raises(RefusedError, match="finished"):
            page.apply(event, at=0)
    page = after(page, Show(), Hide(), Reopen())
    assert not page.finished
    with pytest.raises(RefusedError, match="nothing to undo"):  # undo does not reach behind a finish
        page.apply(Undo(), at=0)
    assert after(page, Score("a", "overall", 30), Undo()).answers == full_page("allow").answers


def timed(*events: tuple[float, Event]) -> float:
    page = page_of(groups=False)
    for at, event in events:
        page = page.apply(event, at)
    return page.work.seconds


def test_time_runs_in_sight_without_long_silences() -> None:
    score = Score("a", "overall", 1)
    assert timed((0, score), (50, score)) == 0  # never shown
    assert timed((10, Show()), (40, score), (70, Hide()), (80, score)) == 60
    assert timed((0, Show()), (100, score), (230, score), (240, Hide())) == 110  # 130 seconds of silence
    assert timed((0, Show()), (30, Show()), (40, Hide()), (50, Hide())) == 40
    assert timed((100, Show()), (90, score), (95, Hide())) == 5  # a clock put back


def test_no_time_runs_on_a_finished_page() -> None:
    page = after(full_page("allow"), Show(), Finish())
    for at, event in enumerate((Show(), Hide(), Show(), Reopen(), Comment("x"))):
        page = page.apply(event, at * 10.0)
    assert page.work.seconds == 10  # from reopening to the comment


def test_a_proposed_score_lies_between_its_neighbours() -> None:
    answers = scored(page_of(groups=False), a=90, c=20, d=70).answers
    assert proposed_score(answers, "b", OVERALL) == 55  # between 90 and 20
    assert proposed_score(answers, "c", OVERALL) == 80  # between 90 and 70
    assert proposed_score(answers, "a", OVERALL) == 60  # between 100 and 20
    assert proposed_score(answers, "e", OVERALL) == 35  # between 70 and 0
    crossed = scored(page_of(groups=False), a=10, b=90, c=80).answers
    assert proposed_score(crossed, "b", OVERALL) is None
    assert proposed_score(crossed, "a", OVERALL) == 95
    narrow = scored(page_of(groups=False), a=50.75, c=50.25).answers
    assert proposed_score(narrow, "b", OVERALL) == 50.5


GROUP = st.sampled_from(["all", "split", "deletion", "paraphrase"])
CARD = st.sampled_from([*NAMES, "z"])
EDIT = st.builds(
    Edit,
    st.sampled_from(["deletion", "paraphrase", "split"]),
    *(st.integers(0, 30) for _ in range(2)),
    st.integers(0, 9),
)
CHANGES = st.one_of(
    st.builds(Score, CARD, st.just("overall"), st.none() | st.integers(0, 101).map(float)),
    st.builds(Move, CARD, GROUP, st.integers(0, 6)),
    st.builds(Sort, GROUP),
    st.builds(Mark, CARD, st.lists(EDIT, max_size=3)),
    st.builds(Prefer, st.just("overall"), st.none() | CARD),
    st.builds(Comment, st.text(max_size=5)),
)
EVENTS = CHANGES | st.sampled_from([Undo(), Redo(), Show(), Hide(), Finish(), Finish(True), Reopen()])
PAGES = st.sampled_from(
    [
        page_of(),
        page_of(groups=False),
        page_of(contradictions="refuse"),
        page_of("direct"),
        page_of("pairwise", cards=2),
        page_of(cards=1),
    ]
)
STORIES = st.lists(st.tuples(EVENTS, st.floats(0, 300)), max_size=40)


def lived(page: Page, story: list[tuple[Event, float]]) -> Page:
    now = 1e9
    for event, passed in story:
        now += passed
        try:
            page = page.apply(event, now)
        except RefusedError:
            continue
    return page


@given(PAGES, STORIES)
def test_every_card_stands_in_exactly_one_place_whatever_happens(page: Page, story: list[tuple[Event, float]]) -> None:
    end = lived(page, story)
    assert sorted(card for group in end.answers.groups.values() for card in group) == sorted(page.sheet.cards)
    assert list(end.answers.groups) == list(page.answers.groups)


@given(PAGES, STORIES, CHANGES)
def test_undo_takes_back_exactly_the_last_change(page: Page, story: list[tuple[Event, float]], change: Event) -> None:
    page = lived(page, story)
    try:
        changed = page.apply(change, 0)
    except RefusedError:
        return
    if changed.answers == page.answers:
        assert changed.work.can_undo == page.work.can_undo
        return
    back = changed.apply(Undo(), 0)
    assert back.answers == page.answers
    assert back.apply(Redo(), 0).answers == changed.answers


@given(PAGES, STORIES)
def test_undoing_everything_leads_back_to_the_start(page: Page, story: list[tuple[Event, float]]) -> None:
    end = lived(page, [(event, at) for event, at in story if not isinstance(event, Finish)])
    while end.work.can_undo:
        end = end.apply(Undo(), 0)
    assert end.answers == page.answers


@given(PAGES, STORIES)
def test_the_same_events_give_the_same_work_and_leave_earlier_pages_alone(
    page: Page, story: list[tuple[Event, float]]
) -> None:
    before = msgspec.json.encode(page.work)
    first, second = lived(page, story).work, lived(page, story).work
    assert first == second
    assert msgspec.json.encode(page.work) == before
    assert msgspec.json.decode(msgspec.json.encode(first), type=Work) == first


@given(PAGES, STORIES)
def test_what_is_finished_has_all_answers(page: Page, story: list[tuple[Event, float]]) -> None:
    end = lived(page, story)
    assert not (end.finished and end.work.missing)
    assert 0 <= end.work.seconds <= sum(passed for _, passed in story) + 1e-3
