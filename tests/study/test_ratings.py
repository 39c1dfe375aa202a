"""The long table of ratings and its array."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plainwright.errors import DataError, UnknownNameError
from plainwright.study.ratings import (
    AspectSummary,
    Rating,
    Ratings,
    Scale,
    standardised,
    summarise,
    zero_variance_raters,
)


def _rating(item: str, system: str, rater: str, score: float, aspect: str = "simplicity") -> Rating:
    return Rating(item=item, system=system, rater=rater, aspect=aspect, score=score)


def test_names_stand_in_order_of_appearance() -> None:
    ratings = Ratings((_rating("2", "b", "x", 1), _rating("1", "a", "x", 2), _rating("2", "a", "y", 3)))
    assert (ratings.items, ratings.systems, ratings.raters) == (("2", "1"), ("b", "a"), ("x", "y"))


def test_a_cube_has_a_gap_where_nobody_rated_and_means_over_those_who_did() -> None:
    ratings = Ratings((_rating("1", "a", "x", 1), _rating("1", "a", "y", 4), _rating("1", "b", "x", 3)))
    cube = ratings.cube("simplicity")
    np.testing.assert_array_equal(cube.scores, [[[1, 4], [3, np.nan]]])
    np.testing.assert_array_equal(cube.means, [[2.5, 3]])


def test_the_same_rating_twice_is_refused_with_its_place() -> None:
    with pytest.raises(DataError, match="item '1', system 'a', rater 'x', aspect 'simplicity'"):
        Ratings((_rating("1", "a", "x", 1), _rating("1", "a", "x", 1)))


def test_an_unknown_aspect_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(UnknownNameError, match="did you mean simplicity"):
        Ratings((_rating("1", "a", "x", 1),)).cube("simplcity")


@pytest.mark.parametrize(("score", "inside"), [(1, True), (2.5, False), (6, False)])
def test_a_scale_with_steps_knows_its_scores(score: float, inside: bool) -> None:
    assert (score in Scale(1, 5, 1)) is inside


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1..5 by 1", Scale(1, 5, 1)),
        ("-2..2 by 1", Scale(-2, 2, 1)),
        ("0..100", Scale(0, 100)),
        (" 0 .. 1  by 0.25 ", Scale(0, 1, 0.25)),
        ("-1e3..+1.5", Scale(-1000, 1.5)),
    ],
)
def test_a_scale_is_written_as_it_is_read(text: str, scale: Scale) -> None:
    assert Scale.parse(text) == scale
    assert Scale.parse(str(scale)) == scale


@pytest.mark.parametrize("text", ["", "5", "1-5", "1..", "1...5", "1..5 by", "a..b", "1..5 by 1 by 1", "٠..٥"])
def test_what_is_no_scale_is_refused(text: str) -> None:
    with pytest.raises(DataError, match=r"expected a scale such as '1..5 by 1' or '0..100', found"):
        Scale.parse(text)


@pytest.mark.parametrize("ends", [(5, 1), (1, 1), (1, 5, 0), (1, 5, -1), (1, float("inf")), (float("nan"), 1)])
def test_a_scale_goes_up_in_steps_above_nothing(ends: tuple[float, ...]) -> None:
    with pytest.raises(DataError, match="from a lower to a higher score with steps above 0"):
        Scale(*ends)


def test_steps_that_binary_numbers_only_come_near_to_are_on_the_scale() -> None:
    assert all(number / 10 in Scale(0, 1, 0.1) for number in range(11))
    assert 0.35 not in Scale(0, 1, 0.1)


def test_z_scores_by_hand() -> None:
    # Rater x gives 1, 2, 3: mean 2, deviation sqrt(2/3) or, with n - 1, 1. Rater y and other aspects do not matter.
    ratings = Ratings(
        (
            _rating("1", "a", "x", 1),
            _rating("1", "a", "y", 90),
            _rating("2", "a", "x", 2),
            _rating("3", "a", "x", 3),
            _rating("3", "a", "x", 70, "meaning"),
            _rating("3", "a", "y", 10),
        )
    )
    root = math.sqrt(1.5)
    assert [row.z for row in standardised(ratings)] == pytest.approx([-root, 1, 0, root, 0, -1])
    half = math.sqrt(0.5)
    assert [row.z for row in standardised(ratings, ddof=1)] == pytest.approx([-1, half, 0, 1, 0, -half])
    assert [row.score for row in standardised(ratings)] == [row.score for row in ratings]


def test_who_gave_one_score_or_always_the_same_has_z_zero_and_is_named() -> None:
    ratings = Ratings(
        (
            _rating("1", "a", "once", 0.1),
            *(_rating(item, "a", "flat", 0.1) for item in "123"),
            *(_rating(item, "a", "fair", float(item)) for item in "123"),
        )
    )
    assert [row.z for row in standardised(ratings, ddof=1) if row.rater != "fair"] == [0, 0, 0, 0]
    assert [(entry.rater, entry.ratings, entry.score) for entry in zero_variance_raters(ratings)] == [
        ("once", 1, 0.1),
        ("flat", 3, 0.1),
    ]


def test_another_ddof_is_refused() -> None:
    with pytest.raises(DataError, match=r"expected ddof 0 .* or 1 .*, found 2"):
        standardised(Ratings((_rating("1", "a", "x", 1),)), ddof=2)


scores = st.lists(st.floats(-1e300, 1e300) | st.integers(0, 100).map(float), min_size=2, max_size=20)


@given(scores=scores, factor=st.sampled_from([0.5, 2, 1024]), ddof=st.sampled_from([0, 1]))
def test_z_scores_have_mean_0_and_deviation_1_and_forget_the_unit(
    scores: list[float], factor: float, ddof: int
) -> None:
    spread = max(scores) - min(scores)
    assume(spread == 0 or spread > max(1e-6 * max(map(abs, scores)), 1e-300))  # else nothing is left but rounding

    def z_of(values: list[float]) -> list[float | None]:
        rows = tuple(_rating(str(place), "a", "x", value) for place, value in enumerate(values))
        return [row.z for row in standardised(Ratings(rows), ddof=ddof)]

    z = np.array(z_of(scores), dtype=float)
    if spread == 0:
        assert (z == 0).all()
    else:
        assert z.mean() == pytest.approx(0, abs=1e-6)
        assert z.std(ddof=ddof) == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(z_of([factor * score for score in scores]), z)  # powers of two round nothing


def test_z_of_a_cube_needs_standardised_ratings() -> None:
    ratings = Ratings((_rating("1", "a", "x", 1), _rating("2", "a", "x", 3)))
    with pytest.raises(DataError, match="call `standardised` first"):
        ratings.cube("simplicity", "z")
    np.testing.assert_array_equal(standardised(ratings).cube("simplicity", "z").scores.ravel(), [-1, 1])


def _with(rating: Rating, **changes: object) -> Rating:
    return replace(rating, **changes)  # type: ignore[arg-type]


def test_a_summary_counts_each_aspect() -> None:
    scale = Scale(1, 5, 1)
    rows = [
        _with(_rating("1", "a", "x", 2), scale=scale),
        _with(_rating("1", "a", "y", 5), scale=scale),
        _with(_rating("2", "b", "x", 3), scale=scale),
        _rating("1", "a", "x", 70, "meaning"),
    ]
    summary = summarise(Ratings(tuple(rows)))
    assert (summary.ratings, summary.items, summary.systems, summary.raters) == (4, 2, 2, 2)
    assert summary.aspects[0] == AspectSummary(
        aspect="simplicity",
        ratings=3,
        items=2,
        systems=2,
        raters=2,
        scale="1..5 by 1",
        lowest=2,
        mean=10 / 3,
        highest=5,
        fewest=1,
        most=2,
        outputs=2,
        unrated=2,
    )
    assert summary.aspects[1].scale is None
    assert summary.to_dict()["aspects"][1]["aspect"] == "meaning"


COMPLETE = [
    Rating(item=i, system=s, rater=r, aspect="ease", score=int(i) + len(r), scale=Scale(1, 9), source="S.", output="O.")
    for i in "123"
    for s in "ab"
    for r in ("x", "yy")
]


def test_nothing_is_noted_of_ratings_without_gaps() -> None:
    assert summarise(Ratings(tuple(COMPLETE))).notes == ()


@pytest.mark.parametrize(
    ("rows", "note"),
    [
        (COMPLETE[:8], "2 of the 3 items that an interval over items needs at least."),
        (
            [row for row in COMPLETE if row.system == "a"],
            "One system (a): systems cannot be compared, and no metric correlates with them.",
        ),
        ([row for row in COMPLETE if row.rater == "x"], "One rater (x): agreement cannot be computed."),
        (
            [_with(COMPLETE[0], scale=None), *COMPLETE[1:]],
            "1 rating without a scale: scores outside of it cannot be found; give --scale.",
        ),
        (
            [_with(COMPLETE[0], scale=Scale(0, 100)), *COMPLETE[1:]],
            "Several scales of ease (0..100, 1..9): its raw scores cannot be compared, z-scores can.",
        ),
        (
            [row for row in COMPLETE if (row.item, row.system) != ("3", "b")],
            "Nobody rated ease of 1 output, by system: b (1).",
        ),
        (COMPLETE[1:], "Not every rater rated every output: of 6 from 5 (x) to 6 (yy)."),
        ([*COMPLETE, _with(COMPLETE[0], rater="new")], "Seen only once, so z is 0 and says nothing: new (ease)."),
        (
            [_with(row, score=5) if row.rater == "x" else row for row in COMPLETE],
            "Always gave the same score, so z is 0 and says nothing: x (ease: 5, 6 times).",
        ),
        ([_with(row, source=None) for row in COMPLETE], "No source texts, which metrics need."),
        ([_with(COMPLETE[0], output=None), *COMPLETE[1:]], "1 rating without the text of the output."),
        (
            [_with(COMPLETE[0], source="T."), *COMPLETE[1:]],
            "More than one wording of the source: 1 item (1).",
        ),
    ],
)
def test_what_limits_a_study_is_noted(rows: list[Rating], note: str) -> None:
    assert note in summarise(Ratings(tuple(rows))).notes


def test_many_names_are_cut_short() -> None:
    rows = [*COMPLETE, *(_with(COMPLETE[0], rater=f"new{number}") for number in range(7))]
    (note,) = [note for note in summarise(Ratings(tuple(rows))).notes if note.startswith("Seen only once")]
    assert note.endswith("new4 (ease) and 2 more.")
