"""Careless raters fail their controls, careful ones do not, and every number is what its definition says."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.rate.simulated_pages import (
    OVERALL,
    SimulatedRater,
    SimulatedStudy,
    card,
    honest,
    page,
    settings_of,
)
from tests.rate.simulated_results import finding_rates

from plainwright.rate.forms.answers import Contradiction
from plainwright.rate.material import Candidate
from plainwright.rate.results.quality import RaterQuality, quality_of
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.table import judgements_of
from plainwright.rate.settings import Aspect
from plainwright.study.raters import rater_reports
from plainwright.study.ratings import Scale

DEGRADED = Candidate(system="control-degraded", control="degraded", of="a")
SOURCE = Candidate(system="control-source", control="source")


def one(*pages: RatedPage, form: str = "rank", aspects: tuple[Aspect, ...] = ()) -> RaterQuality:
    [quality] = quality_of(Record(settings=settings_of(form, *aspects), pages=pages))  # type: ignore[arg-type]
    return quality


def controlled(number: int, original: float, copy: float, **others: object) -> RatedPage:
    cards = [card(10 * number, f"good {number}", "a"), card(10 * number + 1, f"bad {number}", DEGRADED)]
    scores = {cards[0].id: {"overall": original}, cards[1].id: {"overall": copy}}
    return page(number=number, place=number, item=str(number), cards=cards, scores=scores, **others)  # type: ignore[arg-type]


def kinds(quality: RaterQuality) -> list[str]:
    return [finding.kind for finding in quality.findings]


def test_damaged_copies_are_counted_below_equal_and_above():
    pages = [controlled(1, 80, 20), controlled(2, 50, 50), controlled(3, 30, 60)]
    degraded = one(*pages).degraded
    assert (degraded.below, degraded.equal, degraded.above) == (1, 1, 1)
    expected = stats.binomtest(1, 3).proportion_ci(method="wilson")
    assert (degraded.share.interval.low, degraded.share.interval.high) == pytest.approx((expected.low, expected.high))


@given(st.integers(1, 60), st.data())
@settings(max_examples=50)
def test_who_notices_too_few_is_named_and_the_limit_is_that_of_the_binomial(n, data):
    below = data.draw(st.integers(0, n))
    quality = one(*(controlled(k + 1, 80, 20 if k < below else 90) for k in range(n)))
    blamed = "degraded" in kinds(quality)
    assert blamed == (stats.binom.cdf(below, n, 0.8) < 0.05)
    if blamed:
        sentence = next(f.sentence for f in quality.findings if f.kind == "degraded")
        assert sentence.startswith(f"rater 'ann' put only {below} of {n} damaged copies below their originals")


def test_a_second_time_and_a_copy_without_its_original_do_not_count():
    again = controlled(1, 10, 90, repeat=True)
    alone = card(99, "bad", DEGRADED)
    lonely = page(number=9, place=9, item="9", cards=[alone], scores={alone.id: {"overall": 1.0}})
    assert one(controlled(1, 80, 20), replace(again, number=5, place=5), lonely).degraded.share.n == 1


def test_with_several_aspects_the_total_decides():
    fluency = Aspect(name="fluency", question="?", scale=Scale(1, 5, 1))
    cards = [card(1, "good", "a"), card(2, "bad", DEGRADED)]
    # overall 60 and 70 of 100, fluency 5 and 2 of 1..5: totals 0.8 and 0.475
    scores = {"card-1": {"overall": 60.0, "fluency": 5.0}, "card-2": {"overall": 70.0, "fluency": 2.0}}
    quality = one(page(cards=cards, scores=scores), form="likert", aspects=(OVERALL, fluency))
    assert quality.degraded.below == 1


@pytest.mark.parametrize("control", [DEGRADED, SOURCE])
@pytest.mark.parametrize("turned", [False, True])
def test_totals_that_are_equal_are_equal_in_any_order_of_aspects(control, turned):
    # 0.1 + 0.2 + 0.3 is not 0.3 + 0.2 + 0.1 for a computer.
    aspects = tuple(Aspect(name=name, question="?", scale=Scale(0, 100)) for name in "xyz")
    up, down = (dict(zip("xyz", scores, strict=True)) for scores in ((10.0, 20.0, 30.0), (30.0, 20.0, 10.0)))
    scores = {"card-1": down, "card-2": up} if turned else {"card-1": up, "card-2": down}
    cards = [card(1, "good", "a"), card(2, "other", control)]
    quality = one(page(cards=cards, scores=scores), form="direct", aspects=aspects)
    if control is DEGRADED:
        assert (quality.degraded.below, quality.degraded.equal, quality.degraded.above) == (0, 1, 0)
    else:
        assert [standing.own.value for standing in quality.standings] == [0.5]


def test_careless_raters_fail_their_controls_and_careful_ones_do_not():
    careless, others, number = finding_rates(12, items=40, degraded=0.5, repeats=8)
    caught = careless["degraded"] + careless["repeats"] + careless["unrelated"] + careless["contrary"]
    assert caught >= 12
    assert careless["degraded"] >= 7
    assert others["degraded"] + others["repeats"] + others["unrelated"] <= 0.05 * number


def test_repeats_are_compared_output_by_output():
    first = controlled(1, 80, 20)
    second = replace(controlled(1, 70, 50, repeat=True), number=2, place=2)
    third, fourth = controlled(3, 60, 10), replace(controlled(3, 65, 15, repeat=True), number=4, place=4)
    repeats = one(first, second, third, fourth).repeats
    assert repeats.items == 2
    assert repeats.difference.value == pytest.approx((0.1 + 0.3 + 0.05 + 0.05) / 4)
    once, twice = [0.8, 0.2, 0.6, 0.1], [0.7, 0.5, 0.65, 0.15]
    expected = stats.pearsonr(once, twice)
    assert repeats.correlation.value == pytest.approx(expected.statistic)
    interval = expected.confidence_interval()
    assert (repeats.correlation.interval.low, repeats.correlation.interval.high) == pytest.approx(tuple(interval))
    assert repeats.by_chance == pytest.approx(np.mean([abs(a - b) for a in once for b in twice]))


def test_who_scores_at_random_the_second_time_is_named():
    study = SimulatedStudy(items=20, raters=[SimulatedRater(name="x", careless=True)], repeats=20, degraded=0)
    [quality] = quality_of(study.record(1))
    assert "repeats" in kinds(quality)


def test_an_output_that_systems_share_is_one_output_when_it_comes_again():
    shared = card(1, "same", "a", "b")
    pages = [
        page(number=n, place=n, cards=[shared], scores={"card-1": {"overall": 50.0}}, repeat=n == 2) for n in (1, 2)
    ]
    assert one(*pages).repeats.difference.n == 1


def with_source(number: int, rater: str, source: float, place: int) -> RatedPage:
    cards = [card(10 * place + k, f"{k} of {place}", name) for k, name in enumerate(("a", "b", "c", SOURCE))]
    scores = dict(zip((c.id for c in cards), ({"overall": s} for s in (40.0, 50.0, 60.0, source)), strict=True))
    return page(number=number, rater=rater, place=place, item=str(place), cards=cards, scores=scores)


def test_the_standing_of_the_source_is_compared_with_that_of_other_raters():
    pages = [with_source(n, "ann", 20.0, n) for n in range(1, 7)]
    pages += [with_source(10 + n, "ben", 20.0, n) for n in range(1, 7)]
    pages += [with_source(20 + n, "cal", 90.0 if n < 6 else 50.0, n) for n in range(1, 7)]
    qualities = {q.rater: q for q in quality_of(Record(settings=settings_of(), pages=tuple(pages)))}
    [standing] = qualities["cal"].standings
    assert standing.own.value == pytest.approx(
        (5 + 0.5) / 6
    )  # above all, and once above one, level with one, below one
    assert standing.others == 0.0
    assert "source" in kinds(qualities["cal"])
    assert "source" not in kinds(qualities["ann"])
    assert "puts the unchanged source higher than the others do" in next(
        f.sentence for f in qualities["cal"].findings if f.kind == "source"
    )


def test_time_is_the_median_for_an_output_and_a_third_of_the_others_is_hurried():
    raters = [*honest(3), SimulatedRater(name="quick", seconds=3.0)]
    record = SimulatedStudy(items=6, raters=raters).record(1)
    qualities = {quality.rater: quality for quality in quality_of(record)}
    assert "hurried" in kinds(qualities["quick"])
    assert not any("hurried" in kinds(qualities[f"rater {k}"]) for k in range(3))
    own = [p for p in record.pages if p.rater == "quick"]
    assert qualities["quick"].seconds_per_output == median(p.work.seconds / len(p.cards) for p in own)
    assert qualities["quick"].pages == len(own)


def texts(number: int, seconds: float, *, outputs: int = 2, words: int = 15, **others: object) -> RatedPage:
    """A page of so many outputs of so many words; the source has ten."""
    cards = [card(10 * number + k, " ".join(["word"] * words), chr(ord("a") + k)) for k in range(outputs)]
    source = " ".join(["word"] * 10)
    scores = {shown.id: {"overall": 50.0 + k} for k, shown in enumerate(cards)}
    named = {"number": number, "place": number, "item": str(number), "source": source, **others}
    return page(cards=cards, scores=scores, seconds=seconds, **named)  # type: ignore[arg-type]


def test_seconds_for_a_word_count_the_source_once():
    first, again = texts(1, 20.0), texts(2, 6.0, item="1", repeat=True)
    quality = one(first, again, texts(3, 8.0))
    # By hand: 20 s for 10 + 2 * 15 words, 6 s for 30, the source being known, and 8 s for 40; the median.
    assert quality.seconds_per_word == median([20 / 40, 6 / 30, 8 / 40]) == 0.2
    assert quality.to_dict()["seconds_per_word"] == 0.2


@pytest.mark.parametrize(
    ("seconds", "unread"),
    [
        (1.0, True),  # half a second for an output, all raters alike
        (3.9, True),
        (4.1, False),  # 40 words at the bound of 600 a minute take 4 seconds
        (60.0, False),
    ],
)
def test_nobody_can_have_read_so_much_in_so_little_time_whoever_else_rates(seconds: float, unread: bool):
    pages = [texts(number, seconds, rater=rater) for number in range(1, 7) for rater in ("ann", "ben")]
    qualities = quality_of(Record(settings=settings_of(), pages=tuple(pages)))
    assert [("unread" in kinds(quality), "hurried" in kinds(quality)) for quality in qualities] == [(unread, False)] * 2
    alone = one(*(texts(number, seconds) for number in range(1, 7)))
    assert ("unread" in kinds(alone)) == unread


def test_reading_too_fast_is_told_with_the_bound():
    [finding] = [f for f in one(*(texts(k, 2.0) for k in range(1, 7))).findings if f.kind == "unread"]
    # By hand: 40 words in 2 seconds.
    assert finding.sentence.endswith("goes through the texts at 1,200 words a minute; nobody reads more than 600")
    [finding] = [f for f in one(*(texts(k, 0.0) for k in range(1, 7))).findings if f.kind == "unread"]
    assert finding.sentence.endswith("answers in no time at all; nobody reads more than 600 words a minute")


def test_few_pages_and_imported_ones_say_nothing_about_reading():
    assert "unread" not in kinds(one(*(texts(number, 1.0) for number in range(1, 5))))
    imported = one(*(replace(texts(number, 0.0), imported=True) for number in range(1, 9)))
    assert imported.seconds_per_word is None
    assert "unread" not in kinds(imported)
    assert "seconds_per_word" not in imported.to_dict()


def test_contradictions_that_were_kept_are_counted():
    done = controlled(1, 20, 80)
    done = replace(done, work=replace(done.work, contradictions=(Contradiction("card-10", "card-11"),)))
    quality = one(done, controlled(2, 80, 20))
    assert (quality.contradictions, quality.contradicting_pages) == (1, 1)


def test_agreement_is_that_of_study():
    record = SimulatedStudy(items=12, raters=honest(3)).record(2)
    qualities = quality_of(record, resamples=100, seed=7)
    from plainwright.rate.results.table import main_rows, ratings_of

    reports = rater_reports(ratings_of(main_rows(judgements_of(record))), "overall", resamples=100, seed=7)
    assert [quality.reports["overall"] for quality in qualities] == list(reports)


def test_of_pairs_a_damaged_copy_that_wins_is_above_its_original():
    a, b, copy = card(1, "one", "a"), card(2, "two", "b"), card(3, "bad", DEGRADED)
    pages = [
        page(number=1, place=1, cards=[a, b], preferences={"overall": "card-2"}),
        page(number=2, place=2, cards=[copy, a], preferences={"overall": "card-1"}),
        page(number=3, place=3, item="2", cards=[copy, a], preferences={"overall": "card-3"}),
        page(number=4, place=4, item="3", cards=[copy, a], preferences={"overall": None}),
    ]
    degraded = one(*pages, form="pairwise").degraded
    assert (degraded.below, degraded.equal, degraded.above) == (1, 1, 1)


def test_of_pairs_that_come_again_the_two_choices_are_compared():
    a, b, c = card(1, "one", "a"), card(2, "two", "b"), card(3, "three", "c")
    pages = [
        page(number=1, place=1, cards=[a, b], preferences={"overall": "card-1"}),
        page(number=2, place=2, cards=[c, a], preferences={"overall": "card-3"}),
        page(number=3, place=3, cards=[b, c], preferences={"overall": "card-3"}),
        page(number=4, place=4, cards=[b, a], preferences={"overall": "card-1"}, repeat=True),  # the same, turned round
        page(number=5, place=5, cards=[c, a], preferences={"overall": None}, repeat=True),
        page(number=6, place=6, item="2", cards=[c, a], preferences={"overall": None}, repeat=True),  # no first time
    ]
    repeats = one(*pages, form="pairwise").repeats
    assert repeats.difference.n == 2
    assert repeats.difference.value == pytest.approx((0 + 0.5) / 2)


def test_a_study_without_pages_has_no_raters_and_training_is_no_work():
    assert quality_of(Record(settings=settings_of(), pages=())) == ()
    assert quality_of(Record(settings=settings_of(), pages=(controlled(1, 2, 1, training=True),))) == ()


@given(st.integers(0, 500))
@settings(max_examples=15)
def test_any_study_gives_plain_json(seed):
    import json

    generator = np.random.default_rng(seed)
    raters = [
        SimulatedRater(name=f"r{k}", careless=bool(generator.integers(2)), noise=float(generator.integers(0, 20)))
        for k in range(int(generator.integers(1, 4)))
    ]
    study = SimulatedStudy(
        items=int(generator.integers(1, 6)),
        raters=raters,
        repeats=int(generator.integers(0, 2)),
        source=40.0 if generator.integers(2) else None,
        systems=(60.0,) * int(generator.integers(1, 4)),
    )
    for quality in quality_of(study.record(seed), resamples=20):
        json.dumps(quality.to_dict(), allow_nan=False)
