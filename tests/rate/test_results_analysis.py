"""The whole analysis: agreement as `study` has it, and as another library has it."""

from __future__ import annotations

import json
from dataclasses import replace

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rate.simulated_pages import SimulatedRater, SimulatedStudy, card, honest, page, settings_of

from plainwright.errors import DataError, UnknownNameError
from plainwright.rate.identical import Identical
from plainwright.rate.results.analysis import analyse
from plainwright.rate.results.record import RatedPage, Record
from plainwright.rate.results.table import judgements_of, main_rows, ratings_of
from plainwright.study.agreement import aspect_agreement
from plainwright.study.ratings import standardised

STUDY = SimulatedStudy(items=8, raters=honest(3))


def test_agreement_is_that_of_study_on_the_same_rows():
    record = STUDY.record(1)
    [found] = analyse(record, resamples=100, trials=100).aspects
    ratings = standardised(ratings_of(main_rows(judgements_of(record))))
    assert found.raw == aspect_agreement(ratings, "overall", resamples=100)
    assert found.z == aspect_agreement(ratings, "overall", values="z", resamples=100)


@given(st.integers(0, 1000), st.sampled_from(["nominal", "ordinal", "interval", "ratio"]))
@settings(max_examples=12)
def test_alpha_is_that_of_another_library(seed, level):
    record = STUDY.record(seed)
    [found] = analyse(record, resamples=5, trials=5, level=level).aspects
    rows = main_rows(judgements_of(record))
    raters, outputs = (sorted({key(row) for row in rows}) for key in (lambda r: r.rater, lambda r: (r.item, r.system)))
    table = np.full((len(raters), len(outputs)), np.nan)
    for row in rows:
        table[raters.index(row.rater), outputs.index((row.item, row.system))] = row.score
    assert found.raw.alpha.value == pytest.approx(krippendorff.alpha(table, level_of_measurement=level))


def test_controls_repeats_and_training_move_nothing_that_is_said_of_systems():
    record = STUDY.record(1)
    bare = tuple(_without_controls(one) for one in record.pages if not one.repeat)
    with_all = analyse(record, resamples=20, trials=50).aspects[0]
    without = analyse(Record(settings=record.settings, pages=bare), resamples=20, trials=50).aspects[0]
    assert with_all.systems == without.systems
    assert with_all.raw.alpha == without.raw.alpha


def _without_controls(one: RatedPage) -> RatedPage:
    return replace(one, cards=tuple(shown for shown in one.cards if shown.candidates[0].control is None))


def test_everything_is_plain_json_and_the_same_every_time():
    first, second = (analyse(STUDY.record(2), resamples=50, trials=100) for _ in range(2))
    assert json.dumps(first.to_dict(), allow_nan=False) == json.dumps(second.to_dict(), allow_nan=False)
    document = first.to_dict()
    assert list(document) == ["study", "form", "pages", "summary", "aspects", "raters"]
    assert document["pages"] == 8 * 3


@given(st.integers(0, 300))
@settings(max_examples=15)
def test_small_and_odd_studies_are_analysed_too(seed):
    generator = np.random.default_rng(seed)
    raters = [
        SimulatedRater(name=f"r{k}", noise=float(generator.integers(0, 15)), careless=bool(generator.integers(2)))
        for k in range(int(generator.integers(1, 4)))
    ]
    study = SimulatedStudy(
        items=int(generator.integers(1, 5)), raters=raters, repeats=0, systems=(50.0,) * int(generator.integers(1, 4))
    )
    json.dumps(analyse(study.record(seed), resamples=5, trials=5).to_dict(), allow_nan=False)


def test_pairs_are_analysed_by_their_shares():
    a, b, c = card(1, "one", "a"), card(2, "two", "b"), card(3, "three", "c")
    pages = []
    for item in range(6):
        for rater in ("ann", "ben"):
            for first, second in ((a, b), (c, a), (b, c)):
                best = min(first, second, key=lambda one: one.number)
                number = len(pages) + 1
                pages.append(
                    page(
                        number=number,
                        place=number,
                        rater=rater,
                        item=str(item),
                        cards=[first, second],
                        preferences={"overall": best.id},
                    )
                )
    identical = Identical(pairs=3, all_pairs=24, sentences=1, all_sentences=8)
    record = Record(settings=settings_of("pairwise"), pages=tuple(pages), identical=identical)
    document = analyse(record, resamples=20, test="wilcoxon")
    assert document.to_dict()["identical"]["sentences"] == 1
    [found] = document.aspects
    assert [(s.system, s.raw.value) for s in found.systems.systems] == [("a", 1.0), ("b", 0.5), ("c", 0.0)]
    assert str(found.position.scale) == "0..1"
    assert found.position.overall.pages == 36


def test_nothing_to_analyse_and_unknown_aspects_are_one_sentence():
    with pytest.raises(DataError, match="'by hand': no page is finished yet"):
        analyse(Record(settings=settings_of(), pages=()))
    with pytest.raises(UnknownNameError, match="this study has overall"):
        analyse(STUDY.record(1), aspects=("simplicity",))
